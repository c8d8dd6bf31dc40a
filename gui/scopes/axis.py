"""One axis of a scope: curves over time that are thinned out for what can be seen."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from ..canvas.theme import Theme
from .recording import Recording


class ScopeAxis:
    """The curves of some signals in a plot; earlier runs are dashed."""

    def __init__(self, plot: pg.PlotItem, signals: tuple[str, ...], theme: Theme, first: int = 0):
        self.plot = plot
        self.signals = signals
        self.theme = theme
        self._first = first
        self._curves: dict[tuple[int, str], pg.PlotDataItem] = {}
        self.legend = plot.addLegend(offset=(8, 4), labelTextColor=theme.ink, labelTextSize="9pt")
        plot.showGrid(x=True, y=True, alpha=0.25)
        for side in ("left", "bottom"):
            plot.getAxis(side).setPen(theme.edge)
            plot.getAxis(side).setTextPen(theme.ink)
        plot.getAxis("left").setWidth(64)
        plot.getAxis("left").enableAutoSIPrefix(False)
        plot.getAxis("bottom").enableAutoSIPrefix(False)

    def tracks(self, recording: Recording) -> list[str]:
        return [part for signal in self.signals for part in recording.parts(signal)]

    def draw(self, recordings: list[Recording], pixels: int, span: tuple[float, float]) -> None:
        """The newest recording is the first."""
        used = set()
        for age, recording in enumerate(recordings):
            for name in self.tracks(recording):
                key = (age, name)
                used.add(key)
                points = recording.envelope(name, *span, pixels)
                if points is not None:
                    self._curve(key, recording, name).setData(*points, connect="finite")
        for key in set(self._curves) - used:
            curve = self._curves.pop(key)
            self.legend.removeItem(curve)
            self.plot.removeItem(curve)

    def draw_points(self, key: str, x: np.ndarray, y: np.ndarray) -> None:
        """A curve of its own, for spectra and x-y plots."""
        self._named((0, key), key, 0).setData(x, y)

    def _curve(self, key: tuple[int, str], recording: Recording, name: str) -> pg.PlotDataItem:
        unit = recording.tracks[name].unit
        label = f"{name} [{unit}]" if unit else name
        if key[0] and recording.name:
            label += f"  ({recording.name})"
        return self._named(key, label, key[0])

    def _named(self, key: tuple[int, str], label: str, age: int) -> pg.PlotDataItem:
        if key not in self._curves:
            place = self._first + sum(1 for k in self._curves if k[0] == age)
            colour = QColor(self.theme.curves[place % len(self.theme.curves)])
            if age:
                colour.setAlpha(150)
            style = Qt.PenStyle.DashLine if age else Qt.PenStyle.SolidLine
            pen = pg.mkPen(colour, width=1, style=style)
            self._curves[key] = self.plot.plot([], [], pen=pen, name=label)
        return self._curves[key]
