"""A vehicle as tables for the kernels of `multibody`, and its static loads.

At rest every body stands at its place: springs bear what the weight asks of them. How the weight is
shared follows from stiffness: with displacements u of the bodies above the wheelsets (up, roll,
pitch), K u = -weight gives the load k_z d of each element, which becomes its static force.
"""

from __future__ import annotations

import numpy as np
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el
from railblocks.engine.errors import DiagramError

from .vehicle import Element, Vehicle

LIFT, ROLL, PITCH = range(3)


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
    for axis in (b.I_XX, b.I_ZZ):
        row[axis] += (table[riders, axis] + m * sides * sides).sum() - row[b.MASS] * row[b.C_Y] ** 2
    table[riders, b.CARRIER], table[riders, b.SIDE] = carrier + 1, sides
    for column in (b.MASS, b.I_XX, b.I_ZZ):
        table[riders, column] = 0.0


def element_table(vehicle: Vehicle, g: float) -> tuple[np.ndarray, np.ndarray]:
    """Rows of all elements with their static loads, and the points of all bump-stops."""
    loads = static_loads(vehicle, g)
    table = np.zeros((len(vehicle.elements), el.COLUMNS))
    points: list[tuple[float, float]] = []
    inner = b.STATES * len(vehicle.bodies)
    for row, element, load in zip(table, vehicle.elements, loads, strict=True):
        i, j = vehicle.index(element.first), vehicle.index(element.second)
        row[[el.I_BODY, el.J_BODY]] = i, j
        row[el.P_I : el.P_I + 3] = _arm(vehicle, element, i)
        row[el.P_J : el.P_J + 3] = _arm(vehicle, element, j)
        row[el.K : el.K + 3], row[el.C : el.C + 3] = element.stiffness, element.damping
        row[el.SERIES : el.SERIES + 3] = element.series
        row[el.K_R : el.K_R + 3] = element.turning
        row[el.C_R : el.C_R + 3] = element.turning_damping
        row[el.F_0 + 2] = load
        if element.bump:
            row[[el.STOP, el.STOP_AXIS]] = 1.0, element.bump_axis
            row[[el.STOP_FIRST, el.STOP_LAST]] = len(points), len(points) + len(element.bump) - 1
            points.extend(element.bump)
        row[el.INNER] = inner
        inner += int(np.count_nonzero(row[el.SERIES : el.SERIES + 3]))
    return table, np.array(points or [(0.0, 0.0), (1.0, 0.0)])


def inner_states(elements: np.ndarray) -> int:
    """How many dampers have a stiffness in series, and so a state of their own."""
    return int(np.count_nonzero(elements[:, el.SERIES : el.SERIES + 3]))


def static_loads(vehicle: Vehicle, g: float) -> np.ndarray:
    """Upward force of each element on its first body, at rest."""
    motions = _motions(vehicle)
    K, weight = np.zeros((len(motions), len(motions))), np.zeros(len(motions))
    rows = []
    for element in vehicle.elements:
        lever, turn = np.zeros(len(motions)), np.zeros((2, len(motions)))
        for name, sign in ((element.first, 1.0), (element.second, -1.0)):
            k = vehicle.index(name)
            x, y, _ = _arm(vehicle, element, k)
            for motion, arm in ((LIFT, 1.0), (ROLL, y), (PITCH, -x)):
                if (k, motion) in motions:
                    lever[motions[k, motion]] = sign * arm
            for axis, motion in enumerate((ROLL, PITCH)):
                if (k, motion) in motions:
                    turn[axis, motions[k, motion]] = sign
        rows.append(lever)
        if element.bearing:
            K += element.stiffness[2] * np.outer(lever, lever)
            for axis in range(2):
                K += element.turning[axis] * np.outer(turn[axis], turn[axis])
    for (k, motion), place in motions.items():
        weight[place] = vehicle.bodies[k].mass * g if motion == LIFT else 0.0
    u = np.linalg.lstsq(K, -weight, rcond=None)[0]
    if not np.allclose(K @ u, -weight, rtol=0.0, atol=1e-6 * np.max(weight, initial=1.0)):
        raise DiagramError(
            f"{vehicle.title}: a body is not carried; expected elements with vertical stiffness "
            "between each body and the wheelsets"
        )
    return np.array(
        [
            -e.bearing * e.stiffness[2] * (lever @ u)
            for e, lever in zip(vehicle.elements, rows, strict=True)
        ]
    )


def _motions(vehicle: Vehicle) -> dict[tuple[int, int], int]:
    """What is free to move when wheelsets stand: bodies in all, riders in pitch."""
    axles = {wheelset.body for wheelset in vehicle.wheelsets}
    free = []
    for k, body in enumerate(vehicle.bodies):
        if body.name not in axles:
            free += [(k, PITCH)] if body.rides else [(k, LIFT), (k, ROLL), (k, PITCH)]
    return {motion: n for n, motion in enumerate(free)}


def axle_loads(vehicle: Vehicle, g: float) -> np.ndarray:
    """Force between each wheelset and the rails, at rest."""
    loads = static_loads(vehicle, g)
    found = []
    for wheelset in vehicle.wheelsets:
        on = [body for body in vehicle.bodies if wheelset.body in (body.name, body.rides)]
        names = {body.name for body in on}
        load = sum(body.mass for body in on) * g
        for element, force in zip(vehicle.elements, loads, strict=True):
            load -= force * (element.first in names)
            load += force * (element.second in names)
        found.append(load)
    return np.array(found)


def _arm(vehicle: Vehicle, element: Element, body: int) -> tuple[float, float, float]:
    x, y, z = (p - o for p, o in zip(element.place, vehicle.bodies[body].place, strict=True))
    return x, y, z
