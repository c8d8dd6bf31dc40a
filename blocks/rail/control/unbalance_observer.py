"""Torque without noise and without the shaking of unbalanced wheels: an observer at their angle."""

import math

import numpy as np
from railblocks.blocks.rail.control.unbalance_line import (
    TURN,
    gains,
    responses,
    smooth_sampled,
    turn,
    turn_sampled,
)
from railblocks.engine.declaration import (
    EACH,
    Block,
    Discrete,
    In,
    Out,
    Param,
    Record,
    Sample,
    State,
    der,
    out,
    response,
    update,
    validate,
)


class UnbalanceObserver(Block):
    """Torque without its noise and without what unbalanced wheels and rollers do to it.

    C_l'' / w_n^2 + sqrt(2) C_l' / w_n + C_l = C_tilde + J_w T_f omega_w_dot_hat'      (1)
    e_w = C_l - D_w,  C_hat = e_w - D_r,  C_D = D_w + D_r                  (2)

    w_n = 2 pi f_noise. The derivative omega_w_dot_hat in C_tilde is late by T_f; (1) puts back what
    that takes from it, so that force and acceleration have one lag. No derivative is taken: that of
    an input can drive a low-pass. D_w and D_r are lines at omega_w_hat and ratio omega_w_hat, in
    the words of unbalance_line: notches of damping zeta, exact at any speed, that fade out from
    f_low to f_off. J_w and T_f are those of rail.estimator; J_w = 0 leaves C_tilde as it is. zeta
    is a choice between fast adaptation and rings where the torque turns, f_noise one between lag
    and noise: at 200 Hz its lag, sqrt(2) / w_n, is about that of the notches at 24 Hz; Conti et al.
    (2012) have 50 Hz. An own design in place of section 3.4.2 of that paper.
    """

    symbol = "≉ θ"
    C_tilde = In("N*m", "estimated torque", shape=EACH)
    omega_w_hat = In("rad/s", "estimated speed of the wheel", shape=EACH)
    omega_w_dot_hat = In("rad/s^2", "acceleration of the wheel in C_tilde", shape=EACH)
    C_hat = Out("N*m", "filtered torque", shape=EACH)
    C_D = Out("N*m", "disturbance that was taken out", shape=EACH)
    zeta = Param("1", "rate of adaptation over the speed of the wheel", default=0.033, gt=0)
    f_low = Param("Hz", "speed from which all of the disturbance is taken out", default=10.0, gt=0)
    f_off = Param("Hz", "speed up to which nothing is taken out", default=7.0, gt=0)
    f_noise = Param("Hz", "corner of the low-pass", default=200.0, gt=0)
    ratio = Param("1", "speed of the roller over that of the wheel", default=1.0, gt=0)
    J_w = Param("kg*m^2", "inertia of the wheelset in the estimator", default=0.03584, ge=0)
    T_f = Param("s", "time constant of the estimator's derivative", default=3.183e-3, ge=0)
    C_l = State("N*m", "torque without noise", shape=EACH)
    m = State("N*m", "C_l' / w_n less w_n J_w T_f omega_w_dot_hat", shape=EACH)
    p_w = State("N*m", "disturbance of the wheel at f_low", shape=EACH)
    q_w = State("N*m", "the same a quarter of a turn later", shape=EACH)
    p_r = State("N*m", "disturbance of the roller at f_low", shape=EACH)
    q_r = State("N*m", "the same a quarter of a turn later", shape=EACH)
    low = Record("the low-pass", "C_l", "m", "f_noise", "J_w", "T_f")
    lines = Record("the lines", "p_w", "q_w", "p_r", "q_r", "zeta", "f_off", "f_low", "ratio")

    @validate
    def fades(f_off, f_low):
        if f_off >= f_low:
            return f"f_off = {f_off:g} Hz; expected less than f_low = {f_low:g} Hz"

    @der("C_l", "m")
    def smooth(C_tilde, omega_w_dot_hat, low):
        w_n = TURN * low.f_noise
        rate = low.m + w_n * low.J_w * low.T_f * omega_w_dot_hat
        return w_n * rate, w_n * (C_tilde - low.C_l - math.sqrt(2.0) * rate)  # (1)

    @der("p_w", "q_w", "p_r", "q_r")
    def adapt(C_l, omega_w_hat, lines):
        p_w, q_w, p_r, q_r, zeta, f_off, f_low, ratio = lines
        gain, back, k = gains(omega_w_hat, zeta, f_off, f_low)
        e_w = C_l - gain * p_w
        e_r = e_w - gain * p_r  # (2)
        wheel = turn(e_w, p_w, q_w, omega_w_hat, zeta, back, k)
        return *wheel, *turn(e_r, p_r, q_r, ratio * omega_w_hat, zeta, back, k)

    @out("C_hat", "C_D")
    def clean(C_l, p_w, p_r, omega_w_hat, zeta, f_off, f_low):
        C_D = gains(omega_w_hat, zeta, f_off, f_low)[0] * (p_w + p_r)
        return C_l - C_D, C_D  # (2)

    @response
    def bode(j_omega, zeta, f_low, f_noise, ratio):
        return responses(j_omega, lambda w: w, zeta, f_low, f_noise, ratio)


def half_a_step(C_tilde, memory, line, low, every):
    """All states half a step after the last ones, and the torque that is left."""
    omega, e = line.omega_w_hat, math.exp(-every / low.T_f) if low.T_f > 0.0 else 0.0
    late = low.J_w * e / (1.0 - e) * (low.omega_w_dot_hat - memory.d)
    C_l, m = smooth_sampled(C_tilde + late, memory.C_l, memory.m, low.f_noise, every)  # (1)
    p_w, q_w, e_w = turn_sampled(C_l, memory.p_w, memory.q_w, omega, line, every)
    p_r, q_r, e_r = turn_sampled(e_w, memory.p_r, memory.q_r, line.ratio * omega, line, every)
    return (C_l, m, p_w, q_w, p_r, q_r), e_r


class SampledUnbalanceObserver(UnbalanceObserver):
    """Sampled torque without its noise and without what unbalanced wheels and rollers do to it.

    u_k = C_tilde_k + J_w e / (1 - e) (d_k - d_{k-1}),  e = exp(-every / T_f)              (1)
    y = s_{k-1} + every / 2 f(y, u_k),  s_k = 2 y - s_{k-1}                (2)

    d is omega_w_dot_hat; (1) puts back what rail.sampled_estimator takes from it. f are the rates
    of the low-pass and the lines of rail.unbalance_observer, with frequencies warped to 2 / every
    tan(omega every / 2): the notches are where they are meant to be, and states stay bounded as
    they do there, whatever the speed does. C_hat is that of y, at each sample.
    """

    symbol = "≉ θ z"
    example = {"f_noise": 50.0, "every": 1e-3}
    d = Discrete("rad/s^2", "acceleration at the last sample", shape=EACH)
    C_l = Discrete("N*m", "torque without noise", shape=EACH)
    m = Discrete("N*m", "its rate over w_n", shape=EACH)
    p_w = Discrete("N*m", "disturbance of the wheel at f_low", shape=EACH)
    q_w = Discrete("N*m", "the same a quarter of a turn later", shape=EACH)
    p_r = Discrete("N*m", "disturbance of the roller at f_low", shape=EACH)
    q_r = Discrete("N*m", "the same a quarter of a turn later", shape=EACH)
    memory = Record("states from the last sample", "d", "C_l", "m", "p_w", "q_w", "p_r", "q_r")
    line = Record("how lines are observed", "omega_w_hat", "ratio", "zeta", "f_off", "f_low")
    low = Record("the low-pass", "omega_w_dot_hat", "f_noise", "J_w", "T_f")
    every = Sample()
    lines = smooth = adapt = None

    @validate
    def is_fast_enough(f_noise, every):
        if 2.0 * f_noise * every >= 1.0:
            return f"every = {every:g} s is too long for {f_noise:g} Hz; sample faster"

    @out("C_hat", "C_D")
    def clean(C_tilde, memory, line, low, every):
        y, C_hat = half_a_step(C_tilde, memory, line, low, every)
        return C_hat, y[0] - C_hat

    @update("d", "C_l", "m", "p_w", "q_w", "p_r", "q_r")
    def move(C_tilde, memory, line, low, every):
        y, _ = half_a_step(C_tilde, memory, line, low, every)
        C_l, m, p_w, q_w, p_r, q_r = y
        return (
            low.omega_w_dot_hat,
            2.0 * C_l - memory.C_l,
            2.0 * m - memory.m,
            2.0 * p_w - memory.p_w,
            2.0 * q_w - memory.q_w,
            2.0 * p_r - memory.p_r,
            2.0 * q_r - memory.q_r,
        )  # (2)

    @response
    def bode(j_omega, zeta, f_low, f_noise, ratio, every):
        def warped(w):
            return 2.0 / every * np.tan(0.5 * every * w)

        return responses(1j * warped(j_omega.imag), warped, zeta, f_low, f_noise, ratio)
