"""The explorer: all blocks of all levels as a tree, and where the canvas is as breadcrumbs."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from railblocks.engine.diagram.diagram import Diagram

from ..model.document import Document
from ..model.levels import Path

ROLE = Qt.ItemDataRole.UserRole
GAP = 8  # pixels beside a part of the breadcrumbs


class Explorer(QTreeWidget):
    """Blocks by level; choosing one shows it on the canvas, Enter opens it."""

    block_chosen = Signal(tuple, str)
    block_opened = Signal(tuple, str)

    def __init__(self, document: Document):
        super().__init__()
        self.document = document
        self._blocks: object = None
        self.setHeaderHidden(True)
        self.setAccessibleName("Explorer")
        self.itemClicked.connect(lambda item: self.block_chosen.emit(*item.data(0, ROLE)))
        self.itemActivated.connect(lambda item: self.block_opened.emit(*item.data(0, ROLE)))
        document.listeners.append(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        root = self.document.root
        if self._blocks is root.blocks:
            return
        self._blocks = root.blocks
        unfolded = {item.data(0, ROLE) for item in self._all() if item.isExpanded()}
        self.clear()
        self._fill(self.invisibleRootItem(), root, ())
        for item in self._all():
            item.setExpanded(item.data(0, ROLE) in unfolded)

    def _fill(self, parent: QTreeWidgetItem, diagram: Diagram, path: Path) -> None:
        for name, block in diagram.blocks.items():
            inner = block.subsystem.diagram if block.subsystem else None
            what = block.type.text if block.type else "subsystem"
            off = ", commented out" if block.disabled else ""
            item = QTreeWidgetItem(parent, [f"{name}   ({what}{off})"])
            item.setData(0, ROLE, (path, name))
            if inner is not None:
                self._fill(item, inner, (*path, name))

    def blocks_by_name(self) -> list[tuple[str, tuple[Path, str]]]:
        """Every block: its full name with its type, and where it is."""
        blocks = []
        for item in self._all():
            path, name = item.data(0, ROLE)
            blocks.append((".".join((*path, item.text(0))), (path, name)))
        return blocks

    def _all(self) -> list[QTreeWidgetItem]:
        items, waiting = [], [self.invisibleRootItem()]
        while waiting:
            parent = waiting.pop()
            for row in range(parent.childCount()):
                child = parent.child(row)
                assert child is not None
                items.append(child)
                waiting.append(child)
        return items


class Breadcrumbs(QWidget):
    """Links from the diagram to the level that is shown."""

    level_wanted = Signal(tuple)

    def __init__(self, name: str):
        super().__init__()
        self._shown: tuple[str, Path] | None = None
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(6, 2, 6, 2)
        self._row.setSpacing(2)
        self._row.setAlignment(Qt.AlignmentFlag.AlignLeft)
        self.show_path(name, ())

    def show_path(self, name: str, path: Path) -> None:
        if (name, path) == self._shown:
            return
        self._shown = (name, path)
        while self._row.count():
            item = self._row.takeAt(0)
            old = item.widget() if item is not None else None
            if old is not None:
                old.hide()
                old.deleteLater()
        for depth, text in enumerate((name, *path)):
            if depth:
                self._row.addWidget(QLabel("\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"))
            button = QPushButton(text)
            button.setFlat(True)
            button.setMaximumWidth(button.fontMetrics().horizontalAdvance(text) + 2 * GAP)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _, to=path[:depth]: self.level_wanted.emit(to))
            self._row.addWidget(button)
