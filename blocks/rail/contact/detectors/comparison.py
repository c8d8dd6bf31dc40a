"""How often a method fails to find the contact points: the error measures of falomi.

Points of a pose are matched one to one, nearest first, while they are not farther apart on the
rail (x_b, y_b) than a tolerance. A point of the reference left over is missed, one of the tested
method is false, and

    E = (missed + false) / points of the reference                         (1)

is the global error of falomi's Table 2 (tolerance 2 mm). That the error is counted against the
points of the reference, and that no point may serve for two, are choices: the paper says neither.

For the networks, with n_DIFF and n the true and the estimated number of minima,

    E_c  = sum |n - n_DIFF| / number of poses                              (2)
    E_k  = errors / (k Q_k)                         (falomi Eq. 18, 1 mm)  (3)
    E_NN = sum E_k k A_k / sum k A_k                (falomi Eq. 19)        (4)

where E_k counts the points of network k that are farther than the tolerance from DIFF's, among
the Q_k poses of its test set, and A_k are all poses with k minima.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from railblocks.engine import compiled

from .minima import X_B, Y_B, Minima

TOLERANCE = 2e-3
NETWORK_TOLERANCE = 1e-3


@dataclass(frozen=True)
class Errors:
    """Points missed and false in each pose, and the points of the reference."""

    missed: np.ndarray
    false: np.ndarray
    points: np.ndarray

    @property
    def fraction(self) -> float:
        """The error E of (1)."""
        return float((self.missed.sum() + self.false.sum()) / max(self.points.sum(), 1))


def global_errors(tested: Minima, reference: Minima, tolerance: float = TOLERANCE) -> Errors:
    """What a tested method misses and invents, pose by pose."""
    matched = np.zeros(len(reference))
    compiled(match)(
        tested.counts,
        tested.points.copy(),
        reference.counts,
        reference.points.copy(),
        tolerance,
        matched,
    )
    pairs = matched.astype(int)
    return Errors(reference.counts - pairs, tested.counts - pairs, reference.counts)


def classification_error(counts: np.ndarray, reference: np.ndarray) -> float:
    """The classification error E_c of (2)."""
    return float(np.abs(counts - reference).sum() / max(len(reference), 1))


def network_error(tested: Minima, reference: Minima) -> float:
    """The network error E_k of (3); every pose has as many points in both."""
    apart = np.hypot(
        tested.points[..., X_B] - reference.points[..., X_B],
        tested.points[..., Y_B] - reference.points[..., Y_B],
    )
    wrong = np.where(np.isnan(reference.points[..., X_B]), 0.0, ~(apart <= NETWORK_TOLERANCE))
    return float(wrong.sum() / max(reference.counts.sum(), 1))


def total_network_error(errors: Mapping[int, float], available: Mapping[int, int]) -> float:
    """The total error E_NN of (4) from E_k and A_k; a class without a network has E_k = 1."""
    points = {k: k * number for k, number in available.items()}
    wrong = sum(errors.get(k, 1.0) * number for k, number in points.items())
    return wrong / max(sum(points.values()), 1)


def match(tested_counts, tested, counts, points, tolerance, matched):
    """Kernel: how many points of each pose match; those that do are moved away."""
    for k in range(len(counts)):
        while True:
            nearest, at_i, at_j = tolerance, -1, -1
            for i in range(tested_counts[k]):
                for j in range(counts[k]):
                    dx = tested[k, i, X_B] - points[k, j, X_B]
                    dy = tested[k, i, Y_B] - points[k, j, Y_B]
                    apart = math.hypot(dx, dy)
                    if apart <= nearest:
                        nearest, at_i, at_j = apart, i, j
            if at_i < 0:
                break
            matched[k] += 1.0
            tested[k, at_i, X_B] = 1e9
            points[k, at_j, X_B] = -1e9
