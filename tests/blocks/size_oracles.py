"""Closed forms of every block with continuous states, for inputs of any size.

Parameters and inputs may follow the size of the case; what is expected is written from the block's
equations as a textbook solves them, without the library.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from closed_forms import butterworth_poles, from_matrices, step_response
from rail_size_oracles import RAIL, RAIL_ELSEWHERE


@dataclass(frozen=True)
class Case:
    """A block with parameters and constant inputs, its output, and that in closed form."""

    name: str
    values: Callable[[float], dict[str, Any]]
    inputs: Callable[[float], dict[str, Any]]
    output: str
    expected: Callable[[np.ndarray, float], np.ndarray]
    stop: float = 2.0


def driven(name, values, expected, stop=2.0, port="u", output="y"):
    """A linear block: the size is that of its one input, and the output follows it."""
    return Case(
        name, lambda _: values, lambda size: {port: size}, output,
        lambda t, size: size * expected(t), stop,
    )  # fmt: skip


def polynomial(roots):
    return np.atleast_1d(np.real(np.poly(roots))).tolist()


def companion(poles):
    """Denominator as a state space: the states that a textbook's canonical form has."""
    a = np.real(np.poly(poles))[1:]
    A = np.diag(np.ones(len(a) - 1), -1)
    A[0] = -a
    B, C = np.zeros((len(a), 1)), np.zeros((1, len(a)))
    B[0, 0], C[0, -1] = 1.0, a[-1]
    return {"A": A.tolist(), "B": B.tolist(), "C": C.tolist()}


def low_pass(n, f):
    """A Butterworth low-pass: coefficients, and its step response."""
    poles = butterworth_poles(n, 2.0 * math.pi * f)
    gain = float(np.real(np.prod(-poles)))
    values = {"num": [gain], "den": polynomial(poles)}
    return values, lambda t: step_response(poles, t, gain=gain)


def rational(name, zeros, poles, gain, stop):
    """A transfer function by its roots."""
    values = {"num": (gain * np.array(polynomial(zeros))).tolist(), "den": polynomial(poles)}
    return driven(name, values, lambda t: step_response(poles, t, zeros, gain), stop)


def pairs(poles):
    """Roots as `zero_pole_gain` has them: one of each conjugate pair as [re, im]."""
    return [[float(p.real), float(p.imag)] for p in poles if p.imag > 1e-9 * abs(p)]


def pade(n, T):
    """Step response of the (n, n) Pade approximation of a delay T."""
    den = [math.comb(n, k) * math.factorial(2 * n - k) for k in range(n, -1, -1)]
    poles = np.roots(den) / T
    return lambda t: step_response(poles, t, -poles, (-1.0) ** n)


def second_order(omega, zeta, t):
    """Unit step response with the damping ratio zeta < 1."""
    w = omega * math.sqrt(1.0 - zeta * zeta)
    swing = np.cos(w * t) + zeta * omega / w * np.sin(w * t)
    return 1.0 - np.exp(-zeta * omega * t) * swing


def swing(t, size):
    """Angle of a pendulum of 1 m that is let go, by Jacobi's elliptic functions."""
    from scipy.special import ellipj, ellipk

    k = math.sin(0.5 * min(size, 2.0))
    sn = ellipj(ellipk(k * k) - math.sqrt(9.81) * t, k * k)[0]
    return 2.0 * np.arcsin(k * sn)


def limited_rise(t):
    """1 through a rate limit of 0.5 with the time constant 1 ms."""
    end = 2.0 - 1e-3
    late = 1.0 - 0.5e-3 * np.exp(-(np.maximum(t, end) - end) / 1e-3)
    return np.where(t < end, 0.5 * t, late)


FILTER, FILTERED = low_pass(4, 50.0)
FAST, FASTER = low_pass(8, 5e3)
SLOW, SLOWER = low_pass(4, 1e-3)
POLES_50 = butterworth_poles(4, 100.0 * math.pi)
DECAY = [-1.0, -1e3, -1e5]
MOTOR = np.array([[-2.0, -0.1], [5.0, -0.1]])  # R/L, K/L, K/J and d/J of the case below

CONTINUOUS = {
    "continuous.integrator": [driven("ramp", {}, lambda t: t)],
    "continuous.limited_integrator": [
        Case("limit", lambda size: {"upper": 1.5 * size}, lambda size: {"u": size}, "y",
             lambda t, size: size * np.minimum(t, 1.5)),
    ],
    "continuous.resettable_integrator": [
        Case("ramp", lambda _: {}, lambda size: {"u": size, "trigger": False}, "y",
             lambda t, size: size * t),
    ],
    "continuous.second_order_integrator": [driven("parabola", {}, lambda t: 0.5 * t * t)],
    "continuous.first_order_lag": [
        driven("lag", {"T": 0.01, "k": 3.0}, lambda t: 3.0 * (1.0 - np.exp(-t / 0.01)), 2.0),
        driven("large gain", {"T": 0.5, "k": 1e6}, lambda t: 1e6 * (1.0 - np.exp(-t / 0.5))),
    ],
    "continuous.second_order_lag": [
        driven("slow", {"omega": 0.01, "zeta": 0.1}, lambda t: second_order(0.01, 0.1, t), 2e4),
        driven("fast", {"omega": 300.0, "zeta": 0.7}, lambda t: second_order(300.0, 0.7, t), 1.0),
    ],
    "continuous.lead_lag": [
        driven("lead", {"T_1": 10.0, "T_2": 0.01}, lambda t: 1.0 + 999.0 * np.exp(-t / 0.01), 2.0),
        driven("large gain", {"T_1": 0.5, "T_2": 0.1, "k": 1e6},
               lambda t: 1e6 * (1.0 + 4.0 * np.exp(-t / 0.1))),
    ],
    "continuous.filtered_derivative": [
        driven("impulse", {"T": 1e-3}, lambda t: 1e3 * np.exp(-t / 1e-3), 0.2),
    ],
    "continuous.transfer_function": [
        driven("50 Hz", FILTER, FILTERED, 2.0),
        driven("5 kHz", FAST, FASTER, 2e-2),
        driven("1 mHz", SLOW, SLOWER, 1e5),
        rational("far poles", [], DECAY, 1e8, 20.0),
        rational("lead", [-10.0], [-30.0 + 200j, -30.0 - 200j], 1e5, 10.0),
        rational("large gain", [-3.0], [-1.0, -40.0], 1e9, 20.0),
    ],
    "continuous.zero_pole_gain": [
        driven("50 Hz", {"poles": pairs(POLES_50), "gain": FILTER["num"][0]}, FILTERED, 2.0),
    ],
    "continuous.state_space": [
        Case("50 Hz", lambda _: companion(POLES_50), lambda size: {"u": [size]}, "y",
             lambda t, size: size * FILTERED(t), 2.0),
        Case("let go", lambda size: companion([-400.0 + 300j, -400.0 - 300j])
             | {"x_0": [0.0, size / 25e4]}, lambda _: {"u": [0.0]}, "y",
             lambda t, size: size * np.exp(-400.0 * t) * (np.cos(300.0 * t)
             + 4.0 / 3.0 * np.sin(300.0 * t)), 0.5),
    ],
    "continuous.pid": [
        driven("derivative", {"K_p": 2.0, "K_i": 3.0, "K_d": 0.5, "N": 1e3},
               lambda t: 2.0 + 3.0 * t + 500.0 * np.exp(-1e3 * t), 0.2, "e"),
    ],
    "continuous.pade_delay": [
        driven("order 2", {"T": 0.5, "n": 2}, pade(2, 0.5), 20.0),
        driven("order 8", {"T": 1e-3, "n": 8}, pade(8, 1e-3), 0.05),
    ],
    "continuous.variable_transport_delay": [
        Case("full pipe", lambda _: {"n": 10}, lambda size: {"u": size, "tau": 0.5}, "y",
             lambda t, size: size * np.clip(10.0 * (2.0 * t - 1.0) + 1.0, 0.0, 1.0)),
    ],
    "nonlinear.rate_limiter": [
        Case("rise", lambda size: {"rising": 0.5 * size, "falling": size, "T": 1e-3},
             lambda size: {"u": size}, "y", lambda t, size: size * limited_rise(t), 2.5),
    ],
}  # fmt: skip

MECHANICS = {
    "mechanics.mass": [
        driven("position", {"m": 4.0}, lambda t: t * t / 8.0, port="F", output="x"),
        driven("speed", {"m": 4.0}, lambda t: t / 4.0, port="F", output="v"),
    ],
    "mechanics.inertia": [
        driven("angle", {"J": 0.02}, lambda t: 25.0 * t * t, port="tau", output="phi"),
    ],
    "mechanics.dc_motor": [
        driven("current", {"R": 1.0, "L": 0.5, "K": 0.05, "J": 0.01, "d": 0.001},
               lambda t: from_matrices(MOTOR, [2.0, 0.0], t)[:, 0], 5.0, "V", "i"),
        driven("speed", {"R": 1.0, "L": 0.5, "K": 0.05, "J": 0.01, "d": 0.001},
               lambda t: from_matrices(MOTOR, [2.0, 0.0], t)[:, 1], 5.0, "V", "omega"),
    ],
    "mechanics.friction_mass": [
        Case("sliding", lambda size: {"m": 2.0, "F_c": 0.2 * size, "F_s": 0.3 * size},
             lambda size: {"F": size}, "x", lambda t, size: 0.2 * size * t * t),
    ],
    "mechanics.pendulum": [
        Case("swing", lambda size: {"L": 1.0, "phi_0": min(size, 2.0)}, lambda _: {}, "phi",
             swing, 5.0),
        driven("pushed", {"L": 1.0, "m": 2.0, "g": 0.0}, lambda t: 0.25 * t * t, 2.0, "tau", "phi"),
    ],
    "mechanics.bouncing_ball": [
        Case("one bounce", lambda size: {"h_0": size, "g": 2.0 * size, "e": 0.5}, lambda _: {}, "h",
             lambda t, size: size * np.where(t < 1.0, 1.0 - t * t, (t - 1.0) * (2.0 - t)), 1.9),
    ],
}  # fmt: skip

ORACLES = CONTINUOUS | MECHANICS | {
    block: [Case(*case) for case in cases] for block, cases in RAIL.items()
}  # fmt: skip
ELSEWHERE = RAIL_ELSEWHERE
