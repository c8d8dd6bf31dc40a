"""An axle that stands on its rails, which may give.

The axle's height z and roll, and the displacements u of what bears the rails, balance

    sum of F_z = load,   sum of M_x = moment,   K u = B^T f                (1)

with the loads f of the wheels on the rails as in `moving_rails.py`, and no friction.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from railblocks.blocks.rail.contact.contact_motion import lever
from railblocks.blocks.rail.contact.static_contact import at_rest, pressed
from railblocks.blocks.rail.contact.wheel_forces import LOAD
from railblocks.blocks.rail.support.matrices import SupportMatrices

DIFFERENCE = 1e-7
"""Difference of heights, rolls and displacements for slopes, in metres and radians."""
MAX_SLOPES, STEPS_PER_SLOPES, LAST_STEP = 6, 6, 1e-13
"""How often slopes are taken, steps with each, and the last one, in metres and radians."""
LARGEST_MISS = 1e-7
"""What (1) may miss where contacts jump, in metres of the rails' deflection."""


class Standing(NamedTuple):
    """An axle at rest: its height and roll, displacements of what bears the rails, and contacts."""

    z: float
    roll: float
    u: np.ndarray
    Q: list[float]
    contacts: np.ndarray
    radius: float
    """Radius on which it rolls."""


class Wheel(NamedTuple):
    """A wheel on a rail that has given: force on it along the axes of the line, load on the rail,
    its contacts, and the height of the axle in the axes of the rail."""

    F: tuple[float, float]
    M_x: float
    load: tuple[float, float, float]
    contacts: np.ndarray
    z: float


def stand(
    detect: Callable,
    normal: Callable,
    radius: float,
    h: float,
    E_star: float,
    sides: tuple,
    support: SupportMatrices,
    load: float,
    moment: float,
) -> Standing:
    """An axle under a load and a moment about x; ValueError where it finds no rest."""
    z, roll = at_rest(detect, normal, False, load, 0.0, 0.0, radius, h, E_star, sides, moment)
    u = np.zeros(len(support.mass))

    def wheels(z: float, roll: float, u: np.ndarray) -> list[Wheel]:
        motions = np.split(support.rails @ u, 2)
        seats = (support.seat, support.seat * (-1.0, 1.0))
        press = [
            partial(pressed, detect, normal, False, h=h, E_star=E_star, side=side) for side in sides
        ]
        parts = zip(press, motions, seats, strict=True)
        return [_wheel(press, z, roll, motion, seat) for press, motion, seat in parts]

    def sinking(both: list[Wheel]) -> np.ndarray:
        return support.compliance @ np.concatenate([wheel.load for wheel in both])

    if len(u):
        u = sinking(wheels(z, roll, u))
        depth = -float((support.rails @ u)[1])

        def missing(x: np.ndarray) -> np.ndarray:
            """What (1) misses, in metres and radians of the rails' deflection."""
            both = wheels(x[0], x[1], x[2:])
            lifted = sum(wheel.F[1] for wheel in both) - load
            turned = sum(wheel.M_x for wheel in both) - moment
            over = depth / load
            return np.array([over * lifted, over * turned, *(x[2:] - sinking(both))])

        x = _newton(missing, np.array([z - depth, roll, *u]))
        if x is None:
            raise ValueError(
                f"an axle under {load:g} N finds no rest on rails that give; expected a support "
                "that bears it: check its stiffness, or take `support: rigid`"
            )
        z, roll, u = x[0], x[1], x[2:]
    both = wheels(z, roll, u)
    contacts = np.concatenate([wheel.contacts for wheel in both])
    above = float(np.mean([wheel.z for wheel in both]))
    Q = [wheel.F[1] for wheel in both]
    return Standing(z, roll, u, Q, contacts, rolling_radius(above, contacts))


def _newton(missing: Callable, x: np.ndarray) -> np.ndarray | None:
    """Where nothing is missing, by Newton's method with slopes that hold for a few steps; or None.

    Contacts from tables jump by nanometres: where steps do not get smaller, the least miss counts.
    """
    best, least = x, math.inf
    for _ in range(MAX_SLOPES):
        slopes = _slopes(missing, x)
        if np.linalg.matrix_rank(slopes) < len(x):
            return None
        for _ in range(STEPS_PER_SLOPES):
            miss = missing(x)
            if np.abs(miss).max() < least:
                best, least = x, np.abs(miss).max()
            step = np.linalg.solve(slopes, miss)
            x = x - step
            if np.abs(step).max() < LAST_STEP:
                return x
    return best if least < LARGEST_MISS else None


def _slopes(missing: Callable, x: np.ndarray) -> np.ndarray:
    steps = DIFFERENCE * np.eye(len(x))
    columns = [(missing(x + step) - missing(x - step)) / (2.0 * DIFFERENCE) for step in steps]
    return np.column_stack(columns)


def _wheel(press: Callable, z: float, roll: float, motion: np.ndarray, seat: np.ndarray) -> Wheel:
    """A wheel of an axle at z, on a rail whose seat has moved and which has rolled about it."""
    y_r, z_r, theta = motion
    c, s = math.cos(theta), math.sin(theta)
    p_y, p_z = seat
    up = z - z_r
    G_y = s * up - c * y_r + (p_y - (c * p_y + s * p_z))
    G_z = c * up + s * y_r + (p_z - (c * p_z - s * p_y))
    F, M, contacts = press((0.0, G_y, G_z), roll - theta)
    F_y, F_z = c * F[1] - s * F[2], c * F[2] + s * F[1]
    about_seat = M[0] + (G_y - p_y) * F[2] - (G_z - p_z) * F[1]
    return Wheel((F_y, F_z), M[0], (-F_y, -F_z, -about_seat), contacts, G_z)


def rolling_radius(z: float, contacts: np.ndarray) -> float:
    """Radius on which an axle at height z rolls: that of its wheels' surfaces, by load.

    With that, creep forces of the contacts take as much speed as they give, but for saturation.
    """
    depths = [-lever(contacts, k, (0.0, 0.0, z))[2] for k in range(len(contacts))]
    return float(np.average(depths, weights=contacts[:, LOAD]))
