"""A scope: axes over one time, cursors, statistics, x-y plot, spectrum, overlays and export."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..recording.recording import Recording
from ..style.theme import Theme
from ..system.background import BackgroundWork
from .axis import ScopeAxis, of_run, rulers
from .measures import spectrum
from .plan import VIEWS, ScopePlan
from .readout import Readout

FEW_AXES = 4  # more are scrolled
MIN_HEIGHT_OF_FEW, MIN_HEIGHT_OF_MANY = 64, 84  # pixels of an axis
MIN_PIXELS = 300  # across a plot
CURSORS = ((0.3, "A"), (0.7, "B"))  # parts of the width at which they appear
Spectra = dict[str, tuple[np.ndarray, np.ndarray]]


class Scope(QWidget):
    """Plots of the signals of a plan, from some recordings, the newest first."""

    plan_changed = Signal()
    export_wanted = Signal()
    overlay_wanted = Signal()
    time_chosen = Signal(float)

    def __init__(self, plan: ScopePlan, theme: Theme):
        super().__init__()
        self.plan = plan
        self.theme = theme
        self.recordings: list[Recording] = []
        self.axes: list[ScopeAxis] = []
        self._cursors: list[pg.InfiniteLine] = []
        self._now: list[pg.InfiniteLine] = []
        self._drawn: tuple = ()
        self._drawn_span: tuple[float, float] | None = None
        self._redraw_timer = QTimer(self)
        self._redraw_timer.setSingleShot(True)
        self._redraw_timer.timeout.connect(lambda: self.draw(force=True))
        self._spectra = BackgroundWork(_spectra_of, self)
        self._spectra.answered.connect(self._show_spectra)
        self.plots = pg.GraphicsLayoutWidget()
        self._scroll_area = QScrollArea()
        self._scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll_area.setWidgetResizable(True)
        self._scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.readout = Readout()
        row = QHBoxLayout()
        row.addWidget(self._scroll_area, 1)
        row.addWidget(self.readout)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._bar())
        layout.addLayout(row, 1)
        self.rebuild()

    # --- the bar -------------------------------------------------------------------------------
    def _bar(self) -> QToolBar:
        bar = QToolBar()
        bar.setIconSize(QSize(14, 14))
        bar.addAction("Fit", self.autoscale).setToolTip("Show everything")
        self.zoom_action = self._toggle(bar, "Zoom", self._zoom_by_box)
        self.zoom_action.setToolTip("Drag a box to zoom; otherwise dragging moves the curves")
        self.cursors_action = self._toggle(bar, "Cursors", self._show_cursors)
        self.statistics_action = self._toggle(bar, "Statistics", lambda _: self._read_out())
        button = QToolButton()
        button.setText("View")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        group = QActionGroup(menu)
        for view in VIEWS:
            action = QAction(view, menu, checkable=True)
            action.setChecked(view == self.plan.view)
            action.triggered.connect(lambda _, to=view: self.set_view(to))
            group.addAction(action)
            menu.addAction(action)
        button.setMenu(menu)
        bar.addWidget(button)
        bar.addAction("Split", self.split).setToolTip("One axis for each signal")
        bar.addAction("Join", self.join).setToolTip("All signals of one unit on one axis")
        bar.addAction("Overlay\N{HORIZONTAL ELLIPSIS}", self.overlay_wanted.emit)
        bar.addAction("Export\N{HORIZONTAL ELLIPSIS}", self.export_wanted.emit)
        return bar

    @staticmethod
    def _toggle(bar: QToolBar, text: str, act) -> QAction:
        action = bar.addAction(text)
        action.setCheckable(True)
        action.toggled.connect(act)
        return action

    # --- axes ----------------------------------------------------------------------------------
    def set_plan(self, plan: ScopePlan) -> None:
        if plan != self.plan:
            self.plan = plan
            self.rebuild()
            self.plan_changed.emit()

    def set_view(self, view: str) -> None:
        self.set_plan(ScopePlan(self.plan.title, self.plan.axes, view))

    def split(self) -> None:
        self.set_plan(
            ScopePlan(self.plan.title, tuple((n,) for n in self.plan.signals), self.plan.view)
        )

    def join(self) -> None:
        units: dict[str, list[str]] = {}
        for name in self.plan.signals:
            unit = self.recordings[0].unit(name) if self.recordings else ""
            units.setdefault(unit, []).append(name)
        axes = tuple(tuple(names) for names in units.values())
        self.set_plan(ScopePlan(self.plan.title, axes, self.plan.view))

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.rebuild()

    def rebuild(self) -> None:
        """Makes the axes of the plan anew, empty, in a view of their own.

        A view that is emptied and filled again may still paint plots that are gone, and crash.
        """
        old, self.plots = self._scroll_area.takeWidget(), pg.GraphicsLayoutWidget()
        self._scroll_area.setWidget(self.plots)
        if old is not None:
            old.hide()
            old.deleteLater()
        self.plots.setBackground(self.theme.paper)
        self.plots.ci.layout.setSpacing(0)
        self.plots.ci.layout.setContentsMargins(2, 2, 8, 2)
        self.readout.set_theme(self.theme)
        self.axes, self._cursors, self._now = [], [], []
        groups = self.plan.axes or ((),)
        if self.plan.view == "x-y":
            groups = (tuple(self.plan.signals),)
        least = MIN_HEIGHT_OF_FEW if len(groups) <= FEW_AXES else MIN_HEIGHT_OF_MANY
        self.plots.setMinimumHeight(len(groups) * least)
        first = 0
        for row, signals in enumerate(groups):
            plot = self.plots.addPlot(row=row, col=0, axisItems=rulers(), enableMenu=False)
            self.axes.append(ScopeAxis(plot, signals, self.theme, first))
            first += len(signals)
            if row:
                plot.setXLink(self.axes[0].plot)
            if row < len(groups) - 1:
                plot.getAxis("bottom").setStyle(showValues=False)
            plot.sigXRangeChanged.connect(self._draw_later)
        below = {"time": "time [s]", "spectrum": "frequency [Hz]", "x-y": self._name_x()}
        self.axes[-1].plot.setLabel("bottom", below[self.plan.view], color=self.theme.ink)
        self._zoom_by_box(self.zoom_action.isChecked())
        self._show_cursors(self.cursors_action.isChecked())
        self._drawn = ()
        self.draw()

    def _name_x(self) -> str:
        return self.plan.signals[0] if self.plan.signals else ""

    # --- drawing -------------------------------------------------------------------------------
    def show_recordings(self, recordings: list[Recording]) -> None:
        self.recordings = recordings
        self.draw()

    def draw(self, force: bool = False) -> None:
        """Draws the recordings, if they changed since the last time."""
        state = tuple((id(recording), recording.revision) for recording in self.recordings)
        if not force and state == self._drawn:
            return
        self._drawn = state
        if not self.recordings or not any(len(r) for r in self.recordings):
            for axis in self.axes:
                axis.draw([], 0, (0, 0))
            return
        pixels = max(round(self.plots.width() * self.devicePixelRatio()), MIN_PIXELS)
        if self.plan.view == "time":
            span = self._drawn_span = self._span()
            drawn = [axis.draw(self.recordings, pixels, span) for axis in self.axes]
            if not all(drawn):
                self._drawn = ()  # once more, at the next poll
        elif self.plan.view == "spectrum":
            self._draw_spectrum()
        else:
            self._draw_against()
        self._read_out()

    def _draw_later(self, *_) -> None:
        """Draws a little later: ranges change in the middle of painting, when curves must not."""
        if self._span() != self._drawn_span:
            self._redraw_timer.start(0)

    def _span(self) -> tuple[float, float]:
        box = self.axes[0].plot.getViewBox()
        if box.autoRangeEnabled()[0]:
            return -np.inf, np.inf
        left, right = box.viewRange()[0]
        return left, right

    def _draw_spectrum(self) -> None:
        """Draws spectra once they are computed, in the background since that may take a while."""
        recording = self.recordings[0]
        self._spectra.ask((self.plan, recording, list(self.tracks(recording)), self._chosen_span()))

    def _show_spectra(self, question: tuple, spectra: Spectra) -> None:
        if question[0] is self.plan:
            for axis in self.axes:
                for name, label in axis.tracks(question[1]).items():
                    axis.draw_points(label, *spectra[name])

    def _draw_against(self) -> None:
        """Draws all signals over the first."""
        recording = self.recordings[0]
        (first, below), *others = [*self.tracks(recording).items()] or [("", "")]
        for name, label in others:
            _, x, y = recording.over_time(first, name)
            self.axes[0].draw_points(f"{label} over {below}", x, y, rising=False)

    def tracks(self, recording: Recording) -> dict[str, str]:
        """What the axes show of a recording, and how it is called."""
        names: dict[str, str] = {}
        for axis in self.axes:
            names |= axis.tracks(recording)
        return names

    def autoscale(self) -> None:
        for axis in self.axes:
            axis.plot.enableAutoRange()
        self.draw(force=True)

    def _zoom_by_box(self, on: bool) -> None:
        mode = pg.ViewBox.RectMode if on else pg.ViewBox.PanMode
        for axis in self.axes:
            axis.plot.getViewBox().setMouseMode(mode)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.readout.fit_into(self.width())

    # --- cursors and numbers -------------------------------------------------------------------
    def show_time(self, time: float | None) -> None:
        """Shows a line at the time that was scrubbed to."""
        if self.plan.view != "time":
            return
        if time is None:
            for line in self._now:
                line.hide()
            return
        if len(self._now) != len(self.axes):
            self._now = [pg.InfiniteLine(0, 90, pen=self.theme.error) for _ in self.axes]
            for axis, line in zip(self.axes, self._now, strict=True):
                axis.plot.addItem(line, ignoreBounds=True)
        for line in self._now:
            line.setValue(time)
            line.show()

    def _show_cursors(self, shown: bool) -> None:
        """Shows two cursors through all axes, with their names on the first."""
        for axis in self.axes:
            for line in self._cursors:
                axis.plot.removeItem(line)
        self._cursors = []
        if shown and self.plan.view == "time":
            left, right = self.axes[0].plot.getViewBox().viewRange()[0]
            for share, name in CURSORS:
                self._add_cursor(left + share * (right - left), name)
        self._read_out()

    def _add_cursor(self, time: float, name: str) -> None:
        pen = pg.mkPen(self.theme.accent, width=1)
        lines: list[pg.InfiniteLine] = []
        for axis in self.axes:
            named = {} if lines else {"label": name, "labelOpts": {"position": 0.9}}
            line = pg.InfiniteLine(time, 90, movable=True, pen=pen, **named)
            axis.plot.addItem(line, ignoreBounds=True)
            lines.append(line)
        for a, b in permutations(lines, 2):
            a.sigPositionChanged.connect(lambda moved, other=b: other.setValue(moved.value()))
        lines[0].sigPositionChanged.connect(lambda *_: self._read_out())
        self._cursors += lines

    def cursor_times(self) -> tuple[float, float] | None:
        if not self._cursors:
            return None
        return float(self._cursors[0].value()), float(self._cursors[-1].value())

    def _chosen_span(self) -> tuple[float, float]:
        """The time between the cursors, or all that is shown."""
        cursors = self.cursor_times()
        if cursors:
            return min(cursors), max(cursors)
        if self.plan.view == "time":
            return self._span()
        return -np.inf, np.inf

    def _read_out(self) -> None:
        signals = [
            (recording, track, label + of_run(recording, self.recordings))
            for recording in self.recordings
            for track, label in self.tracks(recording).items()
        ]
        span = self._chosen_span() if self.statistics_action.isChecked() else None
        self.readout.show_numbers(signals, self.cursor_times(), span)


def _spectra_of(question: tuple[ScopePlan, Recording, list[str], tuple[float, float]]) -> Spectra:
    _, recording, names, span = question
    return {name: spectrum(*recording.pair(name), *span) for name in names}
