"""Rail heads. Uncanted with the crown at (0, 0), z up; in a track, left and canted."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from .drawn import arc, straight, table_of
from .pieces import END, START
from .profile import Profile

MM = 1e-3
UIC60_JOINTS = {
    # y of joint 300/80, y of joint 80/13, centre R80, centre R13, tangent to the flank; mm
    "manchester": (
        10.500000000000002, 25.988023396523012, (7.700000000000001, -80.13479129248302),
        (23.01621959458802, -14.908926657889182), (36.0, -14.259737637618583),
    ),
    "60E1": (
        10.228, 26.0265, (7.500533333333332, -80.12789626759024),
        (23.016030416666663, -14.94914704472562), (35.99981082207864, -14.299958024455021),
    ),
}  # fmt: skip
HALF_WIDTH = 37.15
"""Half of the width of the head at its bottom (74.3 mm)."""
FLANK = 20.0
GAUGE_DEPTH_M = 0.014
"""How far below the top of the rail the gauge is measured (EN 13848-1; 16 mm in other places)."""


@cache
def uic60(variant: str = "manchester") -> Profile:
    """UIC60 rail head: radii 300, 80 and 13 mm, then flanks 20:1.

    "manchester" has the joints of the Manchester contact benchmark, "60E1" those of the drawing;
    they differ by up to 0.05 mm in height.
    """
    if variant not in UIC60_JOINTS:
        raise ValueError(f"no UIC60 variant '{variant}'; expected {', '.join(UIC60_JOINTS)}")
    y_80, y_13, centre_80, centre_13, flank = UIC60_JOINTS[variant]
    rows = [arc(-y_80 * MM, y_80 * MM, 300 * MM, (0.0, -300 * MM))]
    for side in (-1.0, 1.0):
        parts = ((y_80, y_13, 80.0, centre_80), (y_13, flank[0], 13.0, centre_13))
        for near, far, radius, centre in parts:
            start, end = sorted((side * near * MM, side * far * MM))
            rows.append(arc(start, end, radius * MM, (side * centre[0] * MM, centre[1] * MM)))
        start, end = sorted((side * flank[0] * MM, side * HALF_WIDTH * MM))
        rows.append(straight(start, end, -side * FLANK, flank[1] * MM, side * flank[0] * MM))
    return Profile(f"UIC60 {variant}", table_of(rows))


def left_rail(
    head: Profile, cant: float = 1 / 40, gauge: float = 1.435, depth: float = GAUGE_DEPTH_M
) -> Profile:
    """The head as the left rail of a track: leaning inwards by 1 in 1/cant, its top at z = 0.

    The gauge is measured between the inner faces, `depth` below the top; y = 0 is the middle of the
    track. `.mirrored()` is the right rail.
    """
    return _gauged(head.turned(math.atan(cant)), gauge, depth)


def _gauged(leaning: Profile, gauge: float, depth: float) -> Profile:
    top = leaning.y_of_slope(0.0)
    level = leaning.moved(dz=-float(leaning.height(top)))
    return level.moved(dy=0.5 * gauge - _inner_face(level, depth))


def in_track(head: Profile, cant: float, gauge: float, depth: float, half: float) -> Profile:
    """The left rail, as `left_rail`; a head without an inner face has its y = 0 at `half`.

    That is how cylinders and cones lie in a track or a rig.
    """
    leaning = head.turned(math.atan(cant))
    ends = leaning.height(np.array(leaning.reach))
    if min(ends) > np.max(leaning.height(leaning.table[:, [START, END]])) - depth:
        return leaning.moved(dy=half)
    return _gauged(leaning, gauge, depth)


def _inner_face(head: Profile, depth: float) -> float:
    """The y at which the left side of the head is `depth` below its top."""
    from scipy.optimize import brentq

    low, top = head.reach[0], head.y_of_slope(0.0)
    if float(head.height(low)) > -depth:
        raise ValueError(f"{head.name} is not {depth:g} m deep at its inner face")
    return float(brentq(lambda y: float(head.height(y)) + depth, low, top, xtol=1e-15))
