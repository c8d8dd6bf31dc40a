"""Energy and power of the MDM rig: what its bodies, springs and contacts store, take and give.

With E the energy of bodies, rollers and springs, and P powers,

    E' = P_motors + P_rollers - P_dampers - P_creep - P_normal             (1)
    P_motors = sum of C_S e_y . (omega_w - reaction omega_b),  P_rollers = sum of u Omega   (2)
    P_creep = -sum of T_x v_x + T_y v_y + M_sp omega_n,  P_normal = sum of N delta'       (3)

for any profiles and laws. Velocities are those of `wheel_forces.py`, taken here from the states and
the contact points, not from creepages. What normal forces take is stored in the contacts,

    E_c = 2/5 K_h delta^2.5  in a point                                    (4)

as far as stiffness stays the same; the rest is damping, and the work by which Hertz's stiffness
changes when a contact wanders to other curvatures: it is no potential there.
"""

import math

from railblocks.blocks.rail.geometry.contacts import HALF_LENGTH, N_X, N_Y, N_Z, P_X, P_Y, P_Z, A, B
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
from railblocks.blocks.rail.normal.hertz import hertz_constants
from railblocks.blocks.rail.normal.line import line_energy
from railblocks.blocks.rail.rig_tables import BOGIE, SPEED
from railblocks.blocks.rail.wheel_forces import DELTA, LOAD, M_SP, SEMI_A, T_X, T_Y
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
            creep, normal = contact_powers(q, k // 2, a if k < 2 else -a, contacts[k])
            powers[3] += creep
            powers[4] += normal


def contact_energy(found, E_star):
    """(4) of all contacts of a wheel; the approach is the one that the load was taken for."""
    total = 0.0
    for i in range(len(found)):
        if found[i, HALF_LENGTH] > 0.0 and found[i, LOAD] > 0.0:
            total += line_energy(found[i, DELTA], found[i, A], found[i, HALF_LENGTH], E_star)
        elif found[i, SEMI_A] > 0.0:
            k, c_x, _ = hertz_constants(found[i, A], found[i, B])
            root = found[i, SEMI_A] / c_x
            delta = root * root
            total += 0.4 * E_star * k * delta * delta * root  # (4)
    return total


def contact_powers(q, axle, x, found):
    """(3) of all contacts of a wheel, on a roller with its axis at x: creep, normal forces."""
    o = STATES * axle
    Omega = q[SPEED + axle]
    omega = turned(axes(q, axle), q[o + W_X], q[o + W_Y], q[o + W_Z])
    creep, normal = 0.0, 0.0
    for i in range(len(found)):
        if found[i, LOAD] > 0.0:
            n_x, n_y, n_z = found[i, N_X], found[i, N_Y], found[i, N_Z]
            p_x, p_y, p_z = found[i, P_X], found[i, P_Y], found[i, P_Z]
            r_x, r_y, r_z = p_x - (q[o + X] - x), p_y - q[o + Y], p_z - q[o + Z]
            d_x = q[o + V_X] + omega[1] * r_z - omega[2] * r_y - Omega * p_z
            d_y = q[o + V_Y] + omega[2] * r_x - omega[0] * r_z
            d_z = q[o + V_Z] + omega[0] * r_y - omega[1] * r_x + Omega * p_x
            level = math.sqrt(n_x * n_x + n_z * n_z)
            v_x = (d_x * n_z - d_z * n_x) / level
            v_y = d_y * level - n_y * (d_x * n_x + d_z * n_z) / level
            omega_n = omega[0] * n_x + (omega[1] - Omega) * n_y + omega[2] * n_z
            creep -= found[i, T_X] * v_x + found[i, T_Y] * v_y + found[i, M_SP] * omega_n  # (3)
            normal -= found[i, LOAD] * (d_x * n_x + d_y * n_y + d_z * n_z)
    return creep, normal
