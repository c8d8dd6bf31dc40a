"""Means and integrals of a signal that is straight between its rows; all are exact for such."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .curve import NoValue


def integral(t: np.ndarray, y: np.ndarray) -> float:
    """The integral of y over time."""
    return _integral(t, y, lambda _, value: value)


def mean(t: np.ndarray, y: np.ndarray) -> float:
    """The mean of y over time."""
    return integral(t, y) / _duration(t)


def rms(t: np.ndarray, y: np.ndarray) -> float:
    """The square root of the mean square of y over time."""
    return float(np.sqrt(ise(t, y) / _duration(t)))


def std(t: np.ndarray, y: np.ndarray) -> float:
    """The standard deviation of y over time."""
    return rms(t, y - mean(t, y))


def variation(_: np.ndarray, y: np.ndarray) -> float:
    """The length of the way that y goes up and down."""
    return float(np.abs(np.diff(y)).sum())


def iae(t: np.ndarray, y: np.ndarray) -> float:
    """The integral of |y| over time."""
    return _integral(*split_at(t, y, 0.0), lambda _, value: np.abs(value))


def ise(t: np.ndarray, y: np.ndarray) -> float:
    """The integral of y^2 over time."""
    return _integral(t, y, lambda _, value: value * value)


def itae(t: np.ndarray, y: np.ndarray) -> float:
    """The integral of t |y| over time t since the start."""
    return _integral(*split_at(t, y, 0.0), lambda since, value: since * np.abs(value))


def itse(t: np.ndarray, y: np.ndarray) -> float:
    """The integral of t y^2 over time t since the start."""
    return _integral(t, y, lambda since, value: since * value * value)


def time_above(t: np.ndarray, y: np.ndarray, level: float) -> float:
    """How long y is above a level."""
    t, y = split_at(t, y, level)
    return float(np.diff(t)[(y[:-1] + y[1:]) / 2.0 > level].sum())


def time_below(t: np.ndarray, y: np.ndarray, level: float) -> float:
    """How long y is below a level."""
    return time_above(t, -y, -level)


def split_at(t: np.ndarray, y: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The signal with rows more where it passes a level between two rows."""
    above = y - level
    passing = np.flatnonzero(above[:-1] * above[1:] < 0.0)
    part = above[passing] / (above[passing] - above[passing + 1])
    times = t[passing] + part * (t[passing + 1] - t[passing])
    return np.insert(t, passing + 1, times), np.insert(y, passing + 1, level)


def _integral(
    t: np.ndarray, y: np.ndarray, integrand: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> float:
    """Simpson's rule from row to row, exact for cubic integrands; t counts from the start."""
    since = t - t[0]
    middle = integrand((since[:-1] + since[1:]) / 2.0, (y[:-1] + y[1:]) / 2.0)
    ends = integrand(since, y)
    return float((np.diff(since) * (ends[:-1] + 4.0 * middle + ends[1:])).sum() / 6.0)


def _duration(t: np.ndarray) -> float:
    duration = float(t[-1] - t[0])
    if duration <= 0.0:
        raise NoValue(f"there is only one time, {t[0]:.9g} s")
    return duration
