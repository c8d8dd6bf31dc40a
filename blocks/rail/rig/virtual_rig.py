"""Two-dimensional model of wheelsets that roll on driven rollers."""

import math

from railblocks.blocks.rail.contact.normal.hertz import (
    composite_modulus,
    patch,
    relative_curvatures,
)
from railblocks.blocks.rail.contact.tangential.kalker import kalker, kalker_table
from railblocks.blocks.rail.contact.tangential.saturation import saturation
from railblocks.engine.declaration import (
    EACH,
    Block,
    Derived,
    In,
    Out,
    Param,
    State,
    der,
    derive,
    out,
)


def traction(omega_w, omega_r, r_s, R, f_11, bound, V_min):
    """Force of both wheels of an axle, positive when they drive the roller."""
    v_w, v_r = r_s * omega_w, -R * omega_r
    V = 0.5 * (v_w + v_r)
    linear = f_11 * (v_w - v_r) / math.sqrt(V * V + V_min * V_min)  # (3)
    return linear * saturation(abs(linear), bound)  # (4)


def creep_of_axle(r_s, R, R_y, N, E, nu):
    """f_11 of both wheels of an axle, with the patch of Hertz under the load N of a wheel."""
    A, B = relative_curvatures(1.0 / r_s, 0.0, 1.0 / R, 1.0 / R_y, 0.0)
    a, b, _, _ = patch(A, B, N, composite_modulus(E, nu))
    return E / (1.0 + nu) * a * b * kalker(a, b, nu, kalker_table(nu))[0]


class VirtualRig(Block):
    """Wheelsets on rollers in the plane: rotations, creep between them, and what sensors see.

    J_w omega_w' = C_S - r_s T,  J_r omega_r' = u - R T                    (1)
    T_mis = T + me_w omega_w^2 sin(theta_w) + me_r omega_r^2 sin(theta_r),  theta' = omega (2)
    F = f_11 (v_w - v_r) / sqrt(V^2 + V_min^2),  v_w = r_s omega_w,  v_r = -R omega_r     (3)
    T = F (1 - rho / 3 + rho^2 / 27),  rho = |F| / (2 mu N) <= 3, else T = F / rho        (4)

    One element for each axle; V = (v_w + v_r) / 2. f_11 = 2 G a b C11 with the patch of Hertz under
    the load N of a wheel. Axle boxes are held, so that axles do not feel each other, and unbalances
    act on the load cells only, with what arrives there. V_min regularises standstill. Source: Conti
    et al. (2012), section 3.1.5, which leaves the equations open: creep law as on the full rig. N
    is the Manchester wagon's wheel load over 125, R_y a fifth of a UIC60 head's 0.3 m; J_r (two
    steel discs and a motor) and mu are proposals.
    """

    symbol = "○/○"
    example = {"omega_0": 150.0}
    C_S = In("N*m", "torque of the motor on the wheelset", shape=EACH)
    u = In("N*m", "torque on the rollers; positive brakes those of wheels in traction", shape=EACH)
    omega_rm = Out("rad/s", "speed of the roller, against that of the wheel", shape=EACH)
    T_mis = Out("N", "measured tangential force, positive in traction", shape=EACH)
    T = Out("N", "tangential force in the contact", shape=EACH)
    omega_w = Out("rad/s", "speed of the wheelset", shape=EACH)
    omega_w_dot = Out("rad/s^2", "acceleration of the wheelset", shape=EACH)
    r_s = Param("m", "radius of the wheels", default=0.092, gt=0)
    R = Param("m", "radius of the rollers", default=0.092, gt=0)
    J_w = Param("kg*m^2", "inertia of a wheelset", default=0.03584, gt=0)
    J_r = Param("kg*m^2", "inertia of the rollers of an axle", default=0.05, gt=0)
    N = Param("N", "load of a wheel", default=436.4, gt=0)
    mu = Param("1", "friction between wheel and roller", default=0.3, gt=0)
    R_y = Param("m", "radius of the roller's profile, the wheel's is straight", default=0.06, gt=0)
    E = Param("Pa", "Young's modulus", default=2.1e11, gt=0)
    nu = Param("1", "Poisson's ratio", default=0.3, ge=0, lt=0.5)
    V_min = Param("m/s", "speed below which creepage is held back", default=0.1, gt=0)
    me_w = Param("kg*m", "unbalance of the wheelset", shape=EACH, default=0.0, ge=0)
    me_r = Param("kg*m", "unbalance of the rollers", shape=EACH, default=0.0, ge=0)
    theta_w0 = Param("rad", "angle of the wheelset's unbalance", shape=EACH, default=0.0)
    theta_r0 = Param("rad", "angle of the rollers' unbalance", shape=EACH, default=0.0)
    omega_0 = Param("rad/s", "speed of wheels and, in rolling, of rollers", shape=EACH)
    f_11 = Derived("N", "linear creep coefficient of an axle")
    bound = Derived("N", "friction of an axle, 2 mu N")
    omega_r0 = Derived("rad/s", "speed of the rollers at the start", shape=EACH)
    n_w = State("rad/s", "speed of the wheelset", shape=EACH, start="omega_0")
    n_r = State("rad/s", "speed of the rollers", shape=EACH, start="omega_r0")
    theta_w = State("rad", "angle of the wheelset", shape=EACH, start="theta_w0")
    theta_r = State("rad", "angle of the rollers", shape=EACH, start="theta_r0")

    @derive("f_11", "bound", "omega_r0")
    def prepare(r_s, R, R_y, N, E, nu, mu, omega_0):
        return creep_of_axle(r_s, R, R_y, N, E, nu), 2.0 * mu * N, omega_0 * (-r_s / R)

    @der("n_w", "n_r", "theta_w", "theta_r")
    def turn(n_w, n_r, C_S, u, r_s, R, J_w, J_r, f_11, bound, V_min):
        T = traction(n_w, n_r, r_s, R, f_11, bound, V_min)
        return (C_S - r_s * T) / J_w, (u - R * T) / J_r, n_w, n_r  # (1)

    @out("omega_rm", "T_mis", "T", "omega_w")
    def sense(n_w, n_r, theta_w, theta_r, r_s, R, f_11, bound, V_min, me_w, me_r):
        T = traction(n_w, n_r, r_s, R, f_11, bound, V_min)
        shake = me_w * n_w * n_w * math.sin(theta_w) + me_r * n_r * n_r * math.sin(theta_r)
        return n_r, T + shake, T, n_w  # (2)

    @out("omega_w_dot")
    def accelerate(n_w, n_r, C_S, r_s, R, J_w, f_11, bound, V_min):
        return (C_S - r_s * traction(n_w, n_r, r_s, R, f_11, bound, V_min)) / J_w  # (1)
