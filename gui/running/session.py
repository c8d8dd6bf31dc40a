"""The run of a window: polls the worker thirty times a second, and keeps what it recorded."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import chain, count

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal
from railblocks.engine.diagram.diagram import Diagram

from ..model.document import Document
from ..model.problems import LocatedProblem, run_failure, run_notice
from ..model.signals import recorded_names, recording, signal_name
from ..recording.recording import Recording
from .run import News, Run

POLL_INTERVAL_MS = 33
SWITCH_INTERVAL_S = 0.0002  # between threads of Python: painting takes many switches
MAX_ELEMENTS = 6  # of a vector whose values are shown as text


class RunSession(QObject):
    """Starts, pauses, steps and stops; `recordings` are this run's and those laid under it."""

    changed = Signal()  # state, time or progress
    recorded = Signal()  # more rows
    ended = Signal(str)  # the outcome
    message = Signal(str)
    values_restored = Signal(object, float)  # a diagram whose values are in force again, and a time

    def __init__(self) -> None:
        super().__init__()
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        self.run: Run | None = None
        self.news = News("idle")
        self.pace: float | None = None
        self.keep_previous = False
        self.failure: list[LocatedProblem] = []
        self.notices: list[LocatedProblem] = []
        self.shown_time: float | None = None  # scrubbed to; None is now
        self._current: Recording | None = None
        self._overlays: list[Recording] = []
        self._count = 0
        self._drawn = (0, 0)
        self._document: Document | None = None
        self._started: Diagram | None = None  # the document's diagram when the run started
        self._structure: object = None
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_INTERVAL_MS)
        self._timer.timeout.connect(self.poll)

    # --- recordings ----------------------------------------------------------------------------
    @property
    def recordings(self) -> list[Recording]:
        """The newest run first."""
        return [*([self._current] if self._current is not None else []), *self._overlays]

    def add_overlay(self, overlay: Recording) -> None:
        """Adds measured data or earlier results, under a name that no other has."""
        overlay.name = free_label(overlay.name, {other.name for other in self.recordings})
        self._overlays.insert(0, overlay)
        self.recorded.emit()

    def clear_overlays(self) -> None:
        self._overlays.clear()
        self.recorded.emit()

    def show_results(self, results: Recording) -> None:
        """Shows results from a file as if they had just been recorded."""
        self.close()
        self.news = News("idle")
        self.shown_time = None
        self._current = results
        self.recorded.emit()
        self.changed.emit()

    # --- running -------------------------------------------------------------------------------
    @property
    def state(self) -> str:
        return self.news.state

    @property
    def is_active(self) -> bool:
        return self.run is not None and not self.run.is_over

    def start(self, document: Document, signals: list[str], paused: bool = False) -> None:
        """Starts a new run of the document as it is now."""
        self.close()
        if self._current is not None and self.keep_previous and len(self._current):
            self._overlays.insert(0, self._current)
        self._count += 1
        self._current, self.failure, self.notices, self.shown_time = None, [], [], None
        self._document, self._started = document, document.root
        self._structure = document.history.present.structure
        analysis = document.analysis()
        root = recording(document.root, analysis, signals)
        names = recorded_names(analysis, signals)
        self.run = Run(root, document.registry, self.pace, names, f"run {self._count}")
        self.run.start(paused)
        self.news = News("compiling")
        self._timer.start()
        self.changed.emit()

    def toggle(self) -> None:
        """Pauses the run, or lets it go on."""
        if self.run is None:
            return
        if self.state == "paused":
            self.shown_time = None
            self.run.resume()
        else:
            self.run.pause()
        self.poll()

    def step(self) -> None:
        if self.run is not None:
            self.run.step()

    def stop(self) -> None:
        if self.run is not None:
            self.run.stop()

    def set_pace(self, pace: float | None) -> None:
        """Sets the pace of all runs from now on, in simulated seconds per wall-clock second."""
        self.pace = pace
        if self.run is not None:
            self.run.pace = pace
        self.changed.emit()

    def follow(self, document: Document) -> None:
        """Gives a run under way the values of the document, which has changed."""
        structure = document.history.present.structure
        if self.run is None or document is not self._document or structure is self._structure:
            return
        self._structure = structure
        if self.is_active:
            self.run.follow(self._diagram())

    def _diagram(self) -> Diagram:
        """The document as it is now, with what the run records."""
        assert self.run is not None
        assert self._document is not None
        assert self._started is not None
        root = self._document.root
        return replace(root, log=self.run.diagram.log) if root.log == self._started.log else root

    def forget(self) -> None:
        """Resets to the state before any run: another document is shown."""
        self.close()
        self._current, self._overlays, self.shown_time = None, [], None
        self.failure, self.notices = [], []
        self._document = self._started = None
        self.news = News("idle")
        self._count = 0

    def close(self) -> None:
        """Ends the run and its thread."""
        if self.run is not None:
            self.run.close()
        self.run = None
        self._timer.stop()

    # --- time ----------------------------------------------------------------------------------
    def scrub(self, fraction: float) -> None:
        """Shows an earlier time of what was recorded."""
        if self._current is None or not len(self._current):
            return
        times = self._current.time
        self.shown_time = float(times[0] + fraction * (times[-1] - times[0]))
        if self.run is not None:
            self.run.ask(self.shown_time)
        self.changed.emit()

    def continue_from_here(self) -> None:
        """Continues the run from the time that is shown, with the values of the diagram."""
        self._continue(lambda: self._diagram())

    def continue_with_earlier_values(self) -> None:
        """Continues the run from the time that is shown, with the values that it had then."""
        self._continue(lambda: None)

    def _continue(self, diagram: Callable[[], Diagram | None]) -> None:
        if self.run is not None and self.shown_time is not None:
            self.run.go_on_from(self.shown_time, diagram())
            self.shown_time = None
            self._timer.start()
            self.changed.emit()

    def value_text(self, document: Document, path, terminal) -> str:
        """The value of a signal now, or at the time that is shown."""
        name = signal_name(document, path, terminal)
        if not name:
            return ""
        unit = ""
        block, _, port = name.rpartition(".")
        output = document.analysis().output(block, port)
        if output is not None and output.unit is not None:
            unit = f" {output.unit}"
        current = self._current
        if current is not None and len(current) and (parts := current.parts(name)):
            at = float(current.time[-1]) if self.shown_time is None else self.shown_time
            values = np.array([current.value_at(part, at) for part in parts[:MAX_ELEMENTS]])
        elif self.run is not None:
            values = self.run.ask(self.shown_time).get((block, port), np.zeros(0))[:MAX_ELEMENTS]
        else:
            return ""
        return f"= {', '.join(f'{v:.6g}' for v in values)}{unit}" if len(values) else ""

    # --- thirty times a second -----------------------------------------------------------------
    def poll(self) -> None:
        run = self.run
        if run is None:
            return
        begin = time.perf_counter()
        before = self.news
        self.news = news = run.news()
        if run.recording is not None:
            self._current = run.recording
        for message in news.messages:
            self.message.emit(message)
        if news.restored is not None:
            self.values_restored.emit(*news.restored)
        drawn = (id(self._current), self._current.revision if self._current is not None else 0)
        if drawn != self._drawn:
            self._drawn = drawn
            self.recorded.emit()
        self.failure = [run_failure(news.failure, run.diagram)] if news.failure else []
        self.notices = [run_notice(text, run.diagram) for text in news.notices]
        self.changed.emit()
        if news.endings != before.endings or (before.failure and not news.failure):
            self.ended.emit(news.state)
        spent = 1000 * (time.perf_counter() - begin)
        self._timer.setInterval(
            max(POLL_INTERVAL_MS, round(2 * spent))
        )  # half of the time is the user's


def free_label(wanted: str, taken: set[str]) -> str:
    """The label itself, or with a number that makes it differ from those that are taken."""
    numbered = (f"{wanted} ({number})" for number in count(2))
    return next(label for label in chain([wanted], numbered) if label not in taken)
