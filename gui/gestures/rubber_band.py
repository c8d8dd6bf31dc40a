"""Selecting with a rubber band: drag on the empty canvas."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QRubberBand

from ..canvas.canvas import Canvas
from ..canvas.pointer import Pointer
from .gesture import Gesture


class RubberBand(Gesture):
    """Selects what lies inside a rectangle."""

    @classmethod
    def begin(cls, canvas: Canvas, pointer: Pointer) -> Gesture | None:
        return cls(canvas, pointer) if pointer.is_left else None

    def __init__(self, canvas: Canvas, start: Pointer):
        super().__init__(canvas, start)
        self.before = list(self.scene.selectedItems()) if self._adds(start) else []
        if not self.before:
            self.scene.clearSelection()
        self.band = QRubberBand(QRubberBand.Shape.Rectangle, canvas.viewport())

    def move(self, pointer: Pointer) -> None:
        area = QRect(self.start.view, pointer.view).normalized()
        self.band.setGeometry(area)
        self.band.show()
        wanted = self.canvas.mapToScene(area).boundingRect()
        for item in (*self.scene.blocks.values(), *self.scene.notes, *self.scene.nets.values()):
            inside = wanted.contains(item.shape().boundingRect().translated(item.pos()))
            item.setSelected(inside or item in self.before)

    def release(self, pointer: Pointer) -> None:
        self.band.deleteLater()
        super().release(pointer)

    def cancel(self) -> None:
        self.band.deleteLater()
        super().cancel()

    @staticmethod
    def _adds(pointer: Pointer) -> bool:
        return pointer.holds(Qt.KeyboardModifier.ShiftModifier)
