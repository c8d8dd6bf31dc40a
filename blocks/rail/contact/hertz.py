"""Block of the normal force and contact ellipse of a wheel on a rail or roller."""

import math

from railblocks.blocks.rail.contact.normal.hertz import (
    composite_modulus,
    damped_depth,
    hertz_constants,
    normal_force,
    relative_curvatures,
)
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
    on a rail), so that the force is continuous at touch-down; t_c adds damping of t_c times the
    stiffness in both directions, as far as the bodies still press. The ellipse is that of the
    elastic force. Both bodies have the same material.
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
    t_c = Param("s", "damping both ways, over the stiffness", default=0.0, ge=0)
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
    def press(delta, delta_dot, K_h, c_x, c_y, c, t_c, depth):
        if not delta > 0.0:
            return 0.0, 0.0, 0.0, 0.0
        root = math.sqrt(delta)
        p_0 = 1.5 * K_h * root / (math.pi * c_x * c_y)
        N = normal_force(delta, delta_dot, K_h, c, t_c, depth)
        return N, c_x * root, c_y * root, p_0  # (1), (2)
