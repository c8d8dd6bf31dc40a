"""Energy and power of a vehicle on a line: what bodies, springs and contacts store, take and give.

With E the energy of bodies and springs, and P powers,

    E' = P_drives - P_dampers - P_creep - P_normal - P_track               (1)
    P_drives = sum of C e_y . (omega_w - omega_b)                          (2)

with P_creep and P_normal of `contact_power.py`, and of rails that give E and P_track as in
`moving_rails.py`. Along the line rails lie still, also where they are irregular or cant grows: what
lifts the vehicle there is taken from its speed.
"""

from railblocks.blocks.rail.multibody.wheeled import (
    drive_power,
    heat_of_dampers,
    stored_energies,
    wheel_powers,
)
from railblocks.blocks.rail.vehicle.moving_rails import energy_of_rails, heat_of_rails
from railblocks.blocks.rail.vehicle.rails import motion_on_rail
from railblocks.engine.declaration import Out, out


class VehiclePower:
    """Outputs of energy and power; what nobody logs or wires is not computed."""

    energies = Out("J", "energy of bodies, springs, contacts and track", shape=(4,))
    powers = Out("W", "of drives; to dampers, creep, normal contact, track", shape=(5,))

    @out("energies")
    def store(q, world, contacts, E_star, tables, bed, energies):
        energies[0], energies[1], energies[2] = stored_energies(world, tables, contacts, E_star)
        energies[3] = energy_of_rails(q, tables.axles, bed)

    @out("powers")
    def balance(q, world, ground, contacts, C, tables, bed, powers):
        powers[0] = drive_power(world, tables, C)  # (2)
        powers[1] = heat_of_dampers(world, tables)
        powers[2], powers[3] = wheel_powers(motion_on_rail, ground, q, tables, contacts)
        powers[4] = heat_of_rails(q, tables.axles, bed)
