"""Torque of the rollers that lets the rig's wheels turn as those of the virtual train."""

from railblocks.blocks.base.kernels import clip
from railblocks.engine.declaration import (
    EACH,
    Block,
    Derived,
    In,
    Out,
    Param,
    Sample,
    derive,
    guard,
    out,
)

SIGNS = ("corrected", "printed")


def saturated(error, layer):
    """sat(error / layer); the sign of the error without a layer."""
    if layer > 0.0:
        return clip(error / layer, -1.0, 1.0)
    return 1.0 if error > 0.0 else -1.0 if error < 0.0 else 0.0


class SlidingMode(Block):
    """Roller torque of one axle: what the train model needs, and a sliding mode for what is left.

    u = u_cont + u_disc within +-u_max                                     (1)
    u_cont = R / r_s (C_hat (1 - J_B phi_C / J) + J_B / J phi_f T_sim r)   (2)
    u_disc = s k sat((omega_ws - omega_w_hat) / omega_b)                   (3)

    C_hat and T_sim are those of the model, J and r those of the full scale; J_B = J_w + J_r (r_s /
    R)^2. A positive u brakes the roller, hence s = -1: with s = +1, as Eq. 28 is printed, errors
    grow. (2) has phi_C where the paper prints phi_T: it makes both accelerations equal. sat, linear
    within the boundary layer omega_b, regularises the sign function; omega_b = 0 is the pure
    sliding mode, sat = sign, which switches without end where errors vanish: a run then needs an
    integration that slides, or rail.sampled_sliding_mode. k and omega_b are proposals: 8 % of
    u_max, and the paper's errors of 0.03 rad/s lie inside. Source: Conti et al. (2012), Eqs 26 to
    28, u_max = 20000 N m / phi_C.
    """

    symbol = "k sgn"
    C_hat = In("N*m", "filtered torque of the motor, model", shape=EACH)
    T_sim = In("N", "tangential force of the virtual train, model", shape=EACH)
    omega_ws = In("rad/s", "speed of the wheelset of the virtual train", shape=EACH)
    omega_w_hat = In("rad/s", "estimated speed of the wheel on the rig", shape=EACH)
    u = Out("N*m", "torque of the roller, braking a wheel in traction", shape=EACH)
    u_cont = Out("N*m", "its continuous part", shape=EACH)
    u_disc = Out("N*m", "its part from the speed error", shape=EACH)
    k = Param("N*m", "gain of the sliding mode", default=0.5, ge=0)
    omega_b = Param("rad/s", "half width of the boundary layer", default=0.05, ge=0)
    u_max = Param("N*m", "limit of the roller's motor", default=6.4, gt=0)
    J = Param("kg*m^2", "inertia of the wheelset, full scale", default=112.0, gt=0)
    J_w = Param("kg*m^2", "inertia of the wheelset, model", default=0.03584, gt=0)
    J_r = Param("kg*m^2", "inertia of the rollers of an axle", default=0.05, gt=0)
    r = Param("m", "radius of the wheels, full scale", default=0.46, gt=0)
    r_s = Param("m", "radius of the wheels, model", default=0.092, gt=0)
    R = Param("m", "radius of the rollers", default=0.092, gt=0)
    phi_C = Param("1", "similitude factor of torques", default=3125.0, gt=0)
    phi_f = Param("1", "similitude factor of forces", default=625.0, gt=0)
    sign = Param("1", "sign of (3)", type=str, default="corrected", choices=SIGNS)
    s = Derived("1", "-1 if corrected, 1 as printed")
    c_C = Derived("1", "u_cont per C_hat")
    c_T = Derived("m", "u_cont per T_sim")

    @derive("s", "c_C", "c_T")
    def gains(J, J_w, J_r, r, r_s, R, phi_C, phi_f, sign):
        ratio = (J_w + J_r * (r_s / R) ** 2) / J
        side = -1.0 if sign == "corrected" else 1.0
        return side, R / r_s * (1.0 - ratio * phi_C), R / r_s * ratio * phi_f * r  # (2)

    @out("u", "u_cont", "u_disc")
    def control(C_hat, T_sim, omega_ws, omega_w_hat, s, c_C, c_T, k, omega_b, u_max):
        u_cont = c_C * C_hat + c_T * T_sim  # (2)
        u_disc = s * k * saturated(omega_ws - omega_w_hat, omega_b)  # (3)
        return clip(u_cont + u_disc, -u_max, u_max), u_cont, u_disc  # (1)

    @guard("above", "both")
    def at_upper_edge(omega_ws, omega_w_hat, omega_b):
        return omega_ws - omega_w_hat - omega_b

    @guard("below", "both")
    def at_lower_edge(omega_ws, omega_w_hat, omega_b):
        return omega_ws - omega_w_hat + omega_b


class SampledSlidingMode(SlidingMode):
    """Roller torque of one axle from a computer that samples: held between its samples.

    u = u_cont + u_disc within +-u_max, at each sample                     (1)

    Equations and parameters are those of rail.sliding_mode. Between samples the torque stays, so
    that k over the inertia times the sample time should be well below the boundary layer.
    """

    symbol = "k sgn z"
    example = {"every": 1e-3}
    every = Sample()
    at_upper_edge = at_lower_edge = None
