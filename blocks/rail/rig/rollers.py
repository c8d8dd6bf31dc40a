"""Kernels of the rollers under a rig's wheels: how axles move on them, and how they turn.

Rollers turn about axes across the track at x = a and x = -a, which are the axes of space: what
wheels give and take needs no turning.
"""

from typing import NamedTuple

from railblocks.blocks.rail.contact.records import AxleMotion
from railblocks.blocks.rail.multibody.bodies import (
    PHI,
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
    axes,
    turned,
)
from railblocks.blocks.rail.rig.tables import ANGLE, SPEED


class Rollers(NamedTuple):
    """Two axles of rollers."""

    a: float
    """Half of the distance of their axes."""
    J_r: float
    """Inertia of each."""


def motion_on_roller(rollers, q, body, wheel):
    """`AxleMotion` of an axle on the roller under a wheel."""
    o, axle = STATES * body, wheel // 2
    x = rollers.a if axle == 0 else -rollers.a
    return AxleMotion(
        (q[o + X] - x, q[o + Y], q[o + Z]),
        q[o + PSI],
        q[o + PHI],
        (q[o + V_X], q[o + V_Y], q[o + V_Z]),
        turned(axes(q, body), q[o + W_X], q[o + W_Y], q[o + W_Z]),
        q[SPEED + axle],
    )


def in_space(rollers, body, wheel, x, y, z):
    """A vector in space, from the axes of the roller of a wheel: they are the same."""
    return x, y, z


def turn_rollers(rollers, q, M_r, u, rates):
    """Rates of angles and speeds of the rollers."""
    for axle in range(2):
        rates[ANGLE + axle] = q[SPEED + axle]
        rates[SPEED + axle] = (M_r[axle] + u[axle]) / rollers.J_r


def energy_of_rollers(rollers, q):
    """Kinetic energy of the rollers."""
    return 0.5 * rollers.J_r * (q[SPEED] * q[SPEED] + q[SPEED + 1] * q[SPEED + 1])


def power_of_rollers(q, u):
    """Power of the control torques."""
    total = 0.0
    for axle in range(2):
        total += u[axle] * q[SPEED + axle]
    return total
