"""Braking runs of the UIC-Z1 coach of Meacci et al. (2020), and what is read off them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from railblocks.blocks.rail.brakes.wsp import VENT
from railblocks.blocks.rail.multibody.readings import PATCH
from railblocks.diagrams.runs import Run, Tell, shipped, signal, silent
from railblocks.engine import Simulation
from railblocks.engine.reproduction.result import Band

TAUS = (0.0, 8.1e-9, 3e-8)  # no recovery, tuned, complete: section 5.1
TUNED, COMPLETE = TAUS[1:]
SLIDING_SPEED = 1.0
"""Speed difference in m/s from which a wheelset counts as sliding."""
FILLING_S = 2.0
"""Time after which cylinders are nearly full, in s."""
XI = 4
"""Longitudinal creepage in a row of `coach.patches`."""


@dataclass(frozen=True)
class Reading:
    """How tau of the paper is read: a parameter of the diagram, its unit and what it means."""

    parameter: str
    unit: str
    words: str


PER_DISTANCE = Reading("tau_x", "m²/N", "energy per distance")
BY_POWER = Reading("tau", "m²/W", "power, as printed")
READINGS = (PER_DISTANCE, BY_POWER)
OPEN: Mapping[str, Mapping[str, float]] = {
    "torque 8 kN m": {"C_lim": 8000.0},
    "torque 11 kN m": {"C_lim": 11000.0},
    "mu_cd 0.05": {"coach.mu": 0.05},
    "mu_cd 0.07": {"coach.mu": 0.07},
    "early protection": {f"protection.s{k}": s for k, s in enumerate((0.03, 0.06, 0.12, 0.15), 1)},
    "late protection": {f"protection.s{k}": s for k, s in enumerate((0.07, 0.14, 0.28, 0.35), 1)},
}
"""What the paper does not print, to both sides of what the diagram assumes: torque; friction, which
it says changes from test to test; slips at which the protection acts. When braking begins only
shifts a run."""


class CoachRun(Run):
    """One braking run; forces and torques are positive when braking."""

    v = signal("coach.v")
    v_w = signal("wheel.y")  # r omega of each wheelset
    C_w = signal("brake.C")

    @property
    def tau(self) -> float:
        """Recovery of adhesion, in whichever reading it has."""
        return max(float(self.blocks["coach"][reading.parameter]) for reading in READINGS)

    @cached_property
    def braked(self) -> np.ndarray:
        """Which of the rows come once the brakes are on."""
        return self.window(float(self.blocks["driver"]["time"]) + FILLING_S)

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
        return self._slope(0.0, 1.0)

    @property
    def steepening(self) -> float:
        """Mean deceleration of the second half of braking over that of the first."""
        return self._slope(0.5, 1.0) / self._slope(0.0, 0.5)

    def _slope(self, begin: float, end: float) -> float:
        """Mean deceleration from one part of the time of braking to another."""
        first = self.t[self.braked][0]
        times = first + (self.t[-1] - first) * np.array([begin, end])
        before, after = np.interp(times, self.t, self.v)
        return float((before - after) / (times[1] - times[0]))

    @property
    def creep(self) -> float:
        """Mean sliding of all wheelsets, once the brakes are on."""
        return float(self.s[self.braked].mean())

    @property
    def most(self) -> float:
        """Largest sliding of the first wheelset, which the paper shows."""
        return float(self.s[:, 0].max())

    @property
    def sliding_adhesion(self) -> float:
        """Mean adhesion coefficient of wheelsets that slide."""
        sliding = (self.s > SLIDING_SPEED) & self.braked[:, None]
        return float(self.f[sliding].mean())

    @property
    def vented(self) -> bool:
        """Whether the protection had to vent a cylinder."""
        return bool(np.any(self["protection.valve"] == VENT))


def run(
    tau: float,
    values: Mapping[str, Any] | None = None,
    tell: Tell = silent,
    reading: Reading = PER_DISTANCE,
    name: str = "",
) -> CoachRun:
    """The shipped braking with a recovery in one of its readings."""
    recovery = {other.parameter: 0.0 for other in READINGS} | {reading.parameter: tau}
    checked = shipped("meacci2020", "braking", recovery | dict(values or {}))
    title = f"{reading.parameter} = {tau:g} {reading.unit}"
    return CoachRun.of(checked, f"{title}, {name}" if name else title, tell)


@dataclass(frozen=True)
class Study:
    """All runs of the paper: without recovery, by reading and tau, and over what is open."""

    none: CoachRun
    recovered: Mapping[tuple[Reading, float], CoachRun]
    around: Mapping[tuple[Reading, float], Sequence[CoachRun]]
    seconds: Mapping[str, float]
    """Computing for a simulated second by law, in s."""

    def band(self, case: tuple[Reading, float], number: Callable[[CoachRun], float]) -> Band:
        """The least and the largest of a number over what the paper leaves open."""
        numbers = [number(one) for one in (self.recovered[case], *self.around[case])]
        return min(numbers), max(numbers)


def study(tell: Tell = silent) -> Study:
    """Runs everything."""
    cases = [(reading, tau) for reading in READINGS for tau in (TUNED, COMPLETE)]
    return Study(
        run(0.0, tell=tell),
        {(reading, tau): run(tau, tell=tell, reading=reading) for reading, tau in cases},
        {
            (reading, tau): [run(tau, values, tell, reading, name) for name, values in OPEN.items()]
            for reading, tau in cases
        },
        {law: seconds_of(law, tell) for law in ("local", "fastsim")},
    )


def seconds_of(law: str, tell: Tell = silent) -> float:
    """Seconds of one core for a simulated second; what others take on it is left out."""
    tell(f"time of {law}")
    simulation = Simulation(shipped("meacci2020", "braking", {"coach.law": law}))
    begin = time.thread_time()
    for _ in simulation.chunks():
        pass
    return (time.thread_time() - begin) / simulation.time


def states(braking: CoachRun) -> dict[str, tuple[float, float]]:
    """Creepage and speed of the first left wheel when it slides most, and adheres in part."""
    braked, s = braking.braked, braking.s[:, 0]
    most = int(np.argmax(np.where(braked, s, 0.0)))
    rolling = int(np.flatnonzero(braked & (s < 0.05) & (braking.C_w[:, 0] > 3000.0))[0])
    instants = {"pure sliding": most, "partial adherence": rolling}
    return {
        name: (-float(braking.patches[i, 0, XI]), float(braking.v[i]))
        for name, i in instants.items()
    }
