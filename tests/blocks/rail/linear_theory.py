"""Creep forces without any sliding, by Kalker's linear theory: what all laws approach.

    F_x = -G c^2 C11 xi,  c = sqrt(a b)                                    (1)
    F_y = -G (c^2 C22 eta + c^3 C23 phi)                                   (2)
    M_z = -G (c^4 C33 phi - c^3 C23 eta)                                   (3)

Forces act on the wheel, x in its direction of rolling, z up; creepages are velocities of the
wheel's surface over the rail's, divided by the speed of rolling. Valid for tractions far below mu
p_n. Source: J. J. Kalker, Three-Dimensional Elastic Bodies in Rolling Contact (1990).
"""

import math


def linear_kalker(xi, eta, phi, a, b, G, C11, C22, C23, C33):
    """F_x, F_y, M_z (1) to (3); zero without a patch."""
    if not (a > 0.0 and b > 0.0):
        return 0.0, 0.0, 0.0
    c = math.sqrt(a * b)
    k = G * c * c
    F_x = -k * C11 * xi  # (1)
    F_y = -k * (C22 * eta + c * C23 * phi)  # (2)
    return F_x, F_y, k * c * (C23 * eta - c * C33 * phi)  # (3)
