"""One axis of a scope: curves over time that are thinned out for what can be seen."""

from __future__ import annotations

import re
from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from ..canvas.theme import Theme
from .curve import Curve
from .recording import Recording
from .ruler import Ruler

LEGEND = 16  # pixels
STYLES = (  # of the newest recording, of the one before, ...; and how a legend shows them
    (Qt.PenStyle.SolidLine, "\N{BOX DRAWINGS LIGHT HORIZONTAL}" * 2),
    (Qt.PenStyle.DashLine, "\N{BOX DRAWINGS LIGHT DOUBLE DASH HORIZONTAL}" * 2),
    (Qt.PenStyle.DotLine, "\N{MIDDLE DOT}" * 4),
    (Qt.PenStyle.DashDotLine, "\N{BOX DRAWINGS LIGHT HORIZONTAL}\N{MIDDLE DOT}" * 2),
    (Qt.PenStyle.DashDotDotLine, "\N{BOX DRAWINGS LIGHT HORIZONTAL}\N{MIDDLE DOT}\N{MIDDLE DOT}"),
)
Key = tuple[int, int, str]  # a recording by its identity, its age, and one of its tracks


def rulers() -> dict[str, Ruler]:
    """For a new plot."""
    return {side: Ruler(side) for side in ("left", "bottom")}


class Legend(pg.LabelItem):
    """Legend of an axis, as wide as the plot: long names do not make it wider."""

    def updateMin(self) -> None:
        self.setMinimumSize(0, 0)
        self.setPreferredSize(0, LEGEND)


class ScopeAxis:
    """The curves of some signals in a plot; each recording has colours and a style of its own."""

    def __init__(self, plot: pg.PlotItem, signals: tuple[str, ...], theme: Theme, first: int = 0):
        self.plot = plot
        self.signals = signals
        self.theme = theme
        self._first = first
        self._curves: dict[Key, Curve] = {}
        self.legend = Legend(justify="left", size="9pt")
        plot.layout.removeItem(plot.titleLabel)
        plot.layout.addItem(self.legend, 0, 1)
        plot.layout.setRowFixedHeight(0, LEGEND)
        plot.showGrid(x=True, y=True, alpha=0.25)
        for side in ("left", "bottom"):
            plot.getAxis(side).use(theme, plot.getViewBox())
        plot.getAxis("left").setWidth(64)

    def tracks(self, recording: Recording) -> dict[str, str]:
        """The tracks of the signals, and how they are called here."""
        return {
            track: recording.label(signal, track)
            for signal in self.signals
            for track in recording.parts(signal)
        }

    def draw(self, recordings: list[Recording], pixels: int, span: tuple[float, float]) -> bool:
        """The newest recording is the first; False if one could not be read just now."""
        before = list(self._curves)
        used, all_read = set(), True
        for age, recording in enumerate(recordings):
            names = self.tracks(recording)
            used.update((id(recording), age, name) for name in names)
            points_of = recording.envelopes(list(names), *span, pixels)
            all_read = all_read and points_of is not None
            whose = of_run(recording, recordings)
            for name, points in (points_of or {}).items():
                curve = self._named((id(recording), age, name), names[name] + whose, len(names))
                curve.limits = recording.limits(name)
                curve.setData(*points, connect="finite")
        for key in set(self._curves) - used:
            self.plot.removeItem(self._curves.pop(key))
        if before != list(self._curves):
            self._show_legend()
        return all_read

    def draw_points(self, key: str, x: np.ndarray, y: np.ndarray, rising: bool = True) -> None:
        """A curve of its own, for spectra and x-y plots."""
        is_new = (0, 0, key) not in self._curves
        curve = self._named((0, 0, key), key)
        curve.rising = rising
        curve.setData(x, y)
        if is_new:
            self._show_legend()

    def _named(self, key: Key, label: str, beside: int = 0) -> Curve:
        """The curve of a track; `beside` is the number of tracks of its recording."""
        curve = self._curves.get(key)
        if curve is not None and curve.name() == label:
            return curve
        if curve is not None:
            self.plot.removeItem(self._curves.pop(key))
        age, colours = key[1], self.theme.curves
        place = sum(1 for k in self._curves if k[:2] == key[:2]) + age * beside
        style = STYLES[min(age, 1 + (age - 1) % (len(STYLES) - 1))][0]
        colour = QColor(colours[(self._first + place) % len(colours)])
        curve = self._curves[key] = Curve(pen=pg.mkPen(colour, width=1, style=style), name=label)
        if not age:  # single lines are painted faster than a path, but cannot be dashed
            curve.setSegmentedLineMode("on")
        self.plot.addItem(curve)
        return curve

    def _show_legend(self) -> None:
        """Names in their colours above the axis, where they hide no curve; vectors named once."""
        texts, before = [], ""
        signs = dict(STYLES)
        for curve in self._curves.values():
            vector, index, unit = _split(curve.name())
            again = bool(index) and vector + unit == before
            before = vector + unit
            pen = curve.opts["pen"]
            texts.append(
                f'<span style="color: {pen.color().name()}">'
                f"{signs[pen.style()]} {escape(index if again else curve.name())}</span>"
            )
        self.legend.setText("&nbsp;&nbsp; ".join(texts))
        self.legend.setToolTip("\n".join(curve.name() for curve in self._curves.values()))


def of_run(recording: Recording, all_shown: list[Recording]) -> str:
    """Which run a curve is of, where several are shown."""
    return f"  ({recording.name})" if len(all_shown) > 1 and recording.name else ""


def _split(label: str) -> tuple[str, str, str]:
    """Name, index and the rest of the label of a curve."""
    found = re.fullmatch(r"([\w.]+)(\[[\d, ]+\])?(.*)", label)
    return (found[1], found[2] or "", found[3]) if found else (label, "", "")
