"""Contact points of many poses: a count and a list of points for each, from any method.

A pose is (alpha, beta, G_y), in radians and metres: yaw, roll and lateral position of the wheelset.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from railblocks.engine import compiled

ALPHA, BETA, G_Y = range(3)
X_B, Y_B, HEIGHT = range(3)
"""Columns of a point: its position on the rail, and D (or the gap of a contact) there."""
MAX_POINTS = 8
"""Points kept for a pose."""

LARGEST_YAW = math.pi / 180
LARGEST_ROLL = math.pi / 240
LARGEST_SHIFT = 0.010


@dataclass(frozen=True)
class Minima:
    """`points[k, :counts[k]]` are the points of pose k, ordered by y_b; the others are nan."""

    counts: np.ndarray
    points: np.ndarray

    @classmethod
    def of(cls, counts: np.ndarray, points: np.ndarray) -> Minima:
        """The minima with points in order, and nan behind the counts."""
        return cls(counts, points).where(np.arange(points.shape[1]) < counts[:, None])

    def where(self, chosen: np.ndarray) -> Minima:
        """Some of the points: a truth value for each point of each pose."""
        kept = np.where(chosen[..., None], self.points, np.nan)
        order = np.argsort(kept[..., Y_B], axis=1)
        return Minima(chosen.sum(axis=1), np.take_along_axis(kept, order[..., None], axis=1))

    def __getitem__(self, chosen: np.ndarray | slice) -> Minima:
        return Minima(self.counts[chosen], self.points[chosen])

    def __len__(self) -> int:
        return len(self.counts)


class Detection:
    """One method over many poses: a kernel called with its arguments, counts and points to fill."""

    def __init__(self, kernel: Callable[..., None], poses: np.ndarray, *arguments: Any) -> None:
        self.kernel = compiled(kernel)
        self.counts, self.points = (
            np.zeros(len(poses)),
            np.full((len(poses), MAX_POINTS, 3), np.nan),
        )
        self.arguments = (np.ascontiguousarray(poses), *arguments, self.counts, self.points)

    def run(self) -> None:
        self.kernel(*self.arguments)

    def minima(self) -> Minima:
        self.run()
        return Minima.of(self.counts, self.points)

    def seconds(self, rounds: int = 5) -> float:
        """The shortest time per pose of several runs."""
        self.run()
        best = math.inf
        for _ in range(rounds):
            begin = time.perf_counter()
            self.run()
            best = min(best, time.perf_counter() - begin)
        return best / len(self.counts)


def poses_of_table(refined: int = 1) -> np.ndarray:
    """The 21 x 41 x 41 poses of falomi's Table 1, or with every step divided by a number."""
    axes = (
        np.linspace(0.0, LARGEST_YAW, 20 * refined + 1),
        np.linspace(-LARGEST_ROLL, LARGEST_ROLL, 40 * refined + 1),
        np.linspace(-LARGEST_SHIFT, LARGEST_SHIFT, 40 * refined + 1),
    )
    return np.ascontiguousarray(np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3))


def poses_between() -> np.ndarray:
    """The poses of half the steps of Table 1 that are not in Table 1 itself."""
    every = np.ones((41, 81, 81), bool)
    every[::2, ::2, ::2] = False
    return poses_of_table(2)[every.ravel()]


def add_point(points, count, x_b, y_b, height, same):
    """Kernel: the count with one more point; one nearer than `same` to another is that one.

    Of two the lower stays. Points beyond the last row are dropped.
    """
    for k in range(count):
        if math.hypot(points[k, X_B] - x_b, points[k, Y_B] - y_b) <= same:
            if height < points[k, HEIGHT]:
                points[k, X_B], points[k, Y_B], points[k, HEIGHT] = x_b, y_b, height
            return count
    if count == len(points):
        return count
    points[count, X_B], points[count, Y_B], points[count, HEIGHT] = x_b, y_b, height
    return count + 1
