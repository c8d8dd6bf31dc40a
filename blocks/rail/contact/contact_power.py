"""Kernels of the energy that contacts store and the power that they take.

    P_creep = -sum of T_x v_x + T_y v_y + M_sp omega_n,  P_normal = sum of N delta'       (1)

for any profiles and laws, with the velocities of `contact_motion.py`, not from creepages. What
normal forces take is stored in the contacts,

    E_c = 2/5 K_h delta^2.5  in a point                                    (2)

as far as stiffness stays the same; the rest is damping, and the work by which Hertz's stiffness
changes when a contact wanders to other curvatures: it is not a potential there.
"""

from railblocks.blocks.rail.contact.contact_motion import sliding
from railblocks.blocks.rail.contact.geometry.contacts import HALF_LENGTH, A, B
from railblocks.blocks.rail.contact.normal.hertz import hertz_constants
from railblocks.blocks.rail.contact.normal.line import line_energy
from railblocks.blocks.rail.contact.wheel_forces import DELTA, LOAD, M_SP, SEMI_A, T_X, T_Y


def contact_energy(contacts, E_star):
    """Energy (2) of all contacts of a wheel; the approach is the one of its load."""
    total = 0.0
    for i in range(len(contacts)):
        if contacts[i, HALF_LENGTH] > 0.0 and contacts[i, LOAD] > 0.0:
            L = contacts[i, HALF_LENGTH]
            total += line_energy(contacts[i, DELTA], contacts[i, A], L, E_star)
        elif contacts[i, SEMI_A] > 0.0:
            k, c_x, _ = hertz_constants(contacts[i, A], contacts[i, B])
            root = contacts[i, SEMI_A] / c_x
            delta = root * root
            total += 0.4 * E_star * k * delta * delta * root  # (2)
    return total


def contact_powers(axle, contacts):
    """Powers (1) of all contacts of a wheel: of creep and of normal forces."""
    creep, normal = 0.0, 0.0
    for i in range(len(contacts)):
        if contacts[i, LOAD] > 0.0:
            approaching, v_x, v_y, omega_n = sliding(contacts, i, axle)
            T_x, T_y, M_sp = contacts[i, T_X], contacts[i, T_Y], contacts[i, M_SP]
            creep -= T_x * v_x + T_y * v_y + M_sp * omega_n  # (1)
            normal += contacts[i, LOAD] * approaching
    return creep, normal
