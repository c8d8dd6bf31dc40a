"""A vehicle at rest on straight track, and rolling from there: all states at the start."""

from __future__ import annotations

import numpy as np
from railblocks.blocks.rail.contact_motion import lever
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el
from railblocks.blocks.rail.static_contact import at_rest, pressed
from railblocks.blocks.rail.wheel_forces import LOAD

from .tables import axle_loads, inner_states
from .vehicle import Vehicle


def settle(
    detect, vehicle: Vehicle, elements: np.ndarray, g: float, h: float, E_star: float, sides
):
    """Heights of all bodies; elements get the offsets at which they bear their static loads.

    `detect` finds contacts, as `rail_diff` does.
    Each axle sinks into the rails by what its load presses; the bodies above sink by the mean.
    """
    places = np.array([body.place for body in vehicle.bodies])
    loads = axle_loads(vehicle, g)
    depth = {
        load: at_rest(detect, False, load, 0.0, 0.0, vehicle.radius, h, E_star, sides)[0]
        - vehicle.radius
        for load in set(loads)
    }
    sunk = np.full(len(places), np.mean([depth[load] for load in loads]))
    for wheelset, load in zip(vehicle.wheelsets, loads, strict=True):
        for k, body in enumerate(vehicle.bodies):
            if wheelset.body in (body.name, body.rides):
                sunk[k] = depth[load]
    for row in elements:
        row[el.OFFSET + 2] = sunk[int(row[el.I_BODY])] - sunk[int(row[el.J_BODY])]
    return places[:, 2] + sunk


def rolling_radius(detect, z: float, h: float, E_star: float, side) -> float:
    """Radius on which a wheel rolls, its axle at height z: that of its surface, by load.

    Surfaces are those of `contact_motion`, without what the load flattens. At that radius creep
    forces of the contacts take as much speed as they give, but for saturation.
    """
    _, _, found = pressed(detect, False, 0.0, 0.0, z, 0.0, h, E_star, *side)
    depths = [-lever(found, k, (0.0, 0.0, z))[2] for k in range(len(found))]
    return float(np.average(depths, weights=found[:, LOAD]))


def start(vehicle: Vehicle, elements, heights, radius: float, v_0: float, s_0: float):
    """All states: bodies along the line about s_0, rolling at v_0, then those of dampers."""
    q = np.zeros(b.STATES * len(vehicle.bodies) + inner_states(elements))
    axles = {vehicle.index(wheelset.body) for wheelset in vehicle.wheelsets}
    for k, body in enumerate(vehicle.bodies):
        o = b.STATES * k
        q[o + b.X], q[o + b.Y], q[o + b.Z] = s_0 + body.place[0], body.place[1], heights[k]
        q[o + b.V_X] = v_0
        if k in axles:
            q[o + b.W_Y] = v_0 / radius
    return q
