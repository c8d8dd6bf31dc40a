"""Pieces of a profile, turned about the origin."""

from __future__ import annotations

import math

import numpy as np

from .drawn import arc, polynomial, straight
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


def turned_pieces(row: np.ndarray, angle: float, steepest: float) -> list[np.ndarray]:
    """The pieces that a piece becomes; empty if it is too steep."""
    low, high = _steep_ends(row, angle, steepest)
    if not low < high:
        return []
    if row[KIND] == STRAIGHT:
        (y0, z0), (y1, z1) = (_turned(row, y, angle) for y in (low, high))
        slope = math.tan(math.atan(row[C + 1]) + angle)
        return [straight(y0, y1, slope, 0.5 * (z0 + z1), 0.5 * (y0 + y1))]
    if row[KIND] == ARC:
        centre = _rotated(row[ORIGIN], row[C], angle)
        y0, y1 = (_turned(row, y, angle)[0] for y in (low, high))
        return [arc(y0, y1, row[C + 1], centre, row[C + 2])]
    return _turned_polynomial(row, angle, low, high)


def _rotated(y: float, z: float, angle: float) -> tuple[float, float]:
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


def _turned_polynomial(row: np.ndarray, angle: float, low: float, high: float) -> list[np.ndarray]:
    """Polynomials through Chebyshev points of the turned curve, halved until they are close."""
    from numpy.polynomial import Chebyshev, Polynomial

    ends = np.array([_turned(row, y, angle)[0] for y in (low, high)])

    def heights(positions: np.ndarray) -> np.ndarray:
        return np.array([_height_at(row, angle, low, high, y) for y in positions])

    fit = Chebyshev.interpolate(heights, DEGREE, domain=ends)
    between = np.linspace(ends[0], ends[1], 41)
    exact = heights(between)
    if np.max(np.abs(fit(between) - exact)) > CLOSE_M:
        middle = 0.5 * (low + high)
        return [
            *_turned_polynomial(row, angle, low, middle),
            *_turned_polynomial(row, angle, middle, high),
        ]
    centre = float(np.mean(ends))
    shifted = Chebyshev(fit.coef, domain=ends - centre)
    coefficients = shifted.convert(kind=Polynomial, domain=[-1, 1]).coef
    return polynomial(ends[0], ends[1], list(coefficients), origin=centre)


def _height_at(row: np.ndarray, angle: float, low: float, high: float, y: float) -> float:
    """Height of the turned curve over y, by Newton's iteration along the original."""
    table = row[None, :]
    c, s = math.cos(angle), math.sin(angle)
    u = min(max(y / c, low), high)
    for _ in range(50):
        z, slope, _ = shape(table, 0, u)
        step = (c * u - s * z - y) / (c - s * slope)
        u -= step
        if abs(step) < 1e-17:
            break
    return _rotated(u, shape(table, 0, u)[0], angle)[1]
