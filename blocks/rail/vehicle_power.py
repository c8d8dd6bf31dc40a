"""Energy and power of a vehicle on a line: what bodies, springs and contacts store, take and give.

With E the energy of bodies and springs, and P powers,

    E' = P_drives + P_rails - P_dampers - P_creep - P_normal               (1)
    P_drives = sum of C e_y . (omega_w - omega_b)                          (2)
    P_rails = sum of F . v_rail + M . omega_rail                           (3)

with P_creep and P_normal of `contact_power.py`. Where irregularities put a rail off its place, or
cant grows, rails move towards the wheels and are not turned (`vehicle_contacts.py`): so what lifts
the vehicle there is not taken from its speed, but is the work of (3).
"""

from railblocks.blocks.rail.contact_power import contact_energy, contact_powers
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
from railblocks.blocks.rail.vehicle_contacts import pose_on_rail
from railblocks.engine.declaration import Out, out


class VehiclePower:
    """Outputs of energy and power; what nobody logs or wires is not computed."""

    energies = Out("J", "energy of bodies, springs and contacts", shape=(3,))
    powers = Out("W", "of drives, moved rails; to dampers, creep, normal contact", shape=(5,))

    @out("energies")
    def store(world, contacts, E_star, g, bodies, elements, stop, energies):
        energies[0] = energy(bodies, g, world)
        energies[1] = elastic_energy(world, bodies, elements, stop)
        energies[2] = 0.0
        for k in range(len(contacts)):
            energies[2] += contact_energy(contacts[k], E_star)

    @out("powers")
    def balance(q, world, frames, axles, contacts, loads, C, deviations, bodies, elements, powers):
        for k in range(len(powers)):
            powers[k] = 0.0
        for axle in range(len(axles)):
            body, frame = int(axles[axle, 0]), int(axles[axle, 1])
            powers[0] += C[axle] * turning(world, body, frame, bodies[frame, AXLE] > 0.0)  # (2)
            for k in range(2 * axle, 2 * axle + 2):
                side = 1.0 if k % 2 == 0 else -1.0
                G, _, _, v, omega, rail, roll = pose_on_rail(q, frames, body, side, deviations)
                lift = loads[k, 1] * rail[1] + loads[k, 2] * rail[2]
                powers[1] += lift + loads[k, 3] * roll  # (3)
                creep, normal = contact_powers(G, v, omega, 0.0, contacts[k])
                powers[3] += creep
                powers[4] += normal
        powers[2] = damping_power(world, bodies, elements)


def turning(world, body, frame, is_axle):
    """How fast an axle turns about its axis against what its drive is mounted on."""
    _, w = mounting(world, frame, is_axle)
    along = turned(axes(world, body), 0.0, 1.0, 0.0)
    held = along[0] * w[0] + along[1] * w[1] + along[2] * w[2]
    return world[STATES * body + W_Y] - held
