"""Figures of results, without a screen: one panel for each unit, all over the same time.

Long signals are reduced to what can be seen: in each of some thousand slices of time the first,
last, smallest and largest value stay, so that no peak is lost.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DiagramError, Position
from ..errors.shown import shown
from ..files.output_files import output_file
from ..model.signals import SignalTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SLICES = 2000  # of time, in each of which four points are drawn
LINES_IN_PANEL = 8
LARGEST_COUNT = 48
LANE = 0.65
LARGEST_DRAWN = 1e300
FORMATS = ("png", "svg", "pdf", "jpg")
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b5b5b", "#8f5a14")
INK, FAINT = "#333333", "#d9d9d9"
_POWERS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass
class Panel:
    """Lines of one unit, drawn over each other."""

    unit: str
    kind: type
    lines: list[tuple[str, np.ndarray]] = field(default_factory=list)


def figure(results: SignalTable, *names: str, title: str | None = None) -> Figure:
    """A figure of the named signals, or of all that were logged."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    panels, shown, count = panels_of(results, names)
    time = drawable(results.time)
    heights = [0.2 + 0.2 * len(panel.lines) if panel.kind is bool else 1.0 for panel in panels]
    figure = Figure(
        figsize=(9.0, 1.1 + 1.9 * max(sum(heights), 1.2)), dpi=120, layout="constrained"
    )
    FigureCanvasAgg(figure)
    axes = figure.subplots(
        len(panels), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights}
    )[:, 0]
    for panel, axis in zip(panels, axes, strict=True):
        _draw(panel, time, axis)
    axes[-1].set_xlabel("time (s)", color=INK)
    if len(time) > 1 and time[-1] > time[0]:  # false for nan
        axes[-1].set_xlim(time[0], time[-1])
    figure.align_ylabels(list(axes))
    heading = results.meta.get("title", "") if title is None else title
    if heading:
        figure.suptitle(plain(heading), fontsize=11, color=INK, x=0.02, ha="left")
    if shown < count:
        note = f"{shown} of {count} signals; name those that you want to see"
        figure.supxlabel(note, fontsize=8, color=INK, x=0.99, ha="right")
    return figure


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Writes PNG, SVG, PDF or JPG, as the ending of the path says."""
    name = os.fspath(path)
    check_format(name)
    with output_file(name, "the figure") as temporary:
        figure.savefig(temporary, format=os.path.splitext(name)[1][1:].lower())


def check_format(path: str) -> None:
    """Refuses a path whose ending is not a figure format."""
    ending = os.path.splitext(path)[1].lower().removeprefix(".")
    if ending not in FORMATS:
        reason = f"'.{ending}' is not a figure format" if ending else "the ending is missing"
        raise DiagramError(f"{reason}; expected one of .{', .'.join(FORMATS)}", Position(path))


def panels_of(results: SignalTable, names: tuple[str, ...]) -> tuple[list[Panel], int, int]:
    """Lines grouped by unit in the order of their first signal; how many of how many are shown."""
    lines: list[tuple[str, str, type, np.ndarray]] = []
    count = 0
    for name in names or results.names:
        signal, index = results.find(name)
        if len(lines) >= LARGEST_COUNT and not names:
            count += signal.size
            continue
        values = results[name]
        label = signal.name if index is None else name
        inner = values.shape[1:]
        count += int(np.prod(inner, dtype=int))
        for inner_index in np.ndindex(*inner):
            element = f"{label}[{', '.join(map(str, inner_index))}]" if inner_index else label
            lines.append((element, signal.unit, signal.type, values[(slice(None), *inner_index)]))
    if not lines:
        raise DiagramError("the results hold no signals; add some to `log` in the diagram")
    shown = lines[:LARGEST_COUNT]
    open_panels: dict[tuple[str, type], Panel] = {}
    groups: dict[tuple[str, type], list[Panel]] = {}
    for label, unit, kind, values in shown:
        key = (unit if unit != "1" else "", bool if kind is bool else float)
        panel = open_panels.get(key)
        if panel is None or len(panel.lines) >= LINES_IN_PANEL:
            panel = open_panels[key] = Panel(key[0], key[1])
            groups.setdefault(key, []).append(panel)
        panel.lines.append((label, values))
    return [panel for group in groups.values() for panel in group], len(shown), count


def reduced(time: np.ndarray, values: np.ndarray, slices: int = SLICES) -> np.ndarray:
    """Indices of rows that look the same when drawn: four in each slice of time."""
    if len(time) <= 4 * slices:
        return np.arange(len(time))
    edges = np.linspace(time[0], time[-1], slices + 1)[1:-1]
    bounds = np.unique([0, *np.searchsorted(time, edges), len(time)])
    kept = []
    for start, stop in pairwise(bounds):
        part = values[start:stop]
        kept += [start, start + int(part.argmin()), start + int(part.argmax()), stop - 1]
    return np.unique(kept)


def drawable(numbers: np.ndarray) -> np.ndarray:
    """The numbers that matplotlib can draw; others leave gaps."""
    return np.where(np.abs(numbers) <= LARGEST_DRAWN, numbers, np.nan)


def unit_text(unit: str) -> str:
    """A unit as people write it: `kg·m²/s`."""
    text = re.sub(r"\^\(?(-?\d+)\)?", lambda match: match[1].translate(_POWERS), unit)
    return text.replace("*", "·")


def _draw(panel: Panel, time: np.ndarray, axis: Axes) -> None:
    lanes = len(panel.lines)
    for number, (label, values) in enumerate(panel.lines):
        kept = reduced(time, values)
        heights = drawable(values[kept].astype(float))
        if panel.kind is bool:
            heights = (lanes - 1 - number) + LANE * heights
        style: dict[str, Any] = {"color": COLOURS[number % len(COLOURS)], "linewidth": 1.3}
        if not np.issubdtype(values.dtype, np.floating):
            style["drawstyle"] = "steps-post"
        axis.plot(time[kept], heights, label=plain(label), **style)
    if panel.kind is bool:
        axis.set_ylim(-0.2, lanes - 1 + LANE + 0.2)
        axis.set_yticks(
            [lane + level for lane in range(lanes) for level in (0, LANE)],
            ["false", "true"] * lanes,
            fontsize=7,
        )
    else:
        axis.set_ylabel(plain(unit_text(panel.unit)) or "no unit", color=INK)
    axis.margins(y=0.08)
    axis.grid(color=FAINT, linewidth=0.6)
    axis.set_axisbelow(True)
    axis.spines[["top", "right"]].set_visible(False)
    axis.spines[["left", "bottom"]].set_color("#8a8a8a")
    axis.tick_params(labelcolor=INK, color="#8a8a8a")
    axis.tick_params(axis="x", labelsize=9)
    if panel.kind is not bool:
        axis.tick_params(axis="y", labelsize=9)
    axis.ticklabel_format(axis="x", useOffset=False, useMathText=True)
    if panel.kind is not bool:
        axis.ticklabel_format(axis="y", useOffset=False, scilimits=(-4, 5), useMathText=True)
    legend = axis.legend(
        loc="upper left",
        bbox_to_anchor=(1.01, 1.02),
        borderaxespad=0.0,
        frameon=False,
        fontsize=9,
        handlelength=1.4,
        labelcolor=INK,
    )
    legend.set_in_layout(True)


def plain(text: str) -> str:
    """Text that matplotlib does not take for mathematics, nor hides in the legend."""
    line = shown(text).replace("$", r"\$")
    return f"\u200b{line}" if line.startswith("_") else line
