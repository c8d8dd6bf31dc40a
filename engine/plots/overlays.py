"""Figures of several runs: a panel for each signal, with a line for each run that has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..diagram.endpoints import index_text
from ..errors import DiagramError
from ..model.signals import SignalTable
from .plotting import drawable, plain, reduced, unit_text
from .style import canvas_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 12


def overlay(runs: Mapping[str, SignalTable], *names: str, title: str | None = None) -> Figure:
    """A figure of the named signals, or of all that every run has; runs by their labels."""
    elements = _elements(runs, names)
    shown = elements[:MOST_PANELS]
    with canvas_of((9.0, 1.1 + 2.0 * len(shown))) as canvas:
        axes = canvas.subplots(len(shown), 1, sharex=True, squeeze=False)[:, 0]
        for axis, name in zip(axes, shown, strict=True):
            for label, run in runs.items():
                _line(axis, run, name, label)
            unit = next(iter(runs.values())).unit(name)
            axis.set_ylabel(plain(f"{name} ({unit_text(unit)})" if unit not in ("", "1") else name))
        axes[0].legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), fontsize=8)
        axes[-1].set_xlabel("time (s)")
        note = f", {len(shown)} of {len(elements)} signals" if len(shown) < len(elements) else ""
        heading = f"{len(runs)} runs{note}" if title is None else title
        canvas.suptitle(plain(heading), fontsize=11, x=0.02, ha="left")
    return canvas


def _elements(runs: Mapping[str, SignalTable], names: Sequence[str]) -> list[str]:
    """Scalars by name; raises DiagramError for one that a run lacks, or of another unit there."""
    first, *others = runs.values()
    if not names:
        common = [n for n, _, _ in first.elements() if all(_has(run, n) for run in others)]
        if not common:
            raise DiagramError("no signal is in all of these runs; name one that is")
        return common
    found = []
    for name in names:
        inner = first[name].shape[1:]
        for run in others:
            if run.unit(name) != first.unit(name):
                raise DiagramError(f"'{name}' is in {first.unit(name)} and in {run.unit(name)}")
            if run[name].shape[1:] != inner:
                raise DiagramError(f"'{name}' has another shape in another run")
        found += [name + index_text(index or None) for index in np.ndindex(inner)]
    return found


def _has(run: SignalTable, name: str) -> bool:
    return any(name == other for other, _, _ in run.elements())


def _line(axis: Axes, run: SignalTable, name: str, label: str) -> None:
    time, values = drawable(run.time), run[name]
    kept = reduced(time, values)
    held = not np.issubdtype(values.dtype, np.floating)
    heights = drawable(values[kept].astype(float))
    axis.plot(
        time[kept], heights, label=plain(label), drawstyle="steps-post" if held else "default"
    )
