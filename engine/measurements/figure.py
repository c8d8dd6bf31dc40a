"""Runs and measurements drawn over each other, with their difference."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..plots.overlays import overlay as overlaid
from ..plots.plotting import save_figure
from ..runs.results import Results
from .comparison import Compared


def overlay(compared: Iterable[Compared], title: str, file: str | os.PathLike[str]) -> None:
    """Draws both series and the error of each pair; signals of one unit share a panel."""
    signals, units = {}, {}
    time = np.zeros(0)
    for one in compared:
        curve = one.curve
        run, measured = one.pair.run, f"{one.pair.measured} (measured)"
        time = np.ravel((curve.start, curve.stop), order="F")
        pieces = {run: curve.run, measured: curve.measured, f"{run}: error": curve.ends}
        for name, ends in pieces.items():
            signals[name], units[name] = np.ravel(ends, order="F"), one.unit
    Results.from_arrays(time, signals, units).plot(file=file, title=title)


def overlay_runs(
    runs: Mapping[str, Sequence[Compared]],
    measured: str,
    title: str,
    file: str | os.PathLike[str],
) -> None:
    """Draws each pair of several runs, by their labels, with the measurement and the errors."""
    tables = {label: _table(compared, error=True) for label, compared in runs.items()}
    tables[f"{measured} (measured)"] = _table(next(iter(runs.values())), error=False)
    save_figure(overlaid(tables, title=title), file)


def _table(compared: Sequence[Compared], error: bool) -> Results:
    """A run and its errors, or the measurement without any, over the times that are compared."""
    curve = compared[0].curve
    time = np.ravel((curve.start, curve.stop), order="F")
    signals, units = {}, {}
    for one in compared:
        ends = one.curve.run if error else one.curve.measured
        errors = one.curve.ends if error else tuple(0.0 * e for e in one.curve.ends)
        for name, values in ((one.pair.run, ends), (f"{one.pair.run}: error", errors)):
            signals[name], units[name] = np.ravel(values, order="F"), one.unit
    return Results.from_arrays(time, signals, units)
