"""Static loads of a vehicle: what each element, and each wheelset, bears at rest.

At rest every body stands at its place: springs bear what the weight asks of them. How the weight is
shared follows from stiffness: with displacements u of the bodies above the wheelsets (up, roll,
pitch), K u = -weight gives the force k_z d of each element, and the moments k_r theta of those that
turn. Both become static loads, which are there without any displacement.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from railblocks.engine.errors import DiagramError

from .description import Vehicle

LIFT, ROLL, PITCH = range(3)


class StaticLoads(NamedTuple):
    """Upward force, and moments about x and y, of each element on its first body."""

    forces: np.ndarray
    moments: np.ndarray


def static_loads(vehicle: Vehicle, g: float) -> StaticLoads:
    """Loads of all elements at rest; DiagramError where nothing carries a body."""
    motions = _motions(vehicle)
    n = len(motions)
    K, weight = np.zeros((n, n)), np.zeros(n)
    levers, turns = _levers(vehicle, motions)
    bearing = np.array([element.bearing for element in vehicle.elements], float)
    k_z = bearing * [element.stiffness[2] for element in vehicle.elements]
    k_r = bearing[:, None] * np.array([element.turning[:2] for element in vehicle.elements])
    K += np.einsum("e,ei,ej", k_z, levers, levers) + np.einsum("ea,eai,eaj", k_r, turns, turns)
    for (k, motion), position in motions.items():
        weight[position] = vehicle.bodies[k].mass * g if motion == LIFT else 0.0
    u = np.linalg.lstsq(K, -weight, rcond=None)[0]
    if not np.allclose(K @ u, -weight, rtol=0.0, atol=1e-6 * np.max(weight, initial=1.0)):
        raise DiagramError(
            f"{vehicle.title}: a body is not carried; expected elements with vertical stiffness "
            "between each body and the wheelsets"
        )
    return StaticLoads(-k_z * (levers @ u), -k_r * (turns @ u))


def _levers(vehicle: Vehicle, motions: dict[tuple[int, int], int]) -> tuple[np.ndarray, np.ndarray]:
    """How far each element is stretched upwards, and turned about x and y, by each motion."""
    levers = np.zeros((len(vehicle.elements), len(motions)))
    turns = np.zeros((len(vehicle.elements), 2, len(motions)))
    for e, element in enumerate(vehicle.elements):
        for name, sign in ((element.first, 1.0), (element.second, -1.0)):
            k = vehicle.index(name)
            x, y, _ = vehicle.arm(element, k)
            for motion, arm in ((LIFT, 1.0), (ROLL, y), (PITCH, -x)):
                if (k, motion) in motions:
                    levers[e, motions[k, motion]] = sign * arm
            for axis, motion in enumerate((ROLL, PITCH)):
                if (k, motion) in motions:
                    turns[e, axis, motions[k, motion]] = sign
    return levers, turns


def _motions(vehicle: Vehicle) -> dict[tuple[int, int], int]:
    """What is free to move when wheelsets stand: bodies in all, riders in pitch."""
    axles = {wheelset.body for wheelset in vehicle.wheelsets}
    free = []
    for k, body in enumerate(vehicle.bodies):
        if body.name not in axles:
            free += [(k, PITCH)] if body.rides else [(k, LIFT), (k, ROLL), (k, PITCH)]
    return {motion: n for n, motion in enumerate(free)}


def axle_loads(vehicle: Vehicle, g: float) -> np.ndarray:
    """Force that the rails give each wheelset at rest, and its moment about the axle's middle.

    The moment is about x: positive where the left wheel bears more.
    """
    loads = static_loads(vehicle, g)
    loads_of_axles = np.zeros((len(vehicle.wheelsets), 2))
    for row, wheelset in zip(loads_of_axles, vehicle.wheelsets, strict=True):
        middle = vehicle.bodies[vehicle.index(wheelset.body)].place[1]
        on = [body for body in vehicle.bodies if wheelset.body in (body.name, body.rides)]
        names = {body.name for body in on}
        for body in on:
            row += body.mass * g * np.array([1.0, body.place[1] - middle])
        for element, force, (moment, _) in zip(vehicle.elements, *loads, strict=True):
            sign = (element.second in names) - (element.first in names)
            row += sign * np.array([force, force * (element.place[1] - middle) + moment])
    return loads_of_axles
