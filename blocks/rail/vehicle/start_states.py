"""How a vehicle starts where it does not start at rest: bodies displaced, turned, and faster.

Bodies are held where they start until then: dampers with a spring in series have given way.
"""

from __future__ import annotations

import numpy as np
from railblocks.blocks.rail.multibody.bodies import PHI, PSI, STATES, THETA, V_X, W_X, X, axes, back
from railblocks.blocks.rail.multibody.elements import INNER, SERIES, displaced, joint
from railblocks.blocks.rail.multibody.riders import place_riders

from .description import Vehicle
from .tables import element_table, inner_states


def displace(vehicle: Vehicle, bodies: np.ndarray, elements: np.ndarray, q: np.ndarray) -> None:
    """Adds the start states of a vehicle to the states of its rest."""
    for state in vehicle.start:
        body = vehicle.index(state.body)
        o = STATES * body
        q[o + X : o + X + 3] += state.place
        q[[o + PHI, o + THETA, o + PSI]] += state.angles
        q[o + V_X : o + V_X + 3] += state.velocity
        q[o + W_X : o + W_X + 3] += back(axes(q, body), *state.omega)
    if vehicle.start:
        _let_dampers_give(bodies, elements, q)


def at_rest(vehicle: Vehicle, q: np.ndarray) -> np.ndarray:
    """The states of rest, from those with which a vehicle starts."""
    q = q.copy()
    for state in vehicle.start:
        body = vehicle.index(state.body)
        o = STATES * body
        q[o + W_X : o + W_X + 3] -= back(axes(q, body), *state.omega)
        q[o + V_X : o + V_X + 3] -= state.velocity
        q[[o + PHI, o + THETA, o + PSI]] -= state.angles
        q[o + X : o + X + 3] -= state.place
    first = STATES * len(vehicle.bodies)
    q[first : first + inner_states(element_table(vehicle)[0])] = 0.0
    return q


def _let_dampers_give(bodies: np.ndarray, elements: np.ndarray, q: np.ndarray) -> None:
    """Sets the states of dampers with a spring in series so that they bear nothing."""
    world = q.copy()
    place_riders(bodies, world)
    for e, row in enumerate(elements):
        away = displaced(elements, e, joint(world, bodies, elements, e)[0])
        n = int(row[INNER])
        for stiffness, length in zip(row[SERIES : SERIES + 3], away, strict=True):
            if stiffness > 0.0:
                q[n] = length
                n += 1
