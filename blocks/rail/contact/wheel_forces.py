"""Forces of all contacts of a wheel, from its motion.

At a contact the wheel's surface slides over that of the rail or roller by v_x and v_y, turns over
it by omega_n, and approaches it by delta' (`contact_motion`). The patch travels over the rail at
V = (v - Omega e_y x P) . t_x. When it travels backwards, the law sees the contact turned by half a
turn about n. Force, moment about G, and torque on a roller are

    F = sum of N n + T_x t_x + T_y t_y,  M = sum of (P_w - G) x F + M_sp n                (1)
    M_r = -sum of (P x F + M_sp n)_y                                       (2)

Two contacts are one where the bodies also overlap at the saddle between them. With overlaps D =
delta / sqrt(1 - n_y^2) in height, whose extrema contacts and saddles are,

    D_1^1.5 becomes D_1^1.5 - s_1 D_s^1.5,
    s_1 = (D_2 - D_s) / (D_1 + D_2 - 2 D_s)                                (3)

and likewise for the other, so that the common part counts once: a contact that melts into its
neighbour, or grows out of it, does so with no force, and far apart both count in full. Along the
normals that would not hold: from the tread to a flange overlaps shrink by their inclination, and a
contact could vanish with all of its force.

Creepages are taken over sqrt(V^2 + V_min^2), and spin and its moment also fade as |V| / sqrt(V^2 +
V_min^2): at standstill a contact resists sliding like a stiff damper, and nothing jumps when the
direction of rolling changes, with which the coupling of lateral force and spin changes its sign.
Laws get that root as the speed of rolling: speed times creepage is the speed of sliding.
"""

import math

from railblocks.blocks.rail.contact.contact_motion import lever, sliding, tangents
from railblocks.blocks.rail.contact.geometry.contacts import (
    GAP,
    HALF_LENGTH,
    N_X,
    N_Y,
    N_Z,
    P_X,
    P_Z,
    SADDLE,
    A,
    B,
    cos_inclination,
    overlap_height,
)
from railblocks.blocks.rail.contact.normal.hertz import (
    compression_damping,
    damped_depth,
    hertz_constants,
    normal_force,
)
from railblocks.blocks.rail.contact.normal.line import (
    line_force,
    line_half_width,
    line_stiffness,
)
from railblocks.blocks.rail.contact.tangential.creepages import creepages

DELTA, LOAD, SEMI_A, SEMI_B, XI, ETA, PHI, T_X, T_Y, M_SP = range(16, 26)
GIVEN = 26
COLUMNS = 27
"""Further columns of the table of contacts: approach, load, semi-axes, creepages, forces; and the
part of its load that a contact leaves to its neighbours, as `normal_contacts` says."""


def wheel_forces(law, count, contacts, axle, material, F, M):
    """Fills F, M (about G) and the further columns; the result is the torque on the roller.

    `law` is one of `tangential.laws`, `axle` an `AxleMotion`, `material` a `Material`. Rows of
    `contacts` beyond the count are cleared.
    """
    G, v, Omega, V_min = axle.G, axle.v, axle.Omega, material.V_min
    torque = 0.0
    for i in range(3):
        F[i], M[i] = 0.0, 0.0
    for k in range(count):
        n_x, n_y, n_z = contacts[k, N_X], contacts[k, N_Y], contacts[k, N_Z]
        p_x, p_z = contacts[k, P_X], contacts[k, P_Z]
        x, y, z = lever(contacts, k, G)
        tx_x, tx_z, ty_x, ty_y, ty_z = tangents(contacts, k)
        approaching, v_x, v_y, omega_n = sliding(contacts, k, axle)
        N, a, b = _load(contacts, k, count, approaching, material)
        V = (v[0] - Omega * p_z) * tx_x + (v[2] + Omega * p_x) * tx_z
        xi, eta, phi = creepages(v_x, v_y, omega_n, V, V_min)
        speed = math.sqrt(V * V + V_min * V_min)
        fading = abs(V) / speed
        phi *= fading
        ahead = 1.0 if V >= 0.0 else -1.0
        f_x, f_y, M_sp = law(
            ahead * xi, ahead * eta, phi, a, b, N, speed,
            material.mu, material.constants, material.table,
        )  # fmt: skip
        f_x, f_y, M_sp = ahead * f_x, ahead * f_y, fading * M_sp
        F_x = N * n_x + f_x * tx_x + f_y * ty_x  # (1)
        F_y = N * n_y + f_y * ty_y
        F_z = N * n_z + f_x * tx_z + f_y * ty_z
        F[0] += F_x
        F[1] += F_y
        F[2] += F_z
        M[0] += y * F_z - z * F_y + M_sp * n_x
        M[1] += z * F_x - x * F_z + M_sp * n_y
        M[2] += x * F_y - y * F_x + M_sp * n_z
        torque -= p_z * F_x - p_x * F_z + M_sp * n_y  # (2)
        contacts[k, DELTA], contacts[k, LOAD] = -contacts[k, GAP], N
        contacts[k, SEMI_A], contacts[k, SEMI_B] = a, b
        contacts[k, XI], contacts[k, ETA], contacts[k, PHI] = xi, eta, phi
        contacts[k, T_X], contacts[k, T_Y], contacts[k, M_SP] = f_x, f_y, M_sp
    for k in range(count, len(contacts)):
        for j in range(COLUMNS):
            contacts[k, j] = 0.0
    return torque


def _load(contacts, k, count, approaching, material):
    """Load and semi-axes of a contact: Hertz in a point, or along a line."""
    delta, L = max(-contacts[k, GAP], 0.0), contacts[k, HALF_LENGTH]
    depth, E_star = damped_depth(contacts[k, A]), material.E_star
    if L > 0.0:
        N, b = (
            line_force(delta, contacts[k, A], L, E_star),
            line_half_width(delta, contacts[k, A], L),
        )
        N += compression_damping(delta, approaching, material.c, depth)
        N += material.t_c * line_stiffness(L, b, E_star) * approaching
        return max(N, 0.0), b, L
    power = (1.0 - contacts[k, GIVEN]) * delta * math.sqrt(delta)
    level = cos_inclination(contacts, k)
    to_normal, height = level * math.sqrt(level), delta / level
    if k > 0:
        other = overlap_height(contacts, k - 1)
        power -= to_normal * _common(height, other, -contacts[k, SADDLE])
    if k + 1 < count:
        other = overlap_height(contacts, k + 1)
        power -= to_normal * _common(height, other, -contacts[k + 1, SADDLE])
    delta = math.pow(max(power, 0.0), 2.0 / 3.0)
    stiffness, c_x, c_y = hertz_constants(contacts[k, A], contacts[k, B])
    root = math.sqrt(delta)
    N = normal_force(delta, approaching, E_star * stiffness, material.c, material.t_c, depth)
    return N, c_x * root, c_y * root


def _common(height, other, saddle):
    """This contact's share of the overlap that it has in common with the next one, of (3)."""
    if saddle <= 0.0:
        return 0.0
    return common_share(height, other, saddle) * saddle * math.sqrt(saddle)


def common_share(height, other, saddle):
    """The share s_1 of (3) for overlaps in height of this contact, the other one and the saddle."""
    here, there = max(height - saddle, 0.0), max(other - saddle, 0.0)
    return there / (here + there) if here + there > 0.0 else 0.5
