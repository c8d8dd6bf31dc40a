"""A vehicle as tables for the kernels of `multibody`."""

from __future__ import annotations

import numpy as np
from railblocks.blocks.rail.multibody.bodies import (
    AXLE,
    C_X,
    C_Y,
    C_Z,
    CARRIER,
    I_XX,
    I_XZ,
    I_ZZ,
    MASS,
    RIDING_XX,
    RIDING_ZZ,
    SIDE,
    STATES,
)
from railblocks.blocks.rail.multibody.bodies import COLUMNS as BODY_COLUMNS
from railblocks.blocks.rail.multibody.elements import (
    C_R,
    CURVE,
    CURVE_LAST,
    I_BODY,
    INNER,
    J_BODY,
    K_R,
    P_I,
    P_J,
    SERIES,
    STOP,
    STOP_AXIS,
    STOP_FIRST,
    STOP_LAST,
    C,
    K,
)
from railblocks.blocks.rail.multibody.elements import COLUMNS as ELEMENT_COLUMNS

from .description import Points, Vehicle
from .rigid import rigid

UPPER = (0, 1, 2, 0, 1, 0), (0, 1, 2, 1, 2, 2)
"""Rows and columns of a tensor in the order of the table: xx, yy, zz, xy, yz, xz."""


def body_table(vehicle: Vehicle) -> np.ndarray:
    """Rows of all bodies, in the order of the file."""
    table = np.zeros((len(vehicle.bodies), BODY_COLUMNS))
    axles = {wheelset.body for wheelset in vehicle.wheelsets}
    for row, body in zip(table, vehicle.bodies, strict=True):
        row[MASS], row[C_X : C_Z + 1], inertia = rigid(vehicle, body)
        row[I_XX : I_XZ + 1] = inertia[UPPER]
        row[AXLE] = 1.0 if body.name in axles else 0.0
    for k in range(len(table)):
        riders = [i for i, body in enumerate(vehicle.bodies) if vehicle.carrier(body) == k]
        if riders:
            sides = np.array([vehicle.bodies[i].place[1] for i in riders])
            _hand_over(table, riders, k, sides - vehicle.bodies[k].place[1])
    return table


def _hand_over(table: np.ndarray, riders: list[int], carrier: int, sides: np.ndarray) -> None:
    """Riders' masses and their inertia across the axle become those of its carrier."""
    row, m = table[carrier], table[riders, MASS]
    own, about_axle = row[MASS] * row[C_Y], row[MASS] * row[C_Y] ** 2 + m @ (sides * sides)
    row[MASS] += m.sum()
    row[C_Y] = (own + m @ sides) / row[MASS]
    row[[I_XX, I_ZZ]] += about_axle - row[MASS] * row[C_Y] ** 2
    row[[RIDING_XX, RIDING_ZZ]] = table[riders][:, [I_XX, I_ZZ]].sum(axis=0)
    table[riders, CARRIER], table[riders, SIDE] = carrier + 1, sides
    for column in (MASS, I_XX, I_ZZ):
        table[riders, column] = 0.0


def element_table(vehicle: Vehicle) -> tuple[np.ndarray, np.ndarray]:
    """Rows of all elements without static loads, and the points of all bump-stops and dampers."""
    table = np.zeros((len(vehicle.elements), ELEMENT_COLUMNS))
    points: list[tuple[float, float]] = []
    inner = STATES * len(vehicle.bodies)
    for row, element in zip(table, vehicle.elements, strict=True):
        i, j = vehicle.index(element.first), vehicle.index(element.second)
        row[[I_BODY, J_BODY]] = i, j
        row[P_I : P_I + 3] = vehicle.arm(element, i)
        row[P_J : P_J + 3] = vehicle.arm(element, j)
        row[K : K + 3], row[C : C + 3] = element.stiffness, element.damping
        row[SERIES : SERIES + 3] = element.series
        row[K_R : K_R + 3] = element.turning
        row[C_R : C_R + 3] = element.turning_damping
        if element.bump:
            row[[STOP, STOP_AXIS]] = 1.0, element.bump_axis
            row[[STOP_FIRST, STOP_LAST]] = len(points), len(points) + len(element.bump) - 1
            points.extend(element.bump)
        for axis, curve in enumerate(element.curves):
            if curve:
                row[CURVE + axis] = len(points) + 1
                points.extend(both_ways(curve))
                row[CURVE_LAST + axis] = len(points) - 1
        row[INNER] = inner
        inner += int(np.count_nonzero(row[SERIES : SERIES + 3]))
    return table, np.array(points or [(0.0, 0.0), (1.0, 0.0)])


def both_ways(curve: Points) -> list[tuple[float, float]]:
    """Points of a damper in both directions, from those of one that begin with (0, 0)."""
    return [(-speed, -force) for speed, force in reversed(curve[1:])] + list(curve)


def reading_table(vehicle: Vehicle) -> np.ndarray:
    """Rows of what motions are read of: bodies, then what is welded to them; number and arm."""
    rows = []
    for part in (*vehicle.bodies, *vehicle.welds):
        k = vehicle.index(part.name)
        rows.append((k, *np.subtract(part.place, vehicle.bodies[k].place)))
    return np.array(rows, float)


def axle_table(vehicle: Vehicle) -> np.ndarray:
    """Rows of all axles; what holds a drive takes all of its torque."""
    rows = [(vehicle.index(w.body), vehicle.index(w.frame), 1.0) for w in vehicle.wheelsets]
    return np.array(rows, float)


def inner_states(elements: np.ndarray) -> int:
    """How many dampers have a stiffness in series, and so a state of their own."""
    return int(np.count_nonzero(elements[:, SERIES : SERIES + 3]))
