"""Energy and power of the MDM rig: what its bodies, springs and contacts store, take and give.

With E the energy of bodies, rollers and springs, and P powers,

    E' = P_motors + P_rollers - P_dampers - P_creep - P_normal             (1)
    P_motors = sum of C_S e_y . (omega_w - reaction omega_b),  P_rollers = sum of u Omega   (2)

with P_creep and P_normal of `contact_power.py`.
"""

from railblocks.blocks.rail.contact.contact_power import contact_energy, contact_powers
from railblocks.blocks.rail.multibody.bodies import (
    STATES,
    V_X,
    V_Y,
    V_Z,
    W_X,
    W_Y,
    W_Z,
    X,
    Y,
    Z,
    axes,
    energy,
    mounting,
    turned,
)
from railblocks.blocks.rail.multibody.elements import damping_power, elastic_energy
from railblocks.blocks.rail.rig.tables import BOGIE, SPEED
from railblocks.engine.declaration import Out, out


class RigPower:
    """Outputs of energy and power; what nobody logs or wires is not computed."""

    energies = Out("J", "energy of bodies, rollers, springs and contacts", shape=(4,))
    powers = Out("W", "of motors, rollers; to dampers, creep, normal contact", shape=(5,))

    @out("energies")
    def store(q, contacts, E_star, J_r, g, bodies, elements, stop, energies):
        energies[0] = energy(bodies, g, q)
        energies[1] = 0.5 * J_r * (q[SPEED] * q[SPEED] + q[SPEED + 1] * q[SPEED + 1])
        energies[2] = elastic_energy(q, bodies, elements, stop)
        energies[3] = 0.0
        for k in range(len(contacts)):
            energies[3] += contact_energy(contacts[k], E_star)

    @out("powers")
    def balance(q, contacts, C_S, u, a, reaction, bodies, elements, powers):
        powers[0], powers[1] = 0.0, 0.0
        _, w_b = mounting(q, BOGIE, False)
        for axle in range(2):
            o = STATES * axle
            along = turned(axes(q, axle), 0.0, 1.0, 0.0)
            held = along[0] * w_b[0] + along[1] * w_b[1] + along[2] * w_b[2]
            powers[0] += C_S[axle] * (q[o + W_Y] - reaction * held)  # (2)
            powers[1] += u[axle] * q[SPEED + axle]
        powers[2] = damping_power(q, bodies, elements)
        powers[3], powers[4] = 0.0, 0.0
        for k in range(len(contacts)):
            creep, normal = axle_powers(q, k // 2, a if k < 2 else -a, contacts[k])
            powers[3] += creep
            powers[4] += normal


def axle_powers(q, axle, x, found):
    """Powers of all contacts of a wheel, on a roller with its axis at x: creep, normal forces."""
    o = STATES * axle
    G = (q[o + X] - x, q[o + Y], q[o + Z])
    v = (q[o + V_X], q[o + V_Y], q[o + V_Z])
    omega = turned(axes(q, axle), q[o + W_X], q[o + W_Y], q[o + W_Z])
    return contact_powers(G, v, omega, q[SPEED + axle], found)
