"""Pieces of a profile as a drawing gives them: straight lines, arcs and polynomials."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from .pieces import (
    ARC,
    COLUMNS,
    END,
    KIND,
    ORIGIN,
    POLYNOMIAL,
    SLOPE_END,
    SLOPE_START,
    START,
    STRAIGHT,
    C,
    shape,
)


def piece(
    kind: float, origin: float, coefficients: Sequence[float], start: float, end: float
) -> np.ndarray:
    """One row of a table of pieces; slopes at its ends are filled in."""
    row = np.zeros(COLUMNS)
    row[[KIND, ORIGIN, START, END]] = kind, origin, start, end
    row[C : C + len(coefficients)] = coefficients
    table = row[None, :]
    row[SLOPE_START] = shape(table, 0, start)[1]
    row[SLOPE_END] = shape(table, 0, end)[1]
    return row


def straight(start: float, end: float, slope: float, z: float, y: float) -> np.ndarray:
    """A straight piece through (y, z)."""
    return piece(STRAIGHT, y, [z, slope], start, end)


def arc(
    start: float, end: float, radius: float, centre: tuple[float, float], sign: float = 1.0
) -> np.ndarray:
    """An arc; sign 1 above its centre (convex), -1 below it (concave)."""
    return piece(ARC, centre[0], [centre[1], radius, sign], start, end)


def polynomial(
    start: float,
    end: float,
    coefficients: Sequence[float],
    origin: float = 0.0,
    kind: float = POLYNOMIAL,
) -> list[np.ndarray]:
    """Pieces of a polynomial in y - origin, lowest power first, cut where it bends the other way.

    Each piece is written about its own middle, by exact arithmetic: no digits cancel.
    """
    from numpy.polynomial import Polynomial

    bends = np.asarray(Polynomial(coefficients).deriv(2).roots(), complex) + origin
    inside = sorted(float(b.real) for b in bends if abs(b.imag) < 1e-12 and start < b.real < end)
    ends = [start, *inside, end]
    rows = []
    for low, high in pairwise(ends):
        middle = 0.5 * (low + high)
        about = _recentred(coefficients, Fraction(middle) - Fraction(origin))
        rows.append(piece(kind, middle, about, low, high))
    return rows


def _recentred(coefficients: Sequence[float], shift: Fraction) -> list[float]:
    exact = [Fraction(c) for c in coefficients]
    for first in range(len(exact) - 1):
        for k in range(len(exact) - 2, first - 1, -1):
            exact[k] += shift * exact[k + 1]
    return [float(c) for c in exact]


def table_of(rows: Iterable[np.ndarray]) -> np.ndarray:
    return np.ascontiguousarray(sorted(rows, key=lambda row: row[START]))
