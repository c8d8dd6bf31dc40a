"""Kernels of bodies on a line: where they are in space, and the frames of the rails under them.

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
    X,
    Y,
    Z,
    axes,
    back,
)
from railblocks.blocks.rail.multibody.riders import place_riders
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


def rates_on_line(q, world, frames, bodies, rates):
    """Rates of bodies' positions along the line and beside it, in place of those in space."""
    for body in range(len(bodies)):
        if bodies[body, CARRIER] > 0.0:
            continue
        o = STATES * body
        turn = (frames[body, 9], frames[body, 10], frames[body, 11])
        v = back(row_axes(frames, body), world[o + V_X], world[o + V_Y], world[o + V_Z])
        s, y, z = rates_along(turn, frames[body, 12], q[o + Y], q[o + Z], v[0], v[1], v[2])
        rates[o + S], rates[o + Y], rates[o + Z] = s, y, z


def row_axes(table, row):
    """The axes that a row begins with: of the rails where a body is, or of the rail of a wheel."""
    return (
        table[row, 0], table[row, 1], table[row, 2],
        table[row, 3], table[row, 4], table[row, 5],
        table[row, 6], table[row, 7], table[row, 8],
    )  # fmt: skip


def yaw_against_rails(q, frames, body):
    """Yaw and roll of a body against the rails of the line."""
    own = axes(q, body)
    e_x, e_y, e_z = back(row_axes(frames, body), own[1], own[4], own[7])
    return yaw_and_roll(e_x, e_y, e_z)


def yaw_and_roll(e_x, e_y, e_z):
    """Yaw and roll of axes with the given direction of y, which points to the left."""
    return math.atan2(-e_x, e_y), math.asin(min(max(e_z, -1.0), 1.0))
