"""A profile: pieces side by side, moved, turned, mirrored and scaled as one."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace

import numpy as np

from .drawn import piece, table_of
from .joining import joined_pieces
from .pieces import (
    ARC,
    DEGREE,
    END,
    KIND,
    ORIGIN,
    SLOPE_END,
    SLOPE_START,
    START,
    C,
    piece_at,
    shape,
    y_of_slope,
)
from .turning import turned_pieces

MAX_SLOPE = 50.0
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
        positions = np.asarray(y, float)
        low, high = self.reach
        rows = [
            shape(self.table, piece_at(self.table, v), v) if low <= v <= high else (math.nan,) * 3
            for v in positions.ravel().tolist()
        ]
        return np.array(rows).reshape(*positions.shape, 3)

    def height(self, y: float | np.ndarray) -> np.ndarray:
        return self(y)[..., 0]

    def slope(self, y: float | np.ndarray) -> np.ndarray:
        return self(y)[..., 1]

    def curvature(self, y: float | np.ndarray) -> np.ndarray:
        """Curvature in the plane of the profile, positive where the body is convex."""
        shapes = self(y)
        return -shapes[..., 2] / (1.0 + shapes[..., 1] ** 2) ** 1.5

    def y_of_slope(self, slope: float) -> float:
        """The first y with this slope; ValueError if there is none."""
        for row in range(len(self.table)):
            first, last = self.table[row, SLOPE_START], self.table[row, SLOPE_END]
            if min(first, last) <= slope <= max(first, last):
                return y_of_slope(self.table, row, slope)
        raise ValueError(f"{self.name} has no slope {slope:g}")

    @property
    def runs(self) -> np.ndarray:
        """First and last row of each longest run of pieces whose slopes go one way."""
        runs: list[list[int]] = []
        way = 0.0
        for row in range(len(self.table)):
            turn = np.sign(self.table[row, SLOPE_END] - self.table[row, SLOPE_START])
            if not runs or (turn and way and turn != way):
                runs.append([row, row])
                way = turn
            runs[-1][1] = row
            way = way or turn
        return np.array(runs, float)

    def jumps(self) -> np.ndarray:
        """Jumps of height and slope at the joints."""
        rows = range(len(self.table))
        ends = [shape(self.table, row, self.table[row, END])[:2] for row in rows[:-1]]
        starts = [shape(self.table, row, self.table[row, START])[:2] for row in rows[1:]]
        return np.array(starts) - np.array(ends)

    def named(self, name: str) -> Profile:
        return replace(self, name=name)

    def moved(self, dy: float = 0.0, dz: float = 0.0) -> Profile:
        if dy == dz == 0.0:
            return self
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
        """The part between two positions."""
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
        from the turned one by less than 1e-12 m (`turning`). What is steeper than `MAX_SLOPE` is
        cut off.
        """
        if angle == 0.0:
            return self
        rows = turned_pieces(self.table, angle, MAX_SLOPE)
        if not rows:
            raise ValueError(f"nothing of {self.name} is left after a turn by {angle:g} rad")
        table = table_of(rows)
        table[:-1, END] = table[1:, START]
        return Profile(self.name, table)

    def joined(self, close: float) -> Profile:
        """With as few pieces as a spline through points needs to be met that close (`joining`)."""
        table = joined_pieces(self.table, close)
        return self if table is self.table else replace(self, table=table)


def _parts(row: np.ndarray) -> tuple[float, float, list[float]]:
    return row[KIND], row[ORIGIN], list(row[C:])
