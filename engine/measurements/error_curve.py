"""The difference between two series over time, and its statistics.

    e = s_run - s_measured
    e_mean = 1 / (T_F - T_I) int e dt                                      (1)
    Delta_e = sqrt(1 / (T_F - T_I) int (e - e_mean)^2 dt)                  (2)

Source: Meacci et al. (2020), Eqs. (17) and (18). Between the times of either series e is a straight
line, so that (1) and (2) are exact sums over these pieces; where a series jumps (two rows at one
time), the piece before ends at the value before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .series import Series


@dataclass(frozen=True)
class ErrorCurve:
    """An error over time as straight pieces in the run's unit, with values at both ends of each."""

    start: np.ndarray
    stop: np.ndarray
    run: tuple[np.ndarray, np.ndarray]
    measured: tuple[np.ndarray, np.ndarray]

    @property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The error at both ends of each piece."""
        return self.run[0] - self.measured[0], self.run[1] - self.measured[1]


@dataclass(frozen=True)
class ErrorStatistics:
    """Numbers about an error over time; `at` is the time of the largest."""

    mean: float
    deviation: float
    rms: float
    largest: float
    at: float


def error_curve(run: Series, measured: Series, start: float, stop: float) -> ErrorCurve:
    """The error between two times that both series cover."""
    times = np.union1d(run.time, measured.time)
    inside = times[(times > start) & (times < stop)]
    edges = np.concatenate(([start], inside, [stop]))
    a, b = edges[:-1], edges[1:]
    other = measured.in_unit(run.unit)
    return ErrorCurve(
        a,
        b,
        _pieces(run.time, run.values, run.held, a, b),
        _pieces(measured.time, other, measured.held, a, b),
    )


def _pieces(
    time: np.ndarray, values: np.ndarray, held: bool, a: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Values right of a and left of b; no time of the series lies between them."""
    left = np.clip(np.searchsorted(time, a, "right") - 1, 0, len(time) - 2)
    if held:
        return values[left], values[left]
    span = time[left + 1] - time[left]

    def at(t: np.ndarray) -> np.ndarray:
        w = (t - time[left]) / span
        return np.asarray((1.0 - w) * values[left] + w * values[left + 1])

    return at(a), at(b)


def statistics(curve: ErrorCurve) -> ErrorStatistics:
    first, last = curve.ends
    h = curve.stop - curve.start
    whole = float(h.sum())
    mean = float((h * (first + last)).sum() / (2.0 * whole))  # (1)
    sizes = np.abs([first, last])
    end, piece = np.unravel_index(int(sizes.argmax()), sizes.shape)
    return ErrorStatistics(
        mean=mean,
        deviation=_root(h, first - mean, last - mean) / whole**0.5,  # (2)
        rms=_root(h, first, last) / whole**0.5,
        largest=float(sizes[end, piece]),
        at=float((curve.start, curve.stop)[end][piece]),
    )


def _root(h: np.ndarray, first: np.ndarray, last: np.ndarray) -> float:
    """The root of the integral of the square of straight pieces."""
    return float(np.sqrt((h * (first * first + first * last + last * last)).sum() / 3.0))
