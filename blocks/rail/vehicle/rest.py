"""A vehicle at rest on straight track, and rolling from there: all states at the start.

Each axle sinks into the rails, and with them where they give, and rolls by what its load presses;
the bodies above sink by the mean. Forces and moments balance in height, roll and pitch. Where the
wheels of an axle bear unlike loads, their inclined contacts also push it aside, by that difference
times their inclination; creep takes it as soon as the axle rolls.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from railblocks.blocks.rail.contact.geometry.contacts import P_Y
from railblocks.blocks.rail.contact.wheel_forces import LOAD
from railblocks.blocks.rail.multibody.bodies import PHI, STATES, V_X, W_Y, X, Z, back
from railblocks.blocks.rail.multibody.elements import F_0, K_R, M_0, OFFSET, joint
from railblocks.blocks.rail.multibody.riders import place_riders
from railblocks.blocks.rail.multibody.turning import turning_moment
from railblocks.blocks.rail.support.matrices import SupportMatrices
from railblocks.engine.errors import DiagramError

from .description import Vehicle
from .standing import stand
from .static_loads import StaticLoads, axle_loads
from .tables import inner_states


class Rest(NamedTuple):
    """A vehicle at rest: positions and rolls of bodies, forces of wheels, rolling radii."""

    positions: np.ndarray
    rolls: np.ndarray
    Q: np.ndarray
    radii: np.ndarray
    touched: float
    """Distance of the contacts from the middle of the track, a mean by load."""
    rails: np.ndarray
    """Displacements of what bears the rails, a row for each axle."""


def settle(
    detect: Callable,
    normal: Callable,
    vehicle: Vehicle,
    g: float,
    h: float,
    E_star: float,
    sides: tuple,
    support: SupportMatrices,
) -> Rest:
    """The vehicle at rest; DiagramError names the wheelset that finds none.

    `detect` and `normal` are as in `touch_wheel`; `sides` are the tables of left and right wheels.
    """
    standing = cache(partial(stand, detect, normal, vehicle.radius, h, E_star, sides, support))
    axles = []
    for wheelset, (load, moment) in zip(vehicle.wheelsets, axle_loads(vehicle, g), strict=True):
        try:
            axles.append(standing(load, moment))
        except ValueError as error:
            raise DiagramError(f"{vehicle.title}: {wheelset.body}: {error}") from None
    depths = [axle.z - vehicle.radius for axle in axles]
    positions, rolls = (
        np.array([body.place for body in vehicle.bodies]),
        np.zeros(len(vehicle.bodies)),
    )
    sunk = np.full(len(positions), np.mean(depths))
    for wheelset, depth, axle in zip(vehicle.wheelsets, depths, axles, strict=True):
        rolls[vehicle.index(wheelset.body)] = axle.roll
        for k, body in enumerate(vehicle.bodies):
            if wheelset.body in (body.name, body.rides):
                sunk[k] = depth
    positions[:, 2] += sunk
    contacts = np.concatenate([axle.contacts for axle in axles])
    touched = float(np.average(np.abs(contacts[:, P_Y]), weights=contacts[:, LOAD]))
    Q = np.concatenate([axle.Q for axle in axles])
    radii = np.array([axle.radius for axle in axles])
    return Rest(positions, rolls, Q, radii, touched, np.array([axle.u for axle in axles]))


def put_under_load(
    bodies: np.ndarray, elements: np.ndarray, q: np.ndarray, loads: StaticLoads
) -> None:
    """Gives elements the offsets, forces and moments with which they bear their loads at q."""
    world = q.copy()
    place_riders(bodies, world)
    for e, row in enumerate(elements):
        d, _, _, _, (R_j, R_m, _, _, _), R = joint(world, bodies, elements, e)
        row[OFFSET : OFFSET + 3] = d
        row[F_0 : F_0 + 3] = back(R_m, *loads.forces[e])
        about_x, about_y = loads.moments[e]
        stiffness, asked = tuple(row[K_R : K_R + 3]), back(R_j, about_x, about_y, 0.0)
        for _ in range(3):
            bent = turning_moment(R, stiffness, tuple(row[M_0 : M_0 + 3]))
            row[M_0 : M_0 + 3] += np.subtract(asked, bent)


def start(vehicle: Vehicle, elements: np.ndarray, rest: Rest, v_0: float, s_0: float) -> np.ndarray:
    """All states: bodies along the line about s_0, rolling at v_0; those of dampers; of rails."""
    own = STATES * len(vehicle.bodies) + inner_states(elements)
    q = np.concatenate([np.zeros(own), np.hstack([rest.rails, 0.0 * rest.rails]).ravel()])
    for k, (position, roll) in enumerate(zip(rest.positions, rest.rolls, strict=True)):
        o = STATES * k
        q[o + X : o + Z + 1] = position
        q[o + X] += s_0
        q[o + PHI] = roll
        q[o + V_X] = v_0
    for wheelset, radius in zip(vehicle.wheelsets, rest.radii, strict=True):
        q[STATES * vehicle.index(wheelset.body) + W_Y] = v_0 / radius
    return q
