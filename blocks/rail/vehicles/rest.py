"""A vehicle at rest on straight track, and rolling from there: all states at the start."""

from __future__ import annotations

import numpy as np
from railblocks.blocks.rail.geometry.contacts import Y_W
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el
from railblocks.blocks.rail.profiles.pieces import height_and_slope
from railblocks.blocks.rail.static_contact import at_rest
from railblocks.blocks.rail.wheel_forces import COLUMNS

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


def rolling_radius(detect, z: float, tread, nodes, head) -> float:
    """Radius of the wheel where it touches, its axle's middle at height z."""
    found = np.zeros((16, COLUMNS))
    detect(0.0, 0.0, z, 0.0, 0.0, tread, nodes, head, 0.0, found)
    return height_and_slope(tread, found[0, Y_W])[0]


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
