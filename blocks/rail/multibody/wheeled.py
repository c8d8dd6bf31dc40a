"""Kernels of bodies on wheels: rates, energy and power, whatever is under the wheels.

A vehicle is tables of bodies, force elements, curves and axles. Its wheels stand on a ground, which
is rails along a line (`vehicle/rails.py`) or rollers (`rig/rollers.py`). A ground is a record with
two functions:

    motion_on(ground, q, body, wheel)          `AxleMotion` in the axes of what is under a wheel
    in_space(ground, body, wheel, x, y, z)     a vector in space, from its coordinates in these axes

Wheels are numbered from the first axle on, left before right. From the motion of an axle on, wheels
on rails and on rollers are the same (`contact/touching.py`). With P_drives the power of torques C
that act between an axle and what holds its drive, which takes the part `share` of them,

    P_drives = sum of C e_y . (omega_w - share omega_b)                    (1)
"""

from typing import Any, NamedTuple

from railblocks.blocks.rail.contact.contact_power import contact_energy, contact_powers

from .bodies import (
    AXLE,
    STATES,
    W_Y,
    accelerate,
    add_load,
    axes,
    clear_loads,
    energy,
    mounting,
    turned,
)
from .elements import add_elements, damping_power, elastic_energy
from .riders import hand_over

BODY, HOLDER, SHARE = range(3)
AXLE_COLUMNS = 3
"""Columns of the table of axles: body of the axle, body that holds its drive, and the part of the
drive's torque that this one takes."""


class Tables(NamedTuple):
    """What a vehicle is made of; `bodies.py`, `elements.py` and this file have the columns."""

    bodies: Any
    elements: Any
    curves: Any
    """Points of bump-stops and dampers."""
    axles: Any
    g: float
    """Gravity."""


def add_rates(in_space, ground, world, tables, loads, C, rates):
    """Rates of all bodies in space, from gravity, suspension, wheels and torques on the axles.

    `loads` are force and moment of each wheel in the axes of what is under it.
    """
    clear_loads(tables.bodies, tables.g, world, rates)
    add_elements(world, tables.bodies, tables.elements, tables.curves, rates)
    none = (0.0, 0.0, 0.0)
    for axle in range(len(tables.axles)):
        body, holder = int(tables.axles[axle, BODY]), int(tables.axles[axle, HOLDER])
        share = tables.axles[axle, SHARE]
        for wheel in range(2 * axle, 2 * axle + 2):
            F = in_space(ground, body, wheel, loads[wheel, 0], loads[wheel, 1], loads[wheel, 2])
            M = in_space(ground, body, wheel, loads[wheel, 3], loads[wheel, 4], loads[wheel, 5])
            add_load(rates, body, F, none, M)
        drive = turned(axes(world, body), 0.0, C[axle], 0.0)
        add_load(rates, body, none, none, drive)
        reaction = (-share * drive[0], -share * drive[1], -share * drive[2])
        add_load(rates, holder, none, none, reaction)
    hand_over(tables.bodies, world, rates)
    accelerate(tables.bodies, world, rates)


def stored_energies(world, tables, contacts, E_star):
    """Energy of bodies with gravity, of springs and stops, and of contacts."""
    pressed = 0.0
    for wheel in range(len(contacts)):
        pressed += contact_energy(contacts[wheel], E_star)
    return (
        energy(tables.bodies, tables.g, world),
        elastic_energy(world, tables.bodies, tables.elements, tables.curves),
        pressed,
    )


def drive_power(world, tables, C):
    """Power of the torques on the axles, of (1)."""
    total = 0.0
    for axle in range(len(tables.axles)):
        body, holder = int(tables.axles[axle, BODY]), int(tables.axles[axle, HOLDER])
        _, w = mounting(world, holder, tables.bodies[holder, AXLE] > 0.0)
        along = turned(axes(world, body), 0.0, 1.0, 0.0)
        held = along[0] * w[0] + along[1] * w[1] + along[2] * w[2]
        total += C[axle] * (world[STATES * body + W_Y] - tables.axles[axle, SHARE] * held)  # (1)
    return total


def heat_of_dampers(world, tables):
    """Power that the dampers of all elements take."""
    return damping_power(world, tables.bodies, tables.elements, tables.curves)


def wheel_powers(motion_on, ground, q, tables, contacts):
    """Powers that all contacts take by creep and by normal forces."""
    creep, normal = 0.0, 0.0
    for wheel in range(len(contacts)):
        body = int(tables.axles[wheel // 2, BODY])
        by_creep, by_normal = contact_powers(motion_on(ground, q, body, wheel), contacts[wheel])
        creep += by_creep
        normal += by_normal
    return creep, normal
