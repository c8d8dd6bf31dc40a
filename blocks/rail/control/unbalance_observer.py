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


def notch_response(s, omega, gamma):
    """Torque after over torque before one observed line at a constant speed."""
    return (s * s + omega * omega) / (s * s + 2.0 * gamma * s + omega * omega)


def observed(omega, f_off, f_low):
    """g, and with it g n and g / n: from p to torque, and back."""
    g, n = share(omega, f_off, f_low), growth(omega, f_low)
    return g, g * n, g / max(n, growth(TURN * f_off, f_low))


def responses(s, tuned, gamma, f_low, f_noise, ratio):
    """Responses of the low-pass, and of it with both lines at some speeds; `tuned` warps rad/s."""
    low = low_pass_response(s, tuned(TURN * f_noise) / TURN)
    lines = [(tuned(TURN * f_low * k), tuned(ratio * TURN * f_low * k)) for k in SHOWN]
    both = [notch_response(s, w, gamma) * notch_response(s, r, gamma) for w, r in lines]
    return {"low-pass": low, "notches": low * np.array(both)}


class UnbalanceObserver(Block):
    """Torque without its noise and without what unbalanced wheels and rollers do to it.

    C_l'' / w_n^2 + sqrt(2) C_l' / w_n + C_l = C_tilde + J_w v',  w_n = 2 pi f_noise      (1)
    v = omega_w_hat - x,  x' = v / T_f                                     (2)
    D_i = g n p_i,  e_w = C_l - D_w,  C_hat = e_r = e_w - D_r,  C_D = D_w + D_r           (3)
    p_i' = 2 gamma g e_i / n - gamma (1 - g) p_i - omega_i q_i             (4)
    q_i' = omega_i p_i - gamma (1 - g) q_i,  omega_w = omega_w_hat,  omega_r = ratio omega_w_hat
    n = (f / f_low)^2,  g = 3 h^2 - 2 h^3,  h = (f - f_off) / (f_low - f_off) within 0 and 1 (5)

    f = |omega_w_hat| / (2 pi). p_i + j q_i turns with a wheel or its roller: its amplitude is that
    of their disturbance at f_low, and stays, since centrifugal forces grow as n. At constant speed
    C_hat / C_l is the product of (s^2 + omega_i^2) / (s^2 + 2 gamma s + omega_i^2): nothing is left
    of the disturbance, and a slow torque is late by 2 gamma / omega_i^2. Equal radii make a zero of
    second order, which follows amplitudes and angles that drift. Below f_low g fades out. Whatever
    the speed does, (p^2 + q^2)' <= 4 gamma g p (e_before / n - g p): it stays bounded. (2) gives
    back what the derivative in rail.estimator is late: all parts of C_tilde then have the lag of
    (1) alone. J_w, T_f and omega_0 are those of the estimator; J_w = 0 leaves (2) out. f_noise is a
    choice between lag and noise (50 Hz in Conti et al. 2012), gamma one between fast adaptation and
    rings where the torque turns. No source: own design, by the internal-model principle.
    """

    symbol = "∿̂"
    example = {"omega_0": 150.0}
    C_tilde = In("N*m", "estimated torque", shape=EACH)
    omega_w_hat = In("rad/s", "estimated speed of the wheel", shape=EACH)
    C_hat = Out("N*m", "filtered torque", shape=EACH)
    C_D = Out("N*m", "disturbance that was taken out", shape=EACH)
    gamma = Param("1/s", "rate of adaptation", default=5.0, gt=0)
    f_low = Param("Hz", "speed from which all of the disturbance is taken out", default=10.0, gt=0)
    f_off = Param("Hz", "speed up to which nothing is taken out", default=7.0, gt=0)
    f_noise = Param("Hz", "corner of the low-pass", default=100.0, gt=0)
    ratio = Param("1", "speed of the roller over that of the wheel", default=1.0, gt=0)
    J_w = Param("kg*m^2", "inertia of the wheelset in the estimator", default=0.03584, ge=0)
    T_f = Param("s", "time constant of the estimator's derivative", default=3.183e-3, gt=0)
    omega_0 = Param("rad/s", "speed of the wheel at the start", shape=EACH, default=0.0)
    x = State("rad/s", "filtered speed of the wheel", shape=EACH, start="omega_0")
    C_l = State("N*m", "torque without noise", shape=EACH)
    m = State("N*m", "C_l' / w_n - w_n J_w v", shape=EACH)
    p_w = State("N*m", "disturbance of the wheel over g n", shape=EACH)
    q_w = State("N*m", "the same a quarter of a turn later", shape=EACH)
    p_r = State("N*m", "disturbance of the roller over g n", shape=EACH)
    q_r = State("N*m", "the same a quarter of a turn later", shape=EACH)
    state = Record("states of the observer", "x", "C_l", "m", "p_w", "q_w", "p_r", "q_r")
    design = Record("choices of the observer", "gamma", "f_low", "f_off", "f_noise", "ratio")

    @validate
    def fades(f_off, f_low):
        if f_off >= f_low:
            return f"f_off = {f_off:g} Hz; expected less than f_low = {f_low:g} Hz"

    @der("x", "C_l", "m", "p_w", "q_w", "p_r", "q_r")
    def observe(C_tilde, omega_w_hat, state, design, J_w, T_f):
        gamma, f_low, f_off, f_noise, ratio = design
        x, C_l, m, p_w, q_w, p_r, q_r = state
        w_n, v = TURN * f_noise, omega_w_hat - x
        rate = m + w_n * J_w * v
        g, gain, back = observed(omega_w_hat, f_off, f_low)
        drive, leak = 2.0 * gamma * back, gamma * (1.0 - g)
        e_w = C_l - gain * p_w
        e_r = e_w - gain * p_r  # (3)
        omega_r = ratio * omega_w_hat
        return (
            v / T_f,  # (2)
            w_n * rate,
            w_n * (C_tilde - C_l - math.sqrt(2.0) * rate),  # (1)
            drive * e_w - leak * p_w - omega_w_hat * q_w,  # (4)
            omega_w_hat * p_w - leak * q_w,
            drive * e_r - leak * p_r - omega_r * q_r,
            omega_r * p_r - leak * q_r,
        )

    @out("C_hat", "C_D")
    def clean(C_l, p_w, p_r, omega_w_hat, f_off, f_low):
        _, gain, _ = observed(omega_w_hat, f_off, f_low)
        C_D = gain * (p_w + p_r)
        return C_l - C_D, C_D  # (3)

    @response
    def bode(j_omega, gamma, f_low, f_noise, ratio):
        return responses(j_omega, lambda w: w, gamma, f_low, f_noise, ratio)


def low_at(u, s_0, s_1, f_noise, every):
    """Output of the low-pass and its rate over w_n, half a step after the state s."""
    a = math.tan(math.pi * f_noise * every)
    rate = (s_1 + a * (u - s_0)) / (1.0 + math.sqrt(2.0) * a + a * a)
    return s_0 + a * rate, rate


def line_at(u, s_p, s_q, omega, line, every):
    """p and q of a line, and the torque without it, half a step after the state s."""
    g, gain, back = observed(line.omega_w_hat, line.f_off, line.f_low)
    a, hold = math.tan(0.5 * omega * every), 1.0 + 0.5 * every * line.gamma * (1.0 - g)
    b = every * line.gamma * back
    p = (hold * (s_p + b * u) - a * s_q) / (hold * (hold + b * gain) + a * a)
    return p, (s_q + a * p) / hold, u - gain * p


def half_a_step(C_tilde, memory, line, f_noise, ratio, J_w, T_f, every):
    """All states half a step after the last ones, the torque that is left, and the derivative."""
    omega, late = line.omega_w_hat, math.exp(-every / T_f)
    rate = (omega - memory.x) / every
    d = late * memory.d + (1.0 - late) * rate  # (2)
    C_l, m = low_at(C_tilde + J_w * (rate - d), memory.C_l, memory.m, f_noise, every)  # (1)
    p_w, q_w, e_w = line_at(C_l, memory.p_w, memory.q_w, omega, line, every)
    p_r, q_r, e_r = line_at(e_w, memory.p_r, memory.q_r, ratio * omega, line, every)  # (3)
    return (C_l, m, p_w, q_w, p_r, q_r), e_r, d


class SampledUnbalanceObserver(UnbalanceObserver):
    """Sampled torque without its noise and without what unbalanced wheels and rollers do to it.

    C_l = low-pass of C_tilde_k + J_w (r_k - d_k),  r_k = (omega_k - omega_{k-1}) / every (1)
    d_k = e d_{k-1} + (1 - e) r_k,  e = exp(-every / T_f)                  (2)
    y = s_{k-1} + every / 2 f(y),  s_k = 2 y - s_{k-1}                     (3)

    f are the rates of rail.unbalance_observer, its low-pass and its lines, with frequencies warped
    to 2 / every tan(omega every / 2): the notches are where they are meant to be, and states stay
    bounded as they do there, whatever the speed does. C_hat is that of y, at each sample.
    """

    symbol = "∿̂ z"
    example = {"omega_0": 150.0, "every": 1e-3}
    x = Discrete("rad/s", "speed of the wheel at the last sample", shape=EACH, start="omega_0")
    d = Discrete("rad/s^2", "acceleration at the last sample", shape=EACH)
    C_l = Discrete("N*m", "torque without noise", shape=EACH)
    m = Discrete("N*m", "its rate over w_n", shape=EACH)
    p_w = Discrete("N*m", "disturbance of the wheel over g n", shape=EACH)
    q_w = Discrete("N*m", "the same a quarter of a turn later", shape=EACH)
    p_r = Discrete("N*m", "disturbance of the roller over g n", shape=EACH)
    q_r = Discrete("N*m", "the same a quarter of a turn later", shape=EACH)
    memory = Record("states from the last sample", "x", "d", "C_l", "m", "p_w", "q_w", "p_r", "q_r")
    line = Record("how lines are observed", "omega_w_hat", "gamma", "f_off", "f_low")
    every = Sample()
    state = design = observe = None

    @validate
    def is_fast_enough(f_noise, every):
        if 2.0 * f_noise * every >= 1.0:
            return f"every = {every:g} s is too long for {f_noise:g} Hz; sample faster"

    @out("C_hat", "C_D")
    def clean(C_tilde, memory, line, f_noise, ratio, J_w, T_f, every):
        y, C_hat, _ = half_a_step(C_tilde, memory, line, f_noise, ratio, J_w, T_f, every)
        return C_hat, y[0] - C_hat

    @update("x", "d", "C_l", "m", "p_w", "q_w", "p_r", "q_r")
    def move(C_tilde, memory, line, f_noise, ratio, J_w, T_f, every):
        y, _, d = half_a_step(C_tilde, memory, line, f_noise, ratio, J_w, T_f, every)
        C_l, m, p_w, q_w, p_r, q_r = y
        return (
            line.omega_w_hat,
            d,
            2.0 * C_l - memory.C_l,
            2.0 * m - memory.m,
            2.0 * p_w - memory.p_w,
            2.0 * q_w - memory.q_w,
            2.0 * p_r - memory.p_r,
            2.0 * q_r - memory.q_r,
        )  # (3)

    @response
    def bode(j_omega, gamma, f_low, f_noise, ratio, every):
        def warped(w):
            return 2.0 / every * np.tan(0.5 * every * w)

        return responses(1j * warped(j_omega.imag), warped, gamma, f_low, f_noise, ratio)
