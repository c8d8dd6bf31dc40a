"""Curvatures averaged over a length, for profiles made of arcs.

Where arcs of different radii meet, curvature jumps, and with it the load that Hertz's theory gives
for an approach, while a real patch lies on both arcs. The mean over an arc length of about 2 h,

    k_2 = -(change of the angle of the tangent) / (arc length)             (1)

is continuous, and exact inside an arc. Directions along rolling stay as they are.
"""

import math

from railblocks.blocks.rail.contact.normal.hertz import relative_curvatures
from railblocks.blocks.rail.contact.profiles.pieces import END, START, height_and_slope

from .contacts import HALF_LENGTH, PSI, Y_R, Y_W, A, B

MIN_B_OVER_A = 0.1
"""Least B as a part of A, about 5 m of relative radius: wider patches leave Hertz's theory."""


def spread_curvatures(contacts, count, wheel, rail, roller, h):
    """Coefficients A and B of the contacts with mean curvatures of both profiles."""
    for k in range(count):
        if contacts[k, HALF_LENGTH] == 0.0:
            w, slope_w = height_and_slope(wheel, contacts[k, Y_W])
            r, slope_r = height_and_slope(rail, contacts[k, Y_R])
            k_1r = 1.0 / (r * math.sqrt(1.0 + slope_r * slope_r)) if roller else 0.0
            a, b = relative_curvatures(
                1.0 / (w * math.sqrt(1.0 + slope_w * slope_w)),
                mean_curvature(wheel, contacts[k, Y_W], slope_w, h),
                k_1r,
                mean_curvature(rail, contacts[k, Y_R], slope_r, h),
                contacts[k, PSI],
            )
            contacts[k, A], contacts[k, B] = a, max(b, MIN_B_OVER_A * a)


def mean_curvature(table, y, slope, h):
    """(1) over h along the profile to both sides of y, or as far as it reaches."""
    step = h / math.sqrt(1.0 + slope * slope)
    low = max(y - step, table[0, START])
    high = min(y + step, table[len(table) - 1, END])
    z_0, slope_0 = height_and_slope(table, low)
    z_1, slope_1 = height_and_slope(table, high)
    turn = math.atan(slope_0) - math.atan(slope_1)
    chord = math.sqrt((high - low) * (high - low) + (z_1 - z_0) * (z_1 - z_0))
    half = 0.5 * abs(turn)
    return turn / chord * (math.sin(half) / half if half > 1e-6 else 1.0)
