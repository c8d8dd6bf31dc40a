"""Estimates from the rig's sensors: speed, acceleration, force and motor torque of the wheels."""

from dataclasses import replace

from railblocks.blocks.base.realisation import beside_output
from railblocks.blocks.base.variants import variant
from railblocks.blocks.rail.control.axle_model import AxleModel, SampledAxleModel
from railblocks.blocks.rail.control.sensors import rate_of, sensed_force, sensed_speed
from railblocks.blocks.rail.rig.axle_boxes import AxleBoxData
from railblocks.blocks.rail.rig.bogie import BogieData
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
    validate,
)

MODELS = ("printed", "axle", "rollers")
INERTIAS = ("wheelset", "total")


def inertia_in_balance(inertia, J_w, J_r, r_s, R):
    """Inertia in the balance: J_w, or with that of the roller as seen from the wheel's axle."""
    return J_w if inertia == "wheelset" else J_w + J_r * (r_s / R) * (r_s / R)


class Estimator(AxleBoxData, Block):
    """Wheel speed, acceleration, force and motor torque from the sensors of a roller.

    omega_w_hat = -R / r_s omega_rm,  T_hat = T_mis                        (1)
    x' = omega_w_dot_hat = (omega_w_hat - x) / T_f                         (2)
    C_tilde = r_s T_hat + J omega_w_dot_hat                                (3)
    model "axle":  T_hat = T_mis - q x_hat,  (2) of omega_w_hat + x_hat' / r_s            (4)
    model "rollers":  T_hat = T_u = u / R,  J = J_w + J_r (r_s / R)^2      (5)

    Pure rolling of wheel and roller. "printed" takes axles as held along x. "axle" has a model of
    them on their springs, both axles of the first `bogies` of all `axles`, with s for x_1, x_2, the
    bogie's pitch and their rates, and q = N / (r_s + R) for the load that leans:

    s' = A s + B (T_mis, C_tilde)                                          (6)

    (rig/axle_boxes.py has A and B). Its displacement would else be taken for force, its motion for
    torque. "rollers" is Eq. 30 as printed if T_hat is the rollers' torque over R; it needs no load
    cells. In (3) J is the wheelset's inertia, since T is the force in the contact; "total" adds the
    roller's, as printed: that counts it twice. T_f is 1 / (2 pi 50 Hz), where noise begins in the
    paper. Source: Conti et al. (2012), Eqs 29 and 30. Data of axle boxes are those of rail.mdm_rig,
    k_x and kappa can be calibrated; J_r is a proposal.
    """

    symbol = "Ĉ"
    example = {"omega_0": 150.0}
    omega_rm = In("rad/s", "measured speed of the roller, against that of the wheel", shape=EACH)
    T_mis = In("N", "measured tangential force, positive in traction", shape=EACH)
    u = In("N*m", "torque on the rollers", shape=EACH, default=0.0)
    omega_w_hat = Out("rad/s", "speed of the wheel", shape=EACH)
    omega_w_dot_hat = Out("rad/s^2", "acceleration of the wheel", shape=EACH)
    T_hat = Out("N", "tangential force", shape=EACH)
    C_tilde = Out("N*m", "torque of the motor on the wheelset", shape=EACH)
    T_u = Out("N", "tangential force that balances u", shape=EACH)
    model = Param("1", "what axles do along x", type=str, default="printed", choices=MODELS)
    axles = Param("1", "number of axles of the model axle", type=int, default=2, ge=2)
    bogies = Param("1", "number of bogies on springs there", type=int, default=1, ge=1)
    J_w = replace(BogieData.J_wy, doc="inertia of the wheelset")
    J_r = BogieData.J_r
    inertia = Param("1", "what turns", type=str, default="wheelset", choices=INERTIAS)
    T_f = Param("s", "time constant of the derivative", default=3.183e-3, gt=0)
    omega_0 = Param("rad/s", "speed of the wheel at the start", shape=EACH, default=0.0)
    J = Derived("kg*m^2", "inertia in the balance of torques")
    size = Derived("1", "size of the filtered speed beside speed and acceleration")
    x = State("rad/s", "filtered speed of the wheel", shape=EACH, start="omega_0", size="size")

    @classmethod
    def specialise(cls, values):
        return specialised(cls, values["model"], AxleModel, estimate=estimate_by_rollers)

    @validate
    def bogies_have_axles(axles, bogies):
        if 2 * bogies > axles:
            return f"bogies = {bogies} need {2 * bogies} axles, and axles = {axles}"

    @derive("J")
    def choose(model, inertia, J_w, J_r, r_s, R):
        return inertia_in_balance("total" if model == "rollers" else inertia, J_w, J_r, r_s, R)

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

    @out("T_u")
    def balance(u, R):
        return u / R  # (5)

    @der("x")
    def follow(omega_w_hat, x, T_f):
        return (omega_w_hat - x) / T_f  # (2)


@out("omega_w_dot_hat", "T_hat", "C_tilde")
def estimate_by_rollers(omega_w_hat, T_u, x, r_s, T_f, J):
    """(2), (3) and (5)."""
    rate = (omega_w_hat - x) / T_f
    return rate, T_u, r_s * T_u + J * rate


def specialised(block, model, axle_model, **by_rollers):
    """The block with the equations of its model."""
    if model == "axle":
        members = (vars(kind).items() for kind in reversed(axle_model.__mro__[:-1]))
        return variant(block, **{n: m for own in members for n, m in own if n[0] != "_"})
    if model == "rollers":
        u = replace(block.declaration.items["u"], default=None)
        return variant(block, u=u, **by_rollers)
    return block


class SampledEstimator(Estimator):
    """Wheel speed, acceleration, force and motor torque from sampled sensors of a roller.

    omega_w_hat = -R / r_s omega_rm,  T_hat = T_mis, with noise and resolution            (1)
    d_k = e d_{k-1} + (1 - e) (omega_k - omega_{k-1}) / every,  e = exp(-every / T_f)     (2)
    C_tilde = r_s T_hat + J d_k                                            (3)

    Sensors add normal noise of the given deviations, and round to multiples of their resolution; 0
    is none. Each axle and each sensor has noise of its own (see sources.uniform_noise). Models and
    inertia are chosen as in rail.estimator; "axle" takes forces and torques as held from sample to
    sample. Source: Conti et al. (2012), Eqs 29 and 30.
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

    @classmethod
    def specialise(cls, values):
        return specialised(cls, values["model"], SampledAxleModel, estimate=sample_by_rollers)

    @out("omega_w_hat", "omega_w_dot_hat", "T_hat", "C_tilde")
    def estimate(omega_rm, T_mis, k, x, d, r_s, R, T_f, J, every, sensors):
        omega = -R / r_s * sensed_speed(omega_rm, k, sensors)  # (1)
        rate, T = rate_of(omega, x, d, T_f, every), sensed_force(T_mis, k, sensors)  # (2)
        return omega, rate, T, r_s * T + J * rate  # (3)

    @update("k", "x", "d")
    def step(omega_w_hat, omega_w_dot_hat, k):
        return k + 1, omega_w_hat, omega_w_dot_hat


@out("omega_w_hat", "omega_w_dot_hat", "T_hat", "C_tilde")
def sample_by_rollers(omega_rm, T_u, k, x, d, r_s, R, T_f, J, every, sensors):
    """(1) to (3) with the control torque for T."""
    omega = -R / r_s * sensed_speed(omega_rm, k, sensors)
    rate = rate_of(omega, x, d, T_f, every)
    return omega, rate, T_u, r_s * T_u + J * rate
