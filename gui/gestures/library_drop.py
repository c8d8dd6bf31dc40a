"""Dragging a block from the library onto the canvas, or onto a wire."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QGraphicsRectItem

from ..canvas.canvas import Canvas
from ..canvas.level import snap
from ..canvas.pointer import Pointer
from .gesture import Gesture
from .insertion import Wire, link_of, mark, wire_under

BLOCK_FORMAT = "application/x-railblocks-block"
SIZE = (60, 40)  # pixels of the box that follows the pointer


class LibraryDrop(Gesture):
    """Dragging a block from the library; shows its position and the wire that would take it."""

    @classmethod
    def begin_drop(cls, canvas, event):
        """The gesture, if the drag brings a block."""
        data = event.mimeData()
        if not data.hasFormat(BLOCK_FORMAT):
            return None
        kind = bytes(data.data(BLOCK_FORMAT).data()).decode()
        return cls(canvas, canvas.pointer(event), kind)

    def __init__(self, canvas: Canvas, start: Pointer, kind: str):
        super().__init__(canvas, start)
        self.kind = kind
        self.wire: Wire | None = None
        self.frame = QGraphicsRectItem(0, 0, *SIZE)
        self.frame.setPen(QPen(QColor(canvas.theme.accent), 1.4, Qt.PenStyle.DashLine))
        self.frame.setZValue(5)
        self.scene.addItem(self.frame)
        self.move(start)

    def move(self, pointer: Pointer) -> None:
        corner = self._corner(pointer.at)
        self.frame.setPos(corner)
        area = QRectF(corner.x(), corner.y(), *SIZE)
        splits = self.canvas.editing.fits_on_wires(self.kind)
        self.wire = wire_under(self.scene, area, set()) if splits else None
        mark(self.scene, self.wire)

    def release(self, pointer: Pointer) -> None:
        self._clear()
        corner = self._corner(pointer.at)
        link = link_of(self.wire) if self.wire else None
        self.canvas.end_gesture()
        self.canvas.editing.insert(self.kind, round(corner.x()), round(corner.y()), link)
        self.canvas.setFocus()

    def cancel(self) -> None:
        self._clear()
        super().cancel()

    def _clear(self) -> None:
        mark(self.scene, None)
        self.scene.removeItem(self.frame)

    @staticmethod
    def _corner(at: QPointF) -> QPointF:
        return QPointF(snap(at.x() - SIZE[0] / 2), snap(at.y() - SIZE[1] / 2))
