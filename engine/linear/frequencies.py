"""Frequencies at which a linear model is worth looking at."""

from __future__ import annotations

import numpy as np

from .model import LinearModel, as_rates

DECADES = 2.0
"""Decades that are shown below the slowest and above the fastest pole or zero."""
PER_DECADE = 200
PER_PEAK = 61
LEAST = 1e-9
"""Frequency of a pole or zero, over the fastest, below which it counts as one at 0."""


def frequencies_of(model: LinearModel, band: tuple[float, float] | None = None) -> np.ndarray:
    """Frequencies in rad/s, dense where poles or zeros are near; up to half a sample rate."""
    rates = [as_rates(part, model.sample_time) for part in (model.poles, model.zeros)]
    points = np.concatenate(rates)
    points = points[np.isfinite(points)]
    sizes = np.abs(points)
    sizes = sizes[sizes > LEAST * sizes.max(initial=0.0)]
    nyquist = np.inf if model.sample_time is None else np.pi / model.sample_time
    if band is None:
        low, high = (sizes.min(), sizes.max()) if len(sizes) else (1.0, 1.0)
        band = float(low) / 10.0**DECADES, min(float(high) * 10.0**DECADES, nyquist)
        if band[0] >= band[1]:
            band = band[1] * 1e-4, band[1]
    low, high = band[0], min(band[1], nyquist)
    count = max(int(PER_DECADE * np.log10(high / low)), 2)
    found = [np.geomspace(low, high, count)]
    spread = np.sinh(np.linspace(-4.0, 4.0, PER_PEAK))
    for point in points:
        if abs(point.imag) > 0.0 and abs(point.real) < 0.3 * abs(point):
            width = max(abs(point.real), 1e-7 * abs(point))
            found.append(abs(point.imag) + width * spread)
    omega = np.unique(np.concatenate(found))
    return omega[(omega >= low) & (omega <= high)]
