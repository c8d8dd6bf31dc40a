"""Kalker's creepage coefficients C11, C22, C23 and C33 of an elliptic patch.

a is the semi-axis along the direction of rolling, b the one across, g the smaller over the larger.
The numbers are those of J. J. Kalker, On the rolling contact of two elastic bodies in the presence
of dry friction (Delft, 1967), for g = 0.1 to 1 and nu = 0, 1/4, 1/2. Between, 1 / C is a parabola
in nu and C is linear in g.

Below g = 0.1 coefficients go over from the last of the table to the limits of the same source,

    C(g) = limit(g) (1 + (table / limit(0.1) - 1) g / 0.1)                 (1)

so that they are continuous, and right for a line across the rolling direction (a / b -> 0) or along
it (b / a -> 0). At g = 0.1 the limits are within 7.1 % of the table.
"""

import math

import numpy as np

# fmt: off
# a/b = 0.1 ... 1, then b/a = 0.9 ... 0.1; each C11, C22, C23, C33; each at nu = 0, 1/4, 1/2
TABLE = np.array((
    ((2.51, 3.31, 4.85), (2.51, 2.52, 2.53), (0.334, 0.473, 0.731), (6.42, 8.28, 11.7)),
    ((2.59, 3.37, 4.81), (2.59, 2.63, 2.66), (0.483, 0.603, 0.809), (3.46, 4.27, 5.66)),
    ((2.68, 3.44, 4.8), (2.68, 2.75, 2.81), (0.607, 0.715, 0.889), (2.49, 2.96, 3.72)),
    ((2.78, 3.53, 4.82), (2.78, 2.88, 2.98), (0.72, 0.823, 0.977), (2.02, 2.32, 2.77)),
    ((2.88, 3.62, 4.83), (2.88, 3.01, 3.14), (0.827, 0.929, 1.07), (1.74, 1.93, 2.22)),
    ((2.98, 3.72, 4.91), (2.98, 3.14, 3.31), (0.93, 1.03, 1.18), (1.56, 1.68, 1.86)),
    ((3.09, 3.81, 4.97), (3.09, 3.28, 3.48), (1.03, 1.14, 1.29), (1.43, 1.5, 1.6)),
    ((3.19, 3.91, 5.05), (3.19, 3.41, 3.65), (1.13, 1.25, 1.4), (1.34, 1.37, 1.42)),
    ((3.29, 4.01, 5.12), (3.29, 3.54, 3.82), (1.23, 1.36, 1.51), (1.27, 1.27, 1.27)),
    ((3.4, 4.12, 5.2), (3.4, 3.67, 3.98), (1.33, 1.47, 1.63), (1.21, 1.19, 1.16)),
    ((3.51, 4.22, 5.3), (3.51, 3.81, 4.16), (1.44, 1.59, 1.77), (1.16, 1.11, 1.06)),
    ((3.65, 4.36, 5.42), (3.65, 3.99, 4.39), (1.58, 1.75, 1.94), (1.1, 1.04, 0.954)),
    ((3.82, 4.54, 5.58), (3.82, 4.21, 4.67), (1.76, 1.95, 2.18), (1.05, 0.965, 0.852)),
    ((4.06, 4.78, 5.8), (4.06, 4.5, 5.04), (2.01, 2.23, 2.5), (1.01, 0.892, 0.751)),
    ((4.37, 5.1, 6.11), (4.37, 4.9, 5.56), (2.35, 2.62, 2.96), (0.958, 0.819, 0.65)),
    ((4.84, 5.57, 6.57), (4.84, 5.48, 6.31), (2.88, 3.24, 3.7), (0.912, 0.747, 0.549)),
    ((5.57, 6.34, 7.34), (5.57, 6.4, 7.51), (3.79, 4.32, 5.01), (0.868, 0.674, 0.446)),
    ((6.96, 7.78, 8.82), (6.96, 8.14, 9.79), (5.72, 6.63, 7.89), (0.828, 0.601, 0.341)),
    ((10.7, 11.7, 12.9), (10.7, 12.8, 16.0), (12.2, 14.6, 18.0), (0.795, 0.526, 0.228)),
))
# fmt: on
CIRCLE = 9  # its row
LEAST = 0.1  # smallest g of the table


def kalker_table(nu):
    """Coefficients at the rows of TABLE for Poisson's ratio nu between 0 and 1/2: shape (19, 4)."""
    at_0, at_1, at_2 = (1.0 / TABLE[:, :, i] for i in range(3))
    x = 4.0 * nu
    weights = (1.0 - x) * (2.0 - x) / 2.0, x * (2.0 - x), x * (x - 1.0) / 2.0
    return 1.0 / (weights[0] * at_0 + weights[1] * at_1 + weights[2] * at_2)


def limit_across(g, nu):
    """C11, C22, C23, C33 for a / b = g -> 0: a line across the direction of rolling."""
    C_11 = math.pi * math.pi / (4.0 * (1.0 - nu))
    C_23 = math.pi * math.sqrt(g) / (3.0 * (1.0 - nu)) * (1.0 + nu * (math.log(16.0 / g) - 5.0))
    return C_11, math.pi * math.pi / 4.0, C_23, math.pi * math.pi / (16.0 * (1.0 - nu) * g)


def limit_along(g, nu):
    """C11, C22, C23, C33 for b / a = g -> 0: a line along the direction of rolling."""
    size = math.log(16.0 / (g * g))
    v = size - 2.0 * nu
    w = (1.0 - nu) * size + 2.0 * nu
    u = (1.0 - nu) * size - 2.0 + 4.0 * nu
    C_11 = 2.0 * math.pi / (g * v) * (1.0 + (3.0 - math.log(4.0)) / v)
    C_22 = 2.0 * math.pi / (g * w) * (1.0 + (1.0 - nu) * (3.0 - math.log(4.0)) / w)
    C_23 = 2.0 * math.pi / (3.0 * g * math.sqrt(g) * u)
    return C_11, C_22, C_23, math.pi / 4.0 * (1.0 - nu * (size - 2.0) / u)


def kalker(a, b, nu, table):
    """C11, C22, C23, C33 for semi-axes a, b > 0, else for a circle; `table` for the same nu."""
    if not (a > 0.0 and b > 0.0):
        return table[CIRCLE, 0], table[CIRCLE, 1], table[CIRCLE, 2], table[CIRCLE, 3]
    g = a / b if a < b else b / a
    if g < LEAST:
        g = max(g, 1e-9)
        row, near, far = (
            (0, limit_across(g, nu), limit_across(LEAST, nu))
            if a < b
            else (2 * CIRCLE, limit_along(g, nu), limit_along(LEAST, nu))
        )
        part = g / LEAST
        return (
            near[0] * (1.0 + (table[row, 0] / far[0] - 1.0) * part),  # (1)
            near[1] * (1.0 + (table[row, 1] / far[1] - 1.0) * part),
            near[2] * (1.0 + (table[row, 2] / far[2] - 1.0) * part),
            near[3] * (1.0 + (table[row, 3] / far[3] - 1.0) * part),
        )
    fractional_row = 10.0 * g - 1.0
    if a > b:
        fractional_row = 2.0 * CIRCLE - fractional_row
    row = min(int(fractional_row), 2 * CIRCLE - 1)
    part = fractional_row - row
    return (
        table[row, 0] + part * (table[row + 1, 0] - table[row, 0]),
        table[row, 1] + part * (table[row + 1, 1] - table[row, 1]),
        table[row, 2] + part * (table[row + 1, 2] - table[row, 2]),
        table[row, 3] + part * (table[row + 1, 3] - table[row, 3]),
    )
