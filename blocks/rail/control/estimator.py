"""Estimates from the rig's sensors: speed, acceleration, force and motor torque of the wheels."""

import math

from railblocks.blocks.base.kernels import nearest_multiple
from railblocks.blocks.base.realisation import beside_output
from railblocks.blocks.sources.philox import normal
from railblocks.blocks.sources.streams import seed, stream
from railblocks.engine.declaration import (
    EACH,
    Block,
    Derived,
    Discrete,
    In,
    Out,
    Param,
    Record,
    Sample,
    State,
    der,
    derive,
    out,
    update,
)

INERTIAS = ("wheelset", "total")


def inertia_in_balance(inertia, J_w, J_r, r_s, R):
    """Inertia in the balance: J_w, or with that of the roller as seen from the wheel's axle."""
    return J_w if inertia == "wheelset" else J_w + J_r * (r_s / R) * (r_s / R)


class Estimator(Block):
    """Wheel speed, acceleration, force and motor torque from the sensors of a roller.

    omega_w_hat = -R / r_s omega_rm,  T_hat = T_mis                        (1)
    x' = omega_w_dot_hat = (omega_w_hat - x) / T_f                         (2)
    C_tilde = r_s T_hat + J omega_w_dot_hat                                (3)

    Pure rolling of wheel and roller. (2) is a derivative with a first-order filter; T_f is 1 / (2
    pi 50 Hz), where noise begins in the paper. J is the wheelset's inertia, since T is the force in
    the contact; "total" adds that of the roller, J_r (r_s / R)^2, as Eq. 30 is printed: this counts
    the roller twice, C_tilde is wrong by its torque of acceleration. Source: Conti et al. (2012),
    Eqs 29 and 30. J_w and r_s scale down the Manchester wagon; J_r is a proposal.
    """

    symbol = "Ĉ"
    example = {"omega_0": 150.0}
    omega_rm = In("rad/s", "measured speed of the roller, against that of the wheel", shape=EACH)
    T_mis = In("N", "measured tangential force, positive in traction", shape=EACH)
    omega_w_hat = Out("rad/s", "speed of the wheel", shape=EACH)
    omega_w_dot_hat = Out("rad/s^2", "acceleration of the wheel", shape=EACH)
    T_hat = Out("N", "tangential force", shape=EACH)
    C_tilde = Out("N*m", "torque of the motor on the wheelset", shape=EACH)
    r_s = Param("m", "radius of the wheel", default=0.092, gt=0)
    R = Param("m", "radius of the roller", default=0.092, gt=0)
    J_w = Param("kg*m^2", "inertia of the wheelset", default=0.03584, gt=0)
    J_r = Param("kg*m^2", "inertia of the rollers of an axle", default=0.05, gt=0)
    inertia = Param("1", "what turns", type=str, default="wheelset", choices=INERTIAS)
    T_f = Param("s", "time constant of the derivative", default=3.183e-3, gt=0)
    omega_0 = Param("rad/s", "speed of the wheel at the start", shape=EACH, default=0.0)
    J = Derived("kg*m^2", "inertia in the balance of torques")
    size = Derived("1", "size of the filtered speed beside speed and acceleration")
    x = State("rad/s", "filtered speed of the wheel", shape=EACH, start="omega_0", size="size")

    @derive("J")
    def choose(inertia, J_w, J_r, r_s, R):
        return inertia_in_balance(inertia, J_w, J_r, r_s, R)

    @derive("size")
    def compare(T_f):
        return beside_output(1.0 / T_f)

    @out("omega_w_hat")
    def roll(omega_rm, r_s, R):
        return -R / r_s * omega_rm  # (1)

    @out("omega_w_dot_hat", "T_hat", "C_tilde")
    def estimate(omega_w_hat, T_mis, x, r_s, T_f, J):
        rate = (omega_w_hat - x) / T_f  # (2)
        return rate, T_mis, r_s * T_mis + J * rate  # (3)

    @der("x")
    def follow(omega_w_hat, x, T_f):
        return (omega_w_hat - x) / T_f  # (2)


def rounded(u, step):
    """u to the nearest multiple of step; step <= 0 leaves it."""
    return nearest_multiple(u, step) if step > 0.0 else u


def sensed(omega_rm, T_mis, k, sensors):
    """Readings of both sensors at sample k: noise first, then steps of the converter."""
    stream, seed, run_seed = sensors.stream_number, sensors.seed, sensors.run_seed
    omega, T = omega_rm, T_mis
    if sensors.std_omega > 0.0:
        omega += sensors.std_omega * normal(2 * k, stream, seed, run_seed)
    if sensors.std_T > 0.0:
        T += sensors.std_T * normal(2 * k + 1, stream, seed, run_seed)
    return rounded(omega, sensors.res_omega), rounded(T, sensors.res_T)


class SampledEstimator(Estimator):
    """Wheel speed, acceleration, force and motor torque from sampled sensors of a roller.

    omega_w_hat = -R / r_s omega_rm,  T_hat = T_mis, with noise and resolution            (1)
    d_k = e d_{k-1} + (1 - e) (omega_k - omega_{k-1}) / every,  e = exp(-every / T_f)     (2)
    C_tilde = r_s T_hat + J d_k                                            (3)

    Sensors add normal noise of the given deviations, and round to multiples of their resolution; 0
    is none. Each axle and each sensor has noise of its own (see sources.uniform_noise). The inertia
    is chosen as in rail.estimator. Source: Conti et al. (2012), Eqs 29 and 30.
    """

    symbol = "Ĉ z"
    example = {"omega_0": 150.0, "every": 1e-3}
    omega_w_hat = Out("rad/s", "speed of the wheel", shape=EACH, before="omega_0")
    res_omega = Param("rad/s", "resolution of the speed sensor", default=0.0, ge=0)
    res_T = Param("N", "resolution of the force sensor", default=0.0, ge=0)
    std_omega = Param("rad/s", "noise of the speed sensor", default=0.0, ge=0)
    std_T = Param("N", "noise of the force sensor", default=0.0, ge=0)
    seed = seed()
    stream = stream()
    k = Discrete("1", "number of samples taken", shape=EACH, type=int, ge=0)
    x = Discrete("rad/s", "speed at the last sample", shape=EACH, start="omega_0")
    d = Discrete("rad/s^2", "acceleration at the last sample", shape=EACH)
    sensors = Record(
        "resolution and noise of the sensors",
        "res_omega", "res_T", "std_omega", "std_T", "seed", "stream_number", "run_seed",
    )  # fmt: skip
    every = Sample()
    roll = follow = size = compare = None

    @out("omega_w_hat", "omega_w_dot_hat", "T_hat", "C_tilde")
    def estimate(omega_rm, T_mis, k, x, d, r_s, R, T_f, J, every, sensors):
        omega_rm, T = sensed(omega_rm, T_mis, k, sensors)
        omega = -R / r_s * omega_rm  # (1)
        e = math.exp(-every / T_f)
        rate = e * d + (1.0 - e) * (omega - x) / every  # (2)
        return omega, rate, T, r_s * T + J * rate  # (3)

    @update("k", "x", "d")
    def step(omega_rm, T_mis, k, x, d, r_s, R, T_f, every, sensors):
        omega_rm, _ = sensed(omega_rm, T_mis, k, sensors)
        omega = -R / r_s * omega_rm
        e = math.exp(-every / T_f)
        return k + 1, omega, e * d + (1.0 - e) * (omega - x) / every  # (2)
