"""What all items of a canvas share."""

from __future__ import annotations

from PySide6.QtWidgets import QGraphicsItem

from ..style.theme import Theme

NO_TEXT_BELOW = 0.35  # zoom at which text cannot be read


class CanvasItem(QGraphicsItem):
    """An item that can be selected and is highlighted under the pointer."""

    def __init__(self, theme: Theme, height: int):
        super().__init__()
        self.theme = theme
        self.hovered = False
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.setAcceptHoverEvents(True)
        self.setZValue(height)

    def hoverEnterEvent(self, event) -> None:
        self._hover(True)

    def hoverLeaveEvent(self, event) -> None:
        self._hover(False)

    def _hover(self, hovered: bool) -> None:
        self.hovered = hovered
        self.update()
