"""A vehicle at rest on straight track, and rolling from there: all states at the start.

Each axle sinks into the rails and rolls by what its load presses; the bodies above sink by the
mean. Forces and moments balance in height, roll and pitch. Where the wheels of an axle bear unlike
loads, their inclined contacts also push it aside, by that difference times their inclination; creep
takes it as soon as the axle rolls.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from railblocks.blocks.rail.contact.contact_motion import lever
from railblocks.blocks.rail.contact.geometry.contacts import P_Y
from railblocks.blocks.rail.contact.static_contact import at_rest, pressed
from railblocks.blocks.rail.contact.wheel_forces import LOAD
from railblocks.blocks.rail.multibody.bodies import PHI, STATES, V_X, W_Y, X, Z, back
from railblocks.blocks.rail.multibody.elements import F_0, K_R, M_0, OFFSET, joint
from railblocks.blocks.rail.multibody.riders import place_riders
from railblocks.blocks.rail.multibody.turning import turning_moment
from railblocks.engine.errors import DiagramError

from .description import Vehicle
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


def settle(
    detect: Callable,
    normal: Callable,
    vehicle: Vehicle,
    g: float,
    h: float,
    E_star: float,
    sides: tuple,
) -> Rest:
    """The vehicle at rest; DiagramError names the wheelset that finds none.

    `detect` and `normal` are as in `touch_wheel`; `sides` are the tables of left and right wheels.
    """
    stand = cache(partial(_stand, detect, normal, vehicle.radius, h, E_star, sides))
    axles = []
    for wheelset, (load, moment) in zip(vehicle.wheelsets, axle_loads(vehicle, g), strict=True):
        try:
            axles.append(stand(load, moment))
        except ValueError as error:
            raise DiagramError(f"{vehicle.title}: {wheelset.body}: {error}") from None
    depths = [z - vehicle.radius for z, _, _, _ in axles]
    positions, rolls = (
        np.array([body.place for body in vehicle.bodies]),
        np.zeros(len(vehicle.bodies)),
    )
    sunk = np.full(len(positions), np.mean(depths))
    for wheelset, depth, (_, roll, _, _) in zip(vehicle.wheelsets, depths, axles, strict=True):
        rolls[vehicle.index(wheelset.body)] = roll
        for k, body in enumerate(vehicle.bodies):
            if wheelset.body in (body.name, body.rides):
                sunk[k] = depth
    positions[:, 2] += sunk
    contacts = np.concatenate([contacts for _, _, _, contacts in axles])
    touched = float(np.average(np.abs(contacts[:, P_Y]), weights=contacts[:, LOAD]))
    Q = np.concatenate([Q for _, _, Q, _ in axles])
    radii = np.array([rolling_radius(z, contacts) for z, _, _, contacts in axles])
    return Rest(positions, rolls, Q, radii, touched)


def _stand(detect, normal, radius, h, E_star, sides, load, moment):
    """Height, roll, forces of the wheels and all contacts of an axle under a load and a moment."""
    z, roll = at_rest(detect, normal, False, load, 0.0, 0.0, radius, h, E_star, sides, moment)
    G = (0.0, 0.0, z)
    wheels = [pressed(detect, normal, False, G, roll, h, E_star, side) for side in sides]
    contacts = np.concatenate([contacts for _, _, contacts in wheels])
    return z, roll, [F[2] for F, _, _ in wheels], contacts


def rolling_radius(z: float, contacts: np.ndarray) -> float:
    """Radius on which an axle at height z rolls: that of its wheels' surfaces, by load.

    With that, creep forces of the contacts take as much speed as they give, but for saturation.
    """
    depths = [-lever(contacts, k, (0.0, 0.0, z))[2] for k in range(len(contacts))]
    return float(np.average(depths, weights=contacts[:, LOAD]))


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
    """All states: bodies along the line about s_0, rolling at v_0, then those of dampers."""
    q = np.zeros(STATES * len(vehicle.bodies) + inner_states(elements))
    for k, (position, roll) in enumerate(zip(rest.positions, rest.rolls, strict=True)):
        o = STATES * k
        q[o + X : o + Z + 1] = position
        q[o + X] += s_0
        q[o + PHI] = roll
        q[o + V_X] = v_0
    for wheelset, radius in zip(vehicle.wheelsets, rest.radii, strict=True):
        q[STATES * vehicle.index(wheelset.body) + W_Y] = v_0 / radius
    return q
