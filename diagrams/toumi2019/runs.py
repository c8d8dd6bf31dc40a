"""Runs of the braking train of Toumi et al. (2019), and what is read off them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from railblocks.diagrams.runs import Tell, run_checked, shipped, silent
from railblocks.engine.errors import SimulationError
from railblocks.engine.runs.results import Results

PAPER = "toumi2019"
BRAKING, WITHOUT_WSP, WITHOUT_RECOVERY = "braking", "without_wsp", "without_recovery"
REACHED = 0.95
"""Part of mu_max that counts as reaching it."""
FROM, FAST = 100.0, 0.5
"""The stretch over which adhesion is averaged: from this place in m, when brakes are full, to where
the train has this part of its first speed, since later little is dissipated."""
ROLLING = 1.0
"""Speed in m/s above which a locked axle counts as one of a train that moves."""


@dataclass(frozen=True)
class Run:
    """Signals of one braking, from the first demand to standstill."""

    name: str
    results: Results
    blocks: Mapping[str, Mapping[str, Any]]  # values of all blocks' parameters

    @cached_property
    def t(self) -> np.ndarray:
        return self.results.time

    @cached_property
    def x(self) -> np.ndarray:
        return self.results["train.motion.x"]

    @cached_property
    def v(self) -> np.ndarray:
        return self.results["train.motion.v"]

    @cached_property
    def v_a(self) -> np.ndarray:
        return self.results["train.axle.v_a"]

    @cached_property
    def C(self) -> np.ndarray:
        return self.results["train.brake.C"]

    @cached_property
    def mu(self) -> np.ndarray:
        """Adhesion that each axle sees."""
        return self.results["train.cleaned.mu"]

    @cached_property
    def mu_left(self) -> np.ndarray:
        """Adhesion behind each axle."""
        return self.results["train.cleaned.mu_left"]

    @cached_property
    def places(self) -> np.ndarray:
        return np.asarray(self.blocks["train.motion"]["places"])

    @property
    def slip(self) -> np.ndarray:
        v = self.v[:, None]
        return np.where(v > ROLLING, (v - self.v_a) / np.maximum(v, ROLLING), 0.0)

    @property
    def distance(self) -> float:
        return float(self.x[-1] - self.x[0])

    @property
    def deceleration(self) -> float:
        """Mean over the distance."""
        return float(self.v[0] ** 2 / (2.0 * self.distance))

    @property
    def locked(self) -> list[int]:
        """Numbers of the axles that lock while the train moves, from 1."""
        found = self.results["train.axle.locked"].astype(bool) & (self.v > ROLLING)[:, None]
        return [int(i) + 1 for i in np.flatnonzero(found.any(axis=0))]

    @cached_property
    def left(self) -> np.ndarray:
        """Adhesion behind each axle, a row an axle, all along the same stretch of rail."""
        end = float(np.interp(-FAST * self.v[0], -self.v, self.x))
        stretch = np.linspace(FROM, end, 2000)
        behind = zip(self.places, self.mu_left.T, strict=True)
        return np.array([np.interp(stretch, self.x - p, mu) for p, mu in behind])

    def axles_to_mu_max(self, of: Callable[[np.ndarray], float] = np.mean) -> int | None:
        """Behind which axle the mean (or another value) of the stretch reaches mu_max, from 1."""
        limit = REACHED * float(self.blocks["train.cleaned"]["mu_max"])
        return next((n for n, mu in enumerate(self.left, 1) if of(mu) >= limit), None)


def run(
    name: str,
    values: Mapping[str, Any] | None = None,
    keep: str | None = None,
    tell: Tell = silent,
) -> Run:
    """Runs one of the shipped diagrams to standstill; `keep` names a folder for its results."""
    checked = shipped(PAPER, name, values or {})
    results = run_checked(checked, name, tell, keep)
    found = Run(name, results, {n: one.values for n, one in checked.model.blocks.items()})
    if found.v[-1] > ROLLING:
        stop = checked.settings.stop
        raise SimulationError(
            f"{name}: the train has {3.6 * found.v[-1]:.0f} km/h at {stop:g} s, when the run ends; "
            "brake harder or give it more time (solver.stop)"
        )
    return found
