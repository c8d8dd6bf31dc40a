"""Numbers about signals: statistics over a window, and amplitude spectra."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SpanStatistics:
    """Extremes, mean and rms of the rows between two times, the latter two weighted with time."""

    lowest: float
    highest: float
    mean: float
    rms: float
    count: int

    @property
    def span(self) -> float:
        return self.highest - self.lowest


def statistics(time: np.ndarray, values: np.ndarray, start: float, stop: float) -> SpanStatistics:
    t, y = _between(time, values, start, stop)
    if not len(y):
        return SpanStatistics(np.nan, np.nan, np.nan, np.nan, 0)
    length = t[-1] - t[0]
    if length <= 0:
        mean, square = float(np.mean(y)), float(np.mean(y * y))
    else:
        mean = float(np.trapezoid(y, t) / length)
        square = float(np.trapezoid(y * y, t) / length)
    return SpanStatistics(float(y.min()), float(y.max()), mean, float(np.sqrt(square)), len(y))


def spectrum(
    time: np.ndarray, values: np.ndarray, start: float, stop: float
) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies (Hz) and amplitudes: a sine of amplitude 1 on a bin shows 1.

    Rows at uneven times are put on even ones; a Hann window keeps neighbours apart.
    """
    t, y = _between(time, values, start, stop)
    keep = np.concatenate([[True], np.diff(t) > 0]) if len(t) else np.zeros(0, bool)
    t, y = t[keep], y[keep]
    if len(t) < 8:
        return np.zeros(0), np.zeros(0)
    even = np.linspace(t[0], t[-1], len(t))
    y = np.interp(even, t, y)
    window = np.hanning(len(y))
    amplitudes = 2.0 * np.abs(np.fft.rfft((y - y.mean()) * window)) / window.sum()
    return np.fft.rfftfreq(len(y), even[1] - even[0]), amplitudes


def _between(
    time: np.ndarray, values: np.ndarray, start: float, stop: float
) -> tuple[np.ndarray, np.ndarray]:
    """The rows between two times, but those without a number."""
    rows = slice(np.searchsorted(time, start), np.searchsorted(time, stop, side="right"))
    t, y = time[rows], values[rows]
    numbers = np.isfinite(y)
    return (t, y) if numbers.all() else (t[numbers], y[numbers])
