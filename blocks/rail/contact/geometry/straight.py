"""Straight on straight: a cone or cylinder along a cone or cylinder, which no tangent point fixes.

Over the common length -L <= u <= L the gap is g + theta u. The bodies are taken as an elastic
foundation, whose pressure goes with the overlap d(u) = max(-g - theta u, 0): the contact lies at
the pressure's centre, and its overlap is the mean

    u_c = integral of u d / integral of d,   d_m = integral of d / (2 L)   (1)

in closed form. So it lies in the middle of parallel pieces, moves to the deeper end as they tilt,
and never jumps. The curvature of the gap along the contact, from a yaw between the axes, is left
out: at 10 mrad it is below 1e-3 of a usual overlap. Pieces tilted by more than `MAX_TILT_RAD` are
not taken as one line: there the ends touch first, and ends are not part of a profile's contact.
"""

import math

from railblocks.blocks.rail.contact.profiles.pieces import (
    END,
    KIND,
    SLOPE_START,
    SPLINE,
    START,
    STRAIGHT,
    height_and_slope,
    shape,
)

from .contacts import APART_M, HALF_LENGTH, B, set_contact

MAX_TILT_RAD = 0.05


def straight_contacts(contour, pose, wheel, rail, roller, limit, contacts, count):
    """The count with the contacts of all pairs of straight pieces; splines have none."""
    if wheel[0, KIND] == SPLINE or rail[0, KIND] == SPLINE:
        return count
    for row in range(len(wheel)):
        if wheel[row, KIND] == STRAIGHT:
            start, end, slope_w = wheel[row, START], wheel[row, END], wheel[row, SLOPE_START]
            w, _, _ = shape(wheel, row, start)
            _, _, Y_0, Z_0, slope, real = contour(start, w, slope_w, pose)
            w, _, _ = shape(wheel, row, end)
            _, _, Y_1, Z_1, _, real_1 = contour(end, w, slope_w, pose)
            line = (Y_0, Z_0, Y_1, Z_1)
            for other in range(len(rail)):
                tilt = abs(slope - rail[other, SLOPE_START]) / (1.0 + slope * slope)
                both = rail[other, KIND] == STRAIGHT and real and real_1 and Y_1 > Y_0
                if both and tilt <= MAX_TILT_RAD and count < len(contacts):
                    count = _pair(
                        contour, pose, wheel, row, line, rail, other, roller, limit, contacts, count
                    )
    return count


def _pair(contour, pose, wheel, row, line, rail, other, roller, limit, contacts, count):
    """The count with the contact of two straight pieces, if they have one."""
    Y_0, Z_0, Y_1, Z_1 = line
    slope = rail[other, SLOPE_START]
    low, high = max(Y_0, rail[other, START]), min(Y_1, rail[other, END])
    if high - low < APART_M:
        return count
    steep = math.sqrt(1.0 + slope * slope)
    g_0 = _gap(low, Y_0, Z_0, Y_1, Z_1, rail, steep)
    g_1 = _gap(high, Y_0, Z_0, Y_1, Z_1, rail, steep)
    centre, overlap = pressure_centre(g_0, g_1)
    gap = -overlap if overlap > 0.0 else min(g_0, g_1)
    if gap > limit:
        return count
    position = low + centre * (high - low)
    y_w = wheel[row, START] + (position - Y_0) / (Y_1 - Y_0) * (wheel[row, END] - wheel[row, START])
    w, slope_w, _ = shape(wheel, row, y_w)
    x_w, s, _, _, _, _ = contour(y_w, w, slope_w, pose)
    set_contact(contacts, count, y_w, wheel, row, x_w, s, position, rail, pose, roller, gap)
    contacts[count, B] = 0.0
    contacts[count, HALF_LENGTH] = 0.5 * (high - low) * steep
    return count + 1


def _gap(position, Y_0, Z_0, Y_1, Z_1, rail, steep):
    """Gap along the rail's normal, under the line through two points of the wheel."""
    z, _ = height_and_slope(rail, position)
    return (Z_0 + (position - Y_0) / (Y_1 - Y_0) * (Z_1 - Z_0) - z) / steep


def pressure_centre(g_0, g_1):
    """Centre as a fraction of the length and mean overlap of a linear gap, of (1)."""
    if g_0 >= 0.0 and g_1 >= 0.0:
        if g_0 == g_1:
            return 0.5, 0.0
        return (0.0, 0.0) if g_0 < g_1 else (1.0, 0.0)
    if g_0 < 0.0 and g_1 < 0.0:
        return (g_0 + 2.0 * g_1) / (3.0 * (g_0 + g_1)), -0.5 * (g_0 + g_1)
    if g_0 < 0.0:
        part = g_0 / (g_0 - g_1)
        return part / 3.0, -0.5 * g_0 * part
    part = g_1 / (g_1 - g_0)
    return 1.0 - part / 3.0, -0.5 * g_1 * part
