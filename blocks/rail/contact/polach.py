"""Creep forces by Polach's formula, as a block."""

from railblocks.blocks.rail.contact.creep_ports import Patch
from railblocks.blocks.rail.contact.tangential.kalker import kalker
from railblocks.blocks.rail.contact.tangential.polach import DRY, polach
from railblocks.blocks.rail.contact.tangential.records import PolachFriction
from railblocks.engine.declaration import Block, In, Out, Param, Record, out, validate


class Polach(Patch, Block):
    """Creep forces by Polach's formula, with friction that falls with sliding.

    mu = mu_0 ((1 - A) exp(-B V nu) + A),  nu = sqrt(xi^2 + eta^2)         (1)
    e = G pi a b C nu / (4 mu N),  C nu = sqrt((C11 xi)^2 + (C22 eta)^2)   (2)
    F = 2 mu N / pi (k_A e / (1 + (k_A e)^2) + arctan(k_S e)),  against (xi, eta)         (3)

    Defaults are Polach's constants for a dry surface; a wet one has mu_0 = 0.3, A = 0.4, B = 0.2
    s/m, k_A = 0.3, k_S = 0.1. Spin is left out. The slope at zero creepage is (k_A + k_S) / 2 times
    that of linear theory; large creepages give mu N, N <= 0 none. Source: Wear 258 (2005) 992.
    """

    symbol = "Polach"
    phi = creepages = None
    V = In("m/s", "speed of rolling")
    F_x = Out("N", "longitudinal force on the wheel")
    F_y = Out("N", "lateral force on the wheel")
    mu_0 = Param("1", "friction without sliding", default=DRY["mu_0"], gt=0)
    A = Param("1", "friction at large over that without sliding", default=DRY["A"], gt=0, le=1)
    B = Param("s/m", "fall of friction with sliding", default=DRY["B"], ge=0)
    k_A = Param("1", "reduction where the patch adheres", default=DRY["k_A"], gt=0, le=1)
    k_S = Param(
        "1", "reduction where the patch slides, at most k_A", default=DRY["k_S"], gt=0, le=1
    )

    friction = Record("how friction falls, and what a third layer leaves", PolachFriction)

    @validate
    def sliding_is_reduced_more(k_A, k_S):
        if k_S > k_A:
            return f"k_S = {k_S:g} is above k_A = {k_A:g}; expected k_S <= k_A"

    @out("F_x", "F_y")
    def creep(xi, eta, V, patch, mu_0, friction, G, nu, table):
        C11, C22, _, _ = kalker(patch.a, patch.b, nu, table)
        return polach(xi, eta, V, patch, mu_0, friction, G, C11, C22)  # (1) to (3)
