"""Braking runs of the UIC-Z1 coach of Meacci et al. (2020), and what is read off them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from railblocks.blocks.rail.brakes.wsp import VENT
from railblocks.blocks.rail.multibody.readings import PATCH
from railblocks.diagrams.runs import Run, Tell, shipped, signal, silent

TAUS = (0.0, 8.1e-9, 3e-8)  # no recovery, tuned, complete: section 5.1
SLIDING_SPEED = 1.0
"""Speed difference in m/s from which a wheelset counts as sliding."""
BRAKED_FROM_S = 5.0
"""When cylinders are nearly full, in s."""
XI = 4
"""Longitudinal creepage in a row of `coach.patches`."""


class CoachRun(Run):
    """One braking run; forces and torques are positive when braking."""

    v = signal("coach.v")
    v_w = signal("wheel.y")  # r omega of each wheelset
    C_w = signal("brake.C")

    @property
    def tau(self) -> float:
        """Recovery of adhesion, in m²/W."""
        return float(self.blocks["coach"]["tau"])

    @property
    def r(self) -> float:
        """Radius of the wheels."""
        return float(self.blocks["wheel"]["k"])

    @cached_property
    def s(self) -> np.ndarray:
        """Sliding of each wheelset, Eq. 17."""
        return self.v[:, None] - self.v_w

    @cached_property
    def loads(self) -> np.ndarray:
        """T_c and N_c of each wheelset: a row a time, axle and kind."""
        wheels = self["coach.loads"].reshape(len(self.t), -1, 2, 6).sum(axis=2)
        return np.stack([-wheels[..., 0], wheels[..., 2]], axis=-1)

    @cached_property
    def f(self) -> np.ndarray:
        """Adhesion coefficient of each wheelset."""
        return self.loads[..., 0] / self.loads[..., 1]

    @cached_property
    def patches(self) -> np.ndarray:
        """What the contact of each wheel is like: a row a time, wheel and quantity."""
        return self["coach.patches"].reshape(len(self.t), -1, PATCH)

    @property
    def deceleration(self) -> float:
        """Mean deceleration, once the brakes are on."""
        on = self.window(BRAKED_FROM_S)
        return float((self.v[on][0] - self.v[-1]) / (self.t[-1] - self.t[on][0]))

    @property
    def creep(self) -> float:
        """Mean sliding of all wheelsets, once the brakes are on."""
        return float(self.s[self.window(BRAKED_FROM_S)].mean())

    @property
    def sliding_adhesion(self) -> float:
        """Mean adhesion coefficient of wheelsets that slide."""
        sliding = (self.s > SLIDING_SPEED) & self.window(BRAKED_FROM_S)[:, None]
        return float(self.f[sliding].mean())

    @property
    def vented(self) -> bool:
        """Whether the protection had to vent a cylinder."""
        return bool(np.any(self["protection.valve"] == VENT))

    @property
    def seconds(self) -> float:
        """Wall-clock seconds per simulated second."""
        return 1.0 / float(self.results.statistics.real_time_factor)


def run(tau: float, values: Mapping[str, Any] | None = None, tell: Tell = silent) -> CoachRun:
    """The shipped braking with a recovery."""
    checked = shipped("meacci2020", "braking", {"tau": tau, **(values or {})})
    return CoachRun.of(checked, f"tau = {tau:g} m²/W", tell)


def states(braking: CoachRun) -> dict[str, tuple[float, float]]:
    """Creepage and speed of the first left wheel when it slides most, and adheres in part."""
    braked, s = braking.window(BRAKED_FROM_S), braking.s[:, 0]
    most = int(np.argmax(np.where(braked, s, 0.0)))
    rolling = int(np.flatnonzero(braked & (s < 0.05) & (braking.C_w[:, 0] > 3000.0))[0])
    instants = {"pure sliding": most, "partial adherence": rolling}
    return {
        name: (-float(braking.patches[i, 0, XI]), float(braking.v[i]))
        for name, i in instants.items()
    }
