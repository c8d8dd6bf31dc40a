"""The ellipse that stands for a patch whose curvature changes inside.

Away from a contact point the two profiles turn away from each other. With s the length along both,
phi the angles of their tangents and x along rolling, the gap is

    A x^2 + h(s),  h' = (phi_w(0) - phi_w(s)) + (phi_r(0) - phi_r(s))      (1)

To the first order in what h differs from a parabola, the load under an approach delta is that of
the parabola with the same mean under the pressure of a flat punch of the patch's shape, which over
x is an even weight across the patch. At the ends of Hertz's patch a parabola has the height

    h_0 = e delta,  e = b^2 B / delta                                      (2)

with e near 1/2. So the parabola that has as much below h_0 as h has, and its centre, are

    S = int max(h_0 - h, 0) ds = 4/3 h_0 b,  B = h_0 / b^2                 (3)
    s_c = int s max(h_0 - h, 0) ds / S                                     (4)

The patch is Hertz's for A, B and delta, about s_c. His pressure, summed over x, is spread across
the patch as h_0 - h: the force acts at s_c, under the mean of the rail's angles with that weight. e
depends on B / A, weakly: it is that of curvatures averaged over a length first, then that of (3).
Where curvatures are constant, h is a parabola and nothing differs from Hertz's theory.

A contact has its own side of a saddle only: beyond it h is taken to rise on as it falls. So h rises
to both sides, and the ellipse changes continuously with the pose.

That the overlap of the bodies at a part of their approach gives an ellipse is the idea of J.
Piotrowski and H. Kik, A simplified model of wheel/rail contact mechanics for non-Hertzian problems,
Vehicle System Dynamics 46 (2008) 27, who take 0.55 of the approach. The first order follows from
the reciprocal theorem: K. L. Johnson, Contact Mechanics (1985), section 5.5 for the punch.
"""

import math
from typing import NamedTuple

from railblocks.engine.functions.functions import inlined

from .geometry.spreading import mean_curvature
from .normal.hertz import hertz_constants, relative_curvatures
from .profiles.pieces import END, START, height_and_slope, piece_at, piece_near, shape

MIN_B_OVER_A = 0.01
"""Least B as a part of A: patches up to about 15 times as wide as long."""
ROUNDS = 2
"""How often e is taken."""
STEPS, MAX_STEPS = 8, 64
"""Steps to each side for the half-width of the round before, and at most."""


class Ellipse(NamedTuple):
    """An equivalent ellipse: coefficients of its gap, b, and where its centre lies.

    `angle` is the mean angle of the rail's tangents, weighted by the pressure.
    """

    A: float
    B: float
    b: float
    y_w: float
    y_r: float
    angle: float


class Point(NamedTuple):
    """A point of a profile: y, slope and its change per length, row, and angle turned since."""

    y: float
    slope: float
    bend: float
    row: int
    turn: float


def equivalent_ellipse(wheel, rail, on_roller, y_w, y_r, delta, psi, h):
    """The `Ellipse` of a contact at y_w of the wheel and y_r of the rail or roller.

    The first e is that of curvatures that are means over h.
    """
    w, slope_w = height_and_slope(wheel, y_w)
    r, slope_r = height_and_slope(rail, y_r)
    k_r = mean_curvature(rail, y_r, slope_r, h)
    total = mean_curvature(wheel, y_w, slope_w, h) + k_r
    centre, turn, b = 0.0, 0.0, 0.0
    for _ in range(ROUNDS):
        A, B = coefficients(w, slope_w, total - k_r, r, slope_r, k_r, psi, on_roller)
        _, _, c_y = hertz_constants(A, B)
        b = c_y * math.sqrt(delta)
        h_0 = c_y * c_y * B * delta  # (2)
        S_1, moment_1, turn_1 = overlap(wheel, rail, y_w, y_r, b / STEPS, h_0)
        S_2, moment_2, turn_2 = overlap(wheel, rail, y_w, y_r, -b / STEPS, h_0)
        S = S_1 + S_2
        b = 0.75 * S / h_0  # (3)
        total = 2.0 * h_0 / (b * b)
        centre, turn = (moment_1 + moment_2) / S, (turn_1 + turn_2) / S  # (4)
    y_w, y_r = along(wheel, y_w, centre), along(rail, y_r, centre)
    angle = math.atan(slope_r) - turn
    w, slope_w = height_and_slope(wheel, y_w)
    r, slope_r = height_and_slope(rail, y_r)
    A, B = coefficients(w, slope_w, total - k_r, r, slope_r, k_r, psi, on_roller)
    return Ellipse(A, B, b, y_w, y_r, angle)


def coefficients(w, slope_w, k_w, r, slope_r, k_r, psi, on_roller):
    """A and B from the radii and slopes at a point, and the curvatures across."""
    k_1r = 1.0 / (r * math.sqrt(1.0 + slope_r * slope_r)) if on_roller else 0.0
    A, B = relative_curvatures(1.0 / (w * math.sqrt(1.0 + slope_w * slope_w)), k_w, k_1r, k_r, psi)
    return A, max(B, MIN_B_OVER_A * A)


def overlap(wheel, rail, y_w, y_r, step, h_0):
    """Integrals of h_0 - h to one side: alone, times s, and times the angle that the rail turns.

    Angles are linear between points a step apart, which is negative to the other side; with that
    all three are exact.
    """
    first, second = start_at(wheel, y_w), start_at(rail, y_r)
    size, side = abs(step), 1.0 if step > 0.0 else -1.0
    S, moment, turned = 0.0, 0.0, 0.0
    s, f, left, turn = 0.0, 0.0, h_0, 0.0
    for _ in range(MAX_STEPS):
        first, second = next_point(wheel, first, step), next_point(rail, second, step)
        f_1, turn_1 = abs(first.turn + second.turn), second.turn
        x = size
        after = left - 0.5 * size * (f + f_1)
        if after <= 0.0:
            c = (f_1 - f) / size
            x = min(2.0 * left / (f + math.sqrt(max(f * f + 2.0 * c * left, 0.0))), size)
            f_1, turn_1, after = f + c * x, turn + (turn_1 - turn) * x / size, 0.0
        S += x * (0.5 * (left + after) + x / 12.0 * (f_1 - f))
        moment += 0.5 * x * (s * left + (s + x) * after)
        moment += x * x / 12.0 * (left - s * f - after + (s + x) * f_1)
        bend = (turn_1 - turn) / x
        turned += 0.5 * x * (turn * left + turn_1 * after)
        turned += x * x / 12.0 * (bend * (left - after) - turn * f + turn_1 * f_1)
        s, f, left, turn = s + x, f_1, after, turn_1
        if not left > 0.0:
            break
    return S, side * moment, turned


def along(table, y, s):
    """The y that lies a length s further along a profile."""
    point = start_at(table, y)
    for _ in range(STEPS):
        point = next_point(table, point, s / STEPS)
    return point.y


def start_at(table, y):
    """The `Point` at y."""
    row = piece_at(table, y)
    _, slope, second = shape(table, row, y)
    return Point(y, slope, second / math.sqrt(1.0 + slope * slope), row, 0.0)


def next_point(table, point, s):
    """The `Point` a small length s further; beyond its ends a profile goes on straight."""
    middle = point.slope + 0.5 * s * point.bend
    y = point.y + s / math.sqrt(1.0 + middle * middle)
    if not table[0, START] <= y <= table[len(table) - 1, END]:
        return Point(y, point.slope, 0.0, point.row, point.turn)
    row = piece_near(table, point.row, y)
    _, slope, second = shape(table, row, y)
    tangent = (point.slope - slope) / (1.0 + point.slope * slope)
    turn = small_angle(tangent)
    return Point(y, slope, second / math.sqrt(1.0 + slope * slope), row, point.turn + turn)


@inlined
def small_angle(tangent):
    """The angle with this tangent; below 0.02 by three terms of its series, within 2e-13."""
    if abs(tangent) > 0.02:
        return math.atan(tangent)
    square = tangent * tangent
    return tangent * (1.0 - square * (1.0 / 3.0 - 0.2 * square))
