"""Runs of the scenarios of Conti et al. (2012), with signals under the paper's names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from railblocks.blocks.rail.control.similitude import SCALINGS
from railblocks.diagrams.runs import Run, Tell, shipped, signal, silent
from railblocks.engine.errors import DiagramError, Position

SCENARIOS = {
    "scenario_1": "scenario 1",
    "scenario_2": "scenario 2 without filter",
    "scenario_2_filtered": "scenario 2 with filter",
}
FILTERED, OBSERVED = "scenario_2_filtered", "scenario_2_observer"
FAST = "fast_"
ESTIMATOR = "simulator.estimation.estimator"
STEADY_FROM_S = 3.0
"""When the steady state begins, in s: by then anti-skid devices hold the torque."""
MIN_STOP_S = STEADY_FROM_S + 1.0
PHI_C = SCALINGS["iwnicki"].factor("torque")


class RigRun(Run):
    """One scenario: torques of the motors at full scale, all else as on the rig.

    Axles 0 and 1 are those of the front rig, 2 and 3 those of the virtual one.
    """

    C_S = signal("simulator.traction.device.C_S", PHI_C)
    C_tilde = signal(f"{ESTIMATOR}.C_tilde", PHI_C)
    C_hat = signal("simulator.estimation.filtered.y", PHI_C)
    e_c = signal("simulator.error.y")
    e_omega = signal("simulator.control.speed_error.y")
    u = signal("simulator.control.controller.u")
    T_sim = signal("simulator.train.model_force.y")
    T_hat = signal(f"{ESTIMATOR}.T_hat")
    omega_w_dot_hat = signal(f"{ESTIMATOR}.omega_w_dot_hat")
    G_y = signal("rig.G_y")

    @property
    def title(self) -> str:
        return SCENARIOS[self.name.removeprefix(FAST)]

    @property
    def spatial(self) -> bool:
        """Whether the front rig is the three-dimensional one."""
        return not self.name.startswith(FAST)

    @property
    def front(self) -> Mapping[str, Any]:
        """Parameters of the front rig."""
        return self.blocks["rig" if self.spatial else "front"]

    @cached_property
    def T_cont(self) -> np.ndarray:
        """Creep force of both wheels of each front axle."""
        if self.spatial:
            return self["rig.T_x"].reshape(-1, 2, 2).sum(axis=2)
        return self["front.T"]

    @cached_property
    def F_x(self) -> np.ndarray:
        """Longitudinal force of the rollers on each front axle."""
        return self["rig.F_x"] if self.spatial else self.T_cont

    @cached_property
    def T_mis(self) -> np.ndarray:
        return self["rig.T_mis" if self.spatial else "front.T_mis"]

    @cached_property
    def omega_w(self) -> np.ndarray:
        return self["rig.omega_w" if self.spatial else "front.omega_w"]

    @cached_property
    def omega_r(self) -> np.ndarray:
        return self["rig.Omega" if self.spatial else "front.omega_rm"]

    @property
    def estimator(self) -> Mapping[str, Any]:
        """Parameters of the estimator."""
        return self.blocks[ESTIMATOR]

    @property
    def r_s(self) -> float:
        return float(self.front["r_0" if self.spatial else "r_s"])

    @property
    def J_w(self) -> float:
        return float(self.front["J_wy" if self.spatial else "J_w"])

    def largest(self, values: np.ndarray, start: float = STEADY_FROM_S) -> np.ndarray:
        """Largest size of each axle's value from a time on."""
        return np.max(np.abs(values[self.window(start)]), axis=0)

    def mean(self, values: np.ndarray, start: float = STEADY_FROM_S) -> np.ndarray:
        return np.mean(values[self.window(start)], axis=0)


class ObserverRun(RigRun):
    """Scenario 2 with an observer of unbalance."""

    C_hat = signal("simulator.estimation.observer.C_hat", PHI_C)

    @property
    def title(self) -> str:
        return "scenario 2 with observer"


def run(
    name: str,
    values: Mapping[str, Any] | None = None,
    tell: Tell = silent,
    keep: str | None = None,
    kind: type[RigRun] = RigRun,
) -> RigRun:
    """Runs one of the shipped diagrams, long enough for a steady state."""
    checked = shipped("conti2012", name, values)
    if checked.settings.stop < MIN_STOP_S:
        raise DiagramError(
            f"the run ends at {checked.settings.stop:g} s; expected {MIN_STOP_S:g} s or more, "
            f"since errors are those after {STEADY_FROM_S:g} s",
            Position("--stop"),
        )
    return kind.of(checked, name, tell, keep)
