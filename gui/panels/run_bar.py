"""The run bar: run, pause, step, stop; progress, time and speed; how long and by which method."""

from __future__ import annotations

from dataclasses import dataclass

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
STATE_TEXTS = {"idle": "ready", "done": "done", "stopped": "stopped by a block"}


@dataclass(frozen=True)
class RunActions:
    """The actions that the bar shows."""

    run: QAction
    step: QAction
    stop: QAction
    settings: QAction
    go_on: QAction
    go_on_with_earlier_values: QAction


class RunBar(QToolBar):
    """The tool bar of a run; shows a session and the settings of a document.

    `progress` and `status` are for the window's status bar, where they have room.
    """

    message = Signal(str)

    def __init__(self, session: RunSession, document: Document, actions: RunActions):
        super().__init__("Run")
        self.setObjectName("run bar")
        self.session = session
        self.document = document
        self.addActions([actions.run, actions.step, actions.stop])
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
        self.pace.setToolTip("Simulated seconds per wall-clock second; it holds for all diagrams")
        self.pace.setAccessibleName("Pace")
        self.pace.activated.connect(lambda _: session.set_pace(self.pace.currentData()))
        for widget in (QLabel(" until "), self.stop_time, self.method, self.pace):
            self.addWidget(widget)
        self.addAction(actions.settings)
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
        self.slider.valueChanged.connect(lambda value: session.scrub(value / 1000))
        self.addWidget(QLabel(" time "))
        self.addWidget(self.slider)
        button = QToolButton()
        button.setDefaultAction(actions.go_on)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        button.addAction(actions.go_on_with_earlier_values)
        self.addWidget(button)
        session.changed.connect(self.refresh)
        self.show_document(document)

    def show_document(self, document: Document) -> None:
        """Shows the settings of another document, and the session as it is now."""
        if self.show_settings in self.document.listeners:
            self.document.listeners.remove(self.show_settings)
        self.document = document
        document.listeners.append(self.show_settings)
        self.show_settings(discard=True)
        self.refresh()

    # --- settings ------------------------------------------------------------------------------
    def show_settings(self, discard: bool = False) -> None:
        """Shows the settings as they are; what is being typed stays, unless it is discarded."""
        fields = {field.name: field for field in setting_fields(self.document, "solver")}
        if not self.stop_time.hasFocus() or discard:
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
            self.message.emit(error.problems[0].message)
            self.show_settings(discard=True)

    # --- what goes on --------------------------------------------------------------------------
    def refresh(self) -> None:
        session, news = self.session, self.session.news
        running = session.is_active and session.state != "paused"
        self.progress.setValue(round(1000 * min(news.fraction, 1.0)))
        state = STATE_TEXTS.get(session.state, session.state)
        if session.shown_time is not None:
            self.status.setText(f"looking at t = {session.shown_time:.6g} s")
        elif session.state == "compiling":
            self.status.setText(news.compiling or state)
        elif session.state == "idle":
            self.status.setText(state)
        else:
            speed = f", {news.speed:.3g} x real time" if news.speed > 0 else ""
            self.status.setText(f"{state}, t = {news.time:.6g} s{speed}")
        self.status.setToolTip(
            "Simulated seconds per wall-clock second, without pauses"
            + (f"; computing takes {news.load:.1%} of the time" if running else "")
        )
        self._show_pace()
        recorded = bool(session.recordings and len(session.recordings[0]))
        self.slider.setEnabled(recorded and not running)
        if session.shown_time is None:
            self.slider.blockSignals(True)
            self.slider.setValue(1000)
            self.slider.blockSignals(False)

    def _show_pace(self) -> None:
        """Shows the pace that is in force, whoever chose it."""
        pace = self.session.pace
        if self.pace.currentData() != pace:
            if self.pace.findData(pace) < 0:
                self.pace.addItem(f"{pace:g} x real time", pace)
            self.pace.setCurrentIndex(self.pace.findData(pace))
