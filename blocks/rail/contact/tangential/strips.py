"""The simplified theory of rolling on a grid: tractions from the leading edge to the trailing one.

The patch is cut into n_y strips along x, the direction of rolling, of equal width, and each strip
into n_x cells of equal length; values belong to the centres of cells. Displacements are L times
tractions, so from one centre to the next, a step dx behind it, traction grows as

    p_A = p - dx (xi / L_1 - y phi / L_3,  eta / L_2 + x phi / L_3)        (1)

(x in the middle of the step) unless it reaches mu p_n. Then it is cut to that size, and the surface
of the wheel slides over the rail with

    s = V / dx (L_1 (p_x - p_Ax),  L_2 (p_y - p_Ay)),  W = |p s|           (2)

(2) is exact for one flexibility L; with three no definition of s is, and this one always
dissipates. `flexibility` has L. Pressure for the traction bound is Hertz's ellipsoid, or the
paraboloid that the simplified theory is consistent with; either carries the load N exactly on the
grid, so that full sliding gives mu N.
Source: J. J. Kalker, A fast algorithm for the simplified theory of rolling contact (1982).
"""

import math
from typing import NamedTuple

import numpy as np
from railblocks.blocks.rail.contact.tangential.flexibility import flexibilities
from railblocks.blocks.rail.contact.tangential.local_friction import sliding_frictions

FIELDS = ("p_x", "p_y", "s_x", "s_y", "mu", "W")  # last axis of `fields`
BOUNDS = ("parabolic", "elliptic")


def half_chord(j, n_y):
    """Half length of strip j over a; and its y over b."""
    y = (2.0 * j + 1.0) / n_y - 1.0
    return math.sqrt((1.0 - y) * (1.0 + y)), y


def pressure(z, chord, parabolic):
    """Pressure at x = z a chord, over that in the centre of the patch."""
    square = (1.0 - z) * (1.0 + z)
    return chord * chord * square if parabolic else chord * math.sqrt(square)


def central_pressure(a, b, N, n_x, n_y, parabolic):
    """Pressure in the centre, such that the grid carries N."""
    along, across = 0.0, 0.0
    for i in range(n_x):
        along += pressure(1.0 - (2.0 * i + 1.0) / n_x, 1.0, parabolic)
    for j in range(n_y):
        chord, _ = half_chord(j, n_y)
        across += chord * pressure(0.0, chord, parabolic)
    return N * n_x * n_y / (4.0 * a * b * along * across)


def sliding(p_x, p_y, k_x, k_y):
    """Size and direction of a traction; sliding and power over what is cut from its size."""
    P = math.sqrt(p_x * p_x + p_y * p_y)
    e_x, e_y = p_x / P, p_y / P
    s_x, s_y = k_x * e_x, k_y * e_y
    return P, e_x, e_y, math.sqrt(s_x * s_x + s_y * s_y), s_x * e_x + s_y * e_y


def cut(size, P, e_x, e_y, k_x, k_y, k_w):
    """Traction of the given size in place of P, sliding and dissipation."""
    excess = max(P - size, 0.0)
    return size * e_x, size * e_y, -k_x * e_x * excess, -k_y * e_y * excess, k_w * excess * size


def guess(recent):
    """Friction in the next cell from that in the last four: a parabola, a line, or taking turns.

    The way that would have been best for the last cell; fast falling friction takes turns.
    """
    mu_1, mu_2, mu_3, mu_4 = recent
    parabola = abs(3.0 * (mu_2 - mu_3) + mu_4 - mu_1)
    line, turn = abs(2.0 * mu_2 - mu_3 - mu_1), abs(mu_3 - mu_1)
    if turn < min(line, parabola):
        return mu_2
    return 3.0 * (mu_1 - mu_2) + mu_3 if parabola < line else 2.0 * mu_1 - mu_2


def put(fields, j, i, p_x, p_y, s_x, s_y, mu, W):
    """Fills the FIELDS of a cell."""
    fields[j, i, 0], fields[j, i, 1] = p_x, p_y
    fields[j, i, 2], fields[j, i, 3] = s_x, s_y
    fields[j, i, 4], fields[j, i, 5] = mu, W


class Strip(NamedTuple):
    """One of the strips: number, position across, half length, and that over the patch's."""

    j: int
    y: float
    half: float
    chord: float


def march_strips(strip, p_0, L, q, V, law, start, cells, fields):
    """Marches along the strips at y (1) and -y (2), together.

    Returns sums over cells of p_x (1), p_x (2), p_y, x p_y, mu p_n and W, and friction in the first
    cells, from which the next strips start.
    """
    j, y, half, chord = strip
    n_x, n_y = cells.n_x, cells.n_y
    L_x, L_y = L
    q_x, q_y, q_s = q
    static = law[0] + law[1]
    varies = law[1] > 0.0 or law[6] > 0.0
    g_1, g_2 = q_x - y * q_s, q_x + y * q_s
    px_1, py_1, px_2, py_2 = 0.0, 0.0, 0.0, 0.0
    recent_1 = (start[0], start[0], start[0], start[0])
    recent_2 = (start[1], start[1], start[1], start[1])
    sum_1, sum_2, sum_y, sum_xy, sum_mu, sum_W = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n_x):
        z = 1.0 - (2.0 * i + 1.0) / n_x
        x, dx = z * half, half / n_x if i == 0 else 2.0 * half / n_x
        g_y = q_y + (x + 0.5 * dx) * q_s
        px_1, py_1 = px_1 - dx * g_1, py_1 - dx * g_y  # (1)
        px_2, py_2 = px_2 - dx * g_2, py_2 - dx * g_y  # (1)
        p_n = p_0 * pressure(z, chord, cells.parabolic)
        bound = static * p_n * static * p_n
        slides_1 = px_1 * px_1 + py_1 * py_1 > bound
        slides_2 = px_2 * px_2 + py_2 * py_2 > bound
        mu_1, sx_1, sy_1, W_1 = static, 0.0, 0.0, 0.0
        mu_2, sx_2, sy_2, W_2 = static, 0.0, 0.0, 0.0
        if slides_1 or slides_2:
            k_x, k_y = V / dx * L_x, V / dx * L_y
            if slides_1:
                P_1, ex_1, ey_1, ks_1, kw_1 = sliding(px_1, py_1, k_x, k_y)
            if slides_2:
                P_2, ex_2, ey_2, ks_2, kw_2 = sliding(px_2, py_2, k_x, k_y)
            if not slides_1:  # the pair below is solved twice the same
                P_1, ex_1, ey_1, ks_1, kw_1 = P_2, ex_2, ey_2, ks_2, kw_2
            if not slides_2:
                P_2, ex_2, ey_2, ks_2, kw_2 = P_1, ex_1, ey_1, ks_1, kw_1
            if varies:
                mu_1, mu_2 = sliding_frictions(
                    P_1, P_2, p_n, ks_1, ks_2, kw_1, kw_2, guess(recent_1), guess(recent_2), law
                )
                recent_1 = (mu_1, recent_1[0], recent_1[1], recent_1[2])
                recent_2 = (mu_2, recent_2[0], recent_2[1], recent_2[2])
                if i == 0:
                    start = (mu_1, mu_2)
            if slides_1:
                px_1, py_1, sx_1, sy_1, W_1 = cut(mu_1 * p_n, P_1, ex_1, ey_1, k_x, k_y, kw_1)
            if slides_2:
                px_2, py_2, sx_2, sy_2, W_2 = cut(mu_2 * p_n, P_2, ex_2, ey_2, k_x, k_y, kw_2)
            mu_1, mu_2 = mu_1 if slides_1 else static, mu_2 if slides_2 else static
        sum_1 += px_1
        sum_2 += px_2
        sum_y += py_1 + py_2
        sum_xy += x * (py_1 + py_2)
        sum_mu += (mu_1 + mu_2) * p_n
        sum_W += W_1 + W_2
        if fields is not None:
            put(fields, j, i, px_1, py_1, sx_1, sy_1, mu_1, W_1)
            put(fields, n_y - 1 - j, i, px_2, py_2, sx_2, sy_2, mu_2, W_2)
    return sum_1, sum_2, sum_y, sum_xy, sum_mu, sum_W, start


def march(creepages, patch, V, elasticity, law, cells, fields):
    """Forces on the wheel F_x, F_y, moment M_z about the normal, mean friction, and power.

    `law` is that of local_friction, the others are those of `records`. Mean friction is weighted by
    pressure; cells that adhere count with the static one. `fields` is filled, with the shape
    (n_y, n_x, 6), strips from -b to b and cells from the leading edge, unless it is None. Strips
    at y and -y go together; one in the middle is its own partner, and both count half.
    """
    xi, eta, phi = creepages
    a, b, N = patch
    G, C11, C22, C23 = elasticity
    n_x, n_y = cells.n_x, cells.n_y
    if not (N > 0.0 and a > 0.0 and b > 0.0):
        return 0.0, 0.0, 0.0, 0.0, 0.0
    friction_bound = (law[0] + law[1]) * N
    L, q = flexibilities(xi, eta, phi, a, b, G, C11, C22, C23, friction_bound, cells.kind)
    p_0 = central_pressure(a, b, N, n_x, n_y, cells.parabolic)
    F_x, F_y, M_z, friction, power = 0.0, 0.0, 0.0, 0.0, 0.0
    start = (law[0] + law[1], law[0] + law[1])
    for j in range((n_y + 1) // 2):
        chord, side = half_chord(j, n_y)
        y, half = side * b, chord * a
        sum_1, sum_2, sum_y, sum_xy, sum_mu, sum_W, start = march_strips(
            Strip(j, y, half, chord), p_0, L, q, V, law, start, cells, fields
        )
        area = (half if 2 * j + 1 == n_y else 2.0 * half) / n_x * 2.0 * b / n_y
        F_x += area * (sum_1 + sum_2)
        F_y += area * sum_y
        M_z += area * (sum_xy - y * (sum_1 - sum_2))
        friction += area * sum_mu
        power += area * sum_W
    return F_x, F_y, M_z, friction / N, power


def centres(a, b, n_x, n_y):
    """x and y of the centres of cells, each of shape (n_y, n_x), in plain Python."""
    y = (2.0 * np.arange(n_y) + 1.0) / n_y - 1.0
    z = 1.0 - (2.0 * np.arange(n_x) + 1.0) / n_x
    x = a * np.sqrt(1.0 - y * y)[:, None] * z[None, :]
    return x, np.broadcast_to((b * y)[:, None], x.shape)
