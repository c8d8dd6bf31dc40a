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
One with `welded: bogie_1` is a part of that body: mass and inertia are its, readings keep the name.
An element may lie `offset` ahead of the first body, or at `x` and `y`; with `bearing: false` it is
put in under load and bears nothing at rest, `preload: {z: -20 kN}` says what it bears. Elements of
a wheelset lie on its axis and do not turn it. Dampers may blow off at a force or have a table:

```yaml
  yaw_damper:
    joins: {bogie_1: body}
    side: 1.3 m
    height: 0.6 m
    damping: [800 kN*s/m, 0, 0]
    blow_off: [12 kN, 0, 0]               # from there on it rises by blow_off_damping
    blow_off_damping: [20 kN*s/m, 0, 0]   # or damper_axis, damper_speed: [...], damper_force: [...]
start:
  bogie_1: {y: 3 mm, yaw: 2 mrad, v_y: 0.1 m/s}     # displaced from rest, faster than v_0
track: {model: moving, values: zhai2004}  # what bears the rails under it: borne.py
```

Files of profiles are looked for where the vehicle's own file lies; beside `profile: worn.csv` may
stand `smoothing: 10 um`, the root mean square by which the profile may miss its points.
"""

from __future__ import annotations

import os

from railblocks.blocks.rail.contact.profiles.naming import points_beside, profile_named
from railblocks.blocks.rail.track.data_files import named
from railblocks.engine.text.data_record import DataRecord, read_record

from .borne import track_under
from .description import Body, Element, StartState, Triple, Vehicle, Wheelset
from .element_records import check_axles, is_known, read_elements

FOLDER = os.path.dirname(os.path.abspath(__file__))
DEFAULT = "manchester_wagon"
START = {
    "place": ("m", ("s", "y", "z")),
    "angles": ("rad", ("roll", "pitch", "yaw")),
    "velocity": ("m/s", ("v_x", "v_y", "v_z")),
    "omega": ("rad/s", ("omega_x", "omega_y", "omega_z")),
}
"""Units and names of what a start state has."""
OF_RIDERS = {"pitch", "omega_y"}


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
        if is_known(record, position, name, bodies) and is_known(record, position, frame, bodies):
            wheelsets.append(Wheelset(name, frame))
    axles = [wheelset.body for wheelset in wheelsets]
    for name, body in bodies.items():
        _check_rider(records[name], body, bodies, axles)
        _check_weld(records[name], body, bodies, axles)
    elements: list[Element] = []
    for name, field in record.named("elements").items():
        group = read_elements(name, field, bodies)
        check_axles(field, group, bodies, axles)
        elements.extend(group)
    start = [
        _start(name, field, bodies)
        for name, field in record.named("start", {}).items()
        if is_known(record, field.position, name, bodies)
    ]
    track = track_under(record.record("track", None), folder)
    record.close()
    record.problems.raise_any()
    free = tuple(body for body in bodies.values() if not body.welded)
    welds = tuple(body for body in bodies.values() if body.welded)
    radius, spacing, profile, smoothing = wheels
    return Vehicle(
        title, radius, spacing, profile, free, tuple(elements), tuple(wheelsets), welds,
        tuple(start), smoothing, track,
    )  # fmt: skip


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
    rides, welded = record.text("rides", ""), record.text("welded", "")
    record.close()
    return Body(name, mass, inertia, position, rides, welded)


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
    if _off_axis(body, bodies[body.rides]):
        message = f"{body.name} lies at x = {at[0]:g} m, z = {at[2]:g} m; expected a position "
        message += f"on the axis of {body.rides}, x = {axle[0]:g} m and z = {axle[2]:g} m"
        record.problems.add(record.position_of("place"), message)


def _check_weld(record: DataRecord, body: Body, bodies: dict[str, Body], axles: list[str]) -> None:
    """Adds a problem for a body that cannot be welded to what it names."""
    if not body.welded:
        return
    where = record.position_of("welded")
    if not is_known(record, where, body.welded, bodies):
        return
    host = bodies[body.welded]
    if body.name in axles or body.rides:
        message = f"{body.name} is welded to {host.name}, but is a wheelset or rides on one; "
        record.problems.add(where, message + "leave `welded` out")
    elif host.welded or host.rides or host is body:
        what = "itself" if host is body else f"{host.name}, which is welded or rides itself"
        message = f"{body.name} is welded to {what}; expected a body that moves on its own"
        record.problems.add(where, message)
    elif host.name in axles and _off_axis(body, host):
        message = f"{body.name} is welded to the wheelset {host.name} off its axis, where it would "
        message += f"be out of balance; expected x = {host.place[0]:g} m, z = {host.place[2]:g} m"
        record.problems.add(record.position_of("place"), message)


def _off_axis(body: Body, axle: Body) -> bool:
    return (body.place[0], body.place[2]) != (axle.place[0], axle.place[2])


def _start(name: str, record: DataRecord, bodies: dict[str, Body]) -> StartState:
    """The start state of a body."""
    given = {key for _, keys in START.values() for key in keys if key in record}
    body = bodies[name]
    values: dict[str, Triple] = {}
    for field, (unit, (a, b, c)) in START.items():
        x, y, z = (record.number(key, unit, 0.0) for key in (a, b, c))
        values[field] = x, y, z
    record.close()
    if body.welded:
        message = f"{name} is welded to {body.welded}; give the start of that body"
        record.problems.add(record.position, message)
    if body.rides and not given <= OF_RIDERS:
        message = f"{name} rides on {body.rides}: of its own it has pitch and omega_y; give "
        message += f"{', '.join(sorted(given - OF_RIDERS))} of that wheelset"
        record.problems.add(record.position, message)
    return StartState(name, **values)
