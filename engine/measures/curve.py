"""A signal as measures see it: straight between rows, a jump where two rows have one time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import RailblocksError
from ..units.unit import Unit


class NoValue(RailblocksError):
    """Why a measure has no value for a signal."""


@dataclass(frozen=True, eq=False)
class Curve:
    """Numbers over time (s); `held` ones keep their value until the next row."""

    time: np.ndarray
    values: np.ndarray
    unit: Unit
    held: bool = False

    def window(self, start: float | None, stop: float | None) -> tuple[np.ndarray, np.ndarray]:
        """Times and values from start to stop; raises `NoValue`.

        At a jump, the value after it belongs to a window that starts there, and the value before
        it to one that stops there.
        """
        t, y = self._straight()
        if not len(t):
            raise NoValue("there are no rows")
        first = float(t[0]) if start is None else start
        last = float(t[-1]) if stop is None else stop
        for time in (first, last):
            if not t[0] <= time <= t[-1]:
                raise NoValue(
                    f"there are rows from {t[0]:.9g} s to {t[-1]:.9g} s, but not at {time:.9g} s"
                )
        if first > last:
            raise NoValue(f"the window from {first:.9g} s to {last:.9g} s is empty")
        if start is not None or stop is not None:
            t, y = _cut(t, y, start, stop)
        wrong = np.flatnonzero(~np.isfinite(y))
        if len(wrong):
            raise NoValue(f"the signal is {y[wrong[0]]:g} at t = {t[wrong[0]]:.9g} s")
        return t, y

    def _straight(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows with straight lines between them; held values become steps."""
        if not self.held or len(self.time) < 2:
            return self.time, self.values
        t, y = np.repeat(self.time, 2)[1:], np.repeat(self.values, 2)[:-1]
        return t, y


def _cut(
    t: np.ndarray, y: np.ndarray, start: float | None, stop: float | None
) -> tuple[np.ndarray, np.ndarray]:
    low = 0 if start is None else int(np.searchsorted(t, start, "right"))
    high = len(t) if stop is None else int(np.searchsorted(t, stop, "left"))
    if start is not None and start == stop:
        return np.array([start]), np.array([value_at(t, y, start)])
    times, values = t[low:high], y[low:high]
    if start is not None:
        times = np.concatenate([[start], times])
        values = np.concatenate([[value_at(t, y, start)], values])
    if stop is not None:
        times = np.concatenate([times, [stop]])
        values = np.concatenate([values, [value_at(t, y, stop, before=True)]])
    return times, values


def value_at(t: np.ndarray, y: np.ndarray, time: float, before: bool = False) -> float:
    """The value at a time within the rows; at a jump the one after it, or before it."""
    if before:
        k = int(np.searchsorted(t, time, "left"))
        if k < len(t) and t[k] == time:
            return float(y[k])
        k -= 1
    else:
        k = int(np.searchsorted(t, time, "right")) - 1
        if t[k] == time:
            return float(y[k])
    part = (time - t[k]) / (t[k + 1] - t[k])
    return float(y[k] + part * (y[k + 1] - y[k]))
