"""Creep forces by Kalker's linear theory with a limit, as a block."""

from railblocks.blocks.rail.contact.creep_ports import Patch
from railblocks.blocks.rail.contact.tangential.kalker import kalker
from railblocks.blocks.rail.contact.tangential.saturation import saturated_kalker
from railblocks.engine.declaration import (
    Block,
    Out,
    Param,
    out,
)


class Kalker(Patch, Block):
    """Creep forces by Kalker's linear theory, limited by friction.

    F = (1 - w) f F_linear + w f rho F_sliding,  w = (rho / 3)^2           (1)
    f = 1 - rho / 3 + rho^2 / 27,  rho = |F_linear| / (mu N) up to 3       (2)

    F_linear = -G a b (C11 xi,  C22 eta + c C23 phi), c = sqrt(a b), M_linear = G a b c (C23 eta -
    c C33 phi). From rho = 3 on the patch slides as a whole, F_sliding being mu N against the slip,
    less what spin takes. The moment is blended likewise. Coefficients by Kalker's table; below a
    ratio of semi-axes of 0.1 they go over to his limits. Limits: slope of linear theory at zero
    creepage, full sliding for large ones. A lifted wheel (N <= 0) has no forces.
    """

    symbol = "Kalker"
    example = {"mu": 0.3}
    F_x = Out("N", "longitudinal force on the wheel")
    F_y = Out("N", "lateral force on the wheel")
    M_z = Out("N*m", "moment on the wheel about the normal")
    mu = Param("1", "coefficient of friction", ge=0)

    @out("F_x", "F_y", "M_z")
    def creep(xi, eta, phi, a, b, N, mu, G, nu, table):
        C11, C22, C23, C33 = kalker(a, b, nu, table)
        return saturated_kalker(xi, eta, phi, a, b, N, mu, G, C11, C22, C23, C33)  # (1), (2)
