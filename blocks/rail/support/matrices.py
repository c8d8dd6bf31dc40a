"""The equations of what bears the rails under an axle, as matrices.

With displacements u of the masses under one axle, and loads f of its wheels on the rails,

    M u'' + C u' + K u = B^T f,   (y, z, roll) of the left rail, then of the right one = B u     (1)
    K = sum of k s s^T,   C = sum of c s s^T                               (2)

where each spring is stretched by s . u. M is diagonal. The receptance of the rails is

    H(omega) = B (K + i omega C - omega^2 M)^-1 B^T                        (3)

and H(0) f the static deflection. Displacements are those from the unloaded track, in the axes of
the line: y to the left, z up, roll with the left side up. Masses travel with the axle, and stand
for the track around it as that is deflected: they have no weight of their own, and no inertia along
the line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .description import Support

RAIL_MOTION = 3
"""Numbers of a rail's motion: y, z, roll."""
LOADS = 2 * RAIL_MOTION
LEFT, RIGHT, SLEEPERS = "left", "right", "sleepers"
Spring = tuple[dict[tuple[str, str], float], float, float]
"""How it is stretched by each displacement, its stiffness and its damping."""


@dataclass(frozen=True)
class SupportMatrices:
    """M (its diagonal), K, C and B of (1), and the seats of the rails below their top."""

    mass: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    rails: np.ndarray
    seat: np.ndarray
    """Half of the distance of the seats, and their height, which is negative."""

    @cached_property
    def compliance(self) -> np.ndarray:
        """Displacements u for each static load, K^-1 B^T."""
        return np.linalg.solve(self.stiffness, self.rails.T) if len(self.mass) else self.rails.T

    def receptance(self, omega: float) -> np.ndarray:
        """H of (3)."""
        dynamic = self.stiffness + 1j * omega * self.damping - omega**2 * np.diag(self.mass)
        return self.rails @ np.linalg.solve(dynamic, self.rails.T)


def matrices_of(support: Support) -> SupportMatrices:
    """The matrices under one axle; without rails that give, those of nothing."""
    inertias = dict(_inertias(support))
    index = {name: k for k, name in enumerate(inertias)}
    n = len(index)
    K, C, B = np.zeros((n, n)), np.zeros((n, n)), np.zeros((LOADS, n))
    for stretch, stiffness, damping in _springs(support):
        s = _row(stretch, index)
        K += stiffness * np.outer(s, s)  # (2)
        C += damping * np.outer(s, s)
    for k, motion in enumerate(_rail_motions(support)):
        B[k] = _row(motion, index)
    seat = np.array([0.5 * support.spread, -support.height])
    return SupportMatrices(np.array(list(inertias.values()), float), K, C, B, seat)


def _inertias(support: Support) -> Iterator[tuple[tuple[str, str], float]]:
    """Each displacement, and what moves with it."""
    rails, sleepers = support.rails, support.sleepers
    if rails is None:
        return
    for side in (LEFT, RIGHT):
        yield (side, "y"), rails.mass
        yield (side, "z"), rails.mass
        if rails.inertia > 0.0:
            yield (side, "roll"), rails.inertia
    if sleepers is not None:
        yield (SLEEPERS, "y"), sleepers.mass
        yield (SLEEPERS, "z"), sleepers.mass
        yield (SLEEPERS, "roll"), sleepers.inertia


def _springs(support: Support) -> Iterator[Spring]:
    rails, sleepers = support.rails, support.sleepers
    if rails is None:
        return
    for side, b in ((LEFT, 0.5 * support.spread), (RIGHT, -0.5 * support.spread)):
        y, z, roll = (side, "y"), (side, "z"), (side, "roll")
        below_y = {(SLEEPERS, "y"): -1.0} if sleepers else {}
        below_z = {(SLEEPERS, "z"): -1.0, (SLEEPERS, "roll"): -b} if sleepers else {}
        below_roll = {(SLEEPERS, "roll"): -1.0} if sleepers else {}
        yield {y: 1.0, **below_y}, rails.stiffness[0], rails.damping[0]
        yield {z: 1.0, **below_z}, rails.stiffness[1], rails.damping[1]
        if rails.inertia > 0.0:
            yield {roll: 1.0, **below_roll}, rails.turning, rails.turning_damping
        if sleepers is not None:
            yield _seat(b), 0.5 * sleepers.stiffness[1], 0.5 * sleepers.damping[1]
    if sleepers is not None:
        yield {(SLEEPERS, "y"): 1.0}, sleepers.stiffness[0], sleepers.damping[0]
        yield {(SLEEPERS, "roll"): 1.0}, sleepers.turning, sleepers.turning_damping


def _seat(b: float) -> dict[tuple[str, str], float]:
    """Height of the sleepers at b from their middle."""
    return {(SLEEPERS, "z"): 1.0, (SLEEPERS, "roll"): b}


def _rail_motions(support: Support) -> Iterator[dict[tuple[str, str], float]]:
    """y, z and roll of the left rail, then of the right one, as sums of displacements."""
    if support.rails is None:
        return
    for side in (LEFT, RIGHT):
        yield {(side, "y"): 1.0}
        yield {(side, "z"): 1.0}
        if support.rails.inertia > 0.0:
            yield {(side, "roll"): 1.0}
        else:
            yield {(SLEEPERS, "roll"): 1.0} if support.sleepers else {}


def _row(sums: dict[tuple[str, str], float], index: dict[tuple[str, str], int]) -> np.ndarray:
    row = np.zeros(len(index))
    for name, factor in sums.items():
        row[index[name]] = factor
    return row
