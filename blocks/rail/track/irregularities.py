"""Irregularities along a line as cubic pieces, and the kernel that reads them.

Over a row of the table, with u = s - start, each irregularity is

    d = a + b u + c u^2 + e u^3                                            (1)

before the first row and from the last one on it is constant. Between given positions the pieces are
those of a natural cubic spline, or straight.
"""

from __future__ import annotations

import numpy as np
from railblocks.blocks.base.search import row_of

DEVIATIONS = ("lateral", "vertical", "cross_level", "gauge")
LATERAL, VERTICAL, CROSS, GAUGE = range(len(DEVIATIONS))
COLUMNS = 1 + 4 * len(DEVIATIONS)
"""Where a row starts, then a, b, c and e of each irregularity."""
SPLINE, STRAIGHT = "spline", "straight"


def deviation_at(table, kind, s):
    """An irregularity and its slope along the line at s."""
    if len(table) == 0:
        return 0.0, 0.0
    row, column = row_of(table, s), 1 + 4 * kind
    u = s - table[row, 0]
    a, b = table[row, column], table[row, column + 1]
    c, e = table[row, column + 2], table[row, column + 3]
    if u < 0.0:
        return a, 0.0
    return a + (b + (c + e * u) * u) * u, b + (2.0 * c + 3.0 * e * u) * u  # (1)


def pieces_between(rows: np.ndarray, between: str) -> np.ndarray:
    """The table of pieces through rows of positions and irregularities."""
    from scipy.interpolate import CubicSpline

    table, at = np.zeros((len(rows), COLUMNS)), rows[:, 0]
    table[:, 0] = at
    for kind, values in enumerate(rows[:, 1:].T):
        column = 1 + 4 * kind
        table[:, column] = values
        if between == STRAIGHT or len(rows) < 3:
            table[:-1, column + 1] = np.diff(values) / np.diff(at)
        elif values.any():
            spline = CubicSpline(at, values, bc_type="natural")
            table[:-1, column + 1 : column + 4] = spline.c[2::-1].T
    return table


def largest_swing(table: np.ndarray) -> tuple[float, int, float]:
    """The largest swing of the pieces beyond the rows that they join: size, kind, position.

    The size is taken over the range of all rows: 1 is a swing as large as the irregularity itself.
    """
    worst = (0.0, 0, 0.0)
    u = np.diff(table[:, 0])[:, None] * np.linspace(0.1, 0.9, 9)
    for kind in range(len(DEVIATIONS)):
        a, b, c, e = (table[:, [1 + 4 * kind + k]] for k in range(4))
        size = np.ptp(a)
        if size == 0.0:
            continue
        values = a[:-1] + (b[:-1] + (c[:-1] + e[:-1] * u) * u) * u
        beyond = np.maximum(values - np.maximum(a[:-1], a[1:]), np.minimum(a[:-1], a[1:]) - values)
        row, step = np.unravel_index(np.argmax(beyond), beyond.shape)
        if beyond[row, step] / size > worst[0]:
            worst = (beyond[row, step] / size, kind, table[row, 0] + u[row, step])
    return worst
