"""Small motions of a vehicle about straight running: modes, and the speed that they allow.

The first body is held at its speed and position along the line, as by a train around it; all else
may move. The rate of s is the speed: it counts against that of the first body.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from railblocks.blocks.rail.multibody.bodies import STATES, V_X, W_Y, X
from railblocks.blocks.rail.multibody.modes import coordinates_of
from railblocks.blocks.rail.multibody.stability import SteadyRolling
from railblocks.engine import DiagramBuilder
from railblocks.engine.declaration import Modes, modes_of_matrix

from .files import DEFAULT, vehicle_named
from .mode_picture import draw_modes
from .rigid import rigid
from .start_states import at_rest

BUILD_SPEED = 10.0
"""Speed with which the vehicle is made, in m/s; others follow from it."""


class RollingVehicle(SteadyRolling):
    """A vehicle with parameters as in a diagram; speeds are in m/s."""

    def __init__(self, **values: Any):
        d = DiagramBuilder("rolling vehicle")
        d.add("vehicle", "rail.vehicle", v_0=BUILD_SPEED, **values)
        d.solver(stop=1)
        d.log("vehicle.Q")
        super().__init__(d.build(), "vehicle")
        self.vehicle = vehicle_named(values.get("vehicle", DEFAULT))
        self.start = at_rest(self.vehicle, self.start)
        self.moving = [k for k in self.moving if k not in (X, V_X)]

    def rates(self, q: np.ndarray) -> np.ndarray:
        """Rates of all states; positions along the line count against the first body's."""
        rates = super().rates(q)
        rates[: STATES * len(self.bodies) : STATES] -= q[V_X]
        return rates

    def near(self, speed: float) -> np.ndarray:
        q = self.start.copy()
        for k in range(len(self.bodies)):
            q[STATES * k + np.array([V_X, W_Y])] *= speed / BUILD_SPEED
        return q

    def modes(self, speed: float) -> Modes:
        """Modes of small motions; angles count by radii of gyration (`multibody/modes.py`)."""
        bodies = self.vehicle.bodies
        wholes = [rigid(self.vehicle, body) for body in bodies]
        radii = np.array([np.sqrt(np.diag(whole.inertia) / whole.mass) for whole in wholes])
        names = [body.name for body in bodies]
        return modes_of_matrix(
            self.matrix(speed),
            f"{self.vehicle.title} at {speed:g} m/s",
            coordinates_of(names, radii, self.moving),
            partial(draw_modes, self.vehicle, radii),
        )

    def no_rest(self, speed: float) -> str:
        return f"no steady running at {speed:g} m/s; is a wheel off its rail?"


def critical_speed(
    low: float = 10.0, high: float = 150.0, step: float = 10.0, **values: Any
) -> float | None:
    """The lowest speed, in m/s, above which small motions grow; None up to `high`.

    Speeds are tried each `step` from `low` on, and the first change of sign is narrowed.
    """
    return RollingVehicle(**values).critical_speed(low, high, step)
