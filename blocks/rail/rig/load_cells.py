"""Load cells under the rollers: three axes on each side of a roller axle.

A roller axle turns about an axis that does not move; its centre of mass and its inertia turn with
it. Left and right support bear what wheels give and what unbalance takes to go round,

    F = sum of F on its wheels - me_r Omega^2 (cos(angle), 0, -sin(angle))                (1)
    M = sum of M on its wheels about its middle - dJ_r Omega^2 (sin(angle), 0, cos(angle))  (2)
    F_x = (F_x -+ M_z / y_c) / 2,  F_y / 2,  F_z = (F_z +- M_x / y_c) / 2, left and right (3)

T_mis is F_x of (1). Weights of rollers are tared out, F_y is taken by both sides alike, and what
Omega' does to unbalance, 1 % of the rest, is left out.
"""

import math
from typing import NamedTuple

from railblocks.blocks.rail.multibody.bodies import STATES, X, Y, Z
from railblocks.blocks.rail.multibody.wheeled import BODY
from railblocks.blocks.rail.rig.tables import ANGLE, SPEED
from railblocks.engine.declaration import Out, out


class Supports(NamedTuple):
    """Unbalance of roller axles, and where their load cells are."""

    a: float
    """Half of the distance of their axes."""
    me_r: float
    dJ_r: float
    y_c: float
    """Half of the distance of the load cells of an axle."""


def centrifugal(q, axle):
    """Omega^2 cos(angle) and Omega^2 sin(angle) of a roller axle."""
    angle, square = q[ANGLE + axle], q[SPEED + axle] * q[SPEED + axle]
    return square * math.cos(angle), square * math.sin(angle)


def feel_supports(supports, q, body, axle, loads, cells):
    """Fills in the forces of both supports of a roller axle: (1) to (3)."""
    s, o = supports, STATES * body
    x = q[o + X] - (s.a if axle == 0 else -s.a)
    F_x, F_y, F_z, M_x, M_z = 0.0, 0.0, 0.0, 0.0, 0.0
    for wheel in range(2 * axle, 2 * axle + 2):
        f_x, f_y, f_z = loads[wheel, 0], loads[wheel, 1], loads[wheel, 2]
        F_x, F_y, F_z = F_x + f_x, F_y + f_y, F_z + f_z
        M_x += loads[wheel, 3] + q[o + Y] * f_z - q[o + Z] * f_y
        M_z += loads[wheel, 5] + x * f_y - q[o + Y] * f_x
    along, down = centrifugal(q, axle)
    F_x, F_z = F_x - s.me_r * along, F_z + s.me_r * down  # (1)
    M_x, M_z = M_x - s.dJ_r * down, M_z - s.dJ_r * along  # (2)
    for side in range(2):
        arm = s.y_c if side == 0 else -s.y_c
        cell = cells[2 * axle + side]
        cell[0] = 0.5 * (F_x - M_z / arm)  # (3)
        cell[1] = 0.5 * F_y
        cell[2] = 0.5 * (F_z + M_x / arm)


class LoadCells:
    """Outputs of load cells; what nobody logs or wires is not computed."""

    T_mis = Out("N", "longitudinal reactions of the rollers' supports", shape=(2,))
    cells = Out("N", "forces of the rollers' supports, x, y, z; front left first", shape=(4, 3))

    @out("T_mis")
    def measure(q, F_x, me_r, T_mis):
        for k in range(2):
            T_mis[k] = F_x[k] - me_r * centrifugal(q, k)[0]  # (1)

    @out("cells")
    def feel(q, loads, axles, supports, cells):
        for k in range(2):
            feel_supports(supports, q, int(axles[k, BODY]), k, loads, cells)
