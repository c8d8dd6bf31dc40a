"""Torque without noise and without the shaking of unbalanced wheels: an observer at their angle."""

import math

import numpy as np
from railblocks.blocks.rail.control.elliptic_bank import low_pass_response
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

TURN = 2.0 * math.pi
SHOWN = (1.0, 2.0, 3.0, 4.0)
"""Speeds of the frequency response, over f_low."""


def growth(omega, f_low):
    """Size of a centrifugal force at this speed, over that at f_low."""
    ratio = omega / (TURN * f_low)
    return ratio * ratio


def share(omega, f_off, f_low):
    """Part of the disturbance that is taken out: 0 up to f_off, 1 from f_low on, smooth between."""
    part = min(max((abs(omega) / TURN - f_off) / (f_low - f_off), 0.0), 1.0)
    return part * part * (3.0 - 2.0 * part)


def notch_response(s, omega, zeta):
    """Torque after over torque before one observed line at a constant speed."""
    return (s * s + omega * omega) / (s * s + 2.0 * zeta * omega * s + omega * omega)


def observed(omega, f_off, f_low):
    """g, and with it g n and g / n: from p to torque, and back."""
    g, n = share(omega, f_off, f_low), growth(omega, f_low)
    return g, g * n, g / max(n, growth(TURN * f_off, f_low))


def responses(s, tuned, zeta, f_low, f_noise, ratio):
    """Responses of the low-pass, and of it with both lines at some speeds; `tuned` warps rad/s."""
    low = low_pass_response(s, tuned(TURN * f_noise) / TURN)
    lines = [(tuned(TURN * f_low * k), tuned(ratio * TURN * f_low * k)) for k in SHOWN]
    both = [notch_response(s, w, zeta) * notch_response(s, r, zeta) for w, r in lines]
    return {"low-pass": low, "notches": low * np.array(both)}


class UnbalanceObserver(Block):
    """Torque without its noise and without what unbalanced wheels and rollers do to it.

    C_l'' / w_n^2 + sqrt(2) C_l' / w_n + C_l = C_tilde + J_w (omega_w_hat' - omega_w_dot_hat) (1)
    D_i = g n p_i,  e_w = C_l - D_w,  C_hat = e_r = e_w - D_r,  C_D = D_w + D_r           (2)
    p_i' = 2 zeta |omega_i| g e_i / n - k p_i - omega_i q_i,  k = 2 pi zeta f_low (1 - g) (3)
    q_i' = omega_i p_i - k q_i,  omega_w = omega_w_hat,  omega_r = ratio omega_w_hat
    n = (f / f_low)^2,  g = 3 h^2 - 2 h^3,  h = (f - f_off) / (f_low - f_off) within 0 and 1 (4)

    w_n = 2 pi f_noise, f = |omega_w_hat| / (2 pi). The derivative that the estimator has put into
    C_tilde is late; (1) puts the true one in its place, without a derivative being taken, since the
    low-pass does that: force and acceleration then have the same lag. p_i + j q_i turns with a
    wheel or its roller. Its size is that of the disturbance at f_low, and stays, since centrifugal
    forces grow as n. At constant speed C_hat / C_l is the product of (s^2 + omega_i^2) / (s^2 + 2
    zeta omega_i s + omega_i^2): nothing is left of the disturbance, and a slow torque is late by 2
    zeta / omega_i. Equal radii make a zero of second order, which follows amplitudes and angles that
    drift. Whatever the speed does, (p^2 + q^2)' <= 4 zeta |omega| g p (e_before / n - g p): states stay
    bounded. Below f_low g fades out. J_w and omega_0 are those of the estimator; J_w = 0 leaves
    C_tilde as it is. f_noise is a choice between lag and noise (50 Hz in Conti et al. 2012), zeta
    one between fast adaptation and rings where the torque turns. Own design, by the internal-model
    principle, in place of the paper's section 3.4.2.
    """

    symbol = "∿̂"
    example = {"omega_0": 150.0}
    C_tilde = In("N*m", "estimated torque", shape=EACH)
    omega_w_hat = In("rad/s", "estimated speed of the wheel", shape=EACH)
    omega_w_dot_hat = In("rad/s^2", "acceleration of the wheel in C_tilde", shape=EACH)
    C_hat = Out("N*m", "filtered torque", shape=EACH)
    C_D = Out("N*m", "disturbance that was taken out", shape=EACH)
    zeta = Param("1", "rate of adaptation over the speed of the wheel", default=0.033, gt=0)
    f_low = Param("Hz", "speed from which all of the disturbance is taken out", default=10.0, gt=0)
    f_off = Param("Hz", "speed up to which nothing is taken out", default=7.0, gt=0)
    f_noise = Param("Hz", "corner of the low-pass", default=100.0, gt=0)
    ratio = Param("1", "speed of the roller over that of the wheel", default=1.0, gt=0)
    J_w = Param("kg*m^2", "inertia of the wheelset in the estimator", default=0.03584, ge=0)
    omega_0 = Param("rad/s", "speed of the wheel at the start", shape=EACH, default=0.0)
    x = State("rad/s", "speed of the wheel after a lag 1 / w_n", shape=EACH, start="omega_0")
    C_l = State("N*m", "torque without noise", shape=EACH)
    m = State("N*m", "C_l' / w_n - w_n J_w (omega_w_hat - x)", shape=EACH)
    p_w = State("N*m", "disturbance of the wheel over g n", shape=EACH)
    q_w = State("N*m", "the same a quarter of a turn later", shape=EACH)
    p_r = State("N*m", "disturbance of the roller over g n", shape=EACH)
    q_r = State("N*m", "the same a quarter of a turn later", shape=EACH)
    state = Record("states of the observer", "x", "C_l", "m", "p_w", "q_w", "p_r", "q_r")
    design = Record("choices of the observer", "zeta", "f_low", "f_off", "f_noise", "ratio")

    @validate
    def fades(f_off, f_low):
        if f_off >= f_low:
            return f"f_off = {f_off:g} Hz; expected less than f_low = {f_low:g} Hz"

    @der("x", "C_l", "m", "p_w", "q_w", "p_r", "q_r")
    def observe(C_tilde, omega_w_hat, omega_w_dot_hat, state, design, J_w):
        zeta, f_low, f_off, f_noise, ratio = design
        x, C_l, m, p_w, q_w, p_r, q_r = state
        w_n = TURN * f_noise
        ahead = w_n * (omega_w_hat - x)
        rate, late = m + J_w * ahead, J_w * (ahead - omega_w_dot_hat)
        g, gain, back = observed(omega_w_hat, f_off, f_low)
        drive, leak = 2.0 * zeta * abs(omega_w_hat) * back, TURN * zeta * f_low * (1.0 - g)
        e_w = C_l - gain * p_w
        e_r = e_w - gain * p_r  # (2)
        omega_r = ratio * omega_w_hat
        return (
            ahead,
            w_n * rate,
            w_n * (C_tilde + late - C_l - math.sqrt(2.0) * rate),  # (1)
            drive * e_w - leak * p_w - omega_w_hat * q_w,  # (3)
            omega_w_hat * p_w - leak * q_w,
            ratio * drive * e_r - leak * p_r - omega_r * q_r,
            omega_r * p_r - leak * q_r,
        )

    @out("C_hat", "C_D")
    def clean(C_l, p_w, p_r, omega_w_hat, f_off, f_low):
        _, gain, _ = observed(omega_w_hat, f_off, f_low)
        C_D = gain * (p_w + p_r)
        return C_l - C_D, C_D  # (2)

    @response
    def bode(j_omega, zeta, f_low, f_noise, ratio):
        return responses(j_omega, lambda w: w, zeta, f_low, f_noise, ratio)


def low_at(u, s_0, s_1, f_noise, every):
    """Output of the low-pass and its rate over w_n, half a step after the state s."""
    a = math.tan(math.pi * f_noise * every)
    rate = (s_1 + a * (u - s_0)) / (1.0 + math.sqrt(2.0) * a + a * a)
    return s_0 + a * rate, rate


def line_at(u, s_p, s_q, omega, line, every):
    """p and q of a line, and the torque without it, half a step after the state s."""
    g, gain, back = observed(line.omega_w_hat, line.f_off, line.f_low)
    a, leak = math.tan(0.5 * omega * every), TURN * line.zeta * line.f_low * (1.0 - g)
    hold, b = 1.0 + 0.5 * every * leak, 2.0 * line.zeta * abs(a) * back
    p = (hold * (s_p + b * u) - a * s_q) / (hold * (hold + b * gain) + a * a)
    return p, (s_q + a * p) / hold, u - gain * p


def half_a_step(C_tilde, omega_w_dot_hat, memory, line, f_noise, ratio, J_w, every):
    """All states half a step after the last ones, and the torque that is left."""
    omega = line.omega_w_hat
    late = J_w * ((omega - memory.x) / every - omega_w_dot_hat)
    C_l, m = low_at(C_tilde + late, memory.C_l, memory.m, f_noise, every)  # (1)
    p_w, q_w, e_w = line_at(C_l, memory.p_w, memory.q_w, omega, line, every)
    p_r, q_r, e_r = line_at(e_w, memory.p_r, memory.q_r, ratio * omega, line, every)
    return (C_l, m, p_w, q_w, p_r, q_r), e_r


class SampledUnbalanceObserver(UnbalanceObserver):
    """Sampled torque without its noise and without what unbalanced wheels and rollers do to it.

    u_k = C_tilde_k + J_w ((omega_k - omega_{k-1}) / every - omega_w_dot_hat_k)           (1)
    y = s_{k-1} + every / 2 f(y, u_k),  s_k = 2 y - s_{k-1}                (2)

    f are the rates of rail.unbalance_observer, its low-pass and its lines, with frequencies warped
    to 2 / every tan(omega every / 2): the notches are where they are meant to be, and states stay
    bounded as they do there, whatever the speed does. C_hat is that of y, at each sample.
    """

    symbol = "∿̂ z"
    example = {"omega_0": 150.0, "every": 1e-3}
    x = Discrete("rad/s", "speed of the wheel at the last sample", shape=EACH, start="omega_0")
    C_l = Discrete("N*m", "torque without noise", shape=EACH)
    m = Discrete("N*m", "its rate over w_n", shape=EACH)
    p_w = Discrete("N*m", "disturbance of the wheel over g n", shape=EACH)
    q_w = Discrete("N*m", "the same a quarter of a turn later", shape=EACH)
    p_r = Discrete("N*m", "disturbance of the roller over g n", shape=EACH)
    q_r = Discrete("N*m", "the same a quarter of a turn later", shape=EACH)
    memory = Record("states from the last sample", "x", "C_l", "m", "p_w", "q_w", "p_r", "q_r")
    line = Record("how lines are observed", "omega_w_hat", "zeta", "f_off", "f_low")
    every = Sample()
    state = design = observe = None

    @validate
    def is_fast_enough(f_noise, every):
        if 2.0 * f_noise * every >= 1.0:
            return f"every = {every:g} s is too long for {f_noise:g} Hz; sample faster"

    @out("C_hat", "C_D")
    def clean(C_tilde, omega_w_dot_hat, memory, line, f_noise, ratio, J_w, every):
        y, C_hat = half_a_step(C_tilde, omega_w_dot_hat, memory, line, f_noise, ratio, J_w, every)
        return C_hat, y[0] - C_hat

    @update("x", "C_l", "m", "p_w", "q_w", "p_r", "q_r")
    def move(C_tilde, omega_w_dot_hat, memory, line, f_noise, ratio, J_w, every):
        y, _ = half_a_step(C_tilde, omega_w_dot_hat, memory, line, f_noise, ratio, J_w, every)
        C_l, m, p_w, q_w, p_r, q_r = y
        return (
            line.omega_w_hat,
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
