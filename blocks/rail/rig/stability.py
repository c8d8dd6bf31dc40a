"""Small motions of the MDM rig about steady rolling: eigenvalues, and the speed they allow.

The rollers are held at their speed, and the wheelsets roll on them without torque. All rates vanish
there but those of angles of rotation, which nothing depends on; the Jacobian of the other states by
central differences, of the same compiled equations that a run has, gives the eigenvalues.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody.stability import (
    by_growth,
    first_growth,
    small_motions,
    steady_state,
)
from railblocks.blocks.rail.rig.tables import BODIES, BODY, BOGIE, FRONT, REAR, SPEED
from railblocks.engine import DiagramBuilder, check
from railblocks.engine.runs.rates import Rates

STILL = {FRONT: [b.THETA], REAR: [b.THETA], BOGIE: [b.X, b.V_X]}
MOVING = [
    b.STATES * body + k
    for body in (FRONT, REAR, BOGIE)
    for k in range(b.STATES)
    if k not in STILL[body]
] + [b.STATES * BODY + b.Z, b.STATES * BODY + b.V_Z]
"""The states that can move, without the angles of wheelsets, in the order of bodies."""


class RollingRig:
    """A rig with parameters as in a diagram, at any speed of its wheels."""

    def __init__(self, **values: Any):
        d = DiagramBuilder("rolling rig")
        d.add("torque", "sources.constant", value=["0 N*m", "0 N*m"])
        d.add("rig", "rail.mdm_rig", **values)
        d.connect("torque", "rig.C_S", "rig.u")
        d.solver(stop=1)
        d.log("rig.N")
        self._rates = Rates(check(d.build()))
        self._place = self._rates.place("rig", "q")
        self.start = self._rates.start[self._place]

    def parameter(self, name: str) -> np.ndarray:
        """A parameter or table of the rig, which may be changed."""
        return self._rates.parameter("rig", name)

    def rates(self, q: np.ndarray) -> np.ndarray:
        return self._rates(q)[self._place]

    def steady(self, omega: float) -> np.ndarray:
        """All states in steady rolling at a speed of the wheels in rad/s, by Newton's method."""
        q = self.start.copy()
        for axle in (FRONT, REAR):
            speeds = [b.STATES * axle + b.W_Y, SPEED + axle]
            q[speeds] *= omega / q[speeds[0]] if q[speeds[0]] else 0.0
        found = steady_state(self.rates, q, BODIES, MOVING)
        if found is None:
            raise ValueError(f"no steady rolling at {omega:g} rad/s; is a wheel off its roller?")
        return found

    def eigenvalues(self, omega: float) -> np.ndarray:
        """Of small motions about steady rolling, in 1/s, the least damped first."""
        return by_growth(small_motions(self.rates, self.steady(omega), BODIES, MOVING))


def critical_speed(
    low: float = 20.0, high: float = 400.0, step: float = 10.0, **values: Any
) -> float | None:
    """The lowest speed of the wheels, in rad/s, above which small motions grow; None up to `high`.

    Speeds are tried each `step` from `low` on, and the first change of sign is narrowed.
    """
    rig = RollingRig(**values)

    def growth(omega: float) -> float:
        return float(rig.eigenvalues(omega)[0].real)

    return first_growth(growth, np.arange(low, high + 0.5 * step, step))
