"""Wheel profiles. y = 0 on the running circle, y > 0 towards the field side; lengths in metres."""

from __future__ import annotations

from functools import cache

from .drawn import arc, polynomial, straight, table_of
from .profile import Profile

MM = 1e-3
S1002_PIECES: tuple[tuple[float, float, str, tuple[float, ...]], ...] = (
    # start, end in mm, then lowest power first in mm, or (centre z, radius, centre y, sign)
    (32.15796, 60.0, "A", (1.364323640, -0.066666667)),
    (
        -26.0,
        32.15796,
        "B",
        (
            0.0, -3.358537058e-2, 1.565681624e-3, -2.810427944e-5, 5.844240864e-8,
            -1.562379023e-8, 5.309217349e-15, -5.957839843e-12, 2.646656573e-13,
        ),
    ),
    (
        -35.0,
        -26.0,
        "C",
        (
            -4320.221063, -1038.384026, -106.5501873, -6.051367875, -0.2054332446,
            -4.169739389e-3, -4.687195829e-5, -2.252755540e-7,
        ),
    ),
    (-38.426669071, -35.0, "D", (16.446, 13.0, -26.210665, -1.0)),
    (-39.764473993, -38.426669071, "E", (-93.576667419, -2.747477419)),
    (-49.662510381, -39.764473993, "F", (8.834924130, 20.0, -58.558326413, 1.0)),
    (-62.764705882, -49.662510381, "G", (16.0, 12.0, -55.0, 1.0)),
    (-70.0, -62.764705882, "H", (9.519259302, 20.5, -49.5, 1.0)),
)  # fmt: skip
ARCS = "DFGH"


@cache
def s1002(r_0: float = 0.46) -> Profile:
    """ORE S1002 with flange height 28 mm and thickness 32.5 mm, on a wheel of radius r_0.

    Eight pieces A to H from the tread's chamfered end to the back of the flange; heights and slopes
    agree at the joints to 1.2e-4 mm and 8e-6. The vertical end of piece H is left out: 0.1 mm.
    """
    rows = []
    for start, end, name, c in S1002_PIECES:
        low, high = max(start, -69.9) * MM, end * MM
        if name in ARCS:
            rows.append(arc(low, high, c[1] * MM, (c[2] * MM, c[0] * MM), c[3]))
        elif len(c) == 2:
            rows.append(straight(low, high, c[1], c[0] * MM, 0.0))
        else:
            rows += polynomial(low, high, [v * MM ** (1 - k) for k, v in enumerate(c)])
    return Profile("S1002", table_of(rows)).moved(dz=r_0)


def conical(
    r_0: float = 0.46, cone: float = 1 / 20, inner: float = -0.04, outer: float = 0.06
) -> Profile:
    """A cone without flange: radius r_0 at y = 0, falling by `cone` towards the field side."""
    return Profile(f"cone {cone:g}", table_of([straight(inner, outer, -cone, r_0, 0.0)]))


def cylindrical(r_0: float = 0.46, inner: float = -0.04, outer: float = 0.06) -> Profile:
    """A cylinder."""
    return conical(r_0, 0.0, inner, outer).named("cylinder")
