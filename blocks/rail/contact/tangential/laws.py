"""The tangential laws under one signature, as the contact of a whole wheel calls them.

    law(xi, eta, phi, a, b, N, V, mu, constants, table) -> F_x, F_y, M_z

Forces act on the wheel, which rolls in +x. `constants` starts with the shear modulus and Poisson's
ratio; what follows is the law's own. `table` is Kalker's.
"""

import math

from .falling_friction import falling_friction
from .fastsim import fastsim
from .kalker import kalker
from .local_adhesion import local_adhesion
from .polach import polach
from .records import Cells, Creepages, Elasticity, LoadedPatch, LocalFriction, PolachFriction
from .saturation import saturated_kalker

G, NU, OWN = range(3)


def kalker_law(xi, eta, phi, a, b, N, V, mu, constants, table):
    """Kalker's linear forces, saturated."""
    C11, C22, C23, C33 = kalker(a, b, constants[NU], table)
    return saturated_kalker(xi, eta, phi, a, b, N, mu, constants[G], C11, C22, C23, C33)


def fastsim_law(xi, eta, phi, a, b, N, V, mu, constants, table):
    """FASTSIM; own: cells a side, whether the bound is parabolic, kind of flexibility, A, B."""
    mu = friction_at(xi, eta, V, mu, constants[OWN + 3], constants[OWN + 4])
    C11, C22, C23, _ = kalker(a, b, constants[NU], table)
    n, parabolic, kind = int(constants[OWN]), constants[OWN + 1] > 0.0, int(constants[OWN + 2])
    return fastsim(
        Creepages(xi, eta, phi), LoadedPatch(a, b, N), mu,
        Elasticity(constants[G], C11, C22, C23), Cells(n, n, parabolic, kind), None,
    )  # fmt: skip


def friction_at(xi, eta, V, mu, A, B):
    """Friction that falls with sliding, for a whole patch; constant with A = 1."""
    if A == 1.0:
        return mu
    return falling_friction(mu, A, B, V, math.sqrt(xi * xi + eta * eta))


def polach_law(xi, eta, phi, a, b, N, V, mu, constants, table):
    """Polach's formula without spin; own: A, B, k_A, k_S, and mu is the friction at rest."""
    C11, C22, _, _ = kalker(a, b, constants[NU], table)
    friction = PolachFriction(
        constants[OWN], constants[OWN + 1], constants[OWN + 2], constants[OWN + 3]
    )
    patch = LoadedPatch(a, b, N)
    F_x, F_y = polach(xi, eta, V, patch, mu, friction, constants[G], C11, C22)
    return F_x, F_y, 0.0


def local_law(xi, eta, phi, a, b, N, V, mu, constants, table):
    """Local adhesion; own: those of fastsim, then those of `LocalFriction`; mu is mu_cd."""
    C11, C22, C23, _ = kalker(a, b, constants[NU], table)
    n, parabolic, kind = int(constants[OWN]), constants[OWN + 1] > 0.0, int(constants[OWN + 2])
    friction = LocalFriction(
        constants[OWN + 3], constants[OWN + 4], constants[OWN + 5],
        constants[OWN + 6], constants[OWN + 7], constants[OWN + 8], constants[OWN + 9],
    )  # fmt: skip
    T_x, T_y, M_sp, _, _ = local_adhesion(
        Creepages(xi, eta, phi), LoadedPatch(a, b, N), V, Elasticity(constants[G], C11, C22, C23),
        mu, friction, Cells(n, n, parabolic, kind), None,
    )  # fmt: skip
    return T_x, T_y, M_sp


LAWS = {"kalker": kalker_law, "fastsim": fastsim_law, "polach": polach_law, "local": local_law}
