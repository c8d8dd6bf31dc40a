"""Kernels that read a vehicle's motion and forces: what its outputs show."""

from railblocks.blocks.rail.multibody.bodies import (
    CARRIER,
    SIDE,
    STATES,
    THETA,
    V_X,
    V_Y,
    V_Z,
    W_X,
    W_Y,
    W_Z,
    X,
    Y,
    Z,
    axes,
    back,
    turned,
)
from railblocks.blocks.rail.multibody.joints import attachment
from railblocks.blocks.rail.multibody.readings import acceleration_at
from railblocks.blocks.rail.multibody.riders import acceleration_on_axle
from railblocks.blocks.rail.vehicle.frames import S, row_axes, yaw_against_rails, yaw_and_roll

MOTION = 15
"""Numbers of a body's motion: s, y, z; roll, pitch, yaw; velocity; angular velocity; acceleration.

Vectors are in the axes of the rails of the line under the body, without irregularities; roll and
yaw are against these rails. Pitch, angular velocity and acceleration are those in space, the last
one at the body's reference point and without gravity."""
READING_COLUMNS = 4
"""Columns of the table of what motions are read of: number of a body, and an arm in its axes."""
SMALLEST_LOAD = 1.0
"""Q below which Y/Q is taken over this, in newtons."""


def read_axles(q, frames, axles, s, y, alpha, omega):
    """Positions and speeds of the axles; the result is the speed of the first body."""
    for k in range(len(axles)):
        body = int(axles[k, 0])
        o = STATES * body
        yaw, _ = yaw_against_rails(q, frames, body)
        s[k], y[k], alpha[k], omega[k] = q[o + S], q[o + Y], yaw, q[o + W_Y]
    return back(row_axes(frames, 0), q[V_X], q[V_Y], q[V_Z])[0]


def read_wheels(loads, Q_0, Q, across, ratio, unloading, shift):
    """Q and Y of each wheel, their ratio, the lost part of Q; force that shifts the track.

    In the ratio Y counts outwards: what presses the flange against its rail.
    """
    for k in range(len(Q)):
        Q[k], across[k] = loads[k, 2], -loads[k, 1]
        out = across[k] if k % 2 == 0 else -across[k]
        ratio[k] = out / max(Q[k], SMALLEST_LOAD)
        unloading[k] = 1.0 - Q[k] / Q_0[k]
    for k in range(len(shift)):
        shift[k] = across[2 * k] + across[2 * k + 1]


def read_motions(q, world, frames, bodies, rates, motions):
    """Motion of each body in the axes of the rails under it."""
    for body in range(len(bodies)):
        o = STATES * body
        carrier = int(bodies[body, CARRIER]) - 1
        under = carrier if carrier >= 0 else body
        p = STATES * under
        R, own = row_axes(frames, under), axes(world, body)
        e_x, e_y, e_z = back(R, own[1], own[4], own[7])
        yaw, roll = yaw_and_roll(e_x, e_y, e_z)
        motions[body, 0], motions[body, 1], motions[body, 2] = q[p + S], q[p + Y], q[p + Z]
        motions[body, 3], motions[body, 4], motions[body, 5] = roll, world[o + THETA], yaw
        v = back(R, world[o + V_X], world[o + V_Y], world[o + V_Z])
        w = turned(own, world[o + W_X], world[o + W_Y], world[o + W_Z])
        w = back(R, w[0], w[1], w[2])
        a = (rates[o + V_X], rates[o + V_Y], rates[o + V_Z])
        if carrier >= 0:
            a = acceleration_on_axle(world, rates, carrier, bodies[body, SIDE])
        a = back(R, a[0], a[1], a[2])
        away = back(
            R, world[o + X] - world[p + X], world[o + Y] - world[p + Y], world[o + Z] - world[p + Z]
        )
        for k in range(3):
            motions[body, k] += away[k]
            motions[body, 6 + k], motions[body, 9 + k], motions[body, 12 + k] = v[k], w[k], a[k]


def read_welds(world, frames, bodies, rates, readings, motions):
    """Motion of what is welded to bodies, in the axes of the rails under these, behind theirs."""
    for row in range(len(bodies), len(readings)):
        body = int(readings[row, 0])
        R = row_axes(frames, body)
        _, arm, v, _, _ = attachment(
            world, bodies, body, readings[row, 1], readings[row, 2], readings[row, 3]
        )
        a = acceleration_at(world, rates, body, arm)
        away, v, a = back(R, *arm), back(R, *v), back(R, *a)
        for k in range(3):
            motions[row, k] = motions[body, k] + away[k]
            motions[row, 3 + k], motions[row, 9 + k] = motions[body, 3 + k], motions[body, 9 + k]
            motions[row, 6 + k], motions[row, 12 + k] = v[k], a[k]
