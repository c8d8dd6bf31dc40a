"""What all gestures share: they begin at a press, follow the pointer, and end or are cancelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, Qt
from railblocks.engine.drawing.scene import GRID

if TYPE_CHECKING:
    from ..canvas.canvas import Canvas

SLACK = 4  # pixels that a click may slip


@dataclass(frozen=True)
class Pointer:
    """Where the mouse is, on the canvas and in the view."""

    at: QPointF
    view: QPoint
    button: Qt.MouseButton
    keys: Qt.KeyboardModifier

    @property
    def is_left(self) -> bool:
        return self.button == Qt.MouseButton.LeftButton

    def holds(self, key: Qt.KeyboardModifier) -> bool:
        return bool(self.keys & key)


class Gesture:
    """One thing that a user does with the mouse; leaves one step in the history, or none."""

    def __init__(self, canvas: Canvas, start: Pointer):
        self.canvas = canvas
        self.start = start
        self.scene = canvas.items_of_level

    @classmethod
    def begin(cls, canvas: Canvas, pointer: Pointer) -> Gesture | None:
        """The gesture, if this is how it begins."""
        raise NotImplementedError

    def press(self, pointer: Pointer) -> None:
        """Another button in the middle of it: nothing."""

    def move(self, pointer: Pointer) -> None:
        """The pointer moved."""

    def release(self, pointer: Pointer) -> None:
        """The button was released."""
        self.canvas.end_gesture()

    def cancel(self) -> None:
        """Everything as before."""
        self.canvas.end_gesture()
        self.canvas.refresh()

    def has_moved(self, pointer: Pointer) -> bool:
        return (pointer.view - self.start.view).manhattanLength() > SLACK


def snapped(value: float) -> int:
    """The nearest line of the grid."""
    return round(value / GRID) * GRID
