"""A disturbance that turns with a wheel or a roller, observed at its angle.

With the speed omega of what is unbalanced and the torque u, the state (p, q) turns with it:

    D = g n p,  e = u - D                                                  (1)
    p' = 2 zeta |omega| g e / n - k p - omega q,  q' = omega p - k q       (2)
    n = (f / f_low)^2,  k = 2 pi zeta f_low (1 - g),  f = |omega_w| / (2 pi)              (3)
    g = 3 h^2 - 2 h^3,  h = (f - f_off) / (f_low - f_off) within 0 and 1   (4)

D is the disturbance, e what is left of the torque. n is the growth of centrifugal forces with the
speed, so that (p, q) keeps its size, that of D at f_low, while the wheel gets faster. At a constant
speed from f_low on, by the internal-model principle, the torque passes a notch

    e / u = (s^2 + omega^2) / (s^2 + 2 zeta omega s + omega^2)             (5)

without any of the disturbance, settled after some 1 / (zeta omega); a slow torque is late by 2 zeta
/ omega, and where its slope turns by S, e rings by 2 zeta S / omega. Two lines in a row have a
double zero, and follow amplitudes and angles that drift: what is left of one that is d rad/s beside
omega is (d / (zeta omega))^2. Below f_low, g lets the line fade out, and k lets it forget. From

    (p^2 + q^2)' = 4 zeta |omega| g p (u / n - g p) - 2 k (p^2 + q^2)      (6)

states stay bounded whatever the speed does. Sampled, y = s + h / 2 f(y) and s := 2 y - s (the
trapezoidal rule) keep (6); with tan(omega h / 2) for omega h / 2 the notch stays at omega.
"""

import math

import numpy as np
from railblocks.blocks.rail.control.elliptic_bank import low_pass_response

TURN = 2.0 * math.pi
SHOWN = (1.0, 2.0, 3.0, 4.0)
"""Speeds of the frequency response, over f_low."""


def growth(omega, f_low):
    """Size of a centrifugal force over that at f_low: n."""
    ratio = omega / (TURN * f_low)
    return ratio * ratio


def share(omega, f_off, f_low):
    """Part of the disturbance that is taken out: g."""
    h = min(max((abs(omega) / TURN - f_off) / (f_low - f_off), 0.0), 1.0)
    return h * h * (3.0 - 2.0 * h)  # (4)


def gains(omega, zeta, f_off, f_low):
    """g n, g / n and k at the speed of the wheel; where g is 0, n may be."""
    g, n = share(omega, f_off, f_low), growth(omega, f_low)
    return g * n, g / max(n, growth(TURN * f_off, f_low)), TURN * zeta * f_low * (1.0 - g)  # (3)


def turn(e, p, q, omega, zeta, back, k):
    """p' and q' of (2); `back` is g / n."""
    return 2.0 * zeta * abs(omega) * back * e - k * p - omega * q, omega * p - k * q


def turn_sampled(u, s_p, s_q, omega, line, every):
    """p and q half a step after the state s, and e."""
    gain, back, k = gains(line.omega_w_hat, line.zeta, line.f_off, line.f_low)
    a, hold = math.tan(0.5 * omega * every), 1.0 + 0.5 * every * k
    b = 2.0 * line.zeta * abs(a) * back
    p = (hold * (s_p + b * u) - a * s_q) / (hold * (hold + b * gain) + a * a)
    return p, (s_q + a * p) / hold, u - gain * p


def smooth_sampled(u, s_0, s_1, f_noise, every):
    """Output of a low-pass and its rate over w_n, half a step after the state s."""
    a = math.tan(math.pi * f_noise * every)
    rate = (s_1 + a * (u - s_0)) / (1.0 + math.sqrt(2.0) * a + a * a)
    return s_0 + a * rate, rate


def notch_response(s, omega, zeta):
    """e / u of (5) at complex frequencies s."""
    return (s * s + omega * omega) / (s * s + 2.0 * zeta * omega * s + omega * omega)


def responses(s, tuned, zeta, f_low, f_noise, ratio):
    """Responses of a low-pass, and of it with the lines of wheel and roller at some speeds.

    `tuned` tells where a frequency in rad/s lies that is meant.
    """
    low = low_pass_response(s, tuned(TURN * f_noise) / TURN)
    lines = [(tuned(TURN * f_low * k), tuned(ratio * TURN * f_low * k)) for k in SHOWN]
    both = [notch_response(s, w, zeta) * notch_response(s, r, zeta) for w, r in lines]
    return {"low-pass": low, "notches": low * np.array(both)}
