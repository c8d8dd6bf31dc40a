"""What all gestures share: they begin at a press, follow the pointer, and end or are cancelled."""

from __future__ import annotations

from ..canvas.canvas import Canvas
from ..canvas.pointer import Pointer

CLICK_TOLERANCE = 4  # pixels that the pointer may move in a click


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
        """Another button was pressed in the middle of the gesture; does nothing."""

    def move(self, pointer: Pointer) -> None:
        """The pointer moved."""

    def release(self, pointer: Pointer) -> None:
        """The button was released."""
        self.canvas.end_gesture()

    def cancel(self) -> None:
        """Ends the gesture and leaves everything as before."""
        self.canvas.end_gesture()
        self.canvas.refresh()

    def has_moved(self, pointer: Pointer) -> bool:
        return (pointer.view - self.start.view).manhattanLength() > CLICK_TOLERANCE
