"""Braking runs of the UIC-Z1 coach of Meacci et al. (2020), and the rows of its table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from railblocks.blocks.rail.multibody.readings import PATCH
from railblocks.diagrams.runs import Tell, run_checked, shipped
from railblocks.engine.reproduction.result import Row
from railblocks.engine.runs.results import Results

PAPER, NAME = "meacci2020", "braking"
TAUS = (0.0, 8.1e-9, 3e-8)  # no recovery, tuned, complete: section 5.1
SECONDS = {"local": 4.2, "fastsim": 2.5}  # Table 6: to simulate one
GOAL = 0.2
"""What we want of the local model with 25 x 25 cells, in s for each simulated second."""
SLIDING = 1.0
"""Speed difference in m/s from which a wheelset counts as sliding."""
BRAKED = 5.0
"""When cylinders are nearly full, in s."""
_, LOAD, SEMI_A, SEMI_B, XI, ETA, PHI, T_X, _, _ = range(PATCH)


@dataclass(frozen=True)
class Run:
    """Signals of one braking under the paper's names; forces and torques count when braking."""

    tau: float
    results: Results
    r: float

    @cached_property
    def t(self) -> np.ndarray:
        return self.results.time

    @cached_property
    def v(self) -> np.ndarray:
        return self.results["coach.v"]

    @cached_property
    def v_w(self) -> np.ndarray:
        """r omega of each wheelset."""
        return self.results["wheel.y"]

    @cached_property
    def s(self) -> np.ndarray:
        """Sliding of each wheelset, Eq. 17."""
        return self.v[:, None] - self.v_w

    @cached_property
    def C_w(self) -> np.ndarray:
        return self.results["brake.C"]

    @cached_property
    def loads(self) -> np.ndarray:
        """T_c and N_c of each wheelset: a row a time, axle and kind."""
        wheels = self.results["coach.loads"].reshape(len(self.t), -1, 2, 6).sum(axis=2)
        return np.stack([-wheels[..., 0], wheels[..., 2]], axis=-1)

    @cached_property
    def f(self) -> np.ndarray:
        """Adhesion coefficient of each wheelset."""
        return self.loads[..., 0] / self.loads[..., 1]

    @cached_property
    def patches(self) -> np.ndarray:
        return self.results["coach.patches"].reshape(len(self.t), -1, PATCH)

    @property
    def deceleration(self) -> float:
        """Mean, once the brakes are on."""
        on = self.t >= BRAKED
        return float((self.v[on][0] - self.v[-1]) / (self.t[-1] - self.t[on][0]))

    @property
    def creep(self) -> float:
        """Mean sliding of all wheelsets, once the brakes are on."""
        return float(self.s[self.t >= BRAKED].mean())

    @property
    def vented(self) -> bool:
        """Whether the protection had to vent a cylinder."""
        return bool(np.any(self.results["protection.valve"] == 3))

    @property
    def seconds(self) -> float:
        """Of the clock, for each simulated one."""
        return 1.0 / float(self.results.statistics.real_time_factor)


def run(tau: float, tell: Tell, **values: Any) -> Run:
    """The shipped braking with a recovery."""
    tell(f"tau = {tau:g} m²/W: compiling")
    checked = shipped(PAPER, NAME, {"tau": tau} | values)
    r = float(checked.model.blocks["wheel"].values["k"])
    return Run(tau, run_checked(checked, f"tau = {tau:g} m²/W", tell), r)


def rows(runs: Sequence[Run], plain: Run) -> list[Row]:
    """What the paper says of its braking runs; `plain` is FASTSIM's, for its time."""
    found = []
    for one, before in zip(runs, [None, *runs], strict=False):
        more = None if before is None else one.creep < before.creep
        paper = None if before is None else "less with more tau"
        name = f"mean sliding while braking, tau = {one.tau:g} m²/W"
        note = f"Fig. 8; mean deceleration {one.deceleration:.3g} m/s²"
        found.append(Row(name, paper, one.creep, "m/s", more, note))
    none, tuned = runs[0], runs[1]
    share = none.C_w.max() / (none.loads[..., 1].mean() * none.r)
    found += [
        Row(
            "largest sliding, no recovery", "some m/s", float(none.s.max()), "m/s",
            bool(none.s.max() > SLIDING and none.vented), "Fig. 7: protection has to vent",
        ),
        Row(
            "largest sliding, tuned tau", "some m/s", float(tuned.s.max()), "m/s",
            bool(tuned.s.max() > SLIDING),
            f"adhesion of the model reaches {_top(tuned):.2f}, more than the {share:.2f} that the "
            "assumed torque asks for: see the page",
        ),
        Row(
            "adhesion while sliding, no recovery", "0.06 to 0.15", _sliding_adhesion(none), "",
            bool(0.06 <= _sliding_adhesion(none) <= 0.15), "Table 4: mu_cd to mu_cd / A_d",
        ),
    ]  # fmt: skip
    machine = "the paper: Xeon, 2.6 GHz; ours: one core of this machine"
    times = {"local": tuned.seconds, "fastsim": plain.seconds}
    for law, paper in SECONDS.items():
        name = f"time for a simulated second, {law}"
        found.append(Row(name, paper, times[law], "s", times[law] <= paper, f"Table 6; {machine}"))
    note = "a goal of this project, 25 x 25 cells"
    name = "time for a simulated second, local"
    met = tuned.seconds <= GOAL
    return [*found, Row(name, f"goal {GOAL:g}", tuned.seconds, "s", met, note)]


def _top(one: Run) -> float:
    """Largest adhesion coefficient that occurs."""
    return float(one.f.max())


def _sliding_adhesion(one: Run) -> float:
    """Mean adhesion coefficient of wheelsets that slide."""
    sliding = (one.s > SLIDING) & (one.t >= BRAKED)[:, None]
    return float(one.f[sliding].mean())


def instants(one: Run) -> Mapping[str, int]:
    """Rows at which the first left wheel slides most, and where it adheres in part."""
    braked = one.t >= BRAKED
    s = np.where(braked, one.s[:, 0], 0.0)
    most = int(np.argmax(s))
    rolling = np.flatnonzero(braked & (one.s[:, 0] < 0.05) & (one.C_w[:, 0] > 3000.0))
    return {"pure sliding": most, "partial adherence": int(rolling[0])}
