"""Closed forms of the rail blocks with continuous states, for inputs of any size.

Where a block has a scale of its own (an adhesion, a friction, a clearance), the case leaves that
out or stays inside it. Each case: name, parameters, inputs, output, closed form, time.
"""

import math

import numpy as np
from closed_forms import butterworth_poles, from_matrices, step_response

TURN = 2.0 * math.pi


def weighting(t):
    """Weighted acceleration for a unit step: (1) of `rail.ride_index` with k = 1."""
    below = [0.0368 / TURN**3, 0.277 / TURN**2, 1.563 / TURN, 1.0]
    above = [0.25 / TURN**2, math.sqrt(1.911) / TURN, 0.0]
    return step_response(np.roots(below), t, np.roots(above), above[0] / below[0])


def elliptic_band(t):
    """Low-pass of 50 Hz, then the first elliptic band from 20 Hz on, for a unit step."""
    from scipy.optimize import brentq
    from scipy.signal import ellipap, lp2bp_zpk

    z, p, k = ellipap(3, 0.05, 40.0)

    def response(omega):
        return k * np.prod(1j * omega - z) / np.prod(1j * omega - p)

    reach = brentq(lambda w: abs(np.angle(response(w))) - math.radians(2.0), 1e-6, 0.5)
    low, high = 20.0 * TURN, (20.0 + 6.0 * reach) * TURN
    zeros, poles, gain = lp2bp_zpk(z, p, k, math.sqrt(low * high), 6.0 * TURN)
    corner = butterworth_poles(2, 50.0 * TURN)
    poles, gain = np.concatenate([poles, corner]), gain * (50.0 * TURN) ** 2
    return (1.0 - np.exp(-t / 0.1)) * step_response(poles, t, zeros, gain)


def notched(t):
    """Low-pass of 100 Hz, then both lines of an observer of unbalance at 20 Hz, for a unit step."""
    w = 20.0 * TURN
    corner = butterworth_poles(2, 100.0 * TURN)
    lines = np.roots([1.0, 2.0 * 0.033 * w, w * w])
    apart = np.roots([1.0, 2.0 * 0.033 * 1.1 * w, 1.21 * w * w])
    zeros = np.array([1j * w, -1j * w, 1.1j * w, -1.1j * w])
    poles = np.concatenate([corner, lines, apart])
    return step_response(poles, t, zeros, (100.0 * TURN) ** 2)


def noise_free(t):
    """Second-order Butterworth low-pass of 50 Hz, for a unit step."""
    poles = butterworth_poles(2, 50.0 * TURN)
    return step_response(poles, t, gain=(50.0 * TURN) ** 2)


def train_speed(t):
    """Speed of the car body when each axle pulls with 1 N, from masses, springs and dampers."""
    m = np.diag([1813.0] * 4 + [2615.0] * 2 + [32000.0])
    k, c = np.zeros((7, 7)), np.zeros((7, 7))
    links = [(0, 4), (1, 4), (2, 5), (3, 5)]
    for (i, j), stiff, damp in [
        *((link, 62.782e6, 30e3) for link in links), ((4, 6), 5.32e6, 25e3), ((5, 6), 5.32e6, 25e3)
    ]:  # fmt: skip
        one = np.zeros(7)
        one[i], one[j] = 1.0, -1.0
        k += stiff * np.outer(one, one)
        c += damp * np.outer(one, one)
    inverse = np.linalg.inv(m)
    A = np.block([[np.zeros((7, 7)), np.eye(7)], [-inverse @ k, -inverse @ c]])
    B = np.concatenate([np.zeros(7), inverse @ np.array([1.0] * 4 + [0.0] * 3)])
    return from_matrices(A, B, t)[:, 13]


def held(size):
    """A wheelset without creep, on a spring of 10 rad/s: a sway that stays inside its clearance."""
    return {"shape": "linear", "lam": 0.0, "I_y": 0.0, "f11": 0.0, "f22": 0.0, "m": 1000.0,
            "k_y": 1e5}  # fmt: skip


def sideways(size):
    return {"V": 10.0, "F_y": 1e5 * 2e-3 * min(size, 1.0)}


def swaying(t, size):
    return 2e-3 * min(size, 1.0) * (1.0 - np.cos(10.0 * t))


SWAY = [("on a spring", held, sideways, "y", swaying, 2.0)]

RAIL = {
    "rail.anti_skid": [
        ("reducing", lambda _: {"C_least": 0.0},
         lambda size: {"C": size, "omega_w": 100.0, "omega_w_dot": 0.0, "x_dot": 10.0,
                       "x_ddot": 0.0},
         "C_S", lambda t, size: size * np.maximum(1.0 - t, 0.0), 2.0),
    ],
    "rail.brake_cylinder": [
        ("filling", lambda size: {"C_bs_lim": size}, lambda _: {"valve": 1}, "C",
         lambda t, size: size * (1.0 - np.exp(-t / 0.4)), 2.0),
    ],
    "rail.braked_axle": [
        ("in the air", lambda size: {"J": 1.0, "omega_0": 10.0 * size},
         lambda size: {"C": size, "N": 0.0, "v": 0.0, "mu": 0.1}, "omega",
         lambda t, size: size * (10.0 - t), 2.0),
    ],
    "rail.denoc_wheelset": SWAY,
    "rail.free_wheelset": SWAY,
    "rail.estimator": [
        ("jump of the speed", lambda _: {"omega_0": 0.0, "T_f": 1e-3},
         lambda size: {"omega_rm": -size, "T_mis": 0.0}, "omega_w_dot_hat",
         lambda t, size: 1e3 * size * np.exp(-t / 1e-3), 0.2),
    ],
    "rail.filter_bank": [
        ("low-pass", lambda _: {}, lambda size: {"C_tilde": size, "omega_w_hat": 0.0}, "C_hat",
         lambda t, size: size * noise_free(t), 2.0),
        ("band", lambda _: {"f_low": 20.0, "f_high": 20.01},
         lambda size: {"C_tilde": size, "omega_w_hat": 20.1 * TURN}, "C_D",
         lambda t, size: size * elliptic_band(t), 5.0),
    ],
    "rail.multistate_filter": [
        ("low-pass", lambda _: {}, lambda size: {"C_tilde": size, "omega_w_hat": 0.0}, "C_hat",
         lambda t, size: size * noise_free(t), 2.0),
        ("band", lambda _: {"f_low": 20.0, "f_high": 20.01},
         lambda size: {"C_tilde": size, "omega_w_hat": 20.1 * TURN}, "C_D",
         lambda t, size: size * elliptic_band(t), 5.0),
    ],
    "rail.ride_index": [
        ("weighting", lambda _: {"k": 1.0}, lambda size: {"a": size}, "a_w",
         lambda t, size: size * weighting(t), 20.0),
    ],
    "rail.serial_chain": [
        ("sliding", lambda _: {"chain": "[{joint: slides, axis: [1, 0, 0], m: 4}]"},
         lambda size: {"tau": [size]}, "theta", lambda t, size: size * t * t / 8.0, 2.0),
    ],
    "rail.train": [
        ("pulled", lambda _: {"v_0": 0.0, "v_max": 1e9}, lambda size: {"T": [size] * 4}, "x_dot_c",
         lambda t, size: size * train_speed(t), 2.0),
    ],
    "rail.trainset": [
        ("braked", lambda size: {"m": 1.0, "places": [0.0, 2.0], "v_0": 10.0 * size, "v_h": 1e-12},
         lambda size: {"F": [-0.5 * size, -0.5 * size]}, "x",
         lambda t, size: size * (10.0 * t - 0.5 * t * t), 2.0),
    ],
    "rail.sprung_rig": [
        ("without friction", lambda _: {"omega_0": 0.0, "mu": 1e-30, "J_w": 0.5, "reaction": 0.0},
         lambda size: {"C_S": [size, size], "u": [0.0, 0.0]}, "omega_w",
         lambda t, size: np.outer(2.0 * size * t, [1.0, 1.0]), 2.0),
    ],
    "rail.unbalance_observer": [
        ("notches", lambda _: {"ratio": 1.1, "f_noise": 100.0},
         lambda size: {"C_tilde": size, "omega_w_hat": 20.0 * TURN, "omega_w_dot_hat": 0.0},
         "C_hat", lambda t, size: size * notched(t), 2.0),
    ],
    "rail.virtual_rig": [
        ("without friction", lambda _: {"omega_0": 0.0, "mu": 1e-30, "J_w": 0.5},
         lambda size: {"C_S": size, "u": 0.0}, "omega_w", lambda t, size: 2.0 * size * t, 2.0),
    ],
    "rail.wheelset": [
        ("without friction", lambda _: {"mu_0": 0.0, "mu_asy": 0.0, "omega_0": 0.0, "J": 4.0,
                                        "C_max": 1e9},
         lambda size: {"C_hat": size, "N": 1.0, "v": 1.0}, "omega_ws",
         lambda t, size: 0.25 * size * t, 2.0),
    ],
}  # fmt: skip

RAIL_ELSEWHERE = {
    "rail.mdm_rig": (
        "contacts give it a scale of its own: millimetres and newtons of a rig",
        "tests/blocks/rail/rig/test_tolerance.py::"
        "test_half_the_tolerances_change_no_figure_by_more_than_its_last_digit",
    ),
    "rail.vehicle": (
        "contacts give it a scale of its own: millimetres and kilonewtons of a vehicle",
        "tests/blocks/rail/vehicle/test_power.py::test_all_power_is_accounted_for_in_a_rough_curve",
    ),
}
