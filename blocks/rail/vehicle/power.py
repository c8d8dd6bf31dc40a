"""Energy and power of a vehicle on a line: what bodies, springs and contacts store, take and give.

With E the energy of bodies and springs, and P powers,

    E' = P_drives - P_dampers - P_creep - P_normal                         (1)
    P_drives = sum of C e_y . (omega_w - omega_b)                          (2)

with P_creep and P_normal of `contact_power.py`. Rails lie still, also where they are irregular or
cant grows: what lifts the vehicle there is taken from its speed.
"""

from railblocks.blocks.rail.contact.contact_power import contact_energy, contact_powers
from railblocks.blocks.rail.multibody.bodies import (
    AXLE,
    STATES,
    W_Y,
    axes,
    energy,
    mounting,
    turned,
)
from railblocks.blocks.rail.multibody.elements import damping_power, elastic_energy
from railblocks.blocks.rail.vehicle.rails import pose_on_rail
from railblocks.engine.declaration import Out, out


class VehiclePower:
    """Outputs of energy and power; what nobody logs or wires is not computed."""

    energies = Out("J", "energy of bodies, springs and contacts", shape=(3,))
    powers = Out("W", "of drives; to dampers, creep, normal contact", shape=(4,))

    @out("energies")
    def store(world, contacts, E_star, g, bodies, elements, stop, energies):
        energies[0] = energy(bodies, g, world)
        energies[1] = elastic_energy(world, bodies, elements, stop)
        energies[2] = 0.0
        for k in range(len(contacts)):
            energies[2] += contact_energy(contacts[k], E_star)

    @out("powers")
    def balance(q, world, frames, rails, axles, contacts, C, bodies, elements, powers):
        for k in range(len(powers)):
            powers[k] = 0.0
        for axle in range(len(axles)):
            body, frame = int(axles[axle, 0]), int(axles[axle, 1])
            powers[0] += C[axle] * turning(world, body, frame, bodies[frame, AXLE] > 0.0)  # (2)
            for k in range(2 * axle, 2 * axle + 2):
                G, _, _, v, omega = pose_on_rail(q, frames, rails, body, k)
                creep, normal = contact_powers(G, v, omega, 0.0, contacts[k])
                powers[2] += creep
                powers[3] += normal
        powers[1] = damping_power(world, bodies, elements)


def turning(world, body, frame, is_axle):
    """How fast an axle turns about its axis against what its drive is mounted on."""
    _, w = mounting(world, frame, is_axle)
    along = turned(axes(world, body), 0.0, 1.0, 0.0)
    held = along[0] * w[0] + along[1] * w[1] + along[2] * w[2]
    return world[STATES * body + W_Y] - held
