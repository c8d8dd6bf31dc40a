"""Elements from the records of a vehicle's file: springs, dampers, stops, preloads, and checks."""

from __future__ import annotations

import math
from typing import Any

from railblocks.engine.errors import Position
from railblocks.engine.text.data_record import REQUIRED, DataRecord

from .description import NONE, Body, Element, Points, Preload, Triple

AXES = ("x", "y", "z")
TURNING = ("turning", "turning_damping")
DAMPER_TABLE = ("damper_axis", "damper_speed", "damper_force")
ON_AXIS_M = 1e-6
"""Elements lie on the axis of a wheelset if they are not farther from it, in metres."""


def is_known(record: DataRecord, position: Position, name: str, bodies: dict[str, Body]) -> bool:
    """Whether there is a body of this name; a problem if not."""
    if name not in bodies:
        near, known = record.problems.near(name, bodies), ", ".join(bodies)
        record.problems.add(position, f"'{name}' is not a body{near}; expected one of {known}")
    return name in bodies


def read_elements(name: str, record: DataRecord, bodies: dict[str, Body]) -> list[Element]:
    """One element for each pair and side, numbered and lettered in their names."""
    joins = record.pairs("joins")
    side, at_y = record.number("side", "m", None), record.number("y", "m", None)
    if side is not None and at_y is not None:
        message = "'side' is for one element at each side, 'y' for one alone; leave one of them out"
        record.problems.add(record.position_of("y"), message)
    height = record.number("height", "m")
    x = record.number("x", "m", None)
    offset = record.number("offset", "m", 0.0)
    values: dict[str, Any] = {
        "stiffness": record.triple("stiffness", "N/m", NONE),
        "series": record.triple("series", "N/m", NONE),
        "turning": record.triple("turning", "N*m/rad", NONE),
        "turning_damping": record.triple("turning_damping", "N*m*s/rad", NONE),
        "bump_axis": _axis(record, "bump_axis", "y"),
        "bump": _bump(record),
    }
    values["damping"], values["curves"] = _dampers(record, values["series"])
    preload = _preload(record)
    record.close()
    elements = []
    for number, (first, (position, second)) in enumerate(joins.items(), start=1):
        if not all(is_known(record, position, body, bodies) for body in (first, second)):
            continue
        own_x, own_y, _ = bodies[first].place
        at = own_x + offset if x is None else x
        middle = own_y if at_y is None else at_y
        for letter, y in (("", middle),) if side is None else (("_l", side), ("_r", -side)):
            loaded = Preload(preload.x, -preload.y, preload.z) if letter == "_r" else preload
            here = (at, y, height)
            full = f"{name}_{number}{letter}"
            elements.append(Element(full, first, second, here, preload=loaded, **values))
    return elements


def check_axles(
    record: DataRecord, elements: list[Element], bodies: dict[str, Body], axles: list[str]
) -> None:
    """Adds a problem for each element that would act on the rotation of a wheelset."""
    for element in elements:
        ends = [bodies[name] for name in (element.first, element.second)]
        spinning = [axle for end in ends for axle in axles if axle in (end.name, end.welded)]
        for name in spinning:
            box = f"or join an axle box instead, a body with `rides: {name}`"
            x, _, z = bodies[name].place
            off = math.hypot(element.place[0] - x, element.place[2] - z)
            if off > ON_AXIS_M:
                message = f"{element.name} lies {off:.4g} m off the axis of {name}, where it would "
                message += f"drive its rotation; expected x = {x:g} m and height = {z:g} m, {box}"
                record.problems.add(record.position_of("height"), message)
            for key in TURNING:
                if any(getattr(element, key)):
                    message = f"{key} of {element.name} would act on the rotation of {name}; "
                    record.problems.add(record.position_of(key), message + f"leave it out, {box}")
        if len(spinning) == 2:
            message = f"{element.name} joins two wheelsets; expected a body that does not rotate "
            message += f"at one end, such as an axle box, a body with `rides: {spinning[0]}`"
            record.problems.add(record.position_of("joins"), message)
        elif (ends[0].welded or ends[0].name) == (ends[1].welded or ends[1].name):
            message = f"{element.name} joins {element.first} and {element.second}, which are one "
            record.problems.add(record.position_of("joins"), message + "rigid body; join two")


def _dampers(record: DataRecord, series: Triple) -> tuple[Triple, tuple[Points, ...]]:
    """Damping at small speeds along each axis, and tables of what dampers do at larger ones."""
    before = len(record.problems)
    damping = list(record.triple("damping", "N*s/m", NONE))
    blow_off = record.triple("blow_off", "N", NONE)
    slope = record.triple("blow_off_damping", "N*s/m", NONE)
    axis, table = _damper_table(record)
    if len(record.problems) > before:
        return NONE, ((), (), ())
    curves: list[Points] = []
    for name, c, force, beyond in zip(AXES, damping, blow_off, slope, strict=True):
        curves.append(_blow_off(record, name, c, force, beyond))
    if table:
        if damping[axis] != 0.0:
            message = f"along {AXES[axis]} there is a table of the damper and a damping; give one"
            record.problems.add(record.position_of("damping"), message)
        damping[axis] = table[1][1] / table[1][0]
        curves[axis] = table
    for name, stiffness, c, curve in zip(AXES, series, damping, curves, strict=True):
        if stiffness > 0.0 and not curve and c <= 0.0:
            message = f"along {name} there is a series stiffness but no damper; give its damping"
            record.problems.add(record.position, message)
        forces = [force for _, force in curve]
        if stiffness > 0.0 and forces != sorted(set(forces)):
            message = f"along {name} a damper with a series stiffness has the same force at more "
            message += "than one speed; expected rising forces: give a `blow_off_damping` above 0"
            record.problems.add(record.position_of("series"), message)
    return tuple(damping), tuple(curves)  # type: ignore[return-value]


def _blow_off(record: DataRecord, axis: str, c: float, force: float, beyond: float) -> Points:
    """Table of a damper c that gives way at a force, and rises by less from there on."""
    if force == 0.0:
        if beyond != 0.0:
            message = f"along {axis} there is a blow_off_damping, but no blow_off; give its force"
            record.problems.add(record.position_of("blow_off_damping"), message)
        return ()
    if force < 0.0 or c <= 0.0 or not 0.0 <= beyond < c:
        message = (
            f"along {axis} a damper of {c:g} N*s/m blows off at {force:g} N, and rises by "
            f"{beyond:g} N*s/m from there on; expected a force above 0, and a slope of at least 0 "
            "below the damping"
        )
        record.problems.add(record.position_of("blow_off"), message)
        return ()
    knee = force / c
    return (0.0, 0.0), (knee, force), (2.0 * knee, force + beyond * knee)


def _damper_table(record: DataRecord) -> tuple[int, Points]:
    """Axis and points of a damper that is given by lists of speeds and forces."""
    if not any(key in record for key in DAMPER_TABLE):
        return 0, ()
    axis = _axis(record, "damper_axis")
    speeds, forces = record.numbers("damper_speed", "m/s"), record.numbers("damper_force", "N")
    if len(speeds) != len(forces) or len(speeds) < 2 or speeds != tuple(sorted(set(speeds))):
        message = f"a damper has {len(speeds)} speeds and {len(forces)} forces; expected as many "
        message += "of both, at least two, and rising speeds"
        record.problems.add(record.position_of("damper_speed"), message)
        return axis, ()
    last = (forces[-1] - forces[-2]) / (speeds[-1] - speeds[-2])
    if (speeds[0], forces[0]) != (0.0, 0.0) or min(forces) < 0.0 or last < 0.0:
        message = f"a damper's table begins at {speeds[0]:g} m/s with {forces[0]:g} N, its lowest "
        message += f"force is {min(forces):g} N, and it ends with a slope of {last:g} N*s/m; "
        message += "expected a begin at 0 with 0, no force below 0 and no fall at its end, so that "
        message += "the damper takes energy: both directions are alike"
        record.problems.add(record.position_of("damper_force"), message)
        return axis, ()
    return axis, tuple(zip(speeds, forces, strict=True))


def _axis(record: DataRecord, key: str, default: Any = REQUIRED) -> int:
    """The number of an axis that is given by its letter."""
    name = record.text(key, default, AXES)
    return AXES.index(name) if name in AXES else 0


def _preload(record: DataRecord) -> Preload:
    """What an element bears at rest, as far as its record says it."""
    bears = record.flag("bearing", True)
    part = record.record("preload") if "preload" in record else None
    if part is None:
        return Preload() if bears else Preload(z=0.0)
    x, y = part.number("x", "N", 0.0), part.number("y", "N", 0.0)
    z = part.number("z", "N", None)
    part.close()
    if not bears and z is not None:
        message = "an element that is not bearing has no vertical preload; leave one of them out"
        record.problems.add(part.position, message)
    return Preload(x, y, z if bears else 0.0)


def _bump(record: DataRecord) -> Points:
    """A bump-stop's table, from its lists of displacements and forces."""
    ways = record.numbers("bump_at", "m", default=())
    forces = record.numbers("bump_force", "N", default=())
    if len(ways) != len(forces) or len(ways) == 1 or ways != tuple(sorted(set(ways))):
        record.problems.add(
            record.position,
            f"a bump-stop has {len(ways)} displacements and {len(forces)} forces; "
            "expected as many of both, at least two, and rising displacements",
        )
    elif ways and _at_rest(ways, forces) > 0.0:
        message = "the bump-stop presses at rest already, without displacement; expected no force "
        message += "there, also on the line through its first two points"
        record.problems.add(record.position_of("bump_force"), message)
    for key, values in (("bump_at", ways), ("bump_force", forces)):
        if any(value < 0.0 for value in values):
            message = f"{key} begins with {min(values):g}; expected no value below 0"
            record.problems.add(record.position_of(key), message + ", both directions are alike")
    return tuple(zip(ways, forces, strict=False))


def _at_rest(ways: tuple[float, ...], forces: tuple[float, ...]) -> float:
    """Force of a bump-stop without displacement, by the line through its first two points."""
    slope = (forces[1] - forces[0]) / (ways[1] - ways[0])
    return forces[0] - slope * ways[0]
