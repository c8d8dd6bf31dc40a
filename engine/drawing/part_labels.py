"""Labels such as `[0:2]` at wires that carry a part of a vector, each beside its own wire."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from .routing import Point, Route, cells
from .scene import ARROW, GRID, PORT_SIZE
from .text import text_width

LABEL_RISE_PX, LABEL_GAP_PX = 4, 2


def with_part_labels(routes: list[Route]) -> list[Route]:
    """The routes with `labels`; routes whose labels stay are the same objects."""
    arriving: dict[Point, list[tuple[Point, ...]]] = {}
    for route in routes:
        for line in route.lines:
            arriving.setdefault(line[-1], []).append(line)
    labelled = []
    for route in routes:
        labels = {}
        for line in route.lines:
            part = route.parts.get(line[-1])
            if part:
                others = [other for other in arriving[line[-1]] if other is not line]
                labels[_corner(line, others, text_width(part, PORT_SIZE))] = part
        labelled.append(route if labels == route.labels else replace(route, labels=labels))
    return labelled


def _corner(line: tuple[Point, ...], others: Iterable[tuple[Point, ...]], width: float) -> Point:
    """The lower right corner of a label: above the last level piece that no other line shares."""
    end = line[-1]
    taken = {cell for other in others for cell in cells(other)}
    for a, b in reversed(list(pairwise(line))):
        free = [x * GRID for x, y in cells((a, b)) if a[1] == b[1] and (x, y) not in taken]
        gap = ARROW + 1 if b == end and a[0] < b[0] else LABEL_GAP_PX
        if free and max(free) - min(free) >= width + gap:
            return max(free) - gap, a[1] - LABEL_RISE_PX
    return end[0] - ARROW - 1, end[1] - LABEL_RISE_PX
