"""The centreline as a table of pieces, and the kernels that read it.

s is the length along the line in plan. Over a piece, with u = s - start,

    kappa = kappa_0 + kappa_1 w,   psi = psi_0 + integral of kappa du      (1)
    (X, Y) = (X_0, Y_0) + integral of (cos psi, sin psi) du                (2)
    g = g_0 + g_1 w,   Z = Z_0 + integral of g du,   phi = phi_0 + phi_1 w (3)

where w = u on clothoids, and on other transitions a polynomial w_1 u + ... + w_5 u^5, the same for
curvature, gradient and roll (`transitions.py`). Heading psi and curvature kappa are positive to the
left, the gradient g uphill, the roll phi of the sleepers where the left rail is raised. The axes of
the rails are R = R_z(psi) R_y(-atan g) R_x(phi): x forward along the line, y to the left along the
sleepers, z up from them. They turn by

    Omega = kappa e_z - (atan g)' n_0 + phi' t   for each metre of s       (4)

with n_0 the level direction to the left and t the tangent. (2) is in closed form on straights and
circles; on transitions it is Gauss's rule of four points, and pieces are cut so short that it is
exact to rounding. Before its first piece and beyond its last one, the line goes on straight.
"""

import math

from railblocks.blocks.base.search import row_of

START, LENGTH, X, Y, Z, PSI, KAPPA, KAPPA_1, GRADE, GRADE_1, PHI, PHI_1 = range(12)
SHAPE, DEGREE = 12, 5
COLUMNS = SHAPE + DEGREE
"""Columns of the table of pieces; from SHAPE on there are w_1 to w_5."""
GAUSS = (
    (0.06943184420297371, 0.17392742256872693),
    (0.33000947820757187, 0.32607257743127307),
    (0.6699905217924281, 0.32607257743127307),
    (0.9305681557970263, 0.17392742256872693),
)
"""Positions between 0 and 1, and weights."""


def changed(line, row, u):
    """w of a piece at u."""
    w_4, w_5 = line[row, SHAPE + 3], line[row, SHAPE + 4]
    w_1, w_2, w_3 = line[row, SHAPE], line[row, SHAPE + 1], line[row, SHAPE + 2]
    return (w_1 + (w_2 + (w_3 + (w_4 + w_5 * u) * u) * u) * u) * u


def mean_change(line, row, u):
    """Mean of w from 0 to u: its integral over u."""
    w_4, w_5 = line[row, SHAPE + 3] / 5.0, line[row, SHAPE + 4] / 6.0
    w_1, w_2, w_3 = 0.5 * line[row, SHAPE], line[row, SHAPE + 1] / 3.0, 0.25 * line[row, SHAPE + 2]
    return (w_1 + (w_2 + (w_3 + (w_4 + w_5 * u) * u) * u) * u) * u


def rate_of_change(line, row, u):
    """w' of a piece at u."""
    w_4, w_5 = 4.0 * line[row, SHAPE + 3], 5.0 * line[row, SHAPE + 4]
    w_1, w_2, w_3 = line[row, SHAPE], 2.0 * line[row, SHAPE + 1], 3.0 * line[row, SHAPE + 2]
    return w_1 + (w_2 + (w_3 + (w_4 + w_5 * u) * u) * u) * u


def advance(line, row, length):
    """Way along and across the heading at the start of a piece, of (2)."""
    kappa, kappa_1 = line[row, KAPPA], line[row, KAPPA_1]
    if kappa_1 == 0.0:
        half = 0.5 * kappa * length
        size = length * (math.sin(half) / half if abs(half) > 1e-8 else 1.0)
        return size * math.cos(half), size * math.sin(half)
    along, across = 0.0, 0.0
    for position, weight in GAUSS:
        u = position * length
        turn = (kappa + kappa_1 * mean_change(line, row, u)) * u
        along += weight * math.cos(turn)
        across += weight * math.sin(turn)
    return length * along, length * across


def alignment_at(line, s):
    """Row of the piece, the way inside it and beyond its end, then psi, kappa, g and phi at s."""
    row = row_of(line, s)
    inside = min(max(s - line[row, START], 0.0), line[row, LENGTH])
    beyond = s - line[row, START] - inside
    kappa, kappa_1 = line[row, KAPPA], line[row, KAPPA_1]
    w = changed(line, row, inside)
    psi = line[row, PSI] + (kappa + kappa_1 * mean_change(line, row, inside)) * inside  # (1)
    bend = kappa + kappa_1 * w if beyond == 0.0 else 0.0
    g = line[row, GRADE] + line[row, GRADE_1] * w
    phi = line[row, PHI] + line[row, PHI_1] * w  # (3)
    return row, inside, beyond, psi, bend, g, phi


def track_at(line, s):
    """Origin and axes R of the rails at s, their turn (4) in the axes themselves, and ds's length.

    R is given row by row; the length is sqrt(1 + g^2).
    """
    row, inside, beyond, psi, bend, g, phi = alignment_at(line, s)
    along, across = advance(line, row, inside)
    c, d = math.cos(line[row, PSI]), math.sin(line[row, PSI])
    x, y = line[row, X] + c * along - d * across, line[row, Y] + d * along + c * across  # (2)
    mean = mean_change(line, row, inside)
    z = line[row, Z] + (line[row, GRADE] + line[row, GRADE_1] * mean) * inside  # (3)
    rate = rate_of_change(line, row, inside) if beyond == 0.0 else 0.0
    steepen = line[row, GRADE_1] * rate / (1.0 + g * g)
    twist = line[row, PHI_1] * rate
    c, d = math.cos(psi), math.sin(psi)
    length = math.sqrt(1.0 + g * g)
    h, v = 1.0 / length, g / length
    cp, sp = math.cos(phi), math.sin(phi)
    R = (
        c * h, -d * cp - c * v * sp, d * sp - c * v * cp,
        d * h, c * cp - d * v * sp, -c * sp - d * v * cp,
        v, h * sp, h * cp,
    )  # fmt: skip
    turn = (
        bend * v + twist,
        bend * h * sp - steepen * cp,
        bend * h * cp + steepen * sp,
    )  # (4)
    origin = (x + c * beyond, y + d * beyond, z + g * beyond)
    return origin, R, turn, length


def rates_along(turn, length, y, z, v_t, v_n, v_b):
    """s', y' and z' of a point at y, z beside the line, from its velocity in the rails' axes.

    With w = turn x (0, y, z), v = (length + w_x, w_y, w_z) s' + (0, y', z').
    """
    w_x, w_y, w_z = turn[1] * z - turn[2] * y, -turn[0] * z, turn[0] * y
    s_dot = v_t / (length + w_x)
    return s_dot, v_n - w_y * s_dot, v_b - w_z * s_dot
