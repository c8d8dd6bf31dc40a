"""Contact points from a table over poses, as fast as reading gets.

The table holds the minima of DIFF at the poses of falomi's Table 1. A pose between its nodes takes
the number of minima of the nearest node. Its points are interpolated linearly among those of the
eight nodes around it that have as many, each within `NEAR` of the nearest node's; so nothing is
interpolated across a jump of the contact. Outside the table the nearest pose inside is taken. A
pose with alpha < 0 is the mirror image along the rail.

Source: the look-up tables that falomi compares with in Table 3, whose form it leaves open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from railblocks.blocks.rail.geometry.pair import Pair

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
    MOST,
    X_B,
    Y_B,
    Detection,
    Minima,
    poses_of_table,
)

KIND = "contact table"
NEAR = 2e-3
STEPS = (20, 40, 40)


@dataclass(frozen=True)
class LookupTable:
    """Counts and points of the nodes, by yaw, roll and shift."""

    pair: Pair
    nodes: np.ndarray
    values: np.ndarray

    @classmethod
    def of(cls, pair: Pair) -> LookupTable:
        found = diff_minima(pair, poses_of_table())
        shape = tuple(n + 1 for n in STEPS)
        values = np.nan_to_num(found.points[:, :, :HEIGHT])
        return cls(
            pair, found.counts.astype(float).reshape(shape), values.reshape(*shape, MOST, HEIGHT)
        )

    def minima(self, poses: np.ndarray) -> Minima:
        """The contact points of each pose; their heights are not known."""
        return self.detection(poses).minima()

    def detection(self, poses: np.ndarray) -> Detection:
        return Detection(lookup_batch, poses, self.nodes, self.values)

    def save(self, path: str | Path) -> None:
        save_bound(path, KIND, self.pair, {"nodes": self.nodes, "values": self.values})

    @classmethod
    def load(cls, path: str | Path, pair: Pair) -> LookupTable:
        """ValueError if the file is no table, or one for other profiles."""
        held = load_bound(path, KIND, pair, ("nodes", "values"))
        return cls(pair, held["nodes"], held["values"])


def lookup_batch(poses, nodes, values, counts, points):
    """Kernel: the points of each pose."""
    for k in range(len(poses)):
        counts[k] = read_table(
            poses[k, ALPHA], poses[k, BETA], poses[k, G_Y], nodes, values, points[k]
        )


def read_table(alpha, beta, y, nodes, values, points):
    """Kernel: the number of minima; `points` holds them."""
    a, f_a = _cell(abs(alpha) / LARGEST_YAW, nodes.shape[0])
    b, f_b = _cell(0.5 + 0.5 * beta / LARGEST_ROLL, nodes.shape[1])
    c, f_c = _cell(0.5 + 0.5 * y / LARGEST_SHIFT, nodes.shape[2])
    n_a, n_b, n_c = a + (f_a >= 0.5), b + (f_b >= 0.5), c + (f_c >= 0.5)
    count = int(nodes[n_a, n_b, n_c])
    for i in range(count):
        points[i, X_B], points[i, Y_B], points[i, HEIGHT] = 0.0, 0.0, 0.0
    total = 0.0
    for corner in range(8):
        i, j, k = corner & 1, (corner >> 1) & 1, corner >> 2
        part = (f_a if i else 1.0 - f_a) * (f_b if j else 1.0 - f_b) * (f_c if k else 1.0 - f_c)
        here = values[a + i, b + j, c + k]
        if nodes[a + i, b + j, c + k] == count and _near(here, values[n_a, n_b, n_c], count):
            total += part
            for n in range(count):
                points[n, X_B] += part * here[n, X_B]
                points[n, Y_B] += part * here[n, Y_B]
    for n in range(count):
        points[n, X_B] *= (-1.0 if alpha < 0.0 else 1.0) / total
        points[n, Y_B] /= total
    return count


def _cell(place, number):
    """The lower node around a place between 0 and 1, and how far behind it the place is."""
    steps = min(max(place, 0.0), 1.0) * (number - 1)
    low = min(int(steps), number - 2)
    return low, steps - low


def _near(one, other, count):
    near = True
    for n in range(count):
        apart = math.hypot(one[n, X_B] - other[n, X_B], one[n, Y_B] - other[n, Y_B])
        near = near and apart <= NEAR
    return near
