"""Runs and measurements drawn over each other, with their difference."""

from __future__ import annotations

import os
from collections.abc import Iterable

import numpy as np

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
