"""Small motions of the MDM rig about steady rolling: eigenvalues, and the speed they allow.

The rollers are held at their speed, and the wheelsets roll on them without torque. All rates vanish
there but those of angles of rotation, which nothing depends on; the Jacobian of the other states by
central differences, of the same compiled equations that a run has, gives the eigenvalues. The
damping of a contact, which acts on one side only, counts with the mean of both sides.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.rig_tables import BODY, BOGIE, FRONT, REAR, SPEED
from railblocks.blocks.rail.stability import first_growth
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
STEPS = np.array([1e-7] * 3 + [1e-6] * 3 + [1e-5] * 3 + [1e-4] * 3)
"""Of differences: metres, radians and their rates, far below what bends profiles and creep laws."""


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
        try:
            for _ in range(20):
                step = np.linalg.solve(self.matrix(q), self.rates(q)[MOVING])
                q[MOVING] -= step
                if np.abs(step).max() < 1e-9:
                    return q
        except np.linalg.LinAlgError:
            pass
        raise ValueError(f"no steady rolling at {omega:g} rad/s; is a wheel off its roller?")

    def matrix(self, q: np.ndarray) -> np.ndarray:
        """The Jacobian of the states in MOVING."""
        columns = []
        for i in MOVING:
            h = STEPS[i % b.STATES]
            ahead, behind = q.copy(), q.copy()
            ahead[i] += h
            behind[i] -= h
            columns.append((self.rates(ahead) - self.rates(behind))[MOVING] / (2.0 * h))
        return np.array(columns).T

    def eigenvalues(self, omega: float) -> np.ndarray:
        """Of small motions about steady rolling, in 1/s, the least damped first."""
        found = np.linalg.eigvals(self.matrix(self.steady(omega)))
        return found[np.argsort(-found.real)]


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
