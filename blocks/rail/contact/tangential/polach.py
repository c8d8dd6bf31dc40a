"""Creep forces by Polach's formula, with friction that falls with the speed of sliding.

    nu = sqrt(xi^2 + eta^2),  w = V nu,  mu = mu_0 ((1 - A) exp(-B w) + A)               (1)
    C = sqrt((C11 xi / nu)^2 + (C22 eta / nu)^2),  e = G pi a b C nu / (4 mu N)          (2)
    F = 2 mu N / pi (k_A e / (1 + (k_A e)^2) + arctan(k_S e)),  against the creepage     (3)

k_A and k_S <= k_A <= 1 stand for a third layer, where the patch adheres and where it slides: the
slope at zero creepage is (k_A + k_S) / 2 times that of linear theory.
Spin is left out: neither the force it makes nor a moment is computed.

Source: O. Polach, Creep forces in simulations of traction vehicles running on adhesion limit,
Wear 258 (2005), whose constants for two typical surfaces are DRY and WET.
"""

import math

from railblocks.blocks.rail.contact.tangential.falling_friction import falling_friction

DRY = {"k_A": 1.0, "k_S": 0.4, "mu_0": 0.55, "A": 0.4, "B": 0.6}
WET = {"k_A": 0.3, "k_S": 0.1, "mu_0": 0.3, "A": 0.4, "B": 0.2}

LARGEST = 1e150
"""Beyond this e, where friction has fallen to almost nothing, no part of the patch adheres."""


def polach(xi, eta, V, patch, mu_0, friction, G, C11, C22):
    """Forces F_x and F_y on the wheel; zero without load, patch or creepage.

    `patch` is a `LoadedPatch`, `friction` a `PolachFriction`.
    """
    a, b, N = patch
    A, B, k_A, k_S = friction
    nu = math.sqrt(xi * xi + eta * eta)
    if not (N > 0.0 and a > 0.0 and b > 0.0 and nu > 0.0):
        return 0.0, 0.0
    n_x, n_y = xi / nu, eta / nu
    mu = falling_friction(mu_0, A, B, V, nu)  # (1)
    if not mu > 0.0:
        return 0.0, 0.0
    c_x, c_y = C11 * n_x, C22 * n_y
    e = 0.25 * math.pi * G * a * b * math.sqrt(c_x * c_x + c_y * c_y) * nu / (mu * N)  # (2)
    adhering = k_A * e / (1.0 + k_A * e * k_A * e) if e < LARGEST else 0.0
    F = 2.0 / math.pi * mu * N * (adhering + math.atan(k_S * e))  # (3)
    return -F * n_x, -F * n_y
