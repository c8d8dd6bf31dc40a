"""How often and when a signal crosses a level; period and frequency."""

from __future__ import annotations

import numpy as np

from .curve import NoValue
from .integrals import mean

DIRECTIONS = ("both", "rising", "falling")


def crossings(
    t: np.ndarray,
    y: np.ndarray,
    level: float = 0.0,
    direction: str = "both",
    hysteresis: float = 0.0,
) -> float:
    """How often y goes from below level - hysteresis to above level + hysteresis, or back."""
    return float(len(_crossing_times(t, y, level, direction, hysteresis)))


def crossing_time(
    t: np.ndarray,
    y: np.ndarray,
    level: float = 0.0,
    direction: str = "both",
    hysteresis: float = 0.0,
) -> float:
    """When y crosses a level for the first time, since the start."""
    times = _crossing_times(t, y, level, direction, hysteresis)
    if not len(times):
        raise NoValue(f"it does not cross {level:.6g}: it is from {y.min():.6g} to {y.max():.6g}")
    return float(times[0] - t[0])


def period(
    t: np.ndarray, y: np.ndarray, level: float | None = None, hysteresis: float = 0.0
) -> float:
    """The mean time between rising crossings of a level, or of the mean."""
    times = _crossing_times(t, y, mean(t, y) if level is None else level, "rising", hysteresis)
    if len(times) < 2:
        raise NoValue(f"it has {len(times)} rising crossings; a period needs two")
    return float(times[-1] - times[0]) / (len(times) - 1)


def frequency(
    t: np.ndarray, y: np.ndarray, level: float | None = None, hysteresis: float = 0.0
) -> float:
    """1 / period."""
    duration = period(t, y, level, hysteresis)
    if duration <= 0.0:
        raise NoValue("all its crossings are at one time")
    return 1.0 / duration


def _crossing_times(
    t: np.ndarray, y: np.ndarray, level: float, direction: str, hysteresis: float
) -> np.ndarray:
    """The times at which y is at the level for the last time before it is on its other side."""
    e = y - level
    sides = np.where(e > hysteresis, 1, np.where(e < -hysteresis, -1, 0))
    clear = np.flatnonzero(sides)
    turns = np.flatnonzero(np.diff(sides[clear]))
    times = []
    for before, after in zip(clear[turns], clear[turns + 1], strict=True):
        side = sides[after]
        if direction != "both" and (side > 0) != (direction == "rising"):
            continue
        k = before + int(np.flatnonzero(side * e[before:after] <= 0.0)[-1])
        part = e[k] / (e[k] - e[k + 1])
        times.append(t[k] + part * (t[k + 1] - t[k]))
    return np.array(times)
