"""A profile as a table of pieces, and the kernels that read it.

A row is a piece with a slope that changes one way: straight, an arc, or a polynomial.

    z = c_0 + c_1 u                   straight                             (1)
    z = c_0 + c_2 sqrt(c_1^2 - u^2)   arc of radius c_1                    (2)
    z = sum of c_k u^k                polynomial                           (3)

with u = y - origin; c_2 is 1 for a convex and -1 for a concave arc. z points out of the body: the
height of a rail, the radius of a wheel or of a roller. Slopes at the ends of each piece stand in
the table, so that slopes can be inverted.
"""

import math

from railblocks.blocks.base.search import row_of
from railblocks.engine.functions.functions import inlined

START, END, KIND, ORIGIN, SLOPE_START, SLOPE_END, C = range(7)
DEGREE, SPLINE_DEGREE = 8, 5
COLUMNS = C + DEGREE + 1
STRAIGHT, ARC, POLYNOMIAL, SPLINE = 0.0, 1.0, 2.0, 3.0
"""Kinds of pieces; a spline is a polynomial of a low degree in a table that has nothing else, and
joints without a jump of curvature."""


def piece_at(table, y):
    """Row of the piece that y lies in; the first or the last one outside."""
    return row_of(table, y)


@inlined
def piece_near(table, row, y):
    """Row of the piece that y lies in, searched from a row that is near."""
    while row + 1 < len(table) and table[row + 1, START] <= y:
        row += 1
    while row > 0 and table[row, START] > y:
        row -= 1
    return row


def shape(table, row, y):
    """Height, slope and second derivative of a piece at y."""
    u = y - table[row, ORIGIN]
    kind = table[row, KIND]
    if kind == STRAIGHT:
        return table[row, C] + table[row, C + 1] * u, table[row, C + 1], 0.0  # (1)
    if kind == ARC:
        radius, sign = table[row, C + 1], table[row, C + 2]
        rise = math.sqrt(max(radius * radius - u * u, 0.0))
        slope = -sign * u / rise
        second = -sign * radius * radius / (rise * rise * rise)
        return table[row, C] + sign * rise, slope, second  # (2)
    if kind == SPLINE:
        return bent(table, row, u, SPLINE_DEGREE)
    return bent(table, row, u, DEGREE)


@inlined
def bent(table, row, u, degree):
    """Height, slope and second derivative of a polynomial; a known degree makes short work."""
    z, slope, second = table[row, C + degree], 0.0, 0.0
    for k in range(C + degree - 1, C - 1, -1):
        second = second * u + slope
        slope = slope * u + z
        z = z * u + table[row, k]  # (3)
    return z, slope, 2.0 * second


@inlined
def line(table, row, y):
    """Height and slope of a piece at y."""
    u = y - table[row, ORIGIN]
    kind = table[row, KIND]
    if kind == STRAIGHT:
        return table[row, C] + table[row, C + 1] * u, table[row, C + 1]
    if kind == ARC:
        radius, sign = table[row, C + 1], table[row, C + 2]
        rise = math.sqrt(max(radius * radius - u * u, 0.0))
        return table[row, C] + sign * rise, -sign * u / rise
    if kind == SPLINE:
        return inclined(table, row, u, SPLINE_DEGREE)
    return inclined(table, row, u, DEGREE)


@inlined
def inclined(table, row, u, degree):
    """Height and slope of a polynomial."""
    z, slope = table[row, C + degree], 0.0
    for k in range(C + degree - 1, C - 1, -1):
        slope = slope * u + z
        z = z * u + table[row, k]
    return z, slope


@inlined
def slope_of(table, row, y):
    """Slope of a piece at y."""
    u = y - table[row, ORIGIN]
    kind = table[row, KIND]
    if kind == STRAIGHT:
        return table[row, C + 1]
    if kind == ARC:
        radius = table[row, C + 1]
        return -table[row, C + 2] * u / math.sqrt(max(radius * radius - u * u, 0.0))
    if kind == SPLINE:
        return slope_alone(table, row, u, SPLINE_DEGREE)
    return slope_alone(table, row, u, DEGREE)


@inlined
def slope_alone(table, row, u, degree):
    """Slope of a polynomial."""
    slope = 0.0
    for k in range(degree, 0, -1):
        slope = slope * u + k * table[row, C + k]
    return slope


def height_and_slope(table, y):
    """Height and slope at y, which is taken into the reach of the profile."""
    y = min(max(y, table[0, START]), table[len(table) - 1, END])
    return line(table, piece_at(table, y), y)


def y_of_slope(table, row, slope):
    """The y of a piece that has this slope; its nearer end if none has, its middle if all have."""
    first, last = table[row, SLOPE_START], table[row, SLOPE_END]
    start, end = table[row, START], table[row, END]
    if first == last:
        return 0.5 * (start + end)
    if (slope - first) * (slope - last) >= 0.0:
        return start if abs(slope - first) <= abs(slope - last) else end
    if table[row, KIND] == ARC:
        u = -table[row, C + 2] * table[row, C + 1] * slope / math.sqrt(1.0 + slope * slope)
        return min(max(table[row, ORIGIN] + u, start), end)
    return _polynomial_y(table, row, slope)


def _polynomial_y(table, row, slope):
    """Newton's iteration inside a bracket that always holds the root."""
    low, high = table[row, START], table[row, END]
    falling = table[row, SLOPE_END] < table[row, SLOPE_START]
    y = low + (high - low) * (slope - table[row, SLOPE_START]) / (
        table[row, SLOPE_END] - table[row, SLOPE_START]
    )
    for _ in range(60):
        _, here, second = shape(table, row, y)
        if (here > slope) == falling:
            low = y
        else:
            high = y
        ahead = y - (here - slope) / second if second != 0.0 else low
        if not low < ahead < high:
            ahead = 0.5 * (low + high)
        if abs(ahead - y) <= 1e-16 * (1.0 + abs(y)):
            return ahead
        y = ahead
    return y


@inlined
def row_of_slope(table, first, last, row, slope):
    """The row, in a run of pieces whose slopes go one way, that has this slope or comes nearest.

    The search starts at `row`.
    """
    falling = table[last, SLOPE_END] <= table[first, SLOPE_START]
    while row < last and (table[row, SLOPE_END] > slope) == falling:
        row += 1
    while row > first and (table[row, SLOPE_START] > slope) != falling:
        row -= 1
    return row


def y_in_run(table, first, last, row, slope):
    """The y with this slope in a run of pieces whose slopes go one way, and its row.

    Outside the slopes of the run it is the nearer end, and so it is on a straight piece.
    """
    row = row_of_slope(table, first, last, row, slope)
    here = table[row, SLOPE_START]
    if table[row, KIND] == STRAIGHT and slope != here:
        falling = table[last, SLOPE_END] <= table[first, SLOPE_START]
        return table[row, START] if (slope > here) == falling else table[row, END], row
    return y_of_slope(table, row, slope), row


@inlined
def tangent_in_run(table, first, last, row, slope):
    """Position, height and slope of the point that `y_in_run` gives, and its row."""
    row = row_of_slope(table, first, last, row, slope)
    if table[row, KIND] == ARC:
        radius = table[row, C + 2] * table[row, C + 1] / math.sqrt(1.0 + slope * slope)
        position = table[row, ORIGIN] - radius * slope
        if table[row, START] <= position <= table[row, END]:
            return position, table[row, C] + radius, slope, row
    position, row = y_in_run(table, first, last, row, slope)
    z, here, _ = shape(table, row, position)
    return position, z, here, row


def run_of(table, row):
    """First and last row of the longest run of slopes that go one way, around a row that bends."""
    way = table[row, SLOPE_END] - table[row, SLOPE_START]
    first, last = row, row
    while first > 0 and way * (table[first - 1, SLOPE_END] - table[first - 1, SLOPE_START]) >= 0.0:
        first -= 1
    end = len(table) - 1
    while last < end and way * (table[last + 1, SLOPE_END] - table[last + 1, SLOPE_START]) >= 0.0:
        last += 1
    return first, last
