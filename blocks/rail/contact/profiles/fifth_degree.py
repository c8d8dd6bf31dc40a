"""Polynomials of the fifth degree by what they have at both ends."""

from __future__ import annotations

import numpy as np

from .pieces import COLUMNS, DEGREE, END, KIND, ORIGIN, SLOPE_END, SLOPE_START, START, C


def through_ends(
    kinds: np.ndarray, start: tuple[np.ndarray, ...], end: tuple[np.ndarray, ...]
) -> np.ndarray:
    """Polynomials of the fifth degree about their middles, with values, slopes and bends given."""
    (Y_0, Z_0, slope_0, bend_0), (Y_1, Z_1, slope_1, bend_1) = start, end
    h = 0.5 * (Y_1 - Y_0)
    p, m = slope_0 * h, slope_1 * h
    q, n = bend_0 * h * h, bend_1 * h * h
    odd, even = 0.5 * (Z_1 - Z_0), 0.5 * (Z_0 + Z_1)
    sum_1, difference_1 = 0.5 * (m + p), 0.5 * (m - p)
    sum_2, difference_2 = 0.5 * (n + q), 0.5 * (n - q)
    pieces = np.zeros((len(h), COLUMNS))
    pieces[:, KIND], pieces[:, START], pieces[:, END] = kinds, Y_0, Y_1
    pieces[:, ORIGIN] = 0.5 * (Y_0 + Y_1)
    pieces[:, SLOPE_START], pieces[:, SLOPE_END] = slope_0, slope_1
    coefficients = (
        even - 0.625 * difference_1 + 0.125 * sum_2,
        1.875 * odd - 0.875 * sum_1 + 0.125 * difference_2,
        0.75 * difference_1 - 0.25 * sum_2,
        -1.25 * odd + 1.25 * sum_1 - 0.25 * difference_2,
        -0.125 * difference_1 + 0.125 * sum_2,
        0.375 * odd - 0.375 * sum_1 + 0.125 * difference_2,
    )
    scale = np.ones_like(h)
    for k, coefficient in enumerate(coefficients):
        pieces[:, C + k] = coefficient * scale
        scale = scale / h
    return pieces


def heights(pieces: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Heights of the pieces at rows of positions."""
    u = Y - pieces[:, ORIGIN, None]
    Z = np.zeros_like(u)
    for k in range(DEGREE, -1, -1):
        Z = Z * u + pieces[:, C + k, None]
    return Z


def slopes(pieces: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Slopes of the pieces at rows of positions."""
    u = Y - pieces[:, ORIGIN, None]
    slope = np.zeros_like(u)
    for k in range(DEGREE, 0, -1):
        slope = slope * u + k * pieces[:, C + k, None]
    return slope
