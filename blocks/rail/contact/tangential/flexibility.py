"""How much a patch gives under tractions: the flexibilities of the simplified theory of rolling.

Displacements are L times tractions. That a patch which adheres everywhere has the forces of linear
theory needs one flexibility for each creepage, with c = sqrt(a b),

    L_1 = 8 a / (3 G C11),  L_2 = 8 a / (3 G C22),  L_3 = pi a sqrt(a / b) / (4 G C23)   (1)

Where a patch slides, tractions oppose the slip (xi - y phi, eta + x phi), which marching with (1)
sees as (xi / L_1 - y phi / L_3, eta / L_2 + x phi / L_3): in full sliding the force is off by
C11 / C22, unless there is one L. With one L small creepages lose Kalker's coefficients. So

    "blended"   (1 - w) L_i + w L,  w = min(1, 3 pi u / 32)                (2)
    u = G c^2 sqrt((C11 xi)^2 + (C22 eta)^2 + (c C23 phi)^2) / (mu N)      (3)
    L = (xi^2 + eta^2 + s^2) / (xi^2 / L_1 + eta^2 / L_2 + s^2 / L_3),  s = 3 pi a phi / 32   (4)

u are the linear forces over friction; at u = 32 / (3 pi) a patch of parabolic pressure slides as a
whole without spin, and from there on the force opposes the slip. With the L of (4) a patch that
adheres takes the power that it takes with (1), but for the product of eta and phi; one creepage
alone has its own L_i. The others are as published:

    "weighted"  L = (|xi| L_1 + |eta| L_2 + c |phi| L_3) / sqrt(xi^2 + eta^2 + c^2 phi^2)  (5)
    "three"     (1) throughout, whose full sliding is off the slip         (6)

Sources: J. J. Kalker, A fast algorithm for the simplified theory of rolling contact (1982) for (1)
and (6); his book of 1990 for (5). (2) to (4) follow the program CONTACT of E. A. H. Vollebregt,
which goes over linearly too, to the L of (4), up to u = 3 with another norm.
"""

import math

FLEXIBILITIES = ("blended", "weighted", "three")
BLENDED, WEIGHTED, THREE = range(3)
WHOLLY = 32.0 / (3.0 * math.pi)
"""The u of (3) at which a patch of parabolic pressure slides as a whole."""


def flexibilities(xi, eta, phi, a, b, G, C11, C22, C23, bound, kind):
    """Flexibilities L_x, L_y, and creepages over them (q_x, q_y, q_s); bound is mu N."""
    L_1 = 8.0 * a / (3.0 * G * C11)  # (1)
    L_2 = 8.0 * a / (3.0 * G * C22)  # (1)
    L_3 = math.pi * a * math.sqrt(a / b) / (4.0 * G * C23)  # (1)
    if kind == BLENDED:
        X, Y, S = C11 * xi, C22 * eta, math.sqrt(a * b) * C23 * phi
        force = G * a * b * math.sqrt(X * X + Y * Y + S * S)
        w = force / (WHOLLY * bound) if force < WHOLLY * bound else 1.0  # (2), (3)
        s = a * phi / WHOLLY
        below = xi * xi / L_1 + eta * eta / L_2 + s * s / L_3
        if below > 0.0:
            L = w * (xi * xi + eta * eta + s * s) / below  # (4)
            L_1, L_2, L_3 = (1.0 - w) * L_1 + L, (1.0 - w) * L_2 + L, (1.0 - w) * L_3 + L  # (2)
    elif kind == WEIGHTED:
        spin = math.sqrt(a * b) * phi
        size = math.sqrt(xi * xi + eta * eta + spin * spin)
        if size > 0.0:
            L_1 = (abs(xi) * L_1 + abs(eta) * L_2 + abs(spin) * L_3) / size  # (5)
        L_2, L_3 = L_1, L_1
    return (L_1, L_2), (xi / L_1, eta / L_2, phi / L_3)
