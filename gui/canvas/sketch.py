"""Wires while something is dragged: the simplest way between two ports, around nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from railblocks.engine.drawing.routing import STEPS, Point, Route
from railblocks.engine.drawing.scene import Net, Terminal, Way

STUB = 10  # pixels that a wire leaves a port straight
PortPlacement = tuple[float, float, int]  # x, y and the direction in which the signal flows


def elbow(start: PortPlacement, end: PortPlacement) -> list[Point]:
    """A line that leaves and arrives in the directions of its ports."""
    (x0, y0, leave), (x1, y1, arrive) = start, end
    ax, ay = x0 + STUB * STEPS[leave][0], y0 + STUB * STEPS[leave][1]
    bx, by = x1 - STUB * STEPS[arrive][0], y1 - STUB * STEPS[arrive][1]
    level, also = leave % 2 == 0, arrive % 2 == 0
    if level and also:
        ahead = (bx - ax) * STEPS[leave][0] >= 0
        middle = (ax + bx) / 2 if ahead else ax
        between = [(middle, ay), (middle, by)] if ahead else _round(ax, ay, bx, by)
    elif not level and not also:
        middle = (ay + by) / 2
        between = [(ax, middle), (bx, middle)]
    else:
        between = [(bx, ay)] if level else [(ax, by)]
    points = [(x0, y0), (ax, ay), *between, (bx, by), (x1, y1)]
    return [(round(x), round(y)) for x, y in points]


def _round(ax: float, ay: float, bx: float, by: float) -> list[tuple[float, float]]:
    middle = (ay + by) / 2 if abs(ay - by) > 40 else max(ay, by) + 50
    return [(ax, middle), (bx, middle)]


def sketched(
    net: Net, position_of: Callable[[Terminal, Way], PortPlacement | None], old: Route
) -> Route:
    """A route of straight pieces for a net whose blocks are on the move."""
    start = position_of(net.source, "out")
    ends = [position_of(target, "in") for target in net.targets]
    lines = tuple(tuple(elbow(start, end)) for end in ends if start and end)
    return replace(old, net=net, lines=lines, dots=(), parts={}, labels={})
