"""Watches a document for problems: a while after each change it is checked in the background."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal
from railblocks.engine.analysis.analysis import Analysis

from ..model.document import Document
from ..model.problems import LocatedProblem, checked, warnings
from ..system.background import BackgroundWork

CHECK_DELAY_MS = 120  # after the last change


class ProblemWatch(QObject):
    """Checks the newest state of a document and emits its problems."""

    problems_changed = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self._document: Document | None = None
        self._background = BackgroundWork(_problems, self)
        self._background.answered.connect(self._answer)
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.timeout.connect(self._check)

    def look_at(self, document: Document) -> None:
        """Schedules a check, since the document changed or is another one."""
        self._document = document
        self._delay.start(CHECK_DELAY_MS)

    @property
    def is_settled(self) -> bool:
        return not (self._delay.isActive() or self._background.is_busy)

    def _check(self) -> None:
        assert self._document is not None
        self._background.ask(self._document.analysis())

    def _answer(self, analysis: Analysis, problems: list[LocatedProblem]) -> None:
        if self._document is not None and analysis is self._document.analysis():
            self.problems_changed.emit(problems)


def _problems(analysis: Analysis) -> list[LocatedProblem]:
    try:
        result = checked(analysis)
    except Exception as error:  # a block's own code may raise anything
        return [LocatedProblem(f"the check failed: {type(error).__name__}: {error}", ())]
    if not analysis.diagram.blocks:
        return []
    return result if isinstance(result, list) else warnings(result)
