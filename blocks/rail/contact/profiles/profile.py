"""A profile: pieces side by side, moved, turned, mirrored and scaled as one."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from .pieces import (
    ARC,
    COLUMNS,
    DEGREE,
    END,
    KIND,
    ORIGIN,
    POLYNOMIAL,
    SLOPE_END,
    SLOPE_START,
    START,
    STRAIGHT,
    C,
    piece_at,
    place_of_slope,
    shape,
)

STEEPEST = 50.0
"""Slopes beyond +-50 (88.9 degrees) are cut off when a profile is turned: it must stay a graph."""


@dataclass(frozen=True, eq=False)
class Profile:
    """A curve z(y), z pointing out of the body; lengths in metres. `table` is read by kernels."""

    name: str
    table: np.ndarray

    @property
    def reach(self) -> tuple[float, float]:
        """The least and the largest y."""
        return float(self.table[0, START]), float(self.table[-1, END])

    @property
    def fingerprint(self) -> str:
        """Equal for profiles of equal pieces, whatever their names."""
        return hashlib.sha256(np.ascontiguousarray(self.table).tobytes()).hexdigest()[:16]

    def __call__(self, y: float | np.ndarray) -> np.ndarray:
        """Height, slope and second derivative at y (nan outside), along a new last axis."""
        places = np.asarray(y, float)
        low, high = self.reach
        rows = [
            shape(self.table, piece_at(self.table, v), v) if low <= v <= high else (math.nan,) * 3
            for v in places.ravel().tolist()
        ]
        return np.array(rows).reshape(*places.shape, 3)

    def height(self, y: float | np.ndarray) -> np.ndarray:
        return self(y)[..., 0]

    def slope(self, y: float | np.ndarray) -> np.ndarray:
        return self(y)[..., 1]

    def curvature(self, y: float | np.ndarray) -> np.ndarray:
        """Curvature in the plane of the profile, positive where the body is convex."""
        found = self(y)
        return -found[..., 2] / (1.0 + found[..., 1] ** 2) ** 1.5

    def place(self, slope: float) -> float:
        """The first y with this slope; ValueError if there is none."""
        for row in range(len(self.table)):
            first, last = self.table[row, SLOPE_START], self.table[row, SLOPE_END]
            if min(first, last) <= slope <= max(first, last):
                return place_of_slope(self.table, row, slope)
        raise ValueError(f"{self.name} has no slope {slope:g}")

    @property
    def runs(self) -> np.ndarray:
        """First and last row of each longest run of pieces whose slopes go one way."""
        found: list[list[int]] = []
        way = 0.0
        for row in range(len(self.table)):
            turn = np.sign(self.table[row, SLOPE_END] - self.table[row, SLOPE_START])
            if not found or (turn and way and turn != way):
                found.append([row, row])
                way = turn
            found[-1][1] = row
            way = way or turn
        return np.array(found, float)

    def jumps(self) -> np.ndarray:
        """Jumps of height and slope at the joints."""
        rows = range(len(self.table))
        ends = [shape(self.table, row, self.table[row, END])[:2] for row in rows[:-1]]
        starts = [shape(self.table, row, self.table[row, START])[:2] for row in rows[1:]]
        return np.array(starts) - np.array(ends)

    def named(self, name: str) -> Profile:
        return replace(self, name=name)

    def moved(self, dy: float = 0.0, dz: float = 0.0) -> Profile:
        table = self.table.copy()
        table[:, [START, END, ORIGIN]] += dy
        table[:, C] += dz
        return replace(self, table=table)

    def scaled(self, factor: float) -> Profile:
        """All lengths times a factor."""
        table = self.table.copy()
        table[:, [START, END, ORIGIN]] *= factor
        powers = np.arange(DEGREE + 1)
        arcs = self.table[:, KIND] == ARC
        table[~arcs, C:] *= factor ** (1.0 - powers)
        table[arcs, C : C + 2] *= factor
        return replace(self, table=table)

    def mirrored(self) -> Profile:
        """The same body seen from behind: y becomes -y."""
        table = self.table[::-1].copy()
        table[:, [START, END]] = -self.table[::-1][:, [END, START]]
        table[:, [SLOPE_START, SLOPE_END]] = -self.table[::-1][:, [SLOPE_END, SLOPE_START]]
        table[:, ORIGIN] *= -1.0
        graphs = table[:, KIND] != ARC
        table[graphs, C:] *= (-1.0) ** np.arange(DEGREE + 1)
        return replace(self, table=table)

    def trimmed(self, low: float, high: float) -> Profile:
        """The part between two places."""
        rows = []
        for row in self.table:
            start, end = max(row[START], low), min(row[END], high)
            if start < end:
                rows.append((*_parts(row), start, end))
        if not rows:
            raise ValueError(f"{self.name} does not reach from {low:g} to {high:g} m")
        return Profile(self.name, table_of(piece(*row) for row in rows))

    def turned(self, angle: float) -> Profile:
        """Turned by an angle, counterclockwise when y points right and z up, about (0, 0).

        Straight pieces and arcs stay what they are; a polynomial becomes polynomials that differ
        from the turned one by less than 1e-12 m. What is steeper than `STEEPEST` is cut off.
        """
        from .turning import turned_pieces

        if angle == 0.0:
            return self
        rows = [new for row in self.table for new in turned_pieces(row, angle, STEEPEST)]
        if not rows:
            raise ValueError(f"nothing of {self.name} is left after a turn by {angle:g} rad")
        table = table_of(rows)
        table[:-1, END] = table[1:, START]
        return Profile(self.name, table)


def _parts(row: np.ndarray) -> tuple[float, float, list[float]]:
    return row[KIND], row[ORIGIN], list(row[C:])


def piece(
    kind: float, origin: float, coefficients: Sequence[float], start: float, end: float
) -> np.ndarray:
    """One row; slopes at its ends are filled in."""
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
    start: float, end: float, coefficients: Sequence[float], origin: float = 0.0
) -> list[np.ndarray]:
    """Pieces of a polynomial in y - origin, lowest power first, cut where it bends the other way.

    Each piece is written about its own middle, by exact arithmetic: no digits cancel.
    """
    from numpy.polynomial import Polynomial

    bends = Polynomial(coefficients).deriv(2).roots() + origin
    inside = sorted(float(b.real) for b in bends if abs(b.imag) < 1e-12 and start < b.real < end)
    ends = [start, *inside, end]
    rows = []
    for low, high in pairwise(ends):
        middle = 0.5 * (low + high)
        about = _recentred(coefficients, Fraction(middle) - Fraction(origin))
        rows.append(piece(POLYNOMIAL, middle, about, low, high))
    return rows


def _recentred(coefficients: Sequence[float], shift: Fraction) -> list[float]:
    exact = [Fraction(c) for c in coefficients]
    for first in range(len(exact) - 1):
        for k in range(len(exact) - 2, first - 1, -1):
            exact[k] += shift * exact[k + 1]
    return [float(c) for c in exact]


def table_of(rows: Iterable[np.ndarray]) -> np.ndarray:
    return np.ascontiguousarray(sorted(rows, key=lambda row: row[START]))
