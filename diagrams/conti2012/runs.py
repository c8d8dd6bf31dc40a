"""Runs of the scenarios of Conti et al. (2012), and their signals under the paper's names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from railblocks.blocks.rail.control.similitude import SCALINGS
from railblocks.diagrams.runs import Tell, run_checked, shipped
from railblocks.engine.errors import DiagramError, Place
from railblocks.engine.runs.results import Results

SCENARIOS = {
    "scenario_1": "scenario 1",
    "scenario_2": "scenario 2 without filter",
    "scenario_2_filtered": "scenario 2 with filter",
}
FAST = "fast_"
STEADY = 3.0
"""When the steady state begins, in s: by then anti-skid devices hold the torque."""
SHORTEST = STEADY + 1.0
PHI_C = SCALINGS["iwnicki"].factor("torque")
PAPER = "conti2012"


@dataclass(frozen=True)
class Run:
    """Signals of one scenario: torques of the motors at full scale, all else as on the rig.

    Axles 0 and 1 are those of the front rig, 2 and 3 those of the virtual one.
    """

    name: str
    results: Results
    blocks: Mapping[str, Mapping[str, Any]]  # values of all blocks' parameters

    @property
    def title(self) -> str:
        return SCENARIOS[self.name.removeprefix(FAST)]

    @property
    def spatial(self) -> bool:
        return not self.name.startswith(FAST)

    @property
    def front(self) -> Mapping[str, Any]:
        """Parameters of the front rig."""
        return self.blocks["rig" if self.spatial else "front"]

    @cached_property
    def t(self) -> np.ndarray:
        return self.results.time

    def window(self, start: float = STEADY, stop: float = np.inf) -> np.ndarray:
        return (self.t >= start) & (self.t <= stop)

    def _of(self, signal: str) -> np.ndarray:
        return self.results[signal]

    @cached_property
    def C_S(self) -> np.ndarray:
        return PHI_C * self._of("simulator.traction.device.C_S")

    @cached_property
    def C_tilde(self) -> np.ndarray:
        return PHI_C * self._of("simulator.estimation.estimator.C_tilde")

    @cached_property
    def C_hat(self) -> np.ndarray:
        return PHI_C * self._of("simulator.estimation.filtered.y")

    @cached_property
    def e_c(self) -> np.ndarray:
        return self._of("simulator.error.y")

    @cached_property
    def e_omega(self) -> np.ndarray:
        return self._of("simulator.control.speed_error.y")

    @cached_property
    def u(self) -> np.ndarray:
        return self._of("simulator.control.controller.u")

    @cached_property
    def T_sim(self) -> np.ndarray:
        return self._of("simulator.train.model_force.y")

    @cached_property
    def T_hat(self) -> np.ndarray:
        return self._of("simulator.estimation.estimator.T_hat")

    @cached_property
    def omega_w_dot_hat(self) -> np.ndarray:
        return self._of("simulator.estimation.estimator.omega_w_dot_hat")

    @cached_property
    def T_cont(self) -> np.ndarray:
        """Creep force of both wheels of each front axle."""
        if self.spatial:
            return self._of("rig.T_x").reshape(-1, 2, 2).sum(axis=2)
        return self._of("front.T")

    @cached_property
    def F_x(self) -> np.ndarray:
        """Longitudinal force of the rollers on each front axle."""
        return self._of("rig.F_x") if self.spatial else self.T_cont

    @cached_property
    def T_mis(self) -> np.ndarray:
        return self._of("rig.T_mis" if self.spatial else "front.T_mis")

    @cached_property
    def omega_w(self) -> np.ndarray:
        return self._of("rig.omega_w" if self.spatial else "front.omega_w")

    @cached_property
    def omega_r(self) -> np.ndarray:
        return self._of("rig.Omega" if self.spatial else "front.omega_rm")

    @cached_property
    def G_y(self) -> np.ndarray:
        return self._of("rig.G_y")

    @property
    def r_s(self) -> float:
        return float(self.front["r_0" if self.spatial else "r_s"])

    @property
    def J_w(self) -> float:
        return float(self.front["J_wy" if self.spatial else "J_w"])

    def largest(self, values: np.ndarray, start: float = STEADY) -> np.ndarray:
        """Largest size of each axle's value from a time on."""
        return np.max(np.abs(values[self.window(start)]), axis=0)

    def mean(self, values: np.ndarray, start: float = STEADY) -> np.ndarray:
        return np.mean(values[self.window(start)], axis=0)


def run(
    name: str,
    values: Mapping[str, Any],
    tell: Tell,
    keep: str | None = None,
) -> Run:
    """Runs one of the shipped diagrams; `keep` names a folder for its results."""
    tell(f"{name}: compiling")
    checked = shipped(PAPER, name, values)
    if checked.settings.stop < SHORTEST:
        raise DiagramError(
            f"the run ends at {checked.settings.stop:g} s; expected {SHORTEST:g} s or more, since "
            f"errors are those after {STEADY:g} s",
            Place("--stop"),
        )
    results = run_checked(checked, name, tell, keep)
    return Run(name, results, {n: one.values for n, one in checked.model.blocks.items()})
