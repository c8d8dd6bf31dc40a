"""Runs of wheelsets at constant speed, and what is measured from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from railblocks.blocks.rail.multibody.stability import first_growth
from railblocks.diagrams.runs import shipped
from railblocks.engine.analysis.checking import Checked
from railblocks.engine.runs.results import Results
from railblocks.engine.runs.run import simulate

METHODS = ("denoc", "conventional")
SIGNALS = ("y", "psi", "y_dot", "psi_dot")
SETTLED = 0.5
"""When motions that die out fast have gone, in s."""


def checked(name: str, values: Mapping[str, Any]) -> Checked:
    return shipped("vishnu", name, values)


def free_run(shape: str, **values: Any) -> Results:
    """The free wheelset by both methods, with one kind of profiles."""
    shapes = {f"{method}.shape": shape for method in METHODS}
    return simulate(checked("free_wheelset", shapes | values))


def differences(results: Results) -> np.ndarray:
    """DeNOC less conventional over the largest value, a column for each signal."""
    columns = []
    for name in SIGNALS:
        ours, theirs = (results[f"{method}.{name}"] for method in METHODS)
        columns.append(np.abs(ours - theirs) / np.abs(theirs).max())
    return np.array(columns).T


def wavelength(results: Results, V: float) -> float:
    """Mean way between crossings of the middle in the same direction."""
    t, y = results.time, results["denoc.y"]
    i = np.flatnonzero((y[:-1] < 0.0) & (y[1:] >= 0.0))
    times = t[i] - y[i] * (t[i + 1] - t[i]) / (y[i + 1] - y[i])
    return float(V * np.diff(times).mean())


def peaks(results: Results, signal: str) -> tuple[np.ndarray, np.ndarray]:
    """Times and sizes of all tops and bottoms once it has settled, by parabolas."""
    late = results.time >= SETTLED
    t, y = results.time[late], np.abs(results[signal][late])
    i = np.flatnonzero((y[1:-1] >= y[:-2]) & (y[1:-1] > y[2:])) + 1
    before, at, after = y[i - 1], y[i], y[i + 1]
    part = 0.5 * (before - after) / (before - 2.0 * at + after)
    return t[i] + part * (t[1] - t[0]), at - 0.25 * (before - after) * part


def growth(results: Results, signal: str) -> float:
    """Growth rate of a motion, 1/s, by the slope of the logarithm of its peaks."""
    times, sizes = peaks(results, signal)
    return float(np.polyfit(times, np.log(sizes), 1)[0])


def suspended_growth(V: float, y_0: float) -> tuple[float, float]:
    """Growth rate of the suspended wheelset from a sway on, and its mean amplitude."""
    values = {"V": f"{V!r} m/s", "wheelset.y_0": f"{y_0!r} m", "wheelset.y_max": "0.03 m"}
    results = simulate(checked("suspended_wheelset", values | {"solver.stop": "2 s"}))
    _, sizes = peaks(results, "wheelset.y")
    return growth(results, "wheelset.y"), float(sizes.mean())


def critical_speed_of_runs(y_0: float, low: float, high: float) -> tuple[float, float]:
    """The speed at which a sway neither dies out nor grows, and its amplitude."""
    found = first_growth(lambda V: suspended_growth(V, y_0)[0], (low, high), 2e-3)
    if found is None:
        raise ValueError(f"a sway of {y_0:g} m dies out up to {high:g} m/s")
    return found, suspended_growth(found, y_0)[1]
