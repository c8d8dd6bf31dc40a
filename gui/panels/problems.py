"""What is wrong with the diagram; choosing a line shows the block that it is about."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from ..model.problems import SEVERITIES, LocatedProblem
from ..style.plain_text import plain_text

ROLE = Qt.ItemDataRole.UserRole
SIGNS = {
    "error": "\N{WARNING SIGN}",
    "warning": "\N{WHITE UP-POINTING TRIANGLE} warning:",
    "note": "\N{BULLET} note:",
}


class ProblemList(QListWidget):
    """The list of errors and warnings of the check, and messages of the last run."""

    problem_wanted = Signal(object)
    counted = Signal(str)  # the numbers of problems, as text

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setAlternatingRowColors(True)
        self.setAccessibleName("Problems")
        self._checked: list[LocatedProblem] = []
        self._run: list[LocatedProblem] = []
        self.itemClicked.connect(lambda item: self._go(item))
        self.itemActivated.connect(lambda item: self._go(item))
        self._fill()

    @property
    def problems(self) -> list[LocatedProblem]:
        """Errors first, then warnings, then notes."""
        problems = [*self._run, *self._checked]
        return sorted(problems, key=lambda problem: SEVERITIES.index(problem.severity))

    def show_checked(self, problems: list[LocatedProblem]) -> None:
        if problems != self._checked:
            self._checked = problems
            self._fill()

    def show_run(self, problems: list[LocatedProblem]) -> None:
        """Shows why the last run failed, or its notes about its numbers."""
        if problems != self._run:
            self._run = problems
            self._fill()

    def summary(self) -> str:
        """How many problems of each kind there are: `2 errors, 1 note`."""
        counts = {s: sum(p.severity == s for p in self.problems) for s in SEVERITIES}
        words = [f"{n} {s}{'s' if n > 1 else ''}" for s, n in counts.items() if n]
        return ", ".join(words)

    def _fill(self) -> None:
        self.clear()
        for problem in self.problems:
            where = problem.where or problem.position
            named = where and not problem.message.startswith(f"{where}")
            text = f"{where}: {problem.message}" if named else problem.message
            item = QListWidgetItem(f"{SIGNS[problem.severity]} {text}")
            item.setData(ROLE, problem)
            item.setToolTip(plain_text(problem.position))
            self.addItem(item)
        if not self.count():
            item = QListWidgetItem("\N{CHECK MARK} no problems")
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.addItem(item)
        self.counted.emit(self.summary())

    def _go(self, item: QListWidgetItem) -> None:
        problem = item.data(ROLE)
        if problem is not None:
            self.problem_wanted.emit(problem)
