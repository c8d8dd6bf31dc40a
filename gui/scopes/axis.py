"""One axis of a scope: curves over time that are thinned out for what can be seen."""

from __future__ import annotations

import re
from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from railblocks.engine.text.shown import shown

from ..canvas.theme import Theme
from ..plain_text import tip
from .curve import Curve
from .recording import Recording
from .ruler import Ruler

LEGEND = 16  # pixels
SOLID, DASHED = (
    "\N{BOX DRAWINGS LIGHT HORIZONTAL}" * 2,
    "\N{BOX DRAWINGS LIGHT DOUBLE DASH HORIZONTAL}" * 2,
)


def rulers() -> dict[str, Ruler]:
    """For a new plot."""
    return {side: Ruler(side) for side in ("left", "bottom")}


class Legend(pg.LabelItem):
    """As wide as there is room: long names do not make the plot wider."""

    def updateMin(self) -> None:
        self.setMinimumSize(0, 0)
        self.setPreferredSize(0, LEGEND)


class ScopeAxis:
    """The curves of some signals in a plot; earlier runs are dashed."""

    def __init__(self, plot: pg.PlotItem, signals: tuple[str, ...], theme: Theme, first: int = 0):
        self.plot = plot
        self.signals = signals
        self.theme = theme
        self._first = first
        self._curves: dict[tuple[int, str], Curve] = {}
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
            used.update((age, name) for name in names)
            found = recording.envelopes(list(names), *span, pixels)
            all_read = all_read and found is not None
            whose = f"  ({recording.name})" if age and recording.name else ""
            for name, points in (found or {}).items():
                curve = self._named((age, name), names[name] + whose, age)
                curve.setData(*points, connect="finite")
        for key in set(self._curves) - used:
            self.plot.removeItem(self._curves.pop(key))
        if before != list(self._curves):
            self._show_legend()
        return all_read

    def draw_points(self, key: str, x: np.ndarray, y: np.ndarray, rising: bool = True) -> None:
        """A curve of its own, for spectra and x-y plots."""
        is_new = (0, key) not in self._curves
        curve = self._named((0, key), key, 0)
        curve.rising = rising
        curve.setData(x, y)
        if is_new:
            self._show_legend()

    def _named(self, key: tuple[int, str], label: str, age: int) -> Curve:
        if key not in self._curves:
            place = self._first + sum(1 for k in self._curves if k[0] == age)
            colour = QColor(self.theme.curves[place % len(self.theme.curves)])
            if age:
                colour.setAlpha(150)
            style = Qt.PenStyle.DashLine if age else Qt.PenStyle.SolidLine
            pen = pg.mkPen(colour, width=1, style=style)
            curve = self._curves[key] = Curve(pen=pen, name=label)
            if not age:  # single lines are painted faster than a path, but cannot be dashed
                curve.setSegmentedLineMode("on")
            self.plot.addItem(curve)
        return self._curves[key]

    def _show_legend(self) -> None:
        """Names in their colours above the axis, where they hide no curve; vectors named once."""
        texts, before = [], ""
        for (age, _), curve in self._curves.items():
            vector, index, unit = _split(curve.name())
            again = bool(index) and vector + unit == before
            before = vector + unit
            label = escape(shown(index if again else curve.name()))
            texts.append(
                f'<span style="color: {curve.opts["pen"].color().name()}">'
                f"{DASHED if age else SOLID} {label}</span>"
            )
        self.legend.setText("&nbsp;&nbsp; ".join(texts))
        self.legend.setToolTip(tip("\n".join(curve.name() for curve in self._curves.values())))


def _split(label: str) -> tuple[str, str, str]:
    """Name, index and the rest of the label of a curve."""
    found = re.fullmatch(r"([\w.]+)(\[[\d, ]+\])?(.*)", label)
    return (found[1], found[2] or "", found[3]) if found else (label, "", "")
