"""All that is wrong with the diagram; choosing a line shows the block that it is about."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from ..model.problems import Found
from ..plain_text import tip

ROLE = Qt.ItemDataRole.UserRole


class ProblemList(QListWidget):
    """Problems of the check and of the last run."""

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setAlternatingRowColors(True)
        self.setAccessibleName("Problems")
        self._checked: list[Found] = []
        self._run: list[Found] = []
        self.itemClicked.connect(lambda item: self._go(item))
        self.itemActivated.connect(lambda item: self._go(item))
        self._fill()

    @property
    def problems(self) -> list[Found]:
        return [*self._run, *self._checked]

    def show_checked(self, problems: list[Found]) -> None:
        self._checked = problems
        self._fill()

    def show_run(self, problems: list[Found]) -> None:
        """What made the last run fail."""
        self._run = problems
        self._fill()

    def badges(self, path: tuple[str, ...]) -> dict[str, str]:
        """Messages by the boxes of a level; what is wrong inside a subsystem marks it too."""
        found: dict[str, str] = {}
        for problem in self.problems:
            where = (*problem.path, *([problem.block] if problem.block else []))
            if where[: len(path)] == path and len(where) > len(path):
                found.setdefault(where[len(path)], problem.message)
        return found

    def _fill(self) -> None:
        self.clear()
        for problem in self.problems:
            where = problem.where or problem.place
            item = QListWidgetItem(
                f"\N{WARNING SIGN} {where}: {problem.message}" if where else problem.message
            )
            item.setData(ROLE, problem)
            item.setToolTip(tip(problem.place))
            self.addItem(item)
        if not self.count():
            item = QListWidgetItem("\N{CHECK MARK} no problems")
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.addItem(item)

    def _go(self, item: QListWidgetItem) -> None:
        problem = item.data(ROLE)
        if problem is not None:
            self.wanted.emit(problem)
