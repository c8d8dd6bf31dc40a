"""Creep forces by Kalker's simplified theory, as a block."""

from railblocks.blocks.rail.contact.creep_ports import PatchOfCells
from railblocks.blocks.rail.contact.tangential.fastsim import fastsim
from railblocks.blocks.rail.contact.tangential.kalker import kalker
from railblocks.blocks.rail.contact.tangential.laws import friction_at
from railblocks.blocks.rail.contact.tangential.polach import DRY
from railblocks.blocks.rail.contact.tangential.records import Elasticity
from railblocks.engine.declaration import (
    Block,
    In,
    Out,
    Param,
    out,
)


class Fastsim(PatchOfCells, Block):
    """Creep forces by Kalker's simplified theory, on a grid in the patch.

    p_A = p - dx (xi / L_1 - y phi / L_3,  eta / L_2 + x phi / L_3)        (1)
    p = p_A where |p_A| <= mu p_n (adhesion), else mu p_n p_A / |p_A| (sliding)           (2)
    L_1 = 8 a / (3 G C11),  L_2 = 8 a / (3 G C22),  L_3 = pi a sqrt(a / b) / (4 G C23)    (3)

    Forces are sums of p over cells. Flexibilities (3) have the forces of linear theory, but their
    full sliding is off the slip by C11 / C22: "blended" goes over to one L as the patch begins to
    slide, so that large creepages give mu N against the slip. "three" keeps (3), as published;
    "weighted" is one mean L throughout, poor when lateral creepage and spin oppose each other.
    "parabolic" is the traction bound of the simplified theory, "elliptic" Hertz's pressure; without
    spin the first comes closer to exact theory. N <= 0 gives no forces. Friction may fall with the
    speed of sliding, for the whole patch, as in Polach's formula (Wear 258 (2005) 992):

    mu ((1 - A) exp(-B V sqrt(xi^2 + eta^2)) + A)                          (4)
    """

    symbol = "FASTSIM"
    example = {"mu": 0.3, "A": 0.4, "n_x": 9, "n_y": 9}
    F_x = Out("N", "longitudinal force on the wheel")
    F_y = Out("N", "lateral force on the wheel")
    M_z = Out("N*m", "moment on the wheel about the normal")
    V = In("m/s", "speed of rolling", default=0.0)
    mu = Param("1", "coefficient of friction, without sliding", ge=0)
    A = Param("1", "friction at large over that without sliding", default=1.0, ge=0, le=1)
    B = Param("s/m", "fall of friction with sliding", default=DRY["B"], ge=0)

    @out("F_x", "F_y", "M_z")
    def creep(creepages, patch, V, mu, A, B, G, nu, table, cells):
        C11, C22, C23, _ = kalker(patch.a, patch.b, nu, table)
        friction = friction_at(creepages.xi, creepages.eta, V, mu, A, B)  # (4)
        return fastsim(creepages, patch, friction, Elasticity(G, C11, C22, C23), cells, None)
