"""Figures of studies: lines over a parameter, families of curves, scatter matrices, tornados."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DiagramError, Position
from ..plots.plotting import COLOURS, INK, plain, unit_text
from ..plots.style import canvas_of
from .sensitivity import effects
from .table import StudyTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


PERCENTILES = (5.0, 25.0, 50.0, 75.0, 95.0)
FAMILY_LINES = 20  # runs of a family that are drawn one by one
FAMILY_TIMES = 1000
MOST_LINES = 8  # values of a second parameter, one line each
MOST_SCATTERED = 7  # columns of a scatter matrix
LIGHT = "#9ecae1"


def figure(study: StudyTable, names: Sequence[str] = (), kind: str | None = None) -> Figure:
    """A figure of some columns or kept signals, or of all; by default of the kind that fits."""
    if kind is not None and kind not in KINDS:
        raise DiagramError(
            f"'{kind}' is not a kind of figure; expected one of {', '.join(KINDS)}",
            Position("--kind"),
        )
    if not study.ended.size:
        raise DiagramError("no run has ended with values; nothing can be drawn", _where(study))
    return KINDS[kind or _fitting(study, names)](study, tuple(names))


def _fitting(study: StudyTable, names: Sequence[str]) -> str:
    signals = any(name in study.signals for name in names) or (not names and not study.summaries)
    if signals and study.signals:
        return "families"
    if study.meta.get("way") == "samples" and len(study.parameters) > 1:
        return "scatter"
    return "lines"


def _where(study: StudyTable) -> Position | None:
    return Position(study.file) if study.file else None


def _summaries(study: StudyTable, names: Sequence[str]) -> tuple[str, ...]:
    chosen = tuple(names) or tuple(study.summaries)
    if not chosen:
        raise DiagramError("there are no summaries to draw; keep some by --summary", _where(study))
    for name in chosen:
        if name not in study.summaries:
            study[name]  # raises for what is not a column at all
            raise DiagramError(f"'{name}' is not a summary", _where(study))
    return chosen


def _label(study: StudyTable, name: str) -> str:
    unit = study.unit(name)
    return plain(f"{name} ({unit_text(unit)})" if unit not in ("", "1") else name)


def _title(canvas: Figure, study: StudyTable, text: str) -> None:
    heading = f"{study.meta.get('title') or study.meta.get('file', '')}: {text}"
    canvas.suptitle(plain(heading), fontsize=11, color=INK, x=0.02, ha="left")


# --- lines over a parameter --------------------------------------------------------------------
def lines(study: StudyTable, names: Sequence[str]) -> Figure:
    """A panel a summary over the first parameter; a line for each value of the others."""
    chosen = _summaries(study, names)
    first, others = study.parameters[0], study.parameters[1:]
    with canvas_of((8.0, 1.0 + 2.3 * len(chosen))) as canvas:
        axes = canvas.subplots(len(chosen), 1, sharex=True, squeeze=False)[:, 0]
        for axis, name in zip(axes, chosen, strict=True):
            for label, runs in _groups(study, others):
                _line(study, axis, first, name, runs, label)
            axis.set_ylabel(_label(study, name))
        if others:
            axes[0].legend(
                loc="upper left", bbox_to_anchor=(1.01, 1.02), fontsize=8,
                title=plain(", ".join(others)), title_fontsize=8,
            )  # fmt: skip
        axes[-1].set_xlabel(_label(study, first))
        _title(canvas, study, f"{len(study)} runs")
    return canvas


def _groups(study: StudyTable, others: Sequence[str]) -> list[tuple[str, np.ndarray]]:
    """Runs that agree in all parameters but the first, some of them if there are many."""
    if not others:
        return [("", np.arange(len(study)))]
    rows, inverse = np.unique(study.table[:, 1:], axis=0, return_inverse=True)
    inverse = inverse.ravel()
    if len(rows) > len(study) // 2:  # hardly any two runs agree: one cloud
        return [("", np.arange(len(study)))]
    shown = np.unique(np.linspace(0, len(rows) - 1, MOST_LINES).round().astype(int))
    groups = []
    for k in shown:
        cells = [study.variations[o].shown(float(x)) for o, x in zip(others, rows[k], strict=True)]
        groups.append((", ".join(cells), np.flatnonzero(inverse == k)))
    return groups


def _line(
    study: StudyTable, axis: Axes, first: str, name: str, runs: np.ndarray, label: str
) -> None:
    x, y = study[first][runs], study[name][runs]
    if x.dtype.kind == "f":
        order = np.argsort(x, kind="stable")
        x, y = x[order], y[order]
    cloud = not label and len(study.parameters) > 1
    style: dict[str, Any] = {"linestyle": "none", "alpha": 0.6} if cloud else {}
    marker = "o" if len(runs) <= 60 or cloud else ""
    axis.plot(x, y, marker=marker, markersize=3, label=plain(label), **style)


# --- families of curves ------------------------------------------------------------------------
def families(study: StudyTable, names: Sequence[str]) -> Figure:
    """The kept signals of all runs: their curves, bands of percentiles and the median."""
    chosen = tuple(names) or tuple(study.signals)
    if not chosen:
        study.signal("")
    for name in chosen:
        if study.signal(name).shape:
            raise DiagramError(f"'{name}' is a vector; keep an element, as {name}[0]")
    runs = [run for run in study.ended if len(study.run(int(run)))]
    with canvas_of((8.0, 1.0 + 2.5 * len(chosen))) as canvas:
        axes = canvas.subplots(len(chosen), 1, sharex=True, squeeze=False)[:, 0]
        curves = [study.run(int(run)) for run in runs]
        start = min(float(curve.time[0]) for curve in curves)
        stop = max(float(curve.time[-1]) for curve in curves)
        times = np.linspace(start, stop, FAMILY_TIMES)
        for axis, name in zip(axes, chosen, strict=True):
            table = np.array([_at(curve.time, curve[name], times) for curve in curves])
            _family(axis, times, table)
            axis.set_ylabel(plain(f"{name} ({unit_text(study.signals[name].unit)})"))
        axes[0].legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), fontsize=8)
        axes[-1].set_xlabel("time (s)")
        axes[-1].set_xlim(start, stop)
        _title(canvas, study, f"{len(runs)} runs")
    return canvas


def _at(time: np.ndarray, values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Values at other times; none after the end of a run that stopped."""
    return np.interp(times, time, values.astype(float), right=np.nan)


def _family(axis: Axes, times: np.ndarray, table: np.ndarray) -> None:
    shown = np.unique(np.linspace(0, len(table) - 1, FAMILY_LINES).round().astype(int))
    for k in shown:
        axis.plot(times, table[k], color="#8a8a8a", linewidth=0.4, alpha=0.35)
    there = np.isfinite(table).any(axis=0)
    low, below, middle, above, high = np.nanpercentile(table[:, there], PERCENTILES, axis=0)
    t = times[there]
    axis.fill_between(t, low, high, color=COLOURS[0], alpha=0.25, label="5 to 95 %", linewidth=0)
    axis.fill_between(t, below, above, color=COLOURS[0], alpha=0.4, label="25 to 75 %", linewidth=0)
    axis.plot(t, middle, color=COLOURS[0], label="median")


# --- scatter matrix ----------------------------------------------------------------------------
def scatter(study: StudyTable, names: Sequence[str]) -> Figure:
    """Columns against each other; a histogram of each on the diagonal."""
    columns = tuple(names) or study.names
    numeric = [name for name in columns if study[name].dtype.kind == "f"]
    if len(numeric) < 2:
        raise DiagramError("a scatter matrix needs two columns of numbers", _where(study))
    shown = numeric[:MOST_SCATTERED]
    count, ended = len(shown), study.ended
    with canvas_of((1.4 + 1.55 * count, 1.0 + 1.45 * count)) as canvas:
        axes = canvas.subplots(count, count, squeeze=False)
        for row, below in enumerate(shown):
            for column, beside in enumerate(shown):
                axis, x, y = axes[row, column], study[beside][ended], study[below][ended]
                if row == column:
                    axis.hist(x[np.isfinite(x)], bins=20, color=LIGHT)
                    axis.set_yticks([])
                else:
                    axis.plot(x, y, "o", markersize=1.8, alpha=0.6, markeredgewidth=0)
                axis.tick_params(labelsize=7)
                axis.ticklabel_format(scilimits=(-3, 4), useMathText=True)
                axis.xaxis.get_offset_text().set_fontsize(6)
                axis.yaxis.get_offset_text().set_fontsize(6)
                if row == count - 1:
                    axis.set_xlabel(_label(study, beside), fontsize=8)
                else:
                    axis.set_xticklabels([])
                if column == 0:
                    axis.set_ylabel(_label(study, below), fontsize=8)
                elif row != column:
                    axis.set_yticklabels([])
        note = f", {count} of {len(numeric)} columns" if count < len(numeric) else ""
        _title(canvas, study, f"{ended.size} runs{note}")
    return canvas


# --- tornado -----------------------------------------------------------------------------------
def tornado(study: StudyTable, names: Sequence[str]) -> Figure:
    """For each summary, what the low and the high values of each parameter make of its mean."""
    chosen = _summaries(study, names)
    with canvas_of((8.0, 0.9 + len(chosen) * (0.7 + 0.36 * len(study.parameters)))) as canvas:
        axes = canvas.subplots(len(chosen), 1, squeeze=False)[:, 0]
        for axis, name in zip(axes, chosen, strict=True):
            bars = effects(study, name)[::-1]
            middle = float(np.nanmean(study[name]))
            for place, (_, low, high) in enumerate(bars):
                axis.barh(place, low - middle, left=middle, height=0.6, color=COLOURS[0])
                axis.barh(place, high - middle, left=middle, height=0.6, color=COLOURS[1])
            axis.axvline(middle, color=INK, linewidth=0.8)
            axis.set_yticks(range(len(bars)), [plain(bar[0]) for bar in bars])
            axis.grid(axis="y", visible=False)
            axis.set_xlabel(_label(study, name))
        from matplotlib.patches import Patch

        keys = [Patch(color=COLOURS[0]), Patch(color=COLOURS[1])]
        axes[0].legend(
            keys, ["lowest fifth of the values", "highest fifth"], fontsize=8,
            loc="upper left", bbox_to_anchor=(1.01, 1.02),
        )  # fmt: skip
        _title(canvas, study, "mean at low and at high values")
    return canvas


KINDS: dict[str, Callable[[StudyTable, Sequence[str]], Figure]] = {
    "lines": lines,
    "families": families,
    "scatter": scatter,
    "tornado": tornado,
}
"""Kinds of figures by name."""
