"""The run bar: run, pause, step, stop; progress, time and speed; how long and by which method."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QProgressBar,
    QSlider,
    QToolBar,
    QToolButton,
)
from railblocks.engine.analysis.settings import SOLVER
from railblocks.engine.errors import DiagramError
from railblocks.engine.solvers.methods import METHODS

from ..model.document import Document
from ..model.values import Field, set_setting, setting_fields
from ..running.session import RunSession

PACES = {"full speed": None, "real time": 1.0, "1/10 real time": 0.1, "10 x real time": 10.0}
WORDS = {"idle": "ready", "done": "done", "stopped": "stopped by a block"}


class RunBar(QToolBar):
    """Shows a session; what it does not decide itself it asks the window for.

    `progress` and `status` are for the window's status bar, where they have room.
    """

    run_wanted = Signal()
    step_wanted = Signal()
    settings_wanted = Signal()
    refused = Signal(str)

    def __init__(self, session: RunSession, document: Document):
        super().__init__("Run")
        self.setObjectName("run bar")
        self.session = session
        self.document = document
        self.run_action = self._action("\N{BLACK RIGHT-POINTING TRIANGLE} Run", "F5", self._run)
        self.step_action = self._action("Step", "F10", self.step_wanted.emit)
        self.stop_action = self._action("\N{BLACK SQUARE} Stop", "Shift+F5", session.stop)
        self.addSeparator()
        self.stop_time = QLineEdit()
        self.stop_time.setFixedWidth(80)
        self.stop_time.setToolTip("Stop time")
        self.stop_time.setAccessibleName("Stop time")
        self.stop_time.editingFinished.connect(self._set_stop)
        self.method = QComboBox()
        self.method.addItems(list(METHODS))
        self.method.setToolTip("Solver")
        self.method.setAccessibleName("Solver")
        self.method.activated.connect(self._set_method)
        self.pace = QComboBox()
        for text, pace in PACES.items():
            self.pace.addItem(text, pace)
        self.pace.setToolTip("Simulated time per time of the clock; it holds for all diagrams")
        self.pace.setAccessibleName("Pace")
        self.pace.activated.connect(lambda _: session.set_pace(self.pace.currentData()))
        for widget in (QLabel(" until "), self.stop_time, self.method, self.pace):
            self.addWidget(widget)
        self.addAction("Settings", self.settings_wanted.emit)
        self.addSeparator()
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setFixedWidth(110)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress")
        self.status = QLabel()
        self.status.setContentsMargins(16, 0, 4, 0)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, 1000)
        self.slider.setValue(1000)
        self.slider.setFixedWidth(160)
        self.slider.setToolTip("Look back over what was recorded")
        self.slider.setAccessibleName("Time")
        self.slider.valueChanged.connect(self._scrub)
        self.addWidget(QLabel(" time "))
        self.addWidget(self.slider)
        self.back_action = QAction("Go on from here", self)
        self.back_action.setToolTip(
            "The run goes on from the time that the slider shows, with the values of the diagram"
        )
        self.back_action.triggered.connect(session.continue_from_here)
        self.then_action = QAction("Go on from here with the values of that time", self)
        self.then_action.triggered.connect(session.continue_with_values_of_then)
        button = QToolButton()
        button.setDefaultAction(self.back_action)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        button.addAction(self.then_action)
        self.addWidget(button)
        session.changed.connect(self.refresh)
        document.listeners.append(self.show_settings)
        self.show_settings()
        self.refresh()

    def _action(self, text: str, keys: str, act) -> QAction:
        action = self.addAction(text, act)
        if keys:
            action.setShortcut(keys)
            action.setToolTip(f"{text} ({keys})")
        return action

    # --- settings ------------------------------------------------------------------------------
    def show_settings(self, anyway: bool = False) -> None:
        fields = {field.name: field for field in setting_fields(self.document, "solver")}
        if not self.stop_time.hasFocus() or anyway:
            self.stop_time.setText(fields["stop"].text or f"{fields['stop'].default} s")
        self.method.setCurrentText(fields["method"].text or fields["method"].default)

    def _set_stop(self) -> None:
        self._set("stop", self.stop_time.text())

    def _set_method(self, _: int) -> None:
        self._set("method", self.method.currentText())

    def _set(self, name: str, text: str) -> None:
        field = next(f for f in setting_fields(self.document, "solver") if f.name == name)
        param = next(p for p in SOLVER if p.name == name)
        if text.strip() in (field.text, f"{field.default} s" if not field.text else ""):
            return
        try:
            set_setting(self.document, "solver", Field(name, "", param=param), text)
        except DiagramError as error:
            self.refused.emit(error.problems[0].message)
            self.show_settings(anyway=True)

    # --- what goes on --------------------------------------------------------------------------
    def refresh(self) -> None:
        session, news = self.session, self.session.news
        active = session.is_active
        paused = session.state == "paused"
        running = active and not paused
        self.run_action.setText(
            "\N{DOUBLE VERTICAL LINE} Pause" if running else "\N{BLACK RIGHT-POINTING TRIANGLE} Run"
        )
        self.stop_action.setEnabled(active)
        self.progress.setValue(round(1000 * min(news.fraction, 1.0)))
        words = WORDS.get(session.state, session.state)
        if session.shown_time is not None:
            self.status.setText(f"looking at t = {session.shown_time:.6g} s")
        elif session.state in ("idle", "compiling"):
            self.status.setText(words)
        else:
            speed = f", {news.speed:.3g} x real time" if news.speed > 0 else ""
            self.status.setText(f"{words}, t = {news.time:.6g} s{speed}")
        self.status.setToolTip(
            "Simulated seconds per second of the clock, pauses left out"
            + (f"; computing takes {news.load:.1%} of the time" if running else "")
        )
        self._show_pace()
        recorded = bool(session.recordings and len(session.recordings[0]))
        self.slider.setEnabled(recorded and not running)
        for action in (self.back_action, self.then_action):
            action.setEnabled(session.run is not None and session.shown_time is not None)
        if session.shown_time is None:
            self.slider.blockSignals(True)
            self.slider.setValue(1000)
            self.slider.blockSignals(False)

    def _show_pace(self) -> None:
        """The pace that is in force, whoever chose it."""
        pace = self.session.pace
        if self.pace.currentData() != pace:
            if self.pace.findData(pace) < 0:
                self.pace.addItem(f"{pace:g} x real time", pace)
            self.pace.setCurrentIndex(self.pace.findData(pace))

    def _run(self) -> None:
        if self.session.is_active:
            self.session.toggle()
        else:
            self.run_wanted.emit()

    def _scrub(self, place: int) -> None:
        self.session.scrub(place / 1000)
