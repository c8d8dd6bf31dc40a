"""Vehicles from files.

```yaml
vehicle: 1
title: Manchester wagon
wheels: {radius: 0.46 m, spacing: 1.5 m, profile: s1002}
bodies:
  body: {mass: 32 t, inertia: [56.8 t*m^2, 1970 t*m^2, 1970 t*m^2], place: [0 m, 0 m, 1.8 m]}
wheelsets: {wheelset_1: bogie_1}          # axles, and what takes the reaction of their torques
elements:
  primary:
    joins: {wheelset_1: bogie_1}          # one for each pair, at the position of the first body
    side: 1 m                             # and one at each side of the middle
    height: 0.46 m
    stiffness: [31.391 MN/m, 3.884 MN/m, 1.22 MN/m]
```

A body with `rides: wheelset_1` is an axle box: it turns about that axle and does all else with it.
An element may lie `offset` ahead of the first body, or at `x`; with `bearing: false` it is put in
under load and bears nothing at rest. Elements of a wheelset lie on its axis and do not turn it.
Files of profiles are looked for where the vehicle's own file lies; beside `profile: worn.csv` may
stand `smoothing: 10 um`, the root mean square by which the profile may miss its points.
"""

from __future__ import annotations

import math
import os
from typing import Any

from railblocks.blocks.rail.contact.profiles.naming import points_beside, profile_named
from railblocks.blocks.rail.track.data_files import named
from railblocks.engine.errors import Position
from railblocks.engine.text.data_record import DataRecord, read_record

from .description import NONE, Body, Element, Vehicle, Wheelset

FOLDER = os.path.dirname(os.path.abspath(__file__))
AXES = ("x", "y", "z")
TURNING = ("turning", "turning_damping")
ON_AXIS_M = 1e-6
"""Elements lie on the axis of a wheelset if they are not farther from it, in metres."""


def vehicle_named(text: str) -> Vehicle:
    """A vehicle by the name of one that is shipped, or by the path of its file."""
    return named(text, FOLDER, "vehicle", read_vehicle)


def read_vehicle(path: str | os.PathLike[str]) -> Vehicle:
    """The vehicle of a file; DiagramError with all problems and their positions."""
    record = read_record(path, "vehicle")
    folder, file = os.path.split(os.fspath(path))
    title = record.text("title", os.path.splitext(file)[0])
    wheels = _wheels(record.record("wheels"), folder)
    records = record.named("bodies")
    bodies = {name: _body(name, field) for name, field in records.items()}
    wheelsets = []
    for name, (position, frame) in record.pairs("wheelsets").items():
        if _known(record, position, name, bodies) and _known(record, position, frame, bodies):
            wheelsets.append(Wheelset(name, frame))
    axles = [wheelset.body for wheelset in wheelsets]
    for name, body in bodies.items():
        _check_rider(records[name], body, bodies, axles)
    elements: list[Element] = []
    for name, field in record.named("elements").items():
        group = _elements(name, field, bodies)
        _check_axles(field, group, bodies, axles)
        elements.extend(group)
    record.close()
    record.problems.raise_any()
    parts = (tuple(bodies.values()), tuple(elements), tuple(wheelsets))
    return Vehicle(title, *wheels[:3], *parts, smoothing=wheels[3])


def _wheels(record: DataRecord | None, folder: str) -> tuple[float, float, str, float]:
    if record is None:
        return 0.0, 0.0, "", 0.0
    radius = record.number("radius", "m", least=0.0)
    spacing = record.number("spacing", "m", 1.5, least=0.0)
    profile = points_beside(folder, record.text("profile", "s1002"))
    smoothing = record.number("smoothing", "m", 0.0, least=0.0)
    try:
        profile_named(profile, smoothing=smoothing)
    except ValueError as error:
        record.problems.add(record.position_of("profile"), f"profile: {error}")
    record.close()
    return radius, spacing, profile, smoothing


def _body(name: str, record: DataRecord) -> Body:
    mass = record.number("mass", "kg", least=0.0)
    inertia = record.triple("inertia", "kg*m^2")
    position = record.triple("place", "m")
    rides = record.text("rides", "")
    record.close()
    return Body(name, mass, inertia, position, rides)


def _check_rider(record: DataRecord, body: Body, bodies: dict[str, Body], axles: list[str]) -> None:
    """Adds a problem for a rider that does not lie on the axis of a wheelset."""
    if not body.rides:
        return
    where = record.position_of("rides")
    if body.rides not in axles:
        near = record.problems.near(body.rides, axles)
        message = f"{body.name} rides on '{body.rides}'{near}; expected one of {', '.join(axles)}"
        record.problems.add(where, message)
        return
    at, axle = body.place, bodies[body.rides].place
    if (at[0], at[2]) != (axle[0], axle[2]):
        message = f"{body.name} lies at x = {at[0]:g} m, z = {at[2]:g} m; expected a position "
        message += f"on the axis of {body.rides}, x = {axle[0]:g} m and z = {axle[2]:g} m"
        record.problems.add(record.position_of("place"), message)


def _check_axles(
    record: DataRecord, elements: list[Element], bodies: dict[str, Body], axles: list[str]
) -> None:
    """Adds a problem for each element that would act on the rotation of a wheelset."""
    for element in elements:
        ends = [name for name in (element.first, element.second) if name in axles]
        for name in ends:
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
        if len(ends) == 2:
            message = f"{element.name} joins two wheelsets; expected a body that does not rotate "
            message += f"at one end, such as an axle box, a body with `rides: {ends[0]}`"
            record.problems.add(record.position_of("joins"), message)


def _known(record: DataRecord, position: Position, name: str, bodies: dict[str, Body]) -> bool:
    if name not in bodies:
        near, known = record.problems.near(name, bodies), ", ".join(bodies)
        record.problems.add(position, f"'{name}' is not a body{near}; expected one of {known}")
    return name in bodies


def _elements(name: str, record: DataRecord, bodies: dict[str, Body]) -> list[Element]:
    """One element for each pair and side, numbered and lettered in their names."""
    joins = record.pairs("joins")
    side = record.number("side", "m", None)
    height = record.number("height", "m")
    x = record.number("x", "m", None)
    offset = record.number("offset", "m", 0.0)
    values: dict[str, Any] = {
        "stiffness": record.triple("stiffness", "N/m", NONE),
        "damping": record.triple("damping", "N*s/m", NONE),
        "series": record.triple("series", "N/m", NONE),
        "turning": record.triple("turning", "N*m/rad", NONE),
        "turning_damping": record.triple("turning_damping", "N*m*s/rad", NONE),
    }
    for axis, stiff, damping in zip(AXES, values["series"], values["damping"], strict=True):
        if stiff > 0.0 and damping <= 0.0:
            message = f"along {axis} there is a series stiffness but no damper; give its damping"
            record.problems.add(record.position, message)
    bump_axis = AXES.index(record.text("bump_axis", "y", AXES) or "y")
    bump = _bump(record)
    bearing = record.flag("bearing", True)
    record.close()
    values |= {"bump": bump, "bump_axis": bump_axis, "bearing": bearing}
    elements = []
    for number, (first, (position, second)) in enumerate(joins.items(), start=1):
        if not all(_known(record, position, body, bodies) for body in (first, second)):
            continue
        own_x, own_y, _ = bodies[first].place
        at = own_x + offset if x is None else x
        for letter, y in (("", own_y),) if side is None else (("_l", side), ("_r", -side)):
            here = (at, y, height)
            elements.append(Element(f"{name}_{number}{letter}", first, second, here, **values))
    return elements


def _bump(record: DataRecord) -> tuple[tuple[float, float], ...]:
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
