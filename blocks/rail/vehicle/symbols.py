"""Symbols of force elements for drawings: springs, dampers, stops, and springs that turn.

Each is a path of straight strokes in a square from -1 to 1, with its axis upright; side by side
they stand for what acts in parallel.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from .description import Element

Point = tuple[float, float]
Stroke = Sequence[Point]


def _round(radius: float, start: int, end: int) -> Stroke:
    """An arc, from degrees to degrees."""
    angles = map(math.radians, range(start, end + 1, 15))
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


SPRING: list[Stroke] = [
    [(0, -1), (0, -0.7), (-0.4, -0.5), (0.4, -0.2), (-0.4, 0.1), (0.4, 0.4), (0, 0.6), (0, 1)]
]
DAMPER: list[Stroke] = [
    [(0, -1), (0, 0.05)], [(-0.35, 0.05), (0.35, 0.05)],
    [(-0.45, -0.5), (-0.45, 0.45), (0.45, 0.45), (0.45, -0.5)], [(0, 0.45), (0, 1)],
]  # fmt: skip
STOP: list[Stroke] = [
    [(-0.7, -1), (0.7, -1)], [(-0.4, -1), (-0.25, -0.1), (0.25, -0.1), (0.4, -1)],
    [(-0.6, 0.4), (0.6, 0.4)], [(0, 0.4), (0, 1)],
]  # fmt: skip
TURN: list[Stroke] = [_round(0.8, -60, 210), [(-1.0, -0.05), (-0.7, -0.4), (-0.35, -0.1)]]
END_ON: list[Stroke] = [_round(0.6, 0, 360), _round(0.1, 0, 360)]


def family(element: Element) -> str:
    """The element's name without its number and side."""
    return re.sub(r"_\d+(_[lr])?$", "", element.name).replace("_", " ")


def strokes(element: Element, view: tuple[int, int]) -> list[Stroke]:
    """What is drawn of an element in the view of two axes."""
    upright = _axis(element, view)
    if upright is None:
        translates = any((*element.stiffness, *element.has_dampers)) or element.bump
        return END_ON if translates else TURN
    parts = []
    if element.stiffness[upright] > 0.0:
        parts.append(SPRING)
    if element.has_dampers[upright]:
        parts.append(DAMPER)
    if element.bump and element.bump_axis == upright:
        parts.append(STOP)
    strokes = _side_by_side(parts)
    return strokes if upright == view[1] else [[(y, x) for x, y in stroke] for stroke in strokes]


def _axis(element: Element, view: tuple[int, int]) -> int | None:
    """The axis of the view along which the element acts: up if it carries, else the stiffest."""
    for values in (element.stiffness, element.damping, element.has_dampers):
        if 2 in view and values[2] > 0.0:
            return 2
        strongest = max(view, key=lambda axis: values[axis])
        if values[strongest] > 0.0:
            return strongest
    return element.bump_axis if element.bump and element.bump_axis in view else None


def _side_by_side(parts: Sequence[list[Stroke]]) -> list[Stroke]:
    if len(parts) == 1:
        return parts[0]
    half = 0.7 * (len(parts) - 1)
    strokes: list[Stroke] = []
    for number, part in enumerate(parts):
        strokes += [[(x + 1.4 * number - half, y) for x, y in stroke] for stroke in part]
    for end in (-1.0, 1.0):
        strokes += [[(-half, end), (half, end)], [(0.0, end), (0.0, 1.4 * end)]]
    return strokes


def sign(strokes: list[Stroke], colour: str, size: float) -> dict[str, Any]:
    """Strokes as a marker of matplotlib; its square is so many points large."""
    from matplotlib.path import Path
    from matplotlib.patheffects import Normal, withStroke

    points = [point for stroke in strokes for point in stroke]
    codes = [code for s in strokes for code in (Path.MOVETO, *[Path.LINETO] * (len(s) - 1))]
    extent = max(abs(number) for point in points for number in point)
    return {
        "marker": Path(points, codes), "markersize": size * extent, "linestyle": "none",
        "markeredgecolor": colour, "markerfacecolor": "none", "markeredgewidth": 1.0,
        "path_effects": [withStroke(linewidth=2.6, foreground="white"), Normal()],
    }  # fmt: skip


def spread(positions: Sequence[Point], gap: float, lowest: float = -math.inf) -> list[Point]:
    """Positions of symbols, spread so that each is a gap away from all before it."""
    ways = sorted(
        ((i, j) for i in range(-6, 7) for j in range(-2, 3)),
        key=lambda way: (math.hypot(way[0], 1.2 * way[1]), -way[0], -way[1]),
    )
    placed: list[Point] = []
    for x, y in positions:
        tried = ((x + gap * i, y + gap * j) for i, j in ways)
        free = (at for at in tried if at[1] >= min(lowest, y) and _is_free(at, placed, gap))
        placed.append(next(free, (x, y)))
    return placed


def _is_free(at: Point, taken: Sequence[Point], gap: float) -> bool:
    return all(max(abs(at[0] - x), abs(at[1] - y)) > 0.95 * gap for x, y in taken)
