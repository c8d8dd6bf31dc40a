"""Energy and power of the MDM rig: what its bodies, springs and contacts store, take and give.

With E the energy of bodies, rollers and springs, and P powers,

    E' = P_motors + P_rollers - P_dampers - P_creep - P_normal             (1)
    P_motors = sum of C_S e_y . (omega_w - reaction omega_b),  P_rollers = sum of u Omega   (2)

with P_creep and P_normal of `contact_power.py`.
"""

from railblocks.blocks.rail.multibody.wheeled import (
    drive_power,
    heat_of_dampers,
    stored_energies,
    wheel_powers,
)
from railblocks.blocks.rail.rig.rollers import (
    energy_of_rollers,
    motion_on_roller,
    power_of_rollers,
)
from railblocks.engine.declaration import Out, out


class RigPower:
    """Outputs of energy and power; what nobody logs or wires is not computed."""

    energies = Out("J", "energy of bodies, rollers, springs and contacts", shape=(4,))
    powers = Out("W", "of motors, rollers; to dampers, creep, normal contact", shape=(5,))

    @out("energies")
    def store(q, contacts, E_star, rollers, tables, energies):
        energies[0], energies[2], energies[3] = stored_energies(q, tables, contacts, E_star)
        energies[1] = energy_of_rollers(rollers, q)

    @out("powers")
    def balance(q, contacts, C_S, u, rollers, tables, powers):
        powers[0] = drive_power(q, tables, C_S)  # (2)
        powers[1] = power_of_rollers(q, u)  # (2)
        powers[2] = heat_of_dampers(q, tables)
        powers[3], powers[4] = wheel_powers(motion_on_roller, rollers, q, tables, contacts)
