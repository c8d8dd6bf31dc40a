"""A vehicle as tables for the kernels of `multibody`."""

from __future__ import annotations

import numpy as np
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el

from .description import Vehicle


def body_table(vehicle: Vehicle) -> np.ndarray:
    """Rows of all bodies, in the order of the file."""
    table = np.zeros((len(vehicle.bodies), b.COLUMNS))
    axles = {wheelset.body for wheelset in vehicle.wheelsets}
    for row, body in zip(table, vehicle.bodies, strict=True):
        row[b.MASS], row[b.I_XX : b.I_ZZ + 1] = body.mass, body.inertia
        row[b.AXLE] = 1.0 if body.name in axles else 0.0
    for k in range(len(table)):
        riders = [i for i, body in enumerate(vehicle.bodies) if vehicle.carrier(body) == k]
        if riders:
            sides = np.array([vehicle.bodies[i].place[1] for i in riders])
            _hand_over(table, riders, k, sides - vehicle.bodies[k].place[1])
    return table


def _hand_over(table: np.ndarray, riders: list[int], carrier: int, sides: np.ndarray) -> None:
    """Riders' masses and their inertia across the axle become those of its carrier."""
    row, m = table[carrier], table[riders, b.MASS]
    row[b.MASS] += m.sum()
    row[b.C_Y] = (m @ sides) / row[b.MASS]
    row[[b.I_XX, b.I_ZZ]] += m @ (sides * sides) - row[b.MASS] * row[b.C_Y] ** 2
    row[[b.RIDING_XX, b.RIDING_ZZ]] = table[riders][:, [b.I_XX, b.I_ZZ]].sum(axis=0)
    table[riders, b.CARRIER], table[riders, b.SIDE] = carrier + 1, sides
    for column in (b.MASS, b.I_XX, b.I_ZZ):
        table[riders, column] = 0.0


def element_table(vehicle: Vehicle) -> tuple[np.ndarray, np.ndarray]:
    """Rows of all elements without their static loads, and the points of all bump-stops."""
    table = np.zeros((len(vehicle.elements), el.COLUMNS))
    points: list[tuple[float, float]] = []
    inner = b.STATES * len(vehicle.bodies)
    for row, element in zip(table, vehicle.elements, strict=True):
        i, j = vehicle.index(element.first), vehicle.index(element.second)
        row[[el.I_BODY, el.J_BODY]] = i, j
        row[el.P_I : el.P_I + 3] = vehicle.arm(element, i)
        row[el.P_J : el.P_J + 3] = vehicle.arm(element, j)
        row[el.K : el.K + 3], row[el.C : el.C + 3] = element.stiffness, element.damping
        row[el.SERIES : el.SERIES + 3] = element.series
        row[el.K_R : el.K_R + 3] = element.turning
        row[el.C_R : el.C_R + 3] = element.turning_damping
        if element.bump:
            row[[el.STOP, el.STOP_AXIS]] = 1.0, element.bump_axis
            row[[el.STOP_FIRST, el.STOP_LAST]] = len(points), len(points) + len(element.bump) - 1
            points.extend(element.bump)
        row[el.INNER] = inner
        inner += int(np.count_nonzero(row[el.SERIES : el.SERIES + 3]))
    return table, np.array(points or [(0.0, 0.0), (1.0, 0.0)])


def axle_table(vehicle: Vehicle) -> np.ndarray:
    """Rows of all axles; what holds a drive takes all of its torque."""
    rows = [(vehicle.index(w.body), vehicle.index(w.frame), 1.0) for w in vehicle.wheelsets]
    return np.array(rows, float)


def inner_states(elements: np.ndarray) -> int:
    """How many dampers have a stiffness in series, and so a state of their own."""
    return int(np.count_nonzero(elements[:, el.SERIES : el.SERIES + 3]))
