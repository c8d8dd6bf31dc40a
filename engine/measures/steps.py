"""Measures of a response to a step, from its value at the start to its final value.

With s(t) = (y(t) - y_0) / (y_f - y_0), where y_0 is the value at the start and y_f that at the end
unless they are given; t counts from the start.
"""

from __future__ import annotations

import numpy as np

from .curve import NoValue


def overshoot(
    t: np.ndarray, y: np.ndarray, initial: float | None = None, final: float | None = None
) -> float:
    """How far s goes beyond 1."""
    return max(0.0, float(_progress(y, initial, final).max()) - 1.0)


def undershoot(
    t: np.ndarray, y: np.ndarray, initial: float | None = None, final: float | None = None
) -> float:
    """How far s goes below 0."""
    return max(0.0, -float(_progress(y, initial, final).min()))


def peak_time(
    t: np.ndarray, y: np.ndarray, initial: float | None = None, final: float | None = None
) -> float:
    """When s is largest."""
    return float(t[int(np.argmax(_progress(y, initial, final)))] - t[0])


def rise_time(
    t: np.ndarray,
    y: np.ndarray,
    low: float = 0.1,
    high: float = 0.9,
    initial: float | None = None,
    final: float | None = None,
) -> float:
    """The time between the first s = low and the first s = high."""
    if not low < high:
        raise NoValue(f"low = {low:g} is not below high = {high:g}")
    s = _progress(y, initial, final)
    return _time_to(t, s, high) - _time_to(t, s, low)


def delay_time(
    t: np.ndarray, y: np.ndarray, initial: float | None = None, final: float | None = None
) -> float:
    """When s is 1/2 for the first time."""
    return _time_to(t, _progress(y, initial, final), 0.5)


def settling_time(
    t: np.ndarray,
    y: np.ndarray,
    band: float = 0.02,
    within: float | None = None,
    initial: float | None = None,
    final: float | None = None,
) -> float:
    """When |y - y_f| comes into its band for good: band |y_f - y_0|, or `within`."""
    y_f = float(y[-1]) if final is None else final
    y_0 = float(y[0]) if initial is None else initial
    width = band * abs(y_f - y_0) if within is None else within
    e = y - y_f
    outside = np.flatnonzero(np.abs(e) > width)
    if not len(outside):
        return 0.0
    k = int(outside[-1])
    if k == len(y) - 1:
        raise NoValue(
            f"it is still {abs(e[-1]):.6g} away from its final value {y_f:.6g} at the end, where "
            f"{width:.6g} is allowed"
        )
    edge = width if e[k] > 0.0 else -width
    return float(t[k] + (edge - e[k]) / (e[k + 1] - e[k]) * (t[k + 1] - t[k]) - t[0])


def steady_error(_: np.ndarray, y: np.ndarray, target: float) -> float:
    """target - y at the end."""
    return target - float(y[-1])


def _progress(y: np.ndarray, initial: float | None, final: float | None) -> np.ndarray:
    """s: 0 at the initial, 1 at the final value."""
    y_0 = float(y[0]) if initial is None else initial
    y_f = float(y[-1]) if final is None else final
    if y_0 == y_f:
        raise NoValue(
            f"it starts and ends at {y_0:.6g}, so there is no step; give `initial` or `final`"
        )
    return (y - y_0) / (y_f - y_0)


def _time_to(t: np.ndarray, s: np.ndarray, level: float) -> float:
    """When s reaches a level for the first time."""
    there = np.flatnonzero(s >= level)
    if not len(there):
        raise NoValue(f"it reaches only {100 * s.max():.4g} % of the step, not {100 * level:.4g} %")
    k = int(there[0])
    if k == 0:
        return 0.0
    part = (level - s[k - 1]) / (s[k] - s[k - 1])
    return float(t[k - 1] + part * (t[k] - t[k - 1]) - t[0])
