"""One axis of a scope: curves over time that are thinned out for what can be seen."""

from __future__ import annotations

import re
from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from railblocks.engine.errors.shown import shown

from ..recording.recording import Recording
from ..style.plain_text import plain_text
from ..style.theme import Theme
from .curve import Curve
from .ruler import Ruler

LEGEND, LEGEND_LINE, LEGEND_MARGIN = 16, 14, 4  # pixels: of one line, of each more, around
MAX_LEGEND_LINES = 4
STYLES = (  # of the newest recording, of the one before, ...; and how a legend shows them
    (Qt.PenStyle.SolidLine, "\N{BOX DRAWINGS LIGHT HORIZONTAL}" * 2),
    (Qt.PenStyle.DashLine, "\N{BOX DRAWINGS LIGHT DOUBLE DASH HORIZONTAL}" * 2),
    (Qt.PenStyle.DotLine, "\N{MIDDLE DOT}" * 4),
    (Qt.PenStyle.DashDotLine, "\N{BOX DRAWINGS LIGHT HORIZONTAL}\N{MIDDLE DOT}" * 2),
    (Qt.PenStyle.DashDotDotLine, "\N{BOX DRAWINGS LIGHT HORIZONTAL}\N{MIDDLE DOT}\N{MIDDLE DOT}"),
)
Key = tuple[int, int, str]  # a recording by its identity, its age, and one of its tracks


def rulers() -> dict[str, Ruler]:
    """The rulers of a new plot, by side."""
    return {side: Ruler(side) for side in ("left", "bottom")}


class Legend(pg.LabelItem):
    """Legend of an axis; wraps at the width of the plot, and makes it no wider."""

    def __init__(self, plot: pg.PlotItem):
        self._plot, self._height = plot, LEGEND
        self._entries: list[str] = []
        super().__init__(justify="left", size="9pt")
        plot.getViewBox().sigResized.connect(lambda *_: self.resizeEvent(None))

    def updateMin(self) -> None:
        self.setMinimumSize(0, 0)
        self.setPreferredSize(0, self._height)

    def show_entries(self, entries: list[str]) -> None:
        """Shows entries; none is broken over two lines."""
        self._entries = entries
        self.resizeEvent(None)

    def resizeEvent(self, event) -> None:
        """Sets the height to what the entries need, up to a few lines; the tool tip has all."""
        shown = len(self._entries)
        lines = self._lines(shown)
        while lines > MAX_LEGEND_LINES and shown > 1:
            shown = max(1, min(shown - 1, shown * MAX_LEGEND_LINES // lines))
            lines = self._lines(shown)
        height = LEGEND + (min(lines, MAX_LEGEND_LINES) - 1) * LEGEND_LINE
        if height != self._height:
            self._height = height
            self._plot.layout.setRowFixedHeight(0, height)
            self.updateMin()

    def _lines(self, shown: int) -> int:
        """The number of lines that the first entries take, once they are set."""
        left_out = len(self._entries) - shown
        more = [f"and&nbsp;{left_out}&nbsp;more"] if left_out else []
        text = "&nbsp;&nbsp; ".join([*self._entries[:shown], *more])
        self.text = text
        self.item.setHtml(f"<span style='font-size: 9pt'>{text}</span>")
        self.item.setTextWidth(self._plot.getViewBox().width())
        self.item.setPos(0, -LEGEND_MARGIN)
        wanted = self.item.document().size().height() - 2 * LEGEND_MARGIN
        return max(1, round(wanted / LEGEND_LINE))


class ScopeAxis:
    """The curves of some signals in a plot; each recording has colours and a style of its own."""

    def __init__(self, plot: pg.PlotItem, signals: tuple[str, ...], theme: Theme, first: int = 0):
        self.plot = plot
        self.signals = signals
        self.theme = theme
        self._first = first
        self._curves: dict[Key, Curve] = {}
        self.legend = Legend(plot)
        plot.layout.removeItem(plot.titleLabel)
        plot.layout.addItem(self.legend, 0, 1)
        plot.layout.setRowFixedHeight(0, LEGEND)
        plot.showGrid(x=True, y=True, alpha=0.25)
        for side in ("left", "bottom"):
            plot.getAxis(side).set_theme(theme, plot.getViewBox())
        plot.getAxis("left").setWidth(64)

    def tracks(self, recording: Recording) -> dict[str, str]:
        """The tracks of the signals, and how they are called here."""
        return {
            track: recording.label(signal, track)
            for signal in self.signals
            for track in recording.parts(signal)
        }

    def draw(self, recordings: list[Recording], pixels: int, span: tuple[float, float]) -> bool:
        """Draws recordings, the newest first; False if one could not be read just now."""
        before = list(self._curves)
        used: set[Key] = set()
        all_read = True
        for age, recording in enumerate(recordings):
            names = self.tracks(recording)
            used.update((id(recording), age, name) for name in names)
            points_of = recording.envelopes(list(names), *span, pixels)
            all_read = all_read and points_of is not None
            run_name = of_run(recording, recordings)
            for name, points in (points_of or {}).items():
                key = (id(recording), age, name)
                curve = self._curve(key, names[name], run_name, len(names))
                curve.limits = recording.limits(name)
                curve.setData(*points, connect="finite")
        for key in set(self._curves) - used:
            self.plot.removeItem(self._curves.pop(key))
        if before != list(self._curves):
            self._show_legend()
        return all_read

    def draw_points(self, key: str, x: np.ndarray, y: np.ndarray, rising: bool = True) -> None:
        """Draws one curve through points, for spectra and x-y plots."""
        is_new = (0, 0, key) not in self._curves
        curve = self._curve((0, 0, key), key)
        curve.rising = rising
        curve.setData(x, y)
        if is_new:
            self._show_legend()

    def _curve(self, key: Key, signal: str, run_name: str = "", track_count: int = 0) -> Curve:
        """The curve of a track; `track_count` is the number of tracks of its recording."""
        curve, label = self._curves.get(key), signal + run_name
        if curve is not None and curve.name() == label:
            return curve
        if curve is not None:
            self.plot.removeItem(self._curves.pop(key))
        age, colours = key[1], self.theme.curves
        position = sum(1 for k in self._curves if k[:2] == key[:2]) + age * track_count
        style = STYLES[min(age, 1 + (age - 1) % (len(STYLES) - 1))][0]
        colour = QColor(colours[(self._first + position) % len(colours)])
        curve = self._curves[key] = Curve(pen=pg.mkPen(colour, width=1, style=style), name=label)
        curve.signal = signal
        if not age:  # single lines are painted faster than a path, but cannot be dashed
            curve.setSegmentedLineMode("on")
        self.plot.addItem(curve)
        return curve

    def _show_legend(self) -> None:
        """Shows names in their colours above the axis, where they hide no curve.

        A signal is named once, with all its runs; so is a vector, with all its elements.
        """
        entries, before = [], ("", "")
        signs = dict(STYLES)
        curves = list(self._curves.values())
        order = list(dict.fromkeys(curve.signal for curve in curves))
        for curve in sorted(curves, key=lambda curve: order.index(curve.signal)):
            vector, index, unit = _split(curve.signal)
            name = curve.name()
            if curve.signal == before[0]:
                name = curve.name()[len(curve.signal) :].strip(" ()")
            elif index and vector + unit == before[1]:
                name = index + curve.name()[len(curve.signal) :]
            before = (curve.signal, vector + unit)
            pen = curve.opts["pen"]
            entries.append(
                f'<span style="color: {pen.color().name()}">'
                f"{_kept_together(signs[pen.style()], name)}</span>"
            )
        self.legend.show_entries(entries)
        self.legend.setToolTip(plain_text("\n".join(curve.name() for curve in curves)))


def of_run(recording: Recording, all_shown: list[Recording]) -> str:
    """The name of a curve's run, where several are shown."""
    return f"  ({recording.name})" if len(all_shown) > 1 and recording.name else ""


def _kept_together(sign: str, name: str) -> str:
    return escape(shown(f"{sign} {name}")).replace(" ", "&nbsp;").replace("-", "&#8209;")


def _split(label: str) -> tuple[str, str, str]:
    """Name, index and the rest of the label of a curve."""
    match = re.fullmatch(r"([\w.]+)(\[[\d, ]+\])?(.*)", label)
    return (match[1], match[2] or "", match[3]) if match else (label, "", "")
