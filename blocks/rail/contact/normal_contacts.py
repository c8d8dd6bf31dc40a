"""The normal contact of a wheel as a choice: what a detected contact becomes before it is loaded.

| normal | patches |
| --- | --- |
| hertz | Hertz's, with curvatures that are means over a length h to each side |
| elliptic | Hertz's for the gap over the whole patch (`equivalent_ellipse`) |

Both are kernels with the arguments of `spread_contacts`; loads and semi-axes of what they leave in
the table follow by Hertz's theory (`wheel_forces`).

With "elliptic" a contact lies in the centre of its patch, its normal is the mean of the rail's
under the pressure. Of two contacts whose patches lie over each other the first leaves the part

    s_1 max((D_s / D_1)^1.5, o),  o = 1 - |s_c1 - s_c2| / (b_1 + b_2)                     (1)

of its load to the second, with s_1 and D_s of `wheel_forces`: patches with one centre count
once, and a contact that melts into its neighbour leaves with no force.
"""

import math

from .equivalent_ellipse import equivalent_ellipse
from .geometry.contacts import (
    FAR,
    GAP,
    HALF_LENGTH,
    N_X,
    N_Y,
    N_Z,
    P_X,
    P_Y,
    P_Z,
    PSI,
    SADDLE,
    X_R,
    X_W,
    Y_R,
    Y_W,
    A,
    B,
    overlap_height,
)
from .geometry.contour import frame, rail_contour, roller_contour
from .geometry.spreading import spread_curvatures
from .profiles.pieces import height_and_slope
from .wheel_forces import GIVEN, PHI, SEMI_B, common_share


def spread_contacts(contacts, count, axle, profiles, on_roller, h):
    """Gives contacts the coefficients A and B of curvatures that are means over h."""
    spread_curvatures(contacts, count, profiles.tread, profiles.head, on_roller, h)
    for k in range(count):
        contacts[k, GIVEN] = 0.0


def elliptic_contacts(contacts, count, axle, profiles, on_roller, h):
    """Makes contacts those of their equivalent ellipses; lines stay as they are."""
    wheel, rail = profiles.tread, profiles.head
    for k in range(count):
        contacts[k, SEMI_B] = 0.0
        if contacts[k, HALF_LENGTH] == 0.0 and contacts[k, GAP] < 0.0:
            a, b, half, y_w, y_r, angle = equivalent_ellipse(
                wheel, rail, on_roller, contacts[k, Y_W], contacts[k, Y_R],
                -contacts[k, GAP], contacts[k, PSI], h,
            )  # fmt: skip
            contacts[k, A], contacts[k, B] = a, b
            contacts[k, SEMI_B], contacts[k, PHI] = half, angle
            contacts[k, Y_W], contacts[k, Y_R] = y_w, y_r
    for k in range(count):
        contacts[k, GIVEN] = given_part(contacts, k, count)
    pose = frame(axle.G[0], axle.G[1], axle.G[2], axle.alpha, axle.beta)
    for k in range(count):
        if contacts[k, SEMI_B] > 0.0:
            move(contacts, k, pose, wheel, on_roller)


def given_part(contacts, k, count):
    """The part (1) of its load that a contact leaves to its neighbours."""
    part = 0.0
    if k > 0:
        part += _given(contacts, k, k - 1, -contacts[k, SADDLE])
    if k + 1 < count:
        part += _given(contacts, k, k + 1, -contacts[k + 1, SADDLE])
    return min(part, 1.0)


def _given(contacts, k, other, saddle):
    """The part that a contact leaves to another one, over a saddle with its overlap in height."""
    b = contacts[k, SEMI_B] + contacts[other, SEMI_B]
    if not (saddle > 0.0 and contacts[k, SEMI_B] > 0.0 and contacts[other, SEMI_B] > 0.0):
        return 0.0
    height = overlap_height(contacts, k)
    slope = math.tan(0.5 * (contacts[k, PHI] + contacts[other, PHI]))
    apart = abs(contacts[k, Y_R] - contacts[other, Y_R]) * math.sqrt(1.0 + slope * slope)
    ratio = min(saddle / height, 1.0)
    common = max(ratio * math.sqrt(ratio), 1.0 - apart / b)
    return common_share(height, overlap_height(contacts, other), saddle) * common  # (1)


def move(contacts, k, pose, wheel, on_roller):
    """Puts a contact where its Y_W lies now, with the mean normal; its approach stays."""
    G_x, _, G_z, r11, r12, r13, _, _, _, r32, r33 = pose
    y_w, slope = contacts[k, Y_W], math.tan(contacts[k, PHI])
    w, slope_w = height_and_slope(wheel, y_w)
    if on_roller:
        x_w, s, Y, _, _, _ = roller_contour(y_w, w, slope_w, pose)
    else:
        x_w, s, Y, _, _, _ = rail_contour(y_w, w, slope_w, pose)
    x, z = G_x + r11 * x_w + r12 * y_w - r13 * s, G_z + r32 * y_w - r33 * s
    f = x / z if on_roller else 0.0
    steep, level = math.sqrt(1.0 + slope * slope), math.sqrt(1.0 + f * f)
    n_x, n_y, n_z = f / (level * steep), -slope / steep, 1.0 / (level * steep)
    gap = contacts[k, GAP]
    x, y, z = x - gap * n_x, Y - gap * n_y, z - gap * n_z
    contacts[k, X_W], contacts[k, X_R] = x_w, x
    contacts[k, P_X], contacts[k, P_Y], contacts[k, P_Z] = x, y, z
    contacts[k, N_X], contacts[k, N_Y], contacts[k, N_Z] = n_x, n_y, n_z
    contacts[k, SADDLE] = FAR


NORMALS = {"hertz": spread_contacts, "elliptic": elliptic_contacts}
