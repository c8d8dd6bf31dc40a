"""Static loads of a vehicle: what each element, and each wheelset, bears at rest.

At rest every body stands at its place: springs bear what the weight asks of them. How the weight is
shared follows from stiffness: with displacements u of the bodies above the wheelsets (up, roll,
pitch), K u = -weight gives the force k_z d of each element, and the moments k_r theta of those that
turn. Both become static loads, which are there without any displacement. Elements whose preload is
given bear that, and the others what it leaves: where nothing is left to bear the rest, the vehicle
does not start at rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from railblocks.engine.errors import DiagramError

from .description import Preload, Vehicle
from .rigid import rigid

LIFT, ROLL, PITCH = range(3)


class StaticLoads(NamedTuple):
    """Force, and moments about x and y, of each element on its first body."""

    forces: np.ndarray
    moments: np.ndarray


def static_loads(vehicle: Vehicle, g: float) -> StaticLoads:
    """Loads of all elements at rest; DiagramError where nothing carries a body."""
    motions = _motions(vehicle)
    levers, turns = _levers(vehicle, motions)
    given = np.array([(p.x, p.y, p.z or 0.0) for p in _preloads(vehicle)]).reshape(-1, 3)
    bearing = np.array([preload.z is None for preload in _preloads(vehicle)], float)
    k_z = bearing * [element.stiffness[2] for element in vehicle.elements]
    k_r = bearing[:, None] * np.array([element.turning[:2] for element in vehicle.elements])
    upright = levers[:, 2]
    K = np.einsum("e,ei,ej", k_z, upright, upright) + np.einsum("ea,eai,eaj", k_r, turns, turns)
    weight = _weights(vehicle, motions, g)
    left = np.einsum("ea,eai", given, levers) - weight
    u = np.linalg.lstsq(K, left, rcond=None)[0]
    missing = np.abs(K @ u - left) > 1e-6 * np.max(weight, initial=1.0)
    for (k, _), position in motions.items():
        if missing[position] and not _has_preload(vehicle, k):
            raise DiagramError(
                f"{vehicle.title}: {vehicle.bodies[k].name} is not carried; expected elements with "
                "vertical stiffness between it and the wheelsets, or below what carries it"
            )
    given[:, 2] -= k_z * (upright @ u)
    return StaticLoads(given, -k_r * (turns @ u))


def _preloads(vehicle: Vehicle) -> list[Preload]:
    return [element.preload for element in vehicle.elements]


def _has_preload(vehicle: Vehicle, body: int) -> bool:
    """Whether the preload of an element of a body is given, so that it may be off its balance."""
    return any(
        element.preload not in (Preload(), Preload(z=0.0))
        and body in (vehicle.index(element.first), vehicle.index(element.second))
        for element in vehicle.elements
    )


def _weights(vehicle: Vehicle, motions: dict[tuple[int, int], int], g: float) -> np.ndarray:
    """What gravity has against each motion."""
    weights = np.zeros(len(motions))
    for (k, motion), position in motions.items():
        mass, (x, y, _), _ = rigid(vehicle, vehicle.bodies[k])
        weights[position] = mass * g * (1.0, y, -x)[motion]
    return weights


def _levers(vehicle: Vehicle, motions: dict[tuple[int, int], int]) -> tuple[np.ndarray, np.ndarray]:
    """How far each element is stretched along x, y, z, and turned about x and y, by each motion."""
    levers = np.zeros((len(vehicle.elements), 3, len(motions)))
    turns = np.zeros((len(vehicle.elements), 2, len(motions)))
    for e, element in enumerate(vehicle.elements):
        for name, sign in ((element.first, 1.0), (element.second, -1.0)):
            k = vehicle.index(name)
            x, y, z = vehicle.arm(element, k)
            ways = {LIFT: (0.0, 0.0, 1.0), ROLL: (0.0, -z, y), PITCH: (z, 0.0, -x)}
            for motion, way in ways.items():
                if (k, motion) in motions:
                    levers[e, :, motions[k, motion]] += sign * np.array(way)
            for axis, motion in enumerate((ROLL, PITCH)):
                if (k, motion) in motions:
                    turns[e, axis, motions[k, motion]] += sign
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
        _, middle, axis = vehicle.bodies[vehicle.index(wheelset.body)].place
        on = [
            body
            for body in (*vehicle.bodies, *vehicle.welds)
            if wheelset.body in (body.name, body.rides, body.welded)
        ]
        names = {body.name for body in on}
        for body in on:
            row += body.mass * g * np.array([1.0, body.place[1] - middle])
        for element, (_, F_y, F_z), (moment, _) in zip(vehicle.elements, *loads, strict=True):
            sign = (element.second in names) - (element.first in names)
            y, z = element.place[1] - middle, element.place[2] - axis
            row += sign * np.array([F_z, F_z * y - F_y * z + moment])
    return loads_of_axles
