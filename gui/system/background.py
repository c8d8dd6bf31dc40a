"""Background work: the newest question is answered, older ones that still wait are dropped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

POLL_INTERVAL_MS = 30


class BackgroundWork(QObject):
    """Answers questions in a thread that never touches Qt; emits answers in the window's."""

    answered = Signal(object, object)  # a question and its answer

    def __init__(self, work: Callable[[Any], Any], parent: QObject | None = None):
        """Takes the function `work` that makes an answer of a question."""
        super().__init__(parent)
        self._work = work
        self._question: list[Any] = []
        self._answer: list[tuple[Any, Any]] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._poll_timer = QTimer(self)
        self._poll_timer.timeout.connect(self._deliver)

    def ask(self, question: Any) -> None:
        with self._lock:
            self._question = [question]
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._answer_all, daemon=True, name="background"
                )
                self._thread.start()
        self._poll_timer.start(POLL_INTERVAL_MS)

    @property
    def is_busy(self) -> bool:
        """Whether a question has no answer yet, or an answer was not delivered yet."""
        return self._thread is not None or self._poll_timer.isActive()

    def _answer_all(self) -> None:
        while (question := self._next()) is not None:
            try:
                answer = self._work(question)
            except BaseException:
                self._thread = None  # the next question is asked anew
                raise
            with self._lock:
                self._answer = [(question, answer)]

    def _next(self) -> Any:
        with self._lock:
            if not self._question:
                self._thread = None
                return None
            return self._question.pop()

    def _deliver(self) -> None:
        busy = self._thread is not None
        with self._lock:
            answers, self._answer = self._answer, []
        if not busy:
            self._poll_timer.stop()
        for question, answer in answers:
            self.answered.emit(question, answer)
