"""The wheel seen along the rail, or around the roller's axis: a plane curve.

A wheel w(y_w) lies at G with R = R_z(alpha) R_x(beta) in the frame of the rail (x along it, z up)
or of the roller (y along its axis). With s = sqrt(w^2 - x_w^2) and g = w w', a point of its lower
half and the normal there are

    P = G + R (x_w, y_w, -s),   n = R (x_w, -g, -s)                        (1)

A rail's normals have no x; a roller's normals meet its axis. A wheel point can touch only where
its own normal does the same, n_x = 0 or n_x P_z = n_z P_x. Both are, with r_31 = 0,

    B s = C x_w - D                                                        (2)
    rail:    B = r_13,  C = r_11,  D = r_12 g                              (3)
    roller:  B = r_13 G_z - r_33 G_x + r_21 (y_w + g),
             C = r_11 (G_z + r_32 (y_w + g)),  D = g (r_12 G_z - r_32 G_x)  (4)

with one root on the lower half of the wheel,

    x_w = (C D + B h) / (B^2 + C^2),  s = (C h - B D) / (B^2 + C^2),
    h = sqrt(w^2 (B^2 + C^2) - D^2)                                        (5)

So every y_w has one point, and these points form a curve (Y, Z) with slope -n_y / n_z in the
plane of the rail's profile; for a roller Z = sqrt(P_x^2 + P_z^2) is the distance from its axis.
Source: falomi Eqs. 5-9 and conti2012 Eqs. 7-18, with the misprints of both mended.
"""

import math

from railblocks.engine.functions.functions import inlined


def frame(G_x, G_y, G_z, alpha, beta):
    """G and the elements of R = R_z(alpha) R_x(beta) that are not zero."""
    ca, sa = math.cos(alpha), math.sin(alpha)
    cb, sb = math.cos(beta), math.sin(beta)
    return G_x, G_y, G_z, ca, -sa * cb, sa * sb, sa, ca * cb, -ca * sb, sb, cb


@inlined
def rail_contour(y_w, w, slope_w, frame):
    """x_w, s, Y, Z, slope of the curve over a rail, and whether the point is real."""
    _, G_y, G_z, r11, r12, r13, r21, r22, r23, r32, r33 = frame
    g = w * slope_w
    D = r12 * g  # (3)
    size = r13 * r13 + r11 * r11
    square = w * w * size - D * D
    if square <= 0.0 or r11 <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, False
    h = math.sqrt(square)
    x_w, s = (r11 * D + r13 * h) / size, (r11 * h - r13 * D) / size  # (5)
    n_y, n_z = r21 * x_w - r22 * g - r23 * s, -r32 * g - r33 * s
    Y, Z = G_y + r21 * x_w + r22 * y_w - r23 * s, G_z + r32 * y_w - r33 * s  # (1)
    return x_w, s, Y, Z, -n_y / n_z, s > 0.0 and n_z < 0.0


@inlined
def roller_contour(y_w, w, slope_w, frame):
    """x_w, s, Y, Z, slope of the curve around a roller, and whether the point is real."""
    G_x, G_y, G_z, r11, r12, r13, r21, r22, r23, r32, r33 = frame
    g = w * slope_w
    B = r13 * G_z - r33 * G_x + r21 * (y_w + g)  # (4)
    C = r11 * (G_z + r32 * (y_w + g))
    D = g * (r12 * G_z - r32 * G_x)
    size = B * B + C * C
    square = w * w * size - D * D
    if square <= 0.0 or C <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, False
    h = math.sqrt(square)
    x_w, s = (C * D + B * h) / size, (C * h - B * D) / size  # (5)
    n_x, n_y = r11 * x_w - r12 * g - r13 * s, r21 * x_w - r22 * g - r23 * s
    P_x, P_z = G_x + r11 * x_w + r12 * y_w - r13 * s, G_z + r32 * y_w - r33 * s  # (1)
    Z = math.sqrt(P_x * P_x + P_z * P_z)
    n_z = (n_x * P_x - (r32 * g + r33 * s) * P_z) / Z
    Y = G_y + r21 * x_w + r22 * y_w - r23 * s
    return x_w, s, Y, Z, -n_y / n_z, s > 0.0 and n_z < 0.0
