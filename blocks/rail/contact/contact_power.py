"""Kernels of what contacts store and take.

    P_creep = -sum of T_x v_x + T_y v_y + M_sp omega_n,  P_normal = sum of N delta'       (1)

for any profiles and laws, with the velocities of `contact_motion.py`, not from creepages. What
normal forces take is stored in the contacts,

    E_c = 2/5 K_h delta^2.5  in a point                                    (2)

as far as stiffness stays the same; the rest is damping, and the work by which Hertz's stiffness
changes when a contact wanders to other curvatures: it is no potential there.
"""

from railblocks.blocks.rail.contact.contact_motion import sliding
from railblocks.blocks.rail.contact.geometry.contacts import HALF_LENGTH, A, B
from railblocks.blocks.rail.contact.normal.hertz import hertz_constants
from railblocks.blocks.rail.contact.normal.line import line_energy
from railblocks.blocks.rail.contact.wheel_forces import DELTA, LOAD, M_SP, SEMI_A, T_X, T_Y


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
            approaching, v_x, v_y, omega_n = sliding(found, i, G, v, omega, Omega)
            creep -= found[i, T_X] * v_x + found[i, T_Y] * v_y + found[i, M_SP] * omega_n  # (1)
            normal += found[i, LOAD] * approaching
    return creep, normal
