"""Step responses of linear models, exact at the times that are shown."""

from __future__ import annotations

import numpy as np

from .model import LinearModel

POINTS = 600
SETTLING, LONGEST_TURNS = 7.0, 25.0
"""Time constants until a motion has died away, and turns of a slow one that are shown."""


def step_response(model: LinearModel, end: float | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Times, and responses to a unit step of each input: an axis of times, outputs, inputs."""
    from scipy.linalg import expm

    end = duration(model) if end is None else end
    n, m = model.B.shape
    if model.sample_time is None:
        step = end / (POINTS - 1)
        whole = np.zeros((n + m, n + m))
        whole[:n, :n], whole[:n, n:] = model.A, model.B
        whole = expm(whole * step)
        count = POINTS
    else:
        step = model.sample_time
        whole = np.eye(n + m)
        whole[:n, :n], whole[:n, n:] = model.A, model.B
        count = max(2, min(int(end / step) + 1, 20_000))
    state = np.concatenate([np.zeros((n, m)), np.eye(m)])
    read = np.concatenate([model.C, model.D], axis=1)
    values = np.empty((count, len(model.outputs), m))
    for k in range(count):
        values[k] = read @ state
        state = whole @ state
    return step * np.arange(count), values


def duration(model: LinearModel) -> float:
    """A time in which the slowest motion that matters has died away, or grown well."""
    rates = model.rates[np.isfinite(model.rates)]
    sizes = np.abs(rates)
    moving = rates[sizes > 1e-9 * sizes.max(initial=0.0)]
    if not len(moving):
        return 10.0 if model.sample_time is None else 100.0 * model.sample_time
    decay = np.maximum(np.abs(moving.real), 1e-12)
    slowest = SETTLING / decay
    turns = np.where(np.abs(moving.imag) > 0.0, LONGEST_TURNS * 2.0 * np.pi, SETTLING * 20.0)
    longest = float(np.max(np.minimum(slowest, turns / np.abs(moving))))
    return longest if model.sample_time is None else max(longest, 10.0 * model.sample_time)
