"""Small motions of a vehicle about straight running: eigenvalues, and the speed they allow.

The first body is held at its speed and place along the line, as by a train around it; all else may
move. Rates vanish there but those of s, which is the speed, and of the angles of axles, which
nothing depends on. The Jacobian of the other states, of the same compiled equations that a run has,
gives the eigenvalues.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody.stability import (
    by_growth,
    first_growth,
    small_motions,
    steady_state,
)
from railblocks.engine import DiagramBuilder, check
from railblocks.engine.runs.rates import Rates

SLOW = 10.0
"""Speed with which the vehicle is made, in m/s; others follow from it."""


class RollingVehicle:
    """A vehicle with parameters as in a diagram, at any speed."""

    def __init__(self, **values: Any):
        d = DiagramBuilder("rolling vehicle")
        d.add("vehicle", "rail.vehicle", v_0=SLOW, **values)
        d.solver(stop=1)
        d.log("vehicle.Q")
        self._rates = Rates(check(d.build()))
        self._place = self._rates.place("vehicle", "q")
        self._table = self._rates.parameter("vehicle", "bodies")
        self.start = self._rates.start[self._place]
        self.moving = list(self._moving())

    def _moving(self) -> Iterable[int]:
        for k, row in enumerate(self._table):
            own = set(range(b.STATES))
            if row[b.CARRIER] > 0.0:
                own = {b.THETA, b.W_Y}
            elif row[b.AXLE] > 0.0:
                own -= {b.THETA}
            if k == 0:
                own -= {b.X, b.V_X}
            yield from (b.STATES * k + i for i in sorted(own))
        yield from range(b.STATES * len(self._table), len(self.start))

    def rates(self, q: np.ndarray) -> np.ndarray:
        """Of all states; places along the line against the first body's."""
        found = self._rates(q)[self._place]
        found[: b.STATES * len(self._table) : b.STATES] -= q[b.V_X]
        return found

    def steady(self, v: float) -> np.ndarray:
        """All states in straight running at v, in m/s, by Newton's method."""
        q = self.start.copy()
        for k in range(len(self._table)):
            q[b.STATES * k + np.array([b.V_X, b.W_Y])] *= v / SLOW
        found = steady_state(self.rates, q, len(self._table), self.moving)
        if found is None:
            raise ValueError(f"no steady running at {v:g} m/s; is a wheel off its rail?")
        return found

    def eigenvalues(self, v: float) -> np.ndarray:
        """Of small motions about straight running, in 1/s, the least damped first."""
        matrix = small_motions(self.rates, self.steady(v), len(self._table), self.moving)
        return by_growth(matrix)


def critical_speed(
    low: float = 10.0, high: float = 150.0, step: float = 10.0, **values: Any
) -> float | None:
    """The lowest speed, in m/s, above which small motions grow; None up to `high`.

    Speeds are tried each `step` from `low` on, and the first change of sign is narrowed.
    """
    vehicle = RollingVehicle(**values)
    return first_growth(
        lambda v: float(vehicle.eigenvalues(v)[0].real), np.arange(low, high + 0.5 * step, step)
    )
