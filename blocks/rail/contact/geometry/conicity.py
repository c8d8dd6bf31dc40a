"""Equivalent conicity of a wheelset on a track, from its difference of rolling radii.

A free wheelset that rolls without slip, with running circles 2 b apart, follows

    y'' = -delta_r(y) / (2 b r_0)                                          (1)

along the track. It swings between y_min and y_max, 2 A apart, where S(y) = integral of delta_r dy
is equal; the wavelength is

    L = 2 integral from y_min to y_max of dy / sqrt(2 (S(y_max) - S(y)) / (2 b r_0))  (2)

and the equivalent conicity that of the cone with the same wavelength, by Klingel's formula,

    L = 2 pi sqrt(b r_0 / lambda),  lambda = (2 pi / L)^2 b r_0            (3)

Sources: EN 15302 and UIC 519 (2 b = e = 1.5 m); Klingel (1883).
"""

from __future__ import annotations

import math

import numpy as np

STEPS = 4000
"""Points of the integral (2): to 1e-9 for the cases of EN 15302, 1e-5 where delta_r has steps."""


def klingel_wavelength(conicity: float, r_0: float = 0.46, half: float = 0.75) -> float:
    """Wavelength of a free wheelset with conical wheels, by (3)."""
    return 2.0 * math.pi * math.sqrt(half * r_0 / conicity)


def equivalent_conicity(
    y: np.ndarray, delta_r: np.ndarray, amplitude: float, r_0: float = 0.46, half: float = 0.75
) -> float:
    """Conicity for swings of +-amplitude, from a table of delta_r (linear between its positions).

    `y` rises and reaches beyond the swing on both sides; all lengths in metres.
    """
    length = wavelength(y, delta_r, amplitude, r_0, half)
    return (2.0 * math.pi / length) ** 2 * half * r_0  # (3)


def wavelength(
    y: np.ndarray, delta_r: np.ndarray, amplitude: float, r_0: float = 0.46, half: float = 0.75
) -> float:
    """Wavelength of a free wheelset that swings by +-amplitude, by (2)."""
    y, delta_r = np.asarray(y, float), np.asarray(delta_r, float)
    _check(y, delta_r, amplitude)
    middle = _middle(y, delta_r, amplitude)
    angle = (np.arange(STEPS) + 0.5) * math.pi / STEPS - 0.5 * math.pi
    positions = middle + amplitude * np.sin(angle)
    depth = _potential(y, delta_r, middle + amplitude) - _potential(y, delta_r, positions)
    if depth.min() <= 0.0:
        position = positions[int(depth.argmin())]
        raise ValueError(
            f"amplitude {1e3 * amplitude:g} mm: the wheelset does not come back at "
            f"y = {1e3 * position:.3g} mm, since delta_r drives it outwards; "
            "no conicity is equivalent"
        )
    # y = middle + A sin(angle) takes the infinite slope at both ends out of the integral
    along = amplitude * np.cos(angle) / np.sqrt(depth / (half * r_0))  # (2)
    return float(2.0 * along.sum() * math.pi / STEPS)


def _middle(y: np.ndarray, delta_r: np.ndarray, amplitude: float) -> float:
    """The middle of the swing, whose ends have the same potential."""
    from scipy.optimize import brentq

    def uneven(middle: float) -> float:
        low, high = _potential(y, delta_r, np.array([middle - amplitude, middle + amplitude]))
        return float(high - low)

    low, high = y[0] + amplitude, y[-1] - amplitude
    if uneven(low) * uneven(high) > 0.0:
        raise ValueError(
            f"amplitude {1e3 * amplitude:g} mm: no swing of this size fits between "
            f"y = {1e3 * y[0]:g} and {1e3 * y[-1]:g} mm; give delta_r over a longer range"
        )
    return float(brentq(uneven, low, high, xtol=1e-15))


def _potential(y: np.ndarray, delta_r: np.ndarray, at: float | np.ndarray) -> np.ndarray:
    """S: the integral of delta_r, exact for a line between the positions of the table."""
    rises = 0.5 * (delta_r[1:] + delta_r[:-1]) * np.diff(y)
    whole = np.concatenate(([0.0], np.cumsum(rises)))
    row = np.clip(np.searchsorted(y, at, side="right") - 1, 0, len(y) - 2)
    slope = np.diff(delta_r) / np.diff(y)
    u = at - y[row]
    return whole[row] + u * (delta_r[row] + 0.5 * slope[row] * u)


def _check(y: np.ndarray, delta_r: np.ndarray, amplitude: float) -> None:
    if len(y) < 2 or y.shape != delta_r.shape:
        raise ValueError(f"y and delta_r have {len(y)} and {len(delta_r)} values; give as many")
    if not (np.diff(y) > 0.0).all():
        raise ValueError("y does not rise from each value to the next; sort the table")
    if not amplitude > 0.0 or 2.0 * amplitude > y[-1] - y[0]:
        raise ValueError(
            f"amplitude {1e3 * amplitude:g} mm is not between 0 and {5e2 * (y[-1] - y[0]):g} mm, "
            "half the range of y; give delta_r over a longer range"
        )
