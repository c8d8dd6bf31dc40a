"""A note on the canvas."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from ..model.layouts import Note
from ..style.theme import Theme
from .canvas_item import CanvasItem
from .fonts import font

MARGIN = 6  # pixels around the text


class NoteItem(CanvasItem):
    """Text on a sheet of its own."""

    def __init__(self, note: Note, theme: Theme):
        super().__init__(theme, height=0)
        self.note = note
        self.setPos(note.x, note.y)
        size = QFontMetricsF(font(12)).boundingRect(QRectF(0, 0, 400, 4000), 0, note.text).size()
        self._area = QRectF(0, 0, size.width() + 2 * MARGIN + 2, size.height() + 2 * MARGIN)

    def boundingRect(self) -> QRectF:
        return self._area.adjusted(-2, -2, 2, 2)

    def moved(self) -> Note:
        """The note at its position on the canvas."""
        at: QPointF = self.pos()
        return Note(round(at.x()), round(at.y()), self.note.text)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        chosen = self.isSelected()
        painter.setPen(QPen(QColor(self.theme.accent if chosen else self.theme.grid), 1.5))
        painter.setBrush(QColor(self.theme.note_paper))
        painter.drawRoundedRect(self._area, 3, 3)
        painter.setPen(QColor(self.theme.ink))
        painter.setFont(font(12))
        inner = self._area.adjusted(MARGIN, MARGIN, -MARGIN + 4, -MARGIN)
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft, self.note.text)
