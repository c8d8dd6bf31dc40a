"""Kernels of the rails under a vehicle's wheels: where each one lies, and how it is turned.

The line gives the frame of the rails at s (`track.centreline`), which turns by Omega and moves on
by L for each metre of s. Irregularities put a rail off its place by (d_y, d_z) in that frame, and
cross-level c rolls both rails about the middle of the track by phi, as cant does:

    d_y = lateral +- gauge / 2,   d_z = vertical,   sin(phi) = -c / base   (1)

with the upper sign for the left rail. What wheels at rest touch of it, at +-b from the middle, lies
at Y = d_y +- b cos(phi), Z = d_z +- b sin(phi), and goes along

    t = (L - Omega_z Y + Omega_y Z, Y' - Omega_x Z, Z' + Omega_x Y)        (2)

and its own axes are A = R_z(yaw) R_y(-rise) R_x(phi), whose first column is t / |t|. So irregular
rails and growing cant do not move towards the wheels: they lie still, and are turned.
"""

import math
from typing import Any, NamedTuple

from railblocks.blocks.rail.contact.records import AxleMotion
from railblocks.blocks.rail.multibody.bodies import (
    STATES,
    V_X,
    V_Y,
    V_Z,
    W_X,
    W_Y,
    W_Z,
    Y,
    Z,
    axes,
    back,
    turned,
)
from railblocks.blocks.rail.track.irregularities import (
    CROSS,
    GAUGE,
    LATERAL,
    VERTICAL,
    deviation_at,
)
from railblocks.blocks.rail.vehicle.frames import S, row_axes, yaw_and_roll

D_Y, D_Z = 9, 10
RATES, SEAT = 11, 14
RAIL = 16
"""Numbers of a rail under a wheel: nine of A, then d_y and d_z; how it moves where it gives, y', z'
and roll', and y and z of the seat about which it rolls (`moving_rails.py`)."""


class Ground(NamedTuple):
    """Rails under a vehicle: frames of the line under its bodies, rails under its wheels."""

    frames: Any
    rails: Any


def lay_rails(q, frames, wheelsets, deviations, base, touched, rails):
    """The rail under each wheel, left ones first; `touched` is b of (2)."""
    for axle in range(len(wheelsets)):
        body = int(wheelsets[axle, 0])
        s = q[STATES * body + S]
        turn = (frames[body, 9], frames[body, 10], frames[body, 11])
        for k in range(2):
            side = 1.0 if k == 0 else -1.0
            lay_rail(
                deviations, s, side, base, touched, turn, frames[body, 12], rails[2 * axle + k]
            )


def lay_rail(deviations, s, side, base, touched, turn, length, rail):
    """One rail at s; side is 1 for the left one, -1 for the right one."""
    lateral, lateral_slope = deviation_at(deviations, LATERAL, s)
    d_z, d_z_slope = deviation_at(deviations, VERTICAL, s)
    cross, cross_slope = deviation_at(deviations, CROSS, s)
    gauge, gauge_slope = deviation_at(deviations, GAUGE, s)
    half = 0.5 * side
    d_y, d_y_slope = lateral + half * gauge, lateral_slope + half * gauge_slope  # (1)
    sin_phi = -cross / base
    cos_phi = math.sqrt(1.0 - sin_phi * sin_phi)
    b, roll_slope = side * touched, -cross_slope / (base * cos_phi)
    across, up = d_y + b * cos_phi, d_z + b * sin_phi
    x = length - turn[2] * across + turn[1] * up  # (2)
    y = d_y_slope - b * sin_phi * roll_slope - turn[0] * up
    z = d_z_slope + b * cos_phi * roll_slope + turn[0] * across
    level = math.sqrt(x * x + y * y)
    size = math.sqrt(level * level + z * z)
    c, d = x / level, y / level
    h, v = level / size, z / size
    rail[0], rail[1], rail[2] = c * h, -d * cos_phi - c * v * sin_phi, d * sin_phi - c * v * cos_phi
    rail[3], rail[4], rail[5] = d * h, c * cos_phi - d * v * sin_phi, -c * sin_phi - d * v * cos_phi
    rail[6], rail[7], rail[8] = v, h * sin_phi, h * cos_phi
    rail[D_Y], rail[D_Z] = d_y, d_z


def motion_on_rail(ground, q, body, wheel):
    """`AxleMotion` of an axle on the rail of a wheel, against the rail's own motion."""
    frames, rails = ground
    o = STATES * body
    R, A, own = row_axes(frames, body), row_axes(rails, wheel), axes(q, body)
    e_x, e_y, e_z = back(R, own[1], own[4], own[7])
    alpha, beta = yaw_and_roll(*back(A, e_x, e_y, e_z))
    omega = turned(own, q[o + W_X], q[o + W_Y], q[o + W_Z])
    omega = back(R, omega[0], omega[1], omega[2])
    omega = back(A, omega[0], omega[1], omega[2])
    v = back(R, q[o + V_X], q[o + V_Y], q[o + V_Z])
    v = back(A, v[0], v[1] - rails[wheel, RATES], v[2] - rails[wheel, RATES + 1])
    G = back(A, 0.0, q[o + Y] - rails[wheel, D_Y], q[o + Z] - rails[wheel, D_Z])
    roll = rails[wheel, RATES + 2]
    y, z = G[1] - rails[wheel, SEAT], G[2] - rails[wheel, SEAT + 1]
    return AxleMotion(
        G,
        alpha,
        beta,
        (v[0], v[1] + roll * z, v[2] - roll * y),
        (omega[0] - roll, omega[1], omega[2]),
        0.0,
    )


def in_space(ground, body, wheel, x, y, z):
    """A vector in space, from the axes of the rail of a wheel."""
    u = turned(row_axes(ground.rails, wheel), x, y, z)
    return turned(row_axes(ground.frames, body), u[0], u[1], u[2])
