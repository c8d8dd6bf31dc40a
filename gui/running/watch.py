"""Watches a document for problems: a while after each change it is checked beside the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal
from railblocks.engine.analysis.analysis import Analysis

from ..model.document import Document
from ..model.problems import Found, checked, warnings
from .beside import Beside

AFTER = 120  # ms after the last change


class ProblemWatch(QObject):
    """Tells what is wrong with the newest state of the document that it looks at."""

    found = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self._document: Document | None = None
        self._beside = Beside(_problems, self)
        self._beside.answered.connect(self._answer)
        self._ask = QTimer(self)
        self._ask.setSingleShot(True)
        self._ask.timeout.connect(self._question)

    def look_at(self, document: Document) -> None:
        """The document changed, or is another one."""
        self._document = document
        self._ask.start(AFTER)

    @property
    def is_settled(self) -> bool:
        return not (self._ask.isActive() or self._beside.is_busy)

    def _question(self) -> None:
        assert self._document is not None
        self._beside.ask(self._document.analysis())

    def _answer(self, analysis: Analysis, problems: list[Found]) -> None:
        if self._document is not None and analysis is self._document.analysis():
            self.found.emit(problems)


def _problems(analysis: Analysis) -> list[Found]:
    try:
        found = checked(analysis)
    except Exception as error:  # a block's own code may raise anything
        return [Found(f"the check failed: {type(error).__name__}: {error}", ())]
    if not analysis.diagram.blocks:
        return []
    return found if isinstance(found, list) else warnings(found)
