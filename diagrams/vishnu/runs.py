"""Runs of wheelsets at constant speed, and what is measured from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from railblocks.blocks.rail.wheelset.shape import SHAPES
from railblocks.blocks.rail.wheelset.stability import RollingWheelset
from railblocks.diagrams.runs import Run, Tell, shipped, silent
from railblocks.diagrams.vishnu.bogies import CarStudy, car_study
from railblocks.engine.linear.growth import first_growth

METHODS = ("denoc", "conventional")
SIGNALS = ("y", "psi", "y_dot", "psi_dot")
SETTLED_FROM_S = 0.5
"""When motions that die out fast have gone, in s."""
LAM = 0.18
"""Conicity of the wheels."""
SPRINGS: dict[str, Any] = {"k_y": 5e5, "k_psi": 2e6}
"""Suspension, in N/m and N m/rad."""
SMALL_SWAY_M, LARGE_SWAYS_M = 1e-5, (1e-3, 2e-3, 3e-3)
"""Sways from which the suspended wheelset is let go, in metres."""
ROLLED, CONICITIES = ("linear", "conical"), (0.05, LAM)
"""Profiles whose wavelength is measured."""
SLOW_SPEED = 2.0
"""Speed at which wavelengths are measured, in m/s."""


@dataclass(frozen=True)
class Study:
    """Runs and wheelsets from which all rows and figures are made."""

    runs: dict[str, Run]  # Figure 2, by kind of profiles
    wheelsets: dict[str, RollingWheelset]  # free, by kind of profiles
    wavelengths: dict[tuple[str, float], float]  # of the free one, by kind and conicity
    suspended: RollingWheelset
    critical: list[tuple[float, float]]  # speed and amplitude, by runs
    hunting: Run
    car: CarStudy


def study(tell: Tell) -> Study:
    """Makes all runs, and the wheelsets whose eigenvalues are compared with them."""
    runs = {shape: free_run(shape, tell=tell) for shape in SHAPES}
    wheelsets = {shape: RollingWheelset(shape=shape, lam=LAM) for shape in SHAPES}
    suspended = RollingWheelset(shape="linear", lam=LAM, **SPRINGS)
    tell("wavelengths by runs")
    wavelengths = {
        (shape, lam): rolled_wavelength(shape, lam) for shape in ROLLED for lam in CONICITIES
    }
    tell("critical speed by runs")
    critical = [critical_speed_of_runs(SMALL_SWAY_M, 43.0, 46.0)]
    critical += [critical_speed_of_runs(y_0, 20.0, critical[0][0] + 0.5) for y_0 in LARGE_SWAYS_M]
    return Study(runs, wheelsets, wavelengths, suspended, critical, hunting(tell), car_study(tell))


def free_run(shape: str, values: dict[str, Any] | None = None, tell: Tell = silent) -> Run:
    """The free wheelset by both methods, with one kind of profiles."""
    shapes = {f"{method}.shape": shape for method in METHODS}
    checked = shipped("vishnu", "free_wheelset", {**shapes, **(values or {})})
    return Run.of(checked, f"free wheelset, {shape}", tell)


def hunting(tell: Tell = silent) -> Run:
    """Run of the wheelset that hunts from flange to flange."""
    return Run.of(shipped("vishnu", "hunting"), "hunting", tell)


def differences(run: Run) -> np.ndarray:
    """DeNOC less conventional over the largest value, a column for each signal."""
    columns = []
    for name in SIGNALS:
        ours, theirs = (run[f"{method}.{name}"] for method in METHODS)
        columns.append(np.abs(ours - theirs) / np.abs(theirs).max())
    return np.array(columns).T


def rolled_wavelength(shape: str, lam: float) -> float:
    """Mean way between crossings of the middle in the same direction, by a slow run."""
    run = free_run(shape, {"V": f"{SLOW_SPEED!r} m/s", "lam": lam, "solver.stop": "40 s"})
    t, y = run.t, run["denoc.y"]
    i = np.flatnonzero((y[:-1] < 0.0) & (y[1:] >= 0.0))
    times = t[i] - y[i] * (t[i + 1] - t[i]) / (y[i + 1] - y[i])
    return float(SLOW_SPEED * np.diff(times).mean())


def peaks(run: Run, signal: str) -> tuple[np.ndarray, np.ndarray]:
    """Times and sizes of all tops and bottoms once it has settled, by parabolas."""
    late = run.window(SETTLED_FROM_S)
    t, y = run.t[late], np.abs(run[signal][late])
    i = np.flatnonzero((y[1:-1] >= y[:-2]) & (y[1:-1] > y[2:])) + 1
    before, top, after = y[i - 1], y[i], y[i + 1]
    part = 0.5 * (before - after) / (before - 2.0 * top + after)
    return t[i] + part * (t[1] - t[0]), top - 0.25 * (before - after) * part


def growth(run: Run, signal: str) -> float:
    """Growth rate of a motion, 1/s, by the slope of the logarithm of its peaks."""
    times, sizes = peaks(run, signal)
    return float(np.polyfit(times, np.log(sizes), 1)[0])


def suspended_growth(V: float, y_0: float) -> tuple[float, float]:
    """Growth rate of the suspended wheelset from a sway on, and its mean amplitude."""
    values = {"V": f"{V!r} m/s", "wheelset.y_0": f"{y_0!r} m", "wheelset.y_max": "0.03 m"}
    checked = shipped("vishnu", "suspended_wheelset", values | {"solver.stop": "2 s"})
    run = Run.of(checked, "suspended wheelset")
    _, sizes = peaks(run, "wheelset.y")
    return growth(run, "wheelset.y"), float(sizes.mean())


def critical_speed_of_runs(y_0: float, low: float, high: float) -> tuple[float, float]:
    """The speed at which a sway neither dies out nor grows, and its amplitude."""
    speed = first_growth(lambda V: suspended_growth(V, y_0)[0], (low, high), 2e-3)
    if speed is None:
        raise ValueError(f"a sway of {y_0:g} m dies out up to {high:g} m/s")
    return speed, suspended_growth(speed, y_0)[1]
