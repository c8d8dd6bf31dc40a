"""Runs of the braking train of Toumi et al. (2019), and what is read off them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from railblocks.diagrams.runs import Run, Tell, shipped, signal, silent
from railblocks.engine.errors import SimulationError

PAPER = "toumi2019"
BRAKING, WITHOUT_WSP, WITHOUT_RECOVERY = "braking", "without_wsp", "without_recovery"
DRIVEN = "driven_bogies"
CALCULATED, MEASURED = 975.0, 985.0
"""The paper's braking distances, in m."""
AXLES_TO_MU_MAX = 4
"""Axles after which the paper finds mu_max reached: section 3, Figure 3."""
REACHED_PART = 0.95
"""Part of mu_max that counts as reaching it."""
MEAN_FROM_M, MEAN_UNTIL = 100.0, 0.5
"""The stretch over which adhesion is averaged: from this position in m, when brakes are full, to
where the train has this part of its first speed, since later little is dissipated."""
MIN_MOVING_SPEED = 1.0
"""Speed in m/s above which a locked axle counts as one of a train that moves."""


class TrainRun(Run):
    """One braking run, from the first demand to standstill."""

    x = signal("train.motion.x")
    v = signal("train.motion.v")
    v_a = signal("train.axle.v_a")
    C = signal("train.brake.C")
    mu = signal("train.cleaned.mu")  # that each axle sees
    mu_left = signal("train.cleaned.mu_left")  # behind each axle

    @cached_property
    def places(self) -> np.ndarray:
        """Distances of the axles behind the first."""
        return np.asarray(self.blocks["train.motion"]["places"])

    @property
    def slip(self) -> np.ndarray:
        v = self.v[:, None]
        return np.where(v > MIN_MOVING_SPEED, (v - self.v_a) / np.maximum(v, MIN_MOVING_SPEED), 0.0)

    @property
    def distance(self) -> float:
        return float(self.x[-1] - self.x[0])

    @property
    def deceleration(self) -> float:
        """Mean deceleration over the distance."""
        return float(self.v[0] ** 2 / (2.0 * self.distance))

    @property
    def locked(self) -> list[int]:
        """Numbers of the axles that lock while the train moves, from 1."""
        locked = self["train.axle.locked"].astype(bool) & (self.v > MIN_MOVING_SPEED)[:, None]
        return [int(i) + 1 for i in np.flatnonzero(locked.any(axis=0))]

    @cached_property
    def left(self) -> np.ndarray:
        """Adhesion behind each axle, a row an axle, all along the same stretch of rail."""
        end = float(np.interp(-MEAN_UNTIL * self.v[0], -self.v, self.x))
        stretch = np.linspace(MEAN_FROM_M, end, 2000)
        behind = zip(self.places, self.mu_left.T, strict=True)
        return np.array([np.interp(stretch, self.x - p, mu) for p, mu in behind])

    def axles_to_mu_max(self, measure: Callable[[np.ndarray], float] = np.mean) -> int | None:
        """The axle behind which the mean (or another measure) reaches mu_max, from 1."""
        limit = REACHED_PART * float(self.blocks["train.cleaned"]["mu_max"])
        return next((n for n, mu in enumerate(self.left, 1) if measure(mu) >= limit), None)


def run(
    name: str,
    values: Mapping[str, Any] | None = None,
    tell: Tell = silent,
    keep: str | None = None,
) -> TrainRun:
    """Runs one of the shipped diagrams to standstill."""
    checked = shipped(PAPER, name, values)
    braking = TrainRun.of(checked, name, tell, keep)
    if braking.v[-1] > MIN_MOVING_SPEED:
        stop = checked.settings.stop
        raise SimulationError(
            f"{name}: the train has {3.6 * braking.v[-1]:.0f} km/h at {stop:g} s, when the run "
            "ends; brake harder or give it more time (solver.stop)"
        )
    return braking
