"""Sizes with which bodies are drawn: files of vehicles have masses and inertias, but no sizes.

The box of length l, width b and height h with the same mass and inertia has

    I_xx = m (b^2 + h^2) / 12,  I_yy = m (l^2 + h^2) / 12,  I_zz = m (l^2 + b^2) / 12     (1)
    l^2 = 6 (I_yy + I_zz - I_xx) / m,  and so on                           (2)

about the centre of mass. In plan it is widened to reach the positions of all elements of the body.
Upright it ends where elements carry the body, or a body upon it, so that boxes do not hide what
stands below them.
"""

from __future__ import annotations

import math

from .description import Body, Element, Vehicle

MIN_SIZE_M = 0.1
"""Smallest size of a box that is drawn."""
Box = tuple[list[float], list[float]]
"""Lowest and highest corner."""


def equivalent_sizes(body: Body) -> tuple[float, float, float]:
    """l, b and h; where no box has such an inertia, the smallest size."""
    total = sum(body.inertia)
    squares = (6.0 * (total - 2.0 * own) / body.mass for own in body.inertia)  # (2)
    length, width, height = (max(math.sqrt(max(square, 0.0)), MIN_SIZE_M) for square in squares)
    return length, width, height


def boxes(vehicle: Vehicle) -> dict[str, Box]:
    """Boxes of all bodies that are not wheelsets."""
    axles = {wheelset.body for wheelset in vehicle.wheelsets}
    drawn: dict[str, Box] = {}
    for body in (*vehicle.bodies, *vehicle.welds):
        if body.name not in axles:
            half = [0.5 * size for size in equivalent_sizes(body)]
            low = [p - d for p, d in zip(body.place, half, strict=True)]
            drawn[body.name] = low, [p + d for p, d in zip(body.place, half, strict=True)]
    for element in vehicle.elements:
        for name in (element.first, element.second):
            if name in drawn:
                _reach(drawn[name], element)
        if element.stiffness[2] > 0.0:
            _part(vehicle, drawn, element)
    return drawn


def _reach(box: Box, element: Element) -> None:
    low, high = box
    for axis in range(2):
        low[axis] = min(low[axis], element.place[axis])
        high[axis] = max(high[axis], element.place[axis])


def _part(vehicle: Vehicle, drawn: dict[str, Box], element: Element) -> None:
    """Trims two boxes: the upper ends above the element that carries it, the lower one below."""
    ends = (vehicle.bodies[vehicle.index(name)] for name in (element.first, element.second))
    lower, upper = sorted(ends, key=lambda body: body.place[2])
    z = element.place[2]
    if upper.name in drawn and z < upper.place[2]:
        drawn[upper.name][0][2] = max(drawn[upper.name][0][2], z)
    if lower.name in drawn and z > lower.place[2]:
        drawn[lower.name][1][2] = min(drawn[lower.name][1][2], z)
