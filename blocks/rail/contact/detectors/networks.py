"""Contact points from neural networks: classified by lines, then one small network a class.

`classification.py` gives the number k of minima of a pose p = (|alpha|, beta, G_y). The network of
class k has one hidden layer of hyperbolic tangents and linear outputs,

    h_j = tanh(a_j0 p_0 + a_j1 p_1 + a_j2 p_2 + a_j3)                      (1)
    out = sum_j b_j h_j + b                                                (2)

with outputs x_b and y_b of k minima from the flange outwards. The scales of inputs and outputs are
part of the weights, so that metres and radians go in and metres come out. A pose with alpha < 0 is
the mirror image along the rail: x_b changes its sign.

Valid in the range of poses and for the pair of profiles of the training alone (`training.py`): a
file of networks is refused for another pair. Source: falomi, section 4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from railblocks.blocks.rail.contact.geometry.pair import Pair

from .bound_file import load_bound, save_bound
from .classification import Classification, number_of_minima
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
)

KIND = "contact networks"
NAMES = ("born", "dies", "widths", "hidden", "outputs")
INPUTS = 3
BRANCHES, CLASSES, WIDEST, YAW, ROLL, SHIFT = range(6)
FIRST = 6
"""Columns of the first row of the table, and as many coefficients for a branch."""
OUT = INPUTS + 1
"""Column of the first weight of an output."""


@dataclass(frozen=True)
class Networks:
    """Lines of the classes and weights of the networks; `hidden[k - 1]` and so on are of class k.

    Networks with fewer tangents or outputs than others have zeros behind theirs; `widths` are the
    numbers of tangents.
    """

    pair: Pair
    classes: Classification
    widths: np.ndarray
    hidden: np.ndarray
    outputs: np.ndarray

    @classmethod
    def of(
        cls, pair: Pair, classes: Classification, weights: list[tuple[np.ndarray, np.ndarray]]
    ) -> Networks:
        """Networks from a pair of arrays for each class: (width, 4) and (2 k, width + 1)."""
        widths = [len(hidden) for hidden, _ in weights]
        most, widest = len(weights), max(widths)
        hidden = np.zeros((most, widest, INPUTS + 1))
        outputs = np.zeros((most, 2 * most, widest + 1))
        for k, (first, second) in enumerate(weights):
            hidden[k, : widths[k]] = first
            outputs[k, : len(second), : widths[k]] = second[:, :-1]
            outputs[k, : len(second), -1] = second[:, -1]
        return cls(pair, classes, np.array(widths, float), hidden, outputs)

    def minima(self, poses: np.ndarray) -> Minima:
        """The contact points of each pose; their heights are not known."""
        return self.detection(poses).minima()

    def minima_of_class(self, poses: np.ndarray, k: int) -> Minima:
        """The k contact points of each pose by one network, for tests of it."""
        return self.detection(poses, k).minima()

    def detection(self, poses: np.ndarray, k: int = 0) -> Detection:
        return Detection(network_batch, poses, k, self.table)

    @property
    def table(self) -> np.ndarray:
        """All numbers in one table, as the kernels read it.

        Row 0 has the numbers of branches and of classes, the largest number of tangents and the
        largest yaw, roll and shift. A row for each branch has the six coefficients of its lines.
        Then, for each class, a row for each tangent: its four weights, and those with which it
        goes into the outputs; and a last row with the number of tangents and the constants b.
        """
        branches, (most, widest) = len(self.classes.born), self.hidden.shape[:2]
        table = np.zeros((1 + branches + most * (widest + 1), max(INPUTS + 1 + 2 * most, FIRST)))
        table[0, :FIRST] = branches, most, widest, LARGEST_YAW, LARGEST_ROLL, LARGEST_SHIFT
        table[1 : 1 + branches, :FIRST] = self.classes.lines
        classes = table[1 + branches :].reshape(most, widest + 1, -1)
        classes[:, :widest, : INPUTS + 1] = self.hidden
        classes[:, :, OUT : OUT + 2 * most] = self.outputs.transpose(0, 2, 1)
        classes[:, widest, 0] = self.widths
        return table

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """The arrays that a file holds, by name."""
        return self.classes.born, self.classes.dies, self.widths, self.hidden, self.outputs

    def save(self, path: str | Path) -> None:
        save_bound(path, KIND, self.pair, dict(zip(NAMES, self.arrays, strict=True)))

    @classmethod
    def load(cls, path: str | Path, pair: Pair) -> Networks:
        """The networks of a file; ValueError if it is something else or for other profiles."""
        held = load_bound(path, KIND, pair, NAMES)
        classes = Classification(held["born"], held["dies"], len(held["widths"]))
        return cls(pair, classes, held["widths"], held["hidden"], held["outputs"])


def network_batch(poses, given, table, counts, points):
    """Kernel: the points of each pose, of class `given`, or of that of the lines if it is 0."""
    for p in range(len(poses)):
        alpha, beta, y = abs(poses[p, ALPHA]), poses[p, BETA], poses[p, G_Y]
        k = given if given > 0 else class_of(alpha, beta, y, table)
        counts[p] = float(k)
        network(alpha, beta, y, k, table, points[p])
        if poses[p, ALPHA] < 0.0:
            for i in range(k):
                points[p, i, X_B] = -points[p, i, X_B]


def class_of(alpha, beta, y, table):
    """Kernel: the number of minima, for alpha >= 0."""
    lines = table[1 : 1 + int(table[0, BRANCHES])]
    return number_of_minima(alpha, beta, y, lines, int(table[0, CLASSES]))


def network(alpha, beta, y, k, table, points):
    """Kernel: the k points of class k, for alpha >= 0."""
    widest = int(table[0, WIDEST])
    first = 1 + int(table[0, BRANCHES]) + (k - 1) * (widest + 1)
    last = first + widest
    for i in range(k):
        points[i, X_B], points[i, Y_B] = table[last, OUT + 2 * i], table[last, OUT + 2 * i + 1]
        points[i, HEIGHT] = 0.0
    for row in range(first, first + int(table[last, 0])):
        a = table[row]
        h = math.tanh(a[0] * alpha + a[1] * beta + a[2] * y + a[3])  # (1)
        for i in range(k):
            points[i, X_B] += a[OUT + 2 * i] * h  # (2)
            points[i, Y_B] += a[OUT + 2 * i + 1] * h
