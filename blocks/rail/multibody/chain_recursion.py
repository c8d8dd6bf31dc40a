"""Accelerations of chains and trees without their inertia matrix, in steps that grow with n.

Of GIM = U D U^T only what a joint hands to its carrier is formed. From the last link to the first,
with the mass M^_i that a link has where all joints behind it may move, and the wrench eta_i,

    psi_i = M^_i p_i,   d_i = p_i^T psi_i,   phi_i = tau_i - p_i^T eta_i                  (1)
    M^_b += B_i^T (M^_i - psi_i psi_i^T / d_i) B_i                         (2)
    eta_b += B_i^T (eta_i + psi_i phi_i / d_i)

beginning with M^_i = M_i and eta_i = M_i t_i' + W_i M_i t_i - (0, m_i g) - w_i, in which theta'' is
0 and w_i acts from outside; b carries i. Then from the first link to the last

    theta_i'' = (phi_i - psi_i^T B_i mu_b) / d_i,   mu_i = B_i mu_b + p_i theta_i''       (3)

d_i are the entries of D. Source: S. K. Saha, Dynamics of serial multibody systems using the
decoupled natural orthogonal complement matrices (1999), for branches as Shah, Saha and Dutt,
Dynamics of tree-type robotic systems (2013), have it.
"""

from .bodies import cross
from .chain import MOTION, P, W, carrier, dot, origin, plus, reach, store, times, vector
from .chain_dynamics import add_carried, add_wrench, at, moved, own_mass, own_wrench

PSI, D, PHI, MU = MOTION, MOTION + 6, MOTION + 7, MOTION + 8
RECURSION = MOTION + 14
"""Columns of the table of the recursion: those of motions, then psi, d, phi and mu."""


def forward_dynamics(links, g, tau, loaded, w, motion, table, theta_ddot):
    """Accelerations of all joints, from motions with t' for theta'' = 0, and w on loaded links."""
    for i in range(len(links)):
        begin(links, g, motion, table, i)
    for k in range(len(loaded)):
        push(table, int(loaded[k]), w, k)
    for i in range(len(links) - 1, -1, -1):
        project(tau, table, i)  # (1)
        b = carrier(links, i)
        if b >= 0:
            hand_to_carrier(table, b, i)  # (2)
    for i in range(len(links)):
        theta_ddot[i] = answer(table, carrier(links, i), i)  # (3)


def begin(links, g, motion, table, i):
    """Motion, mass and wrench of a link alone."""
    for k in range(W):
        table[i, k] = motion[i, k]
    own_mass(links, table, i)
    n, f = own_wrench(links, g, table, i)
    store(table, i, W, n)
    store(table, i, W + 3, f)


def push(table, i, w, k):
    """Takes row k of w from the wrench that link i needs."""
    for column in range(6):
        table[i, W + column] -= w[k, column]


def project(tau, table, i):
    """psi, d and phi of a joint."""
    p, p_v = vector(table, i, P), vector(table, i, P + 3)
    n, f = moved(table, i, 0, p, p_v), moved(table, i, 3, p, p_v)
    store(table, i, PSI, n)
    store(table, i, PSI + 3, f)
    table[i, D] = dot(p, n) + dot(p_v, f)
    table[i, PHI] = tau[i] - dot(p, vector(table, i, W)) - dot(p_v, vector(table, i, W + 3))


def hand_to_carrier(table, b, i):
    """What the carrier b feels of link i: its mass and wrench, less what the joint lets go."""
    for row in range(6):
        for column in range(6):
            table[i, at(row, column)] -= table[i, PSI + row] * table[i, PSI + column] / table[i, D]
    add_carried(table, b, i)
    part = table[i, PHI] / table[i, D]
    n = plus(vector(table, i, W), times(vector(table, i, PSI), part))
    f = plus(vector(table, i, W + 3), times(vector(table, i, PSI + 3), part))
    add_wrench(table, b, i, n, f)


def answer(table, b, i):
    """theta'' of a joint, and mu of its link."""
    turn = origin(table, b, MU)
    slide = plus(origin(table, b, MU + 3), cross(turn, reach(table, b, i)))
    felt = dot(vector(table, i, PSI), turn) + dot(vector(table, i, PSI + 3), slide)
    rate = (table[i, PHI] - felt) / table[i, D]
    store(table, i, MU, plus(turn, times(vector(table, i, P), rate)))
    store(table, i, MU + 3, plus(slide, times(vector(table, i, P + 3), rate)))
    return rate
