"""Outputs of a vehicle by the names in its file, and how a run ends when it leaves the rails."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

from railblocks.blocks.rail.multibody.bodies import STATES, V_X, V_Y, V_Z, Y, back
from railblocks.blocks.rail.vehicle.description import Vehicle
from railblocks.blocks.rail.vehicle.files import vehicle_named
from railblocks.blocks.rail.vehicle.frames import row_axes
from railblocks.engine.declaration import Out, guard, out
from railblocks.engine.errors import DiagramError, suggestion

MAX_SPEED_ACROSS = 10.0
"""Speed of an axle across the track, in m/s, that only a wrong integration has: one that fell from
2 m has 6 m/s, and one that climbs a flange a tenth of its speed."""
BODY = {
    "s": ("m", "position along the line"),
    "y": ("m", "position to the left of the middle of the track"),
    "z": ("m", "height above the rails"),
    "roll": ("rad", "roll against the rails, left side up"),
    "pitch": ("rad", "pitch in space, front down"),
    "yaw": ("rad", "yaw against the rails"),
    "v_x": ("m/s", "velocity along the rails"),
    "v_y": ("m/s", "velocity to the left"),
    "v_z": ("m/s", "velocity upwards"),
    "omega_x": ("rad/s", "angular velocity in space, forward"),
    "omega_y": ("rad/s", "angular velocity in space, to the left"),
    "omega_z": ("rad/s", "angular velocity in space, upwards"),
    "a_x": ("m/s^2", "acceleration of its centre along the rails, without gravity"),
    "a_y": ("m/s^2", "acceleration of its centre to the left, without gravity"),
    "a_z": ("m/s^2", "acceleration of its centre upwards, without gravity"),
}
"""Unit and meaning of each number in a row of `motions`; the rails are those of the line, without
its irregularities. A passenger at a position r from the centre also feels alpha x r and g roll."""
ELEMENT = {
    "F_x": ("N", "force on the first body, forward"),
    "F_y": ("N", "force on the first body, to the left"),
    "F_z": ("N", "force on the first body, upwards"),
    "d_x": ("m", "displacement forward"),
    "d_y": ("m", "displacement to the left"),
    "d_z": ("m", "displacement upwards"),
}
"""Unit and meaning of each number in a row of `forces`."""


def watched(values: Mapping[str, Any]) -> dict[str, Any]:
    """Outputs of the bodies and elements that are watched, and guards of all wheels."""
    try:
        vehicle = vehicle_named(values["vehicle"])
    except DiagramError:
        return {}
    bodies, elements = _rows(vehicle)
    members: dict[str, Any] = {}
    for name in names_in(values["watch"]):
        if name in bodies:
            members |= _outputs(name, BODY) | {f"show_{name}": body_row(name, bodies[name])}
        elif name in elements:
            members |= _outputs(name, ELEMENT) | {f"show_{name}": element_row(name, elements[name])}
    for number, wheelset in enumerate(vehicle.wheelsets):
        body = vehicle.index(wheelset.body)
        for side, sign in (("left", 1.0), ("right", -1.0)):
            name = f"{side}_wheel_{number + 1}"
            members[f"{name}_derails"] = off_the_rail(wheelset.body, side, sign, body, number)
        members[f"axle_{number + 1}_runs_away"] = too_fast(wheelset.body, body, number)
    return members


def unknown(text: str, vehicle: Vehicle) -> str | None:
    """What is wrong with the names to watch, or None."""
    bodies, elements = _rows(vehicle)
    known = [*bodies, *elements]
    for name in names_in(text):
        if name not in known:
            return (
                f"watch: '{name}' is neither a body nor an element of {vehicle.title}"
                f"{suggestion(name, known)}; known are {', '.join(known)}"
            )
    return None


def names_in(text: str) -> list[str]:
    """The names of a list with commas, each once."""
    return list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _rows(vehicle: Vehicle) -> tuple[dict[str, int], dict[str, int]]:
    bodies = {body.name: k for k, body in enumerate((*vehicle.bodies, *vehicle.welds))}
    return bodies, {element.name: k for k, element in enumerate(vehicle.elements)}


def _outputs(name: str, numbers: Mapping[str, tuple[str, str]]) -> dict[str, Out]:
    return {
        f"{name}_{key}": Out(unit, f"{meaning}, of {name}")
        for key, (unit, meaning) in numbers.items()
    }


@cache
def body_row(name, body):
    """The equation of a body's outputs."""

    @out(*(f"{name}_{key}" for key in BODY))
    def row(motions):
        return (
            motions[body, 0], motions[body, 1], motions[body, 2], motions[body, 3],
            motions[body, 4], motions[body, 5], motions[body, 6], motions[body, 7],
            motions[body, 8], motions[body, 9], motions[body, 10], motions[body, 11],
            motions[body, 12], motions[body, 13], motions[body, 14],
        )  # fmt: skip

    return row


@cache
def element_row(name, element):
    """The equation of an element's outputs."""

    @out(*(f"{name}_{key}" for key in ELEMENT))
    def row(forces):
        return (
            forces[element, 0], forces[element, 1], forces[element, 2],
            forces[element, 3], forces[element, 4], forces[element, 5],
        )  # fmt: skip

    return row


@cache
def off_the_rail(axle, side, sign, body, number):
    """The guard of a wheel that climbs its rail and leaves it."""
    position = STATES * body + Y
    message = (
        f"the {side} wheel of {axle} has left the rail at s = {{s[{number}]:.2f}} m, shifted by "
        f"{{y[{number}]:.4f}} m; look at ratio and Q before, or give another `derailed`"
    )

    @guard(f"{side}_{number + 1}", action="fail", message=message)
    def leaves(q, frames, derailed):
        if speed_across(q, frames, body) > MAX_SPEED_ACROSS:
            return -derailed
        return sign * q[position] - derailed

    return leaves


@cache
def too_fast(axle, body, number):
    """The guard of an axle that no force could have made so fast: the solver's steps are wrong."""
    message = (
        f"{axle} moves across the track faster than {MAX_SPEED_ACROSS:g} m/s: no wheel does, the "
        "solver's steps are too large for contacts; give a smaller `step`, or a solver that "
        "chooses its own steps, such as ode45"
    )

    @guard(f"too_fast_{number + 1}", action="fail", message=message)
    def runs_away(q, frames):
        return speed_across(q, frames, body) - MAX_SPEED_ACROSS

    return runs_away


def speed_across(q, frames, body):
    """Speed of a body across the rails that it is over."""
    o = STATES * body
    _, y, z = back(row_axes(frames, body), q[o + V_X], q[o + V_Y], q[o + V_Z])
    return math.sqrt(y * y + z * z)
