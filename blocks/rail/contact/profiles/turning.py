"""Pieces of a profile, turned about the origin.

Straight pieces and arcs stay what they are. A polynomial does not; where it is turned, the point at
u goes to (Y, Z) = R (u, z), and there

    Z' = (z' + tan a) / (1 - z' tan a),  Z'' = z'' / (cos a - z' sin a)^3  (1)

A polynomial of the fifth degree with these values at both ends, halved until points between lie on
it within `CLOSE_M`, takes its place: heights, slopes and curvatures go on as they did.
"""

from __future__ import annotations

import math

import numpy as np

from .drawn import arc, straight
from .fifth_degree import heights, through_ends
from .pieces import (
    ARC,
    DEGREE,
    END,
    KIND,
    ORIGIN,
    SLOPE_END,
    SLOPE_START,
    START,
    STRAIGHT,
    C,
    shape,
    y_of_slope,
)

CLOSE_M = 1e-12
"""How near a turned polynomial is met, in metres."""
BETWEEN = np.array([0.12, 0.3, 0.5, 0.7, 0.88])
"""Where it is looked at, from end to end."""
MAX_HALVINGS = 12


def turned_pieces(table: np.ndarray, angle: float, steepest: float) -> list[np.ndarray]:
    """The pieces that a table of them becomes, without those that are too steep."""
    ends = [_steep_ends(row, angle, steepest) for row in table]
    left = [k for k, (low, high) in enumerate(ends) if low < high]
    pieces = []
    for k in left:
        row, (low, high) = table[k], ends[k]
        if row[KIND] == STRAIGHT:
            (y0, z0), (y1, z1) = (_turned(row, y, angle) for y in (low, high))
            slope = math.tan(math.atan(row[C + 1]) + angle)
            pieces.append(straight(y0, y1, slope, 0.5 * (z0 + z1), 0.5 * (y0 + y1)))
        elif row[KIND] == ARC:
            centre = _rotated(row[ORIGIN], row[C], angle)
            y0, y1 = (_turned(row, y, angle)[0] for y in (low, high))
            pieces.append(arc(y0, y1, row[C + 1], centre, row[C + 2]))
    bent = [k for k in left if table[k, KIND] not in (STRAIGHT, ARC)]
    if bent:
        low, high = np.array([ends[k] for k in bent]).T
        pieces += _turned_polynomials(table[bent], angle, low, high)
    return pieces


def _rotated(y, z, angle):
    c, s = math.cos(angle), math.sin(angle)
    return c * y - s * z, s * y + c * z


def _turned(row: np.ndarray, y: float, angle: float) -> tuple[float, float]:
    return _rotated(y, shape(row[None, :], 0, y)[0], angle)


def _steep_ends(row: np.ndarray, angle: float, steepest: float) -> tuple[float, float]:
    """The part of the piece whose turned slope is within +-steepest."""
    limit = math.atan(steepest)
    low, high = row[START], row[END]
    first, last = math.atan(row[SLOPE_START]) + angle, math.atan(row[SLOPE_END]) + angle
    if min(first, last) > limit or max(first, last) < -limit:
        return 1.0, 0.0
    table = row[None, :]
    if abs(first) > limit:
        low = y_of_slope(table, 0, math.tan(math.copysign(limit, first) - angle))
    if abs(last) > limit:
        high = y_of_slope(table, 0, math.tan(math.copysign(limit, last) - angle))
    return low, high


def _turned_polynomials(
    rows: np.ndarray, angle: float, low: np.ndarray, high: np.ndarray
) -> list[np.ndarray]:
    """Rows of polynomials from `low` to `high`, turned."""
    done: list[np.ndarray] = []
    for halving in range(MAX_HALVINGS + 1):
        pieces = through_ends(rows[:, KIND], _at(rows, low, angle), _at(rows, high, angle))
        between = low[:, None] + BETWEEN * (high - low)[:, None]
        Y, Z, _, _ = _at(rows[:, None, :], between, angle)
        met = np.max(np.abs(heights(pieces, Y) - Z), axis=1) <= CLOSE_M
        if halving == MAX_HALVINGS:
            met[:] = True
        done.append(pieces[met])
        if met.all():
            break
        rows, low, high = rows[~met], low[~met], high[~met]
        middle = 0.5 * (low + high)
        rows = np.concatenate([rows, rows])
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    return list(np.concatenate(done))


def _at(rows: np.ndarray, y: np.ndarray, angle: float) -> tuple[np.ndarray, ...]:
    """Y, Z, Z' and Z'' (1) of the turned points at y of polynomials."""
    u = y - rows[..., ORIGIN]
    z, slope, second = rows[..., C + DEGREE], np.zeros_like(u), np.zeros_like(u)
    for k in range(C + DEGREE - 1, C - 1, -1):
        second = second * u + slope
        slope = slope * u + z
        z = z * u + rows[..., k]
    Y, Z = _rotated(y, z, angle)
    c, s = math.cos(angle), math.sin(angle)
    away = c - s * slope
    return Y, Z, (s + c * slope) / away, 2.0 * second / (away * away * away)  # (1)
