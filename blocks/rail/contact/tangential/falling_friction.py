"""Friction that falls with the speed of sliding.

    mu = mu_0 ((1 - A) exp(-B w) + A),  w = V sqrt(xi^2 + eta^2)           (1)

w is the speed at which the wheel's surface slides over the rail's, without spin. A is friction at
large over that without sliding: A = 1 keeps it constant. Source: O. Polach, Creep forces in
simulations of traction vehicles running on adhesion limit, Wear 258 (2005) 992; with FASTSIM in M.
Spiryagin, O. Polach and C. Cole, Creep force modelling for rail traction vehicles based on the
Fastsim algorithm, Vehicle System Dynamics 51 (2013) 1765.
"""

import math


def falling_friction(mu_0, A, B, V, nu):
    """mu of (1) for the creepage nu = sqrt(xi^2 + eta^2)."""
    return mu_0 * ((1.0 - A) * math.exp(-B * abs(V) * nu) + A)  # (1)
