"""The pointer on the canvas, and what the canvas asks of a gesture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from PySide6.QtCore import QPoint, QPointF, Qt


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


class ActiveGesture(Protocol):
    """A gesture under way: it follows the pointer until it is released or cancelled."""

    def press(self, pointer: Pointer) -> None: ...
    def move(self, pointer: Pointer) -> None: ...
    def release(self, pointer: Pointer) -> None: ...
    def cancel(self) -> None: ...


BeginGesture: TypeAlias = Callable[[Any, Pointer], ActiveGesture | None]
"""Called with a canvas and the pointer at a press: the gesture, if this is how it begins."""
BeginDrop: TypeAlias = Callable[[Any, Any], ActiveGesture | None]
"""Called with a canvas and a drag event: the gesture, if the drag brings a block."""
