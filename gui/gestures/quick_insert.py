"""Typing a block onto the canvas: a few letters, Enter, and it is there.

After a wire was drawn to an empty spot, the block is joined with it.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout

from ..canvas.canvas import Canvas
from ..model.catalogue import Catalogue

MAX_LISTED = 12


class QuickInsert(QFrame):
    """A line to type in and the blocks that match."""

    def __init__(self, canvas: Canvas, catalogue: Catalogue):
        super().__init__(canvas)
        self.canvas = canvas
        self.catalogue = catalogue
        self.at = QPointF()
        self.setObjectName("quick insert")
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.line = QLineEdit()
        self.line.setPlaceholderText("Block to insert")
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.line)
        layout.addWidget(self.list)
        self.resize(420, 240)
        self.line.textChanged.connect(self._search)
        self.line.returnPressed.connect(self._take)
        self.list.itemActivated.connect(self._take)
        self.list.itemClicked.connect(self._take)
        self.line.installEventFilter(self)
        self.hide()

    def ask(self, at: QPointF, text: str) -> None:
        """Show the line at a point of the canvas."""
        self.at = at
        point = self.canvas.mapFromScene(at)
        x = min(max(point.x(), 0), max(self.canvas.width() - self.width(), 0))
        y = min(max(point.y(), 0), max(self.canvas.height() - self.height(), 0))
        self.move(x, y)
        self.line.setText(text)
        self._search(text)
        self.show()
        self.raise_()
        self.line.setFocus()
        self.line.end(False)

    def close_quietly(self) -> None:
        self.canvas.editing.pending = None
        self.hide()
        self.canvas.setFocus()

    def _search(self, text: str) -> None:
        self.list.clear()
        nested = bool(self.canvas.path)
        for offer in self.catalogue.search(text, ports=nested)[:MAX_LISTED]:
            item = QListWidgetItem(f"{offer.id}   {offer.summary}")
            item.setData(Qt.ItemDataRole.UserRole, offer.id)
            item.setToolTip(offer.summary)
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _take(self, *_) -> None:
        item = self.list.currentItem()
        if item is None:
            self.canvas.message.emit(f"no block is called {self.line.text()!r}")
            return
        kind = item.data(Qt.ItemDataRole.UserRole)
        self.hide()
        self.canvas.setFocus()
        self.canvas.editing.insert_joined(kind, self.at)

    def eventFilter(self, watched, event) -> bool:
        if event.type() == event.Type.KeyPress:
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
            if event.key() in steps:
                row = self.list.currentRow() + steps[event.key()]
                self.list.setCurrentRow(min(max(row, 0), self.list.count() - 1))
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close_quietly()
                return True
        if event.type() == event.Type.FocusOut and not self.list.hasFocus():
            self.hide()
        return super().eventFilter(watched, event)
