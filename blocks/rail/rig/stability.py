"""Small motions of the MDM rig about steady rolling: eigenvalues, and the speed they allow.

The rollers are held at their speed, and the wheelsets roll on them without torque.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from railblocks.blocks.rail.multibody.bodies import STATES, W_Y
from railblocks.blocks.rail.multibody.stability import SteadyRolling
from railblocks.blocks.rail.rig.tables import ANGLE, FRONT, REAR, SPEED
from railblocks.blocks.rail.rig.tables import STATES as RIG_STATES
from railblocks.engine import DiagramBuilder


class RollingRig(SteadyRolling):
    """A rig with parameters as in a diagram; speeds are those of its wheels, in rad/s."""

    def __init__(self, **values: Any):
        d = DiagramBuilder("rolling rig")
        d.add("torque", "sources.constant", value=["0 N*m", "0 N*m"])
        d.add("rig", "rail.mdm_rig", **values)
        d.connect("torque", "rig.C_S", "rig.u")
        d.solver(stop=1)
        d.log("rig.N")
        super().__init__(d.build(), "rig")
        self.moving = [k for k in self.moving if k < ANGLE or k >= RIG_STATES]

    def near(self, speed: float) -> np.ndarray:
        q = self.start.copy()
        for axle in (FRONT, REAR):
            speeds = [STATES * axle + W_Y, SPEED + axle]
            q[speeds] *= speed / q[speeds[0]] if q[speeds[0]] else 0.0
        return q

    def no_rest(self, speed: float) -> str:
        return f"no steady rolling at {speed:g} rad/s; is a wheel off its roller?"


def critical_speed(
    low: float = 20.0, high: float = 400.0, step: float = 10.0, **values: Any
) -> float | None:
    """The lowest speed of the wheels, in rad/s, above which small motions grow; None up to `high`.

    Speeds are tried each `step` from `low` on, and the first change of sign is narrowed.
    """
    return RollingRig(**values).critical_speed(low, high, step)
