"""Normal and tangential forces of a wheel on a rail or roller, as blocks.

The mathematics is in `normal` and `tangential`; here it gets ports and parameters. x is the
direction of rolling, y lateral, z the normal; forces act on the wheel.
"""

import math

from railblocks.blocks.rail.creep_ports import Patch, PatchOfCells
from railblocks.blocks.rail.normal.hertz import (
    composite_modulus,
    damped_depth,
    hertz_constants,
    normal_force,
    relative_curvatures,
)
from railblocks.blocks.rail.tangential.fastsim import fastsim
from railblocks.blocks.rail.tangential.kalker import kalker
from railblocks.blocks.rail.tangential.saturation import saturated_kalker
from railblocks.engine.declaration import (
    Block,
    Derived,
    In,
    Out,
    Param,
    derive,
    out,
    validate,
)


class Hertz(Block):
    """Normal force and contact ellipse of two curved steel bodies.

    N = K_h delta^1.5 + c delta' min(1, delta / depth) for delta > 0, else 0              (1)
    a = c_x sqrt(delta),  b = c_y sqrt(delta),  p_0 = 3 K_h delta^1.5 / (2 pi a b)        (2)

    Constants are those of Hertz for the given principal curvatures, positive where a body is
    convex; those of the rail or roller are turned by psi. Damping acts under compression only
    (delta' > 0) and grows over a depth of 2e-5 of the radius of rolling (9 um for a wheel of 0.46 m
    on a rail), so that the force is continuous at touch-down; the ellipse is that of the elastic
    force. Both bodies have the same material.
    """

    symbol = "Hertz"
    example = {"k_wx": 1 / 0.46, "k_ry": 1 / 0.3}
    delta = In("m", "approach; negative when lifted", ge=-1.0, le=0.01)
    delta_dot = In("m/s", "rate of the approach", default=0.0, ge=-100.0, le=100.0)
    N = Out("N", "normal force")
    a = Out("m", "semi-axis of the patch along the direction of rolling")
    b = Out("m", "semi-axis of the patch across")
    p_0 = Out("Pa", "largest pressure")
    k_wx = Param("1/m", "curvature of the wheel along rolling, one over its radius")
    k_wy = Param("1/m", "curvature of the wheel's profile", default=0.0)
    k_rx = Param("1/m", "curvature of the roller along rolling; 0 for a rail", default=0.0)
    k_ry = Param("1/m", "curvature of the rail's profile", default=0.0)
    psi = Param("rad", "yaw of the wheel against the rail", default=0.0)
    E = Param("Pa", "Young's modulus", default=2.1e11, gt=0)
    nu = Param("1", "Poisson's ratio", default=0.3, ge=0, le=0.5)
    c = Param("N*s/m", "damping under compression", default=0.0, ge=0)
    K_h = Derived("N/m^1.5", "force per approach^1.5")
    c_x = Derived("m^0.5", "semi-axis a per root of approach")
    c_y = Derived("m^0.5", "semi-axis b per root of approach")
    depth = Derived("m", "approach from which on damping is whole")

    @validate
    def bodies_touch_in_a_point(k_wx, k_wy, k_rx, k_ry, psi):
        A, B = relative_curvatures(k_wx, k_wy, k_rx, k_ry, psi)
        if min(A, B) <= 1e-12 * max(abs(A), abs(B)):
            return f"relative curvatures {2 * A:g} and {2 * B:g} 1/m; expected two positive ones"

    @derive("K_h", "c_x", "c_y", "depth")
    def constants(k_wx, k_wy, k_rx, k_ry, psi, E, nu):
        A, B = relative_curvatures(k_wx, k_wy, k_rx, k_ry, psi)
        k, c_x, c_y = hertz_constants(A, B)
        return composite_modulus(E, nu) * k, c_x, c_y, damped_depth(A)

    @out("N", "a", "b", "p_0")
    def press(delta, delta_dot, K_h, c_x, c_y, c, depth):
        if not delta > 0.0:
            return 0.0, 0.0, 0.0, 0.0
        root = math.sqrt(delta)
        p_0 = 1.5 * K_h * root / (math.pi * c_x * c_y)
        N = normal_force(delta, delta_dot, K_h, c, depth)
        return N, c_x * root, c_y * root, p_0  # (1), (2)


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
    spin the first comes closer to exact theory. N <= 0 gives no forces.
    """

    symbol = "FASTSIM"
    example = {"mu": 0.3, "n_x": 9, "n_y": 9}
    F_x = Out("N", "longitudinal force on the wheel")
    F_y = Out("N", "lateral force on the wheel")
    M_z = Out("N*m", "moment on the wheel about the normal")
    mu = Param("1", "coefficient of friction", ge=0)

    @out("F_x", "F_y", "M_z")
    def creep(
        xi, eta, phi, a, b, N, mu, G, nu, table, n_x, n_y, parabolic, kind
    ):  # fmt: skip
        C11, C22, C23, _ = kalker(a, b, nu, table)
        return fastsim(xi, eta, phi, a, b, N, mu, G, C11, C22, C23, n_x, n_y, parabolic, kind, None)
