"""A signal beside its baseline: inside a band around it, or not.

A run may be at time t where the baseline is between t - lagging and t + leading, and off it by the
larger of `absolute` and `relative` times its size:

    min (b - d) <= y(t) <= max (b + d) over [t - lagging, t + leading],
    d = max(absolute, relative |b|)                                        (1)

That is checked at all times of the run and of the baseline. Both are straight between their rows,
so that the extremes of (1) are at rows or at the ends of the interval.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..measurements.series import Series
from ..measures.curve import value_at


@dataclass(frozen=True)
class Band:
    """What a run may be at some times."""

    time: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class Misfit:
    """How a signal misses its baseline: where it does so the most, and how often."""

    time: float
    value: float
    low: float
    high: float
    count: int
    of: int


def misfit(
    run: Series, baseline: Series, absolute: float, relative: float, leading: float, lagging: float
) -> Misfit | None:
    """The largest distance from the band; None if the run is inside it all the time."""
    time, values = _at_all_times(run, baseline)
    band = band_at(time, baseline, absolute, relative, leading, lagging)
    beyond = np.maximum(band.low - values, values - band.high)
    beyond = np.where(np.isnan(values), np.inf, beyond)
    if not np.any(beyond > 0.0):
        return None
    k = int(np.argmax(beyond))
    return Misfit(
        float(time[k]),
        float(values[k]),
        float(band.low[k]),
        float(band.high[k]),
        int(np.count_nonzero(beyond > 0.0)),
        len(time),
    )


def band_at(
    time: np.ndarray,
    baseline: Series,
    absolute: float,
    relative: float,
    leading: float,
    lagging: float,
) -> Band:
    """The band around a baseline at some times."""
    t, b = baseline.time, baseline.values
    distance = np.maximum(absolute, relative * np.abs(b))
    low, high = b - distance, b + distance
    starts = np.clip(time - lagging, t[0], t[-1])
    stops = np.clip(time + leading, t[0], t[-1])
    first, last = np.searchsorted(t, starts, "left"), np.searchsorted(t, stops, "right")
    lowest, highest = np.empty_like(time), np.empty_like(time)
    for k, (i, j) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        ends = [value_at(t, b, starts[k], before=True), value_at(t, b, stops[k])]
        ends_distance = np.maximum(absolute, relative * np.abs(ends))
        lowest[k] = min((ends - ends_distance).min(), low[i:j].min(initial=np.inf))
        highest[k] = max((ends + ends_distance).max(), high[i:j].max(initial=-np.inf))
    return Band(time, lowest, highest)


def _at_all_times(run: Series, baseline: Series) -> tuple[np.ndarray, np.ndarray]:
    """Values of the run at its own times, and between them at those of the baseline."""
    others = baseline.time[~np.isin(baseline.time, run.time)]
    others = others[(others >= run.time[0]) & (others <= run.time[-1])]
    time = np.concatenate([run.time, others])
    values = np.concatenate([run.values, run.at(others)])
    order = np.argsort(time, kind="stable")
    return time[order], values[order]
