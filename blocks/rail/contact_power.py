"""Kernels of what contacts store and take.

    P_creep = -sum of T_x v_x + T_y v_y + M_sp omega_n,  P_normal = sum of N delta'       (1)

for any profiles and laws. Velocities are those of `wheel_forces.py`, taken here from the motion and
the contact points, not from creepages. What normal forces take is stored in the contacts,

    E_c = 2/5 K_h delta^2.5  in a point                                    (2)

as far as stiffness stays the same; the rest is damping, and the work by which Hertz's stiffness
changes when a contact wanders to other curvatures: it is no potential there.
"""

import math

from railblocks.blocks.rail.geometry.contacts import HALF_LENGTH, N_X, N_Y, N_Z, P_X, P_Y, P_Z, A, B
from railblocks.blocks.rail.normal.hertz import hertz_constants
from railblocks.blocks.rail.normal.line import line_energy
from railblocks.blocks.rail.wheel_forces import DELTA, LOAD, M_SP, SEMI_A, T_X, T_Y


def contact_energy(found, E_star):
    """(2) of all contacts of a wheel; the approach is the one that the load was taken for."""
    total = 0.0
    for i in range(len(found)):
        if found[i, HALF_LENGTH] > 0.0 and found[i, LOAD] > 0.0:
            total += line_energy(found[i, DELTA], found[i, A], found[i, HALF_LENGTH], E_star)
        elif found[i, SEMI_A] > 0.0:
            k, c_x, _ = hertz_constants(found[i, A], found[i, B])
            root = found[i, SEMI_A] / c_x
            delta = root * root
            total += 0.4 * E_star * k * delta * delta * root  # (2)
    return total


def contact_powers(G, v, omega, Omega, found):
    """(1) of all contacts of a wheel, Omega being the speed of a roller: creep, normal forces."""
    creep, normal = 0.0, 0.0
    for i in range(len(found)):
        if found[i, LOAD] > 0.0:
            n_x, n_y, n_z = found[i, N_X], found[i, N_Y], found[i, N_Z]
            p_x, p_y, p_z = found[i, P_X], found[i, P_Y], found[i, P_Z]
            r_x, r_y, r_z = p_x - G[0], p_y - G[1], p_z - G[2]
            d_x = v[0] + omega[1] * r_z - omega[2] * r_y - Omega * p_z
            d_y = v[1] + omega[2] * r_x - omega[0] * r_z
            d_z = v[2] + omega[0] * r_y - omega[1] * r_x + Omega * p_x
            level = math.sqrt(n_x * n_x + n_z * n_z)
            v_x = (d_x * n_z - d_z * n_x) / level
            v_y = d_y * level - n_y * (d_x * n_x + d_z * n_z) / level
            omega_n = omega[0] * n_x + (omega[1] - Omega) * n_y + omega[2] * n_z
            creep -= found[i, T_X] * v_x + found[i, T_Y] * v_y + found[i, M_SP] * omega_n  # (1)
            normal -= found[i, LOAD] * (d_x * n_x + d_y * n_y + d_z * n_z)
    return creep, normal
