"""The estimator's model of axles on their springs: equations in place of those of held axles.

With s the states of a bogie, F = T_mis, C = C_tilde, and A and B of `rig/axle_boxes.py`,

    s' = A s + B (F_1, F_2, C_1, C_2)                                      (1)
    T_hat = T_mis - q x_hat                                                (2)
    omega_w_dot_hat = filtered derivative of (x_hat' - R omega_rm) / r_s   (3)

Sampled, s_{k+1} = A_d s_k + B_d (F, C)_k, exact for what is held from sample to sample. Axles
behind those of the bogies have x_hat = 0. The speed that is told, omega_w_hat, stays that of the
roller: control that follows x_hat' too would drive the axles on their springs.
"""

import numpy as np
from railblocks.blocks.base.kernels import row_dot
from railblocks.blocks.base.realisation import beside_output
from railblocks.blocks.rail.control.sensors import rate_of, sensed_force, sensed_speed
from railblocks.blocks.rail.rig.axle_boxes import STATES, box_system, leaning
from railblocks.engine.declaration import (
    Derived,
    Discrete,
    In,
    Out,
    Record,
    State,
    der,
    derive,
    out,
    update,
)


def position(s, axle):
    """x_hat of an axle."""
    return s[axle // 2, axle % 2] if axle // 2 < len(s) else 0.0


def velocity(s, axle):
    """x_hat' of an axle."""
    return s[axle // 2, 3 + axle % 2] if axle // 2 < len(s) else 0.0


def drive(s, F, C, A, B, result):
    """A s + B (F, C) of all bogies."""
    for k in range(len(s)):
        for i in range(STATES):
            result[k, i] = row_dot(A, i, s[k]) + (
                B[i, 0] * F[2 * k] + B[i, 1] * F[2 * k + 1]
                + B[i, 2] * C[2 * k] + B[i, 3] * C[2 * k + 1]
            )  # fmt: skip


def over_a_sample(A, B, every):
    """A_d and B_d of (1) for inputs that are held."""
    from scipy.linalg import expm

    both = np.zeros((STATES + 4, STATES + 4))
    both[:STATES, :STATES], both[:STATES, STATES:] = A, B
    both = expm(every * both)
    return both[:STATES, :STATES], both[:STATES, STATES:]


class Axles:
    """Ports of all axles, and what both estimators have of the model."""

    omega_rm = In("rad/s", "measured speed of the roller, against that of the wheel", shape="axles")
    T_mis = In("N", "measured tangential force, positive in traction", shape="axles")
    u = In("N*m", "torque on the rollers", shape="axles", default=0.0)
    omega_w_dot_hat = Out("rad/s^2", "acceleration of the wheel", shape="axles")
    T_hat = Out("N", "tangential force", shape="axles")
    C_tilde = Out("N*m", "torque of the motor on the wheelset", shape="axles")
    T_u = Out("N", "tangential force that balances u", shape="axles")
    x_hat = Out("m", "displacement of the axle along x", shape="axles")
    q = Derived("N/m", "force along x of a leaning load, per displacement")
    A = Derived("1", "system matrix of a bogie", shape=(STATES, STATES))
    B = Derived("1", "its input matrix", shape=(STATES, 4))

    @derive("q", "A", "B")
    def prepare_boxes(boxes):
        return leaning(boxes.N, boxes.r_s, boxes.R), *box_system(boxes)

    @out("T_u")
    def balance(u, R, T_u):
        for k in range(len(u)):
            T_u[k] = u[k] / R

    @out("x_hat")
    def displace(s, x_hat):
        for k in range(len(x_hat)):
            x_hat[k] = position(s, k)


class AxleModel(Axles):
    """What replaces the equations of `rail.estimator`."""

    omega_w_hat = Out("rad/s", "speed of the wheel", shape="axles")
    x = State("rad/s", "filtered speed of the wheel", shape="axles", start="omega_0", size="size")
    box_size = Derived("1", "size of these states beside the torque")
    s = State("1", "states of axle boxes", shape=("bogies", STATES), size="box_size")
    estimates = Record("estimates", "omega_w_dot_hat", "T_hat", "C_tilde")

    @derive("box_size")
    def compare_boxes(q, r_s, J, T_f):
        return beside_output(max(r_s * q, J / (r_s * T_f)))

    @out("omega_w_hat")
    def roll(omega_rm, r_s, R, omega_w_hat):
        for k in range(len(omega_rm)):
            omega_w_hat[k] = -R / r_s * omega_rm[k]

    @out("omega_w_dot_hat", "T_hat", "C_tilde")
    def estimate(omega_w_hat, T_mis, x, s, r_s, T_f, J, q, estimates):
        for k in range(len(T_mis)):
            rate = (omega_w_hat[k] + velocity(s, k) / r_s - x[k]) / T_f  # (3)
            T = T_mis[k] - q * position(s, k)  # (2)
            estimates.omega_w_dot_hat[k] = rate
            estimates.T_hat[k] = T
            estimates.C_tilde[k] = r_s * T + J * rate

    @der("x", "s")
    def follow(omega_w_dot_hat, T_mis, C_tilde, s, A, B, der_x, der_s):
        for k in range(len(T_mis)):
            der_x[k] = omega_w_dot_hat[k]
        drive(s, T_mis, C_tilde, A, B, der_s)  # (1)


class SampledAxleModel(Axles):
    """What replaces the equations of `rail.sampled_estimator`."""

    omega_w_hat = Out("rad/s", "speed of the wheel", shape="axles", before="omega_0")
    A_d = Derived("1", "A over a sample", shape=(STATES, STATES))
    B_d = Derived("1", "B over a sample", shape=(STATES, 4))
    k = Discrete("1", "number of samples taken", type=int, ge=0)
    x = Discrete("rad/s", "speed at the last sample", shape="axles", start="omega_0")
    d = Discrete("rad/s^2", "acceleration at the last sample", shape="axles")
    s = Discrete("1", "states of axle boxes", shape=("bogies", STATES))
    memory = Record("samples taken, speeds and accelerations at the last one", "k", "x", "d")
    following = Record("what the next sample finds", "next_x", "next_d", "next_s")
    estimates = Record("estimates", "omega_w_hat", "omega_w_dot_hat", "T_hat", "C_tilde")

    @derive("A_d", "B_d")
    def hold_inputs(A, B, every):
        return over_a_sample(A, B, every)

    @out("omega_w_hat", "omega_w_dot_hat", "T_hat", "C_tilde")
    def estimate(omega_rm, T_mis, memory, s, r_s, R, T_f, J, q, every, sensors, estimates):
        first = memory.k * len(T_mis)
        for i in range(len(T_mis)):
            rolled = -R / r_s * sensed_speed(omega_rm[i], first + i, sensors)
            omega = rolled + velocity(s, i) / r_s
            rate = rate_of(omega, memory.x[i], memory.d[i], T_f, every)  # (3)
            T = sensed_force(T_mis[i], first + i, sensors) - q * position(s, i)  # (2)
            estimates.omega_w_hat[i] = rolled
            estimates.omega_w_dot_hat[i] = rate
            estimates.T_hat[i] = T
            estimates.C_tilde[i] = r_s * T + J * rate

    @update("k", "x", "d", "s")
    def step(omega_w_hat, omega_w_dot_hat, T_hat, C_tilde, k, s, r_s, q, A_d, B_d, following):
        F = T_hat.copy()
        for i in range(len(F)):
            F[i] += q * position(s, i)
            following.next_x[i] = omega_w_hat[i] + velocity(s, i) / r_s
            following.next_d[i] = omega_w_dot_hat[i]
        drive(s, F, C_tilde, A_d, B_d, following.next_s)  # (1)
        return k + 1
