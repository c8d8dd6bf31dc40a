"""Watches a document for problems: a while after each change it is checked beside the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from ..model.document import Document
from .checker import Checker

AFTER = 120  # ms after the last change
LOOK = 30  # ms between looks for an answer


class ProblemWatch(QObject):
    """Tells what is wrong with the newest state of the document that it looks at."""

    found = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self._document: Document | None = None
        self._checker = Checker()
        self._ask = QTimer(self)
        self._ask.setSingleShot(True)
        self._ask.timeout.connect(self._question)
        self._look = QTimer(self)
        self._look.timeout.connect(self._answer)

    def look_at(self, document: Document) -> None:
        """The document changed, or is another one."""
        self._document = document
        self._ask.start(AFTER)

    @property
    def is_settled(self) -> bool:
        return not (self._ask.isActive() or self._look.isActive() or self._checker.is_busy)

    def _question(self) -> None:
        assert self._document is not None
        self._checker.ask(self._document.root, self._document.registry)
        self._look.start(LOOK)

    def _answer(self) -> None:
        busy = self._checker.is_busy
        answer = self._checker.answer()
        if answer is not None and self._document and answer[0] is self._document.root:
            self.found.emit(answer[1])
        if not busy:
            self._look.stop()
