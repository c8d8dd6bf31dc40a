"""Responses of linear systems in closed form, written from textbooks without the library."""

import numpy as np


def step_response(poles, t, zeros=(), gain=1.0):
    """y(t) of gain prod(s - z) / prod(s - p) for a unit step from rest, by partial fractions.

    y = sum over p of e^(p t) lim (s - p) G(s) / s, over the poles of G and s = 0; all of them
    different. Frequencies are first divided by the largest, so that nothing overflows.
    """
    poles, zeros = np.array(poles, dtype=complex), np.array(zeros, dtype=complex)
    unit = max(np.abs(poles))
    poles, zeros, t = poles / unit, zeros / unit, np.asarray(t) * unit
    gain = gain * unit ** (len(zeros) - len(poles))
    every = np.append(poles, 0.0)
    y = np.zeros(len(t), dtype=complex)
    for k, p in enumerate(every):
        y += gain * np.prod(p - zeros) / np.prod(p - np.delete(every, k)) * np.exp(p * t)
    return y.real


def butterworth_poles(n, omega):
    """Poles of the low-pass of order n with the corner omega: on a circle, evenly spread."""
    return omega * np.exp(0.5j * np.pi * (2.0 * np.arange(1, n + 1) + n - 1) / n)


def from_matrices(A, B, t):
    """x(t) of x' = A x + B from rest, with the exponential of [[A, B], [0, 0]] t."""
    from scipy.linalg import expm

    n = len(A)
    augmented = np.zeros((n + 1, n + 1))
    augmented[:n, :n], augmented[:n, n] = A, B
    return np.array([expm(augmented * now)[:n, n] for now in t])
