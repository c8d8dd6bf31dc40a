"""Kernels of vehicles on a track: places of bodies, contacts of wheels, rates of all states.

A body's states are those of `multibody.bodies` but for its place: that is s along the line, and y,
z beside it in the axes of the rails at s (`track.centreline`), as each wheelset of falomi carries
its own frame. So what contacts feel is known to the last digit however far the vehicle has come.
Velocities and attitudes are those in space.
"""

import math

from railblocks.blocks.rail.multibody.bodies import (
    CARRIER,
    PSI,
    STATES,
    V_X,
    V_Y,
    V_Z,
    W_X,
    W_Y,
    W_Z,
    X,
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
from railblocks.blocks.rail.multibody.riders import hand_over, place_riders
from railblocks.blocks.rail.track.centreline import rates_along, track_at

S = X
FRAME = 13
"""Numbers of a frame: nine of R, three of its turn, one for the length of a metre of s."""


def place_bodies(q, line, bodies, world, frames):
    """States in space, and the frame of the rails, of each body; dampers keep their own."""
    for body in range(len(frames)):
        o = STATES * body
        for k in range(PSI, STATES):
            world[o + k] = q[o + k]
        if bodies[body, CARRIER] > 0.0:
            continue
        origin, R, turn, length = track_at(line, q[o + S])
        y, z = q[o + Y], q[o + Z]
        world[o + X] = origin[0] + R[1] * y + R[2] * z
        world[o + Y] = origin[1] + R[4] * y + R[5] * z
        world[o + Z] = origin[2] + R[7] * y + R[8] * z
        for k in range(9):
            frames[body, k] = R[k]
        for k in range(3):
            frames[body, 9 + k] = turn[k]
        frames[body, 12] = length
    for k in range(STATES * len(frames), len(q)):
        world[k] = q[k]
    place_riders(bodies, world)


def rails_axes(frames, body):
    """R of the rails where a body is."""
    return (
        frames[body, 0], frames[body, 1], frames[body, 2],
        frames[body, 3], frames[body, 4], frames[body, 5],
        frames[body, 6], frames[body, 7], frames[body, 8],
    )  # fmt: skip


def pose_on_rails(q, frames, body):
    """G, yaw, roll, velocity and angular velocity of an axle in the axes of the rails."""
    o = STATES * body
    R, own = rails_axes(frames, body), axes(q, body)
    alpha, beta = yaw_and_roll(R, own)
    omega = turned(own, q[o + W_X], q[o + W_Y], q[o + W_Z])
    return (
        (0.0, q[o + Y], q[o + Z]),
        alpha,
        beta,
        back(R, q[o + V_X], q[o + V_Y], q[o + V_Z]),
        back(R, omega[0], omega[1], omega[2]),
    )


def yaw_and_roll(R, own):
    """Yaw and roll of a body against the rails."""
    e_x, e_y, e_z = back(R, own[1], own[4], own[7])
    return math.atan2(-e_x, e_y), math.asin(min(max(e_z, -1.0), 1.0))


def vehicle_rates(q, world, frames, axles, loads, C, g, bodies, elements, stop, rates):
    """Rates of all states, from gravity, suspension, contacts and torques on the axles."""
    clear_loads(bodies, g, world, rates)
    add_elements(world, bodies, elements, stop, rates)
    none = (0.0, 0.0, 0.0)
    for axle in range(len(axles)):
        body, frame = int(axles[axle, 0]), int(axles[axle, 1])
        R = rails_axes(frames, body)
        for k in range(2 * axle, 2 * axle + 2):
            F = turned(R, loads[k, 0], loads[k, 1], loads[k, 2])
            add_load(rates, body, F, none, turned(R, loads[k, 3], loads[k, 4], loads[k, 5]))
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
        v = back(rails_axes(frames, body), world[o + V_X], world[o + V_Y], world[o + V_Z])
        s, y, z = rates_along(turn, frames[body, 12], q[o + Y], q[o + Z], v[0], v[1], v[2])
        rates[o + S], rates[o + Y], rates[o + Z] = s, y, z
