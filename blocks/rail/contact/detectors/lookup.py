"""Contact points from a table over poses, as fast as reading gets.

The table holds the minima of DIFF at the poses of falomi's Table 1. A pose between its nodes has
the minima of the eight nodes around it. Those within `NEAR` of each other are one, interpolated
linearly among the nodes that have it: a point goes on smoothly where another one is born, and
nothing is interpolated across a jump of the contact. A minimum counts where its nodes have more
than a given part of the weight: half of it, to have as many as DIFF in most poses. Outside the
table the nearest pose inside is taken. A pose with alpha < 0 is the mirror image along the rail.

Row 0 of the table has the largest yaw, roll and shift; then follows a row for each node: the number
of minima, and x_b, y_b of as many minima as occur anywhere.

Source: the look-up tables that falomi compares with in Table 3, whose form it leaves open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from railblocks.blocks.rail.contact.geometry.pair import Pair

from .batch import diff_minima
from .bound_file import load_bound, save_bound
from .minima import (
    ALPHA,
    BETA,
    G_Y,
    HEIGHT,
    LARGEST_ROLL,
    LARGEST_SHIFT,
    LARGEST_YAW,
    X_B,
    Y_B,
    Detection,
    Minima,
    poses_of_table,
)

KIND = "contact table"
NEAR = 0.2
"""Points farther apart than this part of the largest shift, 2 mm, are of different branches."""
STEPS = (20, 40, 40)
COUNT, POINTS = 0, 1


@dataclass(frozen=True)
class LookupTable:
    """The table of a pair, as the kernels read it."""

    pair: Pair
    table: np.ndarray

    @classmethod
    def of(cls, pair: Pair, scale: float = 1.0) -> LookupTable:
        """Computes the table of a pair; shifts go as far as in falomi, times a factor."""
        largest = np.array([LARGEST_YAW, LARGEST_ROLL, LARGEST_SHIFT * scale])
        minima = diff_minima(pair, poses_of_table() * [1.0, 1.0, scale])
        most = max(int(minima.counts.max()), 1)
        table = np.zeros((1 + len(minima), POINTS + HEIGHT * most))
        table[0, : len(largest)] = largest
        table[1:, COUNT] = minima.counts
        positions = np.nan_to_num(minima.points[:, :most, :HEIGHT])
        table[1:, POINTS:] = positions.reshape(len(minima), -1)
        return cls(pair, table)

    def minima(self, poses: np.ndarray) -> Minima:
        """The contact points of each pose; their heights are not known."""
        return self.detection(poses).minima()

    def detection(self, poses: np.ndarray) -> Detection:
        return Detection(lookup_batch, poses, self.table)

    def save(self, path: str | Path) -> None:
        save_bound(path, KIND, self.pair, {"table": self.table})

    @classmethod
    def load(cls, path: str | Path, pair: Pair) -> LookupTable:
        """The table of a file; ValueError if it is something else or for other profiles."""
        return cls(pair, load_bound(path, KIND, pair, ("table",))["table"])


def lookup_batch(poses, table, counts, points):
    """Kernel: the points of each pose."""
    for k in range(len(poses)):
        alpha, beta, y = poses[k, ALPHA], poses[k, BETA], poses[k, G_Y]
        counts[k] = read_table(alpha, beta, y, table, 0.5, points[k])


def read_table(alpha, beta, y, table, least, points):
    """Kernel: the number of minima with more than the `least` weight; `points` holds them."""
    a, f_a = _cell(abs(alpha) / table[0, ALPHA], STEPS[0])
    b, f_b = _cell(0.5 + 0.5 * beta / table[0, BETA], STEPS[1])
    c, f_c = _cell(0.5 + 0.5 * y / table[0, G_Y], STEPS[2])
    count = 0
    for corner in range(8):
        i, j, k = corner & 1, (corner >> 1) & 1, corner >> 2
        part = (f_a if i else 1.0 - f_a) * (f_b if j else 1.0 - f_b) * (f_c if k else 1.0 - f_c)
        if part > 0.0:
            row = 1 + ((a + i) * (STEPS[1] + 1) + b + j) * (STEPS[2] + 1) + c + k
            count = _add_node(table, row, part, points, count)
    kept = 0
    for n in range(count):
        weight = points[n, HEIGHT]
        if weight > least:
            points[kept, X_B] = (-1.0 if alpha < 0.0 else 1.0) * points[n, X_B] / weight
            points[kept, Y_B], points[kept, HEIGHT] = points[n, Y_B] / weight, 0.0
            kept += 1
    return kept


def _cell(position, number):
    """The lower node around a position between 0 and 1, and how far behind it the position is."""
    steps = min(max(position, 0.0), 1.0) * number
    low = min(int(steps), number - 1)
    return low, steps - low


def _add_node(table, row, part, points, count):
    """The number of points with those of a node; points are sums, with their weights as heights."""
    for m in range(int(table[row, COUNT])):
        at = POINTS + HEIGHT * m
        x_b, y_b = table[row, at + X_B], table[row, at + Y_B]
        same, nearest = count, NEAR * table[0, G_Y]
        for n in range(count):
            weight = points[n, HEIGHT]
            apart = math.hypot(points[n, X_B] / weight - x_b, points[n, Y_B] / weight - y_b)
            if apart <= nearest:
                same, nearest = n, apart
        if same == count:
            if count == len(points):
                continue
            points[count, X_B], points[count, Y_B], points[count, HEIGHT] = 0.0, 0.0, 0.0
            count += 1
        points[same, X_B] += part * x_b
        points[same, Y_B] += part * y_b
        points[same, HEIGHT] += part
    return count
