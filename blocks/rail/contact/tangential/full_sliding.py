"""Force and moment of an elliptic patch that slides as a whole, under Hertz's pressure.

Friction opposes the slip (xi - y phi, eta + x phi) everywhere. With c^2 = xi^2 + eta^2, the mean
distance r from the centre, and the mean square of the distance from the line through the centre
across the slip, going over to r^2 as spin prevails,

    J = ((a^2 xi^2 + b^2 eta^2) / 5 + r^4 phi^2) / (c^2 + r^2 phi^2)       (1)
    F = -mu N (xi, eta) / sqrt(c^2 + J phi^2)                              (2)
    M_z = -mu N J phi / sqrt(c^2 + (J phi / r)^2)                          (3)

(2) and (3) are the integrals over the patch up to the second and first order in spin; for spin
alone M_z = -mu N r is exact again. Between, F is within 0.3 mu N and M_z within 0.3 mu N r for
ellipses of any shape. Without spin the force is mu N against (xi, eta).
"""

import math


def mean_distance(a, b):
    """Mean distance from the centre, 3/32 of the circumference, after Ramanujan within 0.5 %."""
    root = math.sqrt((3.0 * a + b) * (a + 3.0 * b))
    return 3.0 * math.pi / 32.0 * (3.0 * (a + b) - root)


def full_sliding(xi, eta, phi, a, b, bound):
    """F_x, F_y and M_z on the wheel, of (2) and (3); bound is mu N."""
    r = mean_distance(a, b)
    x, y, spin = a * xi, b * eta, r * phi
    square = xi * xi + eta * eta
    if not square + spin * spin > 0.0:
        return 0.0, 0.0, 0.0
    J = (0.2 * (x * x + y * y) + r * spin * r * spin) / (square + spin * spin)  # (1)
    F = bound / math.sqrt(square + J * phi * phi)
    turn = J * phi / r
    return -F * xi, -F * eta, -bound * r * turn / math.sqrt(square + turn * turn)  # (2), (3)
