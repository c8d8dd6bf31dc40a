"""The table of contacts, and how a row follows from a point of the contour and one of the rail.

Curvatures are positive where a body is convex,

    k_1w = 1 / (w sqrt(1 + w'^2)),  k_2w = -w'' / (1 + w'^2)^(3/2)         (1)
    k_1r = 0 (rail) or 1 / (r sqrt(1 + r'^2)) (roller),  k_2r likewise     (2)

Their directions differ by the angle psi between the rolling circle and the rail; the gap near the
contact is A x^2 + B y^2 with x along the rail. A point is a contact only where both coefficients
are positive.
"""

import math

from railblocks.blocks.rail.contact.normal.hertz import relative_curvatures
from railblocks.blocks.rail.contact.profiles.pieces import piece_at, shape

X_W, Y_W, X_R, Y_R, GAP, P_X, P_Y, P_Z, N_X, N_Y, N_Z, A, B, PSI, SADDLE, HALF_LENGTH = range(16)
COLUMNS = 16
"""Columns of a table of contacts: position on the wheel and on the rail (or roller), gap along the
normal (negative inside), point and normal of the rail, coefficients of the gap, angle between the
directions of both bodies, gap in height at the saddle between this contact and the one before it
(FAR if there is none), and half of the length of a straight contact (0 for a point)."""

MAX_ROWS = 16
"""Rows of a table of contacts: up to eight contacts, with the saddles between them."""
FAR = 1.0
"""The gap, in metres, of what is not a contact."""
APART_M = 1e-6
"""Solutions nearer than this on the wheel are one."""


def cos_inclination(contacts, k):
    """Cosine of the inclination across the track of a contact: its gap over that in height."""
    n_y = contacts[k, N_Y]
    return math.sqrt(1.0 - n_y * n_y)


def overlap_height(contacts, k):
    """Overlap of the bodies in height at a contact."""
    return -contacts[k, GAP] / cos_inclination(contacts, k)


def set_contact(contacts, k, y_w, wheel, row, x_w, s, position, rail, frame, roller, gap):
    """Fills row k of the table; False if the surfaces are not convex against each other there."""
    G_x, _, G_z, r11, r12, r13, _, _, _, r32, r33 = frame
    w, slope_w, second_w = shape(wheel, row, y_w)
    z, slope, second = shape(rail, piece_at(rail, position), position)
    steep_w, steep = math.sqrt(1.0 + slope_w * slope_w), math.sqrt(1.0 + slope * slope)
    x, height = G_x + r11 * x_w + r12 * y_w - r13 * s, z
    n_x, n_z, k_1r = 0.0, 1.0, 0.0
    if roller:
        f = x / (G_z + r32 * y_w - r33 * s)
        n_z = 1.0 / math.sqrt(1.0 + f * f)
        n_x = f * n_z
        x, height = z * n_x, z * n_z
        k_1r = 1.0 / (z * steep)  # (2)
    cos_psi = ((r11 * s + r13 * x_w) * n_z - r33 * x_w * n_x) / w
    psi = math.acos(min(max(cos_psi, -1.0), 1.0))
    a, b = relative_curvatures(
        1.0 / (w * steep_w),
        -second_w / (steep_w * steep_w * steep_w),
        k_1r,
        -second / (steep * steep * steep),
        psi,
    )
    contacts[k, X_W], contacts[k, Y_W], contacts[k, X_R], contacts[k, Y_R] = x_w, y_w, x, position
    contacts[k, GAP] = gap
    contacts[k, P_X], contacts[k, P_Y], contacts[k, P_Z] = x, position, height
    contacts[k, N_X], contacts[k, N_Y], contacts[k, N_Z] = n_x / steep, -slope / steep, n_z / steep
    contacts[k, A], contacts[k, B], contacts[k, PSI] = a, b, psi
    contacts[k, SADDLE], contacts[k, HALF_LENGTH] = FAR, 0.0
    return a > 0.0 and b > 0.0
