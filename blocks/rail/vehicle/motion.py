"""Rates of all states of a vehicle on a line, from the loads on its bodies."""

from railblocks.blocks.rail.multibody.bodies import (
    CARRIER,
    STATES,
    V_X,
    V_Y,
    V_Z,
    Y,
    Z,
    accelerate,
    add_load,
    axes,
    back,
    clear_loads,
    turned,
)
from railblocks.blocks.rail.multibody.elements import add_elements
from railblocks.blocks.rail.multibody.riders import hand_over
from railblocks.blocks.rail.track.centreline import rates_along
from railblocks.blocks.rail.vehicle.frames import S, row_axes
from railblocks.blocks.rail.vehicle.rails import in_space


def vehicle_rates(q, world, frames, rails, axles, loads, C, g, bodies, elements, stop, rates):
    """Rates of all states, from gravity, suspension, contacts and torques on the axles."""
    clear_loads(bodies, g, world, rates)
    add_elements(world, bodies, elements, stop, rates)
    none = (0.0, 0.0, 0.0)
    for axle in range(len(axles)):
        body, frame = int(axles[axle, 0]), int(axles[axle, 1])
        for k in range(2 * axle, 2 * axle + 2):
            F = in_space(frames, rails, body, k, loads[k, 0], loads[k, 1], loads[k, 2])
            M = in_space(frames, rails, body, k, loads[k, 3], loads[k, 4], loads[k, 5])
            add_load(rates, body, F, none, M)
        drive = turned(axes(world, body), 0.0, C[axle], 0.0)
        add_load(rates, body, none, none, drive)
        add_load(rates, frame, none, none, (-drive[0], -drive[1], -drive[2]))
    hand_over(bodies, world, rates)
    accelerate(bodies, world, rates)
    for body in range(len(bodies)):
        if bodies[body, CARRIER] > 0.0:
            continue
        o = STATES * body
        turn = (frames[body, 9], frames[body, 10], frames[body, 11])
        v = back(row_axes(frames, body), world[o + V_X], world[o + V_Y], world[o + V_Z])
        s, y, z = rates_along(turn, frames[body, 12], q[o + Y], q[o + Z], v[0], v[1], v[2])
        rates[o + S], rates[o + Y], rates[o + Z] = s, y, z
