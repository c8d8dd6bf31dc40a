"""How many local minima D has in a pose, from straight lines in the plane of roll and shift.

A minimum belongs to a branch: a part of the rail's width between two gaps where no minimum ever
lies. As the wheelset shifts sideways a branch is born at one position and dies at another, which
depend on the roll almost linearly and hardly on the yaw:

    l_i = c_0 + c_1 beta + c_2 alpha^2                                     (1)
    n = number of branches i with l_born,i < G_y < l_dies,i                (2)

Both lines of a branch are fitted by least squares to where DIFF sees it first and last on 21 x 41
rows of poses with a step of 0.0625 mm in G_y. Without c_2 they are the straight lines of falomi,
section 4.2.1. falomi neglects the rare poses with the most minima; so `most` bounds n.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from railblocks.blocks.rail.contact.geometry.pair import Pair

from .batch import diff_minima
from .minima import LARGEST_ROLL, LARGEST_SHIFT, LARGEST_YAW, Y_B

MIN_GAP_M = 0.4e-3
"""Least width of the rail without any minimum that separates two branches."""
FIT_STEPS = (20, 40, 320)
"""Steps of yaw, roll and shift in the fit."""
NEVER_M = 1.0
"""A branch whose birth or death lies outside all poses has its line a metre away."""


@dataclass(frozen=True)
class Classification:
    """Coefficients of (1) for the birth and the death of every branch."""

    born: np.ndarray
    dies: np.ndarray
    most: int

    @property
    def lines(self) -> np.ndarray:
        """A row for each branch, as the kernel reads it."""
        return np.hstack([self.born, self.dies])

    def counts(self, poses: np.ndarray) -> np.ndarray:
        """n of (2) for each pose."""
        alpha, beta, G_y = poses.T
        terms = np.stack([np.ones_like(beta), beta, alpha**2], axis=1)
        alive = (terms @ self.born.T < G_y[:, None]) & (G_y[:, None] < terms @ self.dies.T)
        return np.clip(alive.sum(axis=1), 1, self.most)


def number_of_minima(alpha, beta, G_y, lines, most):
    """Kernel: n of (2); a row of `lines` has the coefficients of a branch's birth, then death."""
    n, square = 0, alpha * alpha
    for i in range(len(lines)):
        low = lines[i, 0] + lines[i, 1] * beta + lines[i, 2] * square
        high = lines[i, 3] + lines[i, 4] * beta + lines[i, 5] * square
        if low < G_y < high:
            n += 1
    return min(max(n, 1), most)


@dataclass(frozen=True)
class BranchEnds:
    """Where each branch is born and dies, on rows of poses of one yaw and roll.

    `born` and `dies` have a row for each branch; nan where it is not seen, or lives on to the end
    of the row.
    """

    yaw: np.ndarray
    roll: np.ndarray
    born: np.ndarray
    dies: np.ndarray


def branch_ends(pair: Pair) -> BranchEnds:
    """The ends of all branches, by DIFF."""
    alpha = np.linspace(0.0, LARGEST_YAW, FIT_STEPS[0] + 1)
    beta = np.linspace(-LARGEST_ROLL, LARGEST_ROLL, FIT_STEPS[1] + 1)
    shift = np.linspace(-LARGEST_SHIFT, LARGEST_SHIFT, FIT_STEPS[2] + 1)
    mesh = np.meshgrid(alpha, beta, shift, indexing="ij")
    poses = np.stack(mesh, -1).reshape(-1, 3)
    positions = diff_minima(pair, poses).points[..., Y_B]
    rows = poses.reshape(-1, len(shift), 3)[:, 0]
    half = 0.5 * (shift[1] - shift[0])
    born, dies = [], []
    for low, high in branches(positions):
        there = ((low < positions) & (positions < high)).any(axis=1).reshape(-1, len(shift))
        first, last = there.argmax(axis=1), len(shift) - 1 - there[:, ::-1].argmax(axis=1)
        seen = there.any(axis=1)
        born.append(np.where(seen & (first > 0), shift[first] - half, np.nan))
        dies.append(np.where(seen & (last < FIT_STEPS[2]), shift[last] + half, np.nan))
    return BranchEnds(rows[:, 0], rows[:, 1], np.array(born), np.array(dies))


def fit_classification(ends: BranchEnds, most: int, yaw: bool = True) -> Classification:
    """The lines through the ends of the branches; without `yaw`, c_2 is zero."""
    columns = [np.ones_like(ends.roll), ends.roll] + ([ends.yaw**2] if yaw else [])
    terms = np.stack(columns, axis=1)
    born = [_line(terms, positions, -NEVER_M) for positions in ends.born]
    dies = [_line(terms, positions, NEVER_M) for positions in ends.dies]
    return Classification(np.array(born), np.array(dies), most)


def branches(positions: np.ndarray) -> list[tuple[float, float]]:
    """The parts of the rail's width that hold minima, cut in the middle of the gaps."""
    known = np.sort(positions[~np.isnan(positions)])
    wide = np.flatnonzero(np.diff(known) > MIN_GAP_M)
    cuts = [-np.inf, *(0.5 * (known[wide] + known[wide + 1])), np.inf]
    return list(pairwise(cuts))


def _line(terms: np.ndarray, positions: np.ndarray, never: float) -> np.ndarray:
    """Coefficients of (1) through the positions; far away if there are too few of them."""
    line, seen = np.zeros(3), ~np.isnan(positions)
    if seen.sum() <= terms.shape[1]:
        line[0] = never
    else:
        line[: terms.shape[1]] = np.linalg.lstsq(terms[seen], positions[seen], rcond=None)[0]
    return line
