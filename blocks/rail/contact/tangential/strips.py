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

import numpy as np
from railblocks.blocks.rail.contact.tangential.columns import (
    HALF,
    MOST_STRIPS,
    STATE,
    SUM_MU,
    SUM_W,
    SUM_X,
    SUM_Y,
    SUM_ZY,
    adhere,
    cut,
    keep,
    look,
    put_adhering,
    put_sliding,
    solve,
    start,
)
from railblocks.blocks.rail.contact.tangential.flexibility import flexibilities
from railblocks.blocks.rail.contact.tangential.grid import central_pressure, half_chord, pressure
from railblocks.engine.functions.local_array import local_array

FIELDS = ("p_x", "p_y", "s_x", "s_y", "mu", "W")  # last axis of `fields`
BOUNDS = ("parabolic", "elliptic")


def march(creepages, patch, V, elasticity, law, cells, fields):
    """Forces on the wheel F_x, F_y, moment M_z about the normal, mean friction, and power.

    `law` is that of local_friction, the others are those of `records`. Mean friction is weighted by
    pressure; cells that adhere count with the static one. `fields` is filled, with the shape
    (n_y, n_x, 6), strips from -b to b and cells from the leading edge, unless it is None.
    """
    xi, eta, phi = creepages
    a, b, N = patch
    G, C11, C22, C23 = elasticity
    n_x, n_y = cells.n_x, cells.n_y
    if not (N > 0.0 and a > 0.0 and b > 0.0):
        return 0.0, 0.0, 0.0, 0.0, 0.0
    static = law[0] + law[1]
    varies = law[1] > 0.0 or law[6] > 0.0
    L, q = flexibilities(xi, eta, phi, a, b, G, C11, C22, C23, static * N, cells.kind)
    p_0 = central_pressure(a, b, N, n_x, n_y, cells.parabolic)
    state = local_array(STATE)
    F_x, F_y, M_z, friction, power = 0.0, 0.0, 0.0, 0.0, 0.0
    for first in range(0, n_y, MOST_STRIPS):
        n = min(MOST_STRIPS, n_y - first)
        start(state, first, n, patch, p_0, q, static, cells)
        for i in range(n_x):
            z = 1.0 - (2.0 * i + 1.0) / n_x
            dz = (1.0 if i == 0 else 2.0) / n_x
            top = pressure(z, 1.0, cells.parabolic)
            sliding = adhere(state, n, z, dz, top, q, static)
            if fields is not None:
                put_adhering(fields, first, n, i, state, static)
            if sliding == 0:
                keep(state, n, z, static)
                continue
            look(state, n, dz, V, L, law)
            if varies:
                solve(state, n, law)
            cut(state, n, z, static)
            if fields is not None:
                put_sliding(fields, first, n, i, state, dz, V, L)
        for j in range(n):
            _, side = half_chord(first + j, n_y)
            half, sum_x = state[HALF + j], state[SUM_X + j]
            area = 2.0 * half / n_x * 2.0 * b / n_y
            F_x += area * sum_x
            F_y += area * state[SUM_Y + j]
            M_z += area * (half * state[SUM_ZY + j] - side * b * sum_x)
            friction += area * state[SUM_MU + j]
            power += area * V * state[SUM_W + j]
    return F_x, F_y, M_z, friction / N, power


def centres(a, b, n_x, n_y):
    """x and y of the centres of cells, each of shape (n_y, n_x), in plain Python."""
    y = (2.0 * np.arange(n_y) + 1.0) / n_y - 1.0
    z = 1.0 - (2.0 * np.arange(n_x) + 1.0) / n_x
    x = a * np.sqrt(1.0 - y * y)[:, None] * z[None, :]
    return x, np.broadcast_to((b * y)[:, None], x.shape)
