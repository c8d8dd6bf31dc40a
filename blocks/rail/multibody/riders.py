"""Riders: bodies that turn about the axis of an axle and do all else with it, as axle boxes do.

Mass and moments of inertia across the axle are the carrier's (`bodies.py` takes them from its row),
the latter without turning with the wheels; a rider's own row has I_yy alone. A rider passes on to
its carrier all that it feels but the moment about the axle, and what its momentum L_y about that
asks for when the axle turns:

    F,  r x F + M - (M . e_y) e_y - Omega_f x (L_y e_y),   L_y = I_yy omega_y             (1)

with r its position on the axle. That a rider's pitch turns its moments of inertia about x and z,
where they differ, is neglected. Its position, y along the axle, is accelerated by

    a + y (omega_z tan(phi) omega_x - omega_z', -omega_x^2 - omega_z^2,
           omega_z tan(phi) omega_z + omega_x')                            (2)

in the axes of the axle, a being the acceleration of the axle's middle.
"""

import math

from .bodies import (
    CARRIER,
    F_X,
    F_Y,
    F_Z,
    I_YY,
    M_X,
    M_Y,
    M_Z,
    PHI,
    PSI,
    SIDE,
    STATES,
    V_X,
    W_X,
    W_Y,
    W_Z,
    X,
    add_load,
    axes,
    back,
    turned,
)


def place_riders(bodies, world):
    """States of riders that follow from their carriers'."""
    for body in range(len(bodies)):
        carrier = int(bodies[body, CARRIER]) - 1
        if carrier >= 0:
            o, c = STATES * body, STATES * carrier
            R = axes(world, carrier)
            y = bodies[body, SIDE]
            w_x, w_z = world[c + W_X], world[c + W_Z]
            arm = turned(R, 0.0, y, 0.0)
            swept = turned(R, -w_z * y, 0.0, w_x * y)
            for k in range(3):
                world[o + X + k] = world[c + X + k] + arm[k]
                world[o + V_X + k] = world[c + V_X + k] + swept[k]
            world[o + PSI], world[o + PHI] = world[c + PSI], world[c + PHI]
            world[o + W_X], world[o + W_Z] = w_x, w_z


def hand_over(bodies, world, rates):
    """Gives loads of riders to their carriers, by (1); each keeps the moment about its axle."""
    for body in range(len(bodies)):
        carrier = int(bodies[body, CARRIER]) - 1
        if carrier >= 0:
            o = STATES * body
            R = axes(world, carrier)
            M = back(R, rates[o + M_X], rates[o + M_Y], rates[o + M_Z])
            F = (rates[o + F_X], rates[o + F_Y], rates[o + F_Z])
            L = bodies[body, I_YY] * world[o + W_Y]
            passed = turned(R, M[0] + world[o + W_Z] * L, 0.0, M[2] - world[o + W_X] * L)
            add_load(rates, carrier, F, turned(R, 0.0, bodies[body, SIDE], 0.0), passed)
            rates[o + M_Y] = M[1]


def acceleration_on_axle(world, rates, carrier, y):
    """Acceleration in space of a point of an axle's axis, of (2)."""
    o = STATES * carrier
    w_x, w_z = world[o + W_X], world[o + W_Z]
    w_y = w_z * math.tan(world[o + PHI])
    a = turned(
        axes(world, carrier),
        y * (w_y * w_x - rates[o + W_Z]),
        -y * (w_x * w_x + w_z * w_z),
        y * (w_y * w_z + rates[o + W_X]),
    )
    return rates[o + V_X] + a[0], rates[o + V_X + 1] + a[1], rates[o + V_X + 2] + a[2]
