"""One axis of a scope: curves over time that are thinned out for what can be seen."""

from __future__ import annotations

from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from ..canvas.theme import Theme
from .curve import Axis, Curve
from .recording import Recording

LEGEND = 16  # pixels
SOLID, DASHED = (
    "\N{BOX DRAWINGS LIGHT HORIZONTAL}" * 2,
    "\N{BOX DRAWINGS LIGHT DOUBLE DASH HORIZONTAL}" * 2,
)


def axes() -> dict[str, Axis]:
    """For a new plot."""
    return {side: Axis(side) for side in ("left", "bottom")}


class ScopeAxis:
    """The curves of some signals in a plot; earlier runs are dashed."""

    def __init__(self, plot: pg.PlotItem, signals: tuple[str, ...], theme: Theme, first: int = 0):
        self.plot = plot
        self.signals = signals
        self.theme = theme
        self._first = first
        self._curves: dict[tuple[int, str], Curve] = {}
        plot.showGrid(x=True, y=True, alpha=0.25)
        for side in ("left", "bottom"):
            plot.getAxis(side).paper = QColor(theme.paper)
            plot.getAxis(side).setZValue(
                plot.getViewBox().zValue() - 1
            )  # the grid below the curves
            plot.getAxis(side).setPen(theme.edge)
            plot.getAxis(side).setTextPen(theme.ink)
        plot.getAxis("left").setWidth(64)
        plot.getAxis("left").setStyle(maxTextLevel=0)
        plot.getAxis("left").enableAutoSIPrefix(False)
        plot.getAxis("bottom").enableAutoSIPrefix(False)

    def tracks(self, recording: Recording) -> list[str]:
        return [part for signal in self.signals for part in recording.parts(signal)]

    def draw(self, recordings: list[Recording], pixels: int, span: tuple[float, float]) -> bool:
        """The newest recording is the first; False if one could not be read just now."""
        used, all_read = set(), True
        for age, recording in enumerate(recordings):
            names = self.tracks(recording)
            used.update((age, name) for name in names)
            found = recording.envelopes(names, *span, pixels)
            all_read = all_read and found is not None
            for name, points in (found or {}).items():
                self._curve((age, name), recording, name).setData(*points, connect="finite")
        gone = set(self._curves) - used
        for key in gone:
            self.plot.removeItem(self._curves.pop(key))
        if gone:
            self._show_legend()
        return all_read

    def draw_points(self, key: str, x: np.ndarray, y: np.ndarray, rising: bool = True) -> None:
        """A curve of its own, for spectra and x-y plots."""
        curve = self._named((0, key), key, 0)
        curve.rising = rising
        curve.setData(x, y)

    def _curve(self, key: tuple[int, str], recording: Recording, name: str) -> Curve:
        unit = recording.tracks[name].unit
        label = f"{name} [{unit}]" if unit else name
        if key[0] and recording.name:
            label += f"  ({recording.name})"
        return self._named(key, label, key[0])

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
            self._show_legend()
        return self._curves[key]

    def _show_legend(self) -> None:
        """Names in their colours above the axis, where they hide no curve."""
        names = [
            f'<span style="color: {curve.opts["pen"].color().name()}">'
            f"{DASHED if age else SOLID} {escape(curve.name())}</span>"
            for (age, _), curve in self._curves.items()
        ]
        self.plot.setTitle("&nbsp;&nbsp; ".join(names) or None, size="9pt", justify="left")
        self.plot.titleLabel.setMaximumHeight(LEGEND)
        self.plot.layout.setRowFixedHeight(0, LEGEND)
