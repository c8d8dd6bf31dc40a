"""Modes of small motions: what a block's `@modes` function gives.

An eigenvalue lambda of small motions has the frequency f and the damping ratio zeta,

    f = Im(lambda) / (2 pi),   zeta = -Re(lambda) / |lambda|               (1)

and its shape says how far each coordinate goes, and with which phase: the real part of
shape exp(lambda t). The largest part of a shape is 1, and all are in one unit; where coordinates
are lengths and angles, what gives the shapes says how angles count.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure


CRITICAL = 0.999
"""Damping ratio from which a motion is said not to oscillate. Rounding lets eigenvalues that are
real and equal become pairs just off the real axis."""
TIED = 1e-6
"""Parts that differ by less are equally large: the first of them is 1."""


@dataclass(frozen=True)
class Modes:
    """Modes with one eigenvalue of each conjugate pair, by rising frequency.

    `coordinates` are names of what moves and how (`bogie_1`, `yaw`), `shapes` has a row for each
    eigenvalue and a column for each coordinate; `draw` draws the modes on an empty figure.
    """

    title: str
    eigenvalues: np.ndarray
    coordinates: tuple[tuple[str, str], ...]
    shapes: np.ndarray
    draw: Callable[[Figure, Modes], None] | None = None

    def __len__(self) -> int:
        return len(self.eigenvalues)

    @property
    def frequencies(self) -> np.ndarray:
        """In Hz; 0 of motions that do not oscillate."""
        return self.eigenvalues.imag / (2.0 * math.pi)

    @property
    def damping(self) -> np.ndarray:
        """Damping ratios: negative where a motion grows, 1 or -1 where it does not oscillate."""
        sizes = np.abs(self.eigenvalues)
        return np.divide(-self.eigenvalues.real, sizes, out=np.ones_like(sizes), where=sizes > 0.0)

    def between(self, low: float, high: float) -> Modes:
        """The modes whose frequencies lie between two, in Hz."""
        return self._kept((low <= self.frequencies) & (self.frequencies <= high))

    def _kept(self, kept: np.ndarray) -> Modes:
        return replace(self, eigenvalues=self.eigenvalues[kept], shapes=self.shapes[kept])

    def oscillating(self) -> Modes:
        """The modes that oscillate."""
        return self._kept(np.abs(self.damping) < CRITICAL)

    def still(self) -> Modes:
        """The modes that do not oscillate."""
        return self._kept(np.abs(self.damping) >= CRITICAL)

    def part(self, mode: int, body: str, direction: str) -> complex:
        """How far a coordinate goes in a mode; 0 of one that is held."""
        if (body, direction) not in self.coordinates:
            return 0.0
        return complex(self.shapes[mode, self.coordinates.index((body, direction))])

    def participants(self, mode: int, least: float = 0.1) -> dict[tuple[str, str], complex]:
        """Coordinates with at least so large a part in a mode, the largest first."""
        order = np.argsort(-np.abs(self.shapes[mode]).round(5), kind="stable")
        parts = ((self.coordinates[k], complex(self.shapes[mode, k])) for k in order)
        return {coordinate: part for coordinate, part in parts if abs(part) >= least}


def modes_of_matrix(
    matrix: np.ndarray, title: str, coordinates: dict[tuple[str, str], Callable],
    draw: Callable[[Figure, Modes], None] | None = None,
) -> Modes:  # fmt: skip
    """Modes of x' = matrix x.

    Each coordinate is a function of eigenvalues and eigenvectors, one in each column: a state, or a
    state over the eigenvalue where only the rate of the coordinate is one.
    """
    values, vectors = np.linalg.eig(matrix)
    values, vectors = values[values.imag >= 0.0], vectors[:, values.imag >= 0.0]
    order = np.lexsort((-values.real, values.imag))
    values, vectors = values[order], vectors[:, order]
    shapes = np.array([part(values, vectors) for part in coordinates.values()]).T
    sizes = np.abs(shapes)
    largest = np.argmax(sizes > (1.0 - TIED) * sizes.max(axis=1, keepdims=True), axis=1)
    ones = shapes[np.arange(len(shapes)), largest]
    scale = np.where(ones == 0.0, 1.0, ones)[:, None]
    return Modes(title, values, tuple(coordinates), shapes / scale, draw)
