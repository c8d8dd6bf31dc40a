"""Panning: drag with the middle button, or with the left one and Alt."""

from __future__ import annotations

from PySide6.QtCore import Qt

from ..canvas.canvas import Canvas
from ..canvas.pointer import Pointer
from .gesture import Gesture


class Pan(Gesture):
    """Drags the view."""

    @classmethod
    def begin(cls, canvas: Canvas, pointer: Pointer) -> Gesture | None:
        alt = pointer.is_left and pointer.holds(Qt.KeyboardModifier.AltModifier)
        if pointer.button != Qt.MouseButton.MiddleButton and not alt:
            return None
        canvas.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        return cls(canvas, pointer)

    def __init__(self, canvas: Canvas, start: Pointer):
        super().__init__(canvas, start)
        self.last = start.view

    def move(self, pointer: Pointer) -> None:
        shift = pointer.view - self.last
        self.last = pointer.view
        self.canvas.pan(shift.x(), shift.y())

    def cancel(self) -> None:
        self.canvas.end_gesture()
