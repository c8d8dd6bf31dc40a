"""Kernels of rails that give under a vehicle's wheels.

`support/matrices.py` has the equations of what bears the rails under an axle. Its displacements u,
and then their rates, are the last states of a vehicle, axle by axle. They move each rail's seat by
(y, z) in the axes of the line and roll the rail about it, by an angle that turns its axes A to
A R_x(roll). The wheel sees the rail as it then lies and moves: its own velocity counts against

    v_rail = (0, y', z') + roll' e_x x (r - r_seat),   omega_rail = roll' e_x    (1)

and the rail bears the load with the opposite sign,

    f = -(F_y, F_z, (M_G + (r_G - r_seat) x F) . e_x)                      (2)

so that what the wheels give is what the rails take, to the last digit:

    E = sum of (u'^T M u' + u^T K u) / 2,   P = sum of u'^T C u'           (3)
"""

import math
from typing import Any, NamedTuple

from railblocks.blocks.rail.multibody.bodies import STATES, Y, Z, back, turned
from railblocks.blocks.rail.multibody.wheeled import BODY
from railblocks.blocks.rail.vehicle.frames import row_axes
from railblocks.blocks.rail.vehicle.rails import D_Y, D_Z, RATES, SEAT

RAIL_MOTION = 3
"""Numbers of a rail's motion: y, z, roll."""


class Bed(NamedTuple):
    """What bears the rails under each axle, `SupportMatrices` as the kernels take them."""

    mass: Any
    stiffness: Any
    damping: Any
    give: Any
    seat: Any


def first_state(q, axles, bed):
    """Number of the first state of the rails."""
    return len(q) - 2 * len(bed.mass) * len(axles)


def read_deflection(q, axles, bed, deflection):
    """How far the rail under each wheel gives, to the left and up."""
    n, o = len(bed.mass), first_state(q, axles, bed)
    for wheel in range(len(deflection)):
        for k in range(2):
            row = RAIL_MOTION * (wheel % 2) + k
            deflection[wheel, k], _ = given(q, o + 2 * n * (wheel // 2), bed, row)


def move_rails(q, axles, bed, rails):
    """Moves the rails, which lie as if they did not give, to where they are."""
    n, o = len(bed.mass), first_state(q, axles, bed)
    for wheel in range(len(rails)):
        rail = rails[wheel]
        rail[RATES], rail[RATES + 1], rail[RATES + 2] = 0.0, 0.0, 0.0
        rail[SEAT] = bed.seat[0] if wheel % 2 == 0 else -bed.seat[0]
        rail[SEAT + 1] = bed.seat[1]
        if n == 0:
            continue
        first, row = o + 2 * n * (wheel // 2), RAIL_MOTION * (wheel % 2)
        y, y_rate = given(q, first, bed, row)
        z, z_rate = given(q, first, bed, row + 1)
        roll, roll_rate = given(q, first, bed, row + 2)
        _shift(rail, y, z, roll)
        rail[RATES], rail[RATES + 1], rail[RATES + 2] = y_rate, z_rate, roll_rate


def given(q, first, bed, row):
    """One number of a rail's motion, and its rate; `first` is the number of its first state."""
    n, at, rate = len(bed.mass), 0.0, 0.0
    for k in range(n):
        at += bed.give[row, k] * q[first + k]
        rate += bed.give[row, k] * q[first + n + k]
    return at, rate


def _shift(rail, y, z, roll):
    """Moves a rail's seat by y and z, and rolls the rail about it."""
    p_y, p_z = rail[SEAT], rail[SEAT + 1]
    c, s = math.cos(roll), math.sin(roll)
    rail[D_Y] += y + rail[4] * p_y + rail[5] * p_z
    rail[D_Z] += z + rail[7] * p_y + rail[8] * p_z
    for k in range(1, 9, 3):
        across, up = rail[k], rail[k + 1]
        rail[k], rail[k + 1] = c * across + s * up, c * up - s * across
    rail[D_Y] -= rail[4] * p_y + rail[5] * p_z
    rail[D_Z] -= rail[7] * p_y + rail[8] * p_z


def rates_of_rails(q, axles, bed, rails, loads, rates):
    """Rates of all states of the rails under the loads of the wheels."""
    n, o = len(bed.mass), first_state(q, axles, bed)
    for axle in range(len(axles) if n > 0 else 0):
        first = o + 2 * n * axle
        left = load_on_rail(q, int(axles[axle, BODY]), 2 * axle, rails, loads)
        right = load_on_rail(q, int(axles[axle, BODY]), 2 * axle + 1, rails, loads)
        for i in range(n):
            force = 0.0
            for k in range(RAIL_MOTION):
                force += bed.give[k, i] * left[k] + bed.give[RAIL_MOTION + k, i] * right[k]
            for k in range(n):
                force -= bed.stiffness[i, k] * q[first + k] + bed.damping[i, k] * q[first + n + k]
            rates[first + i] = q[first + n + i]
            rates[first + n + i] = force / bed.mass[i]


def load_on_rail(q, body, wheel, rails, loads):
    """f of (2)."""
    o, A = STATES * body, row_axes(rails, wheel)
    F = turned(A, loads[wheel, 0], loads[wheel, 1], loads[wheel, 2])
    _, y, z = back(A, 0.0, q[o + Y] - rails[wheel, D_Y], q[o + Z] - rails[wheel, D_Z])
    y, z = y - rails[wheel, SEAT], z - rails[wheel, SEAT + 1]
    moment = loads[wheel, 3] + y * loads[wheel, 2] - z * loads[wheel, 1]
    return -F[1], -F[2], -moment


def energy_of_rails(q, axles, bed):
    """E of (3)."""
    n, o, total = len(bed.mass), first_state(q, axles, bed), 0.0
    for axle in range(len(axles)):
        first = o + 2 * n * axle
        for i in range(n):
            total += 0.5 * bed.mass[i] * q[first + n + i] * q[first + n + i]
        total += 0.5 * square(q, first, bed.stiffness)
    return total


def heat_of_rails(q, axles, bed):
    """P of (3)."""
    n, o, total = len(bed.mass), first_state(q, axles, bed), 0.0
    for axle in range(len(axles)):
        total += square(q, o + 2 * n * axle + n, bed.damping)
    return total


def square(q, first, matrix):
    """x^T A x with the states x from `first` on."""
    total = 0.0
    for i in range(len(matrix)):
        for k in range(len(matrix)):
            total += q[first + i] * matrix[i, k] * q[first + k]
    return total
