"""Drawing wires: from a port, or from the middle of a wire as a branch.

Ports that may not be joined say why. Over the empty canvas a block can be chosen to be joined.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem
from railblocks.engine.drawing.scene import Terminal, Way

from ..canvas.canvas import Canvas
from ..canvas.pointer import Pointer
from ..canvas.sketch import elbow
from ..model.connections import ConnectionRules
from .gesture import Gesture

PORT_REACH = 14.0  # around a port, while a wire is drawn


class DrawnWire(Gesture):
    """Follows the pointer with a wire from one end."""

    def __init__(self, canvas: Canvas, start: Pointer, end: tuple[Terminal, Way], at: QPointF):
        super().__init__(canvas, start)
        self.end = end
        self.at = at
        self.rules = ConnectionRules(canvas.document, canvas.path)
        self.line = QGraphicsPathItem()
        self.line.setZValue(5)
        self.scene.addItem(self.line)
        self.target: tuple[Terminal, Way] | None = None
        self.reason = ""

    def move(self, pointer: Pointer) -> None:
        port = self.scene.port_at(pointer.at, PORT_REACH)
        self.target = port if port != self.end else None
        self.reason = self.rules.reason_against(self.end, self.target) if self.target else ""
        end = self.scene.port_position(*self.target) if self.target else None
        self._draw(end[0] if end else pointer.at, end[1] if end else None)
        if self.reason:
            self.canvas.show_tip(pointer.view, self.reason)
            self.canvas.message.emit(self.reason)
        elif self.target:
            self.canvas.show_tip(pointer.view, f"{self.target[0][0]}.{self.target[0][1]}")
        self.canvas.viewport().setCursor(
            Qt.CursorShape.ForbiddenCursor if self.reason else Qt.CursorShape.CrossCursor
        )

    def _draw(self, to: QPointF, direction: int | None) -> None:
        port = self.scene.port_position(*self.end)
        own = port[1] if port else 0
        here = (self.at.x(), self.at.y(), own)
        other = (to.x(), to.y(), own if direction is None else direction)
        points = elbow(here, other) if self.end[1] == "out" else elbow(other, here)
        path = QPainterPath(QPointF(*points[0]))
        for point in points[1:]:
            path.lineTo(*point)
        theme = self.canvas.theme
        colour = theme.error if self.reason else theme.good if self.target else theme.accent
        pen = QPen(
            QColor(colour), 1.6, Qt.PenStyle.DashLine if not self.target else Qt.PenStyle.SolidLine
        )
        self.line.setPen(pen)
        self.line.setPath(path)

    def release(self, pointer: Pointer) -> None:
        self.move(pointer)
        self.scene.removeItem(self.line)
        self.canvas.end_gesture()
        if not self.has_moved(pointer):
            self.clicked(pointer)
        elif self.target and not self.reason:
            self.canvas.editing.connect(*self.rules.pair(self.end, self.target))
        elif self.reason:
            self.canvas.message.emit(self.reason)
        elif self.scene.block_at(pointer.at) is None:
            self.canvas.editing.pending = self.end
            self.canvas.block_wanted.emit(pointer.at, "")

    def clicked(self, pointer: Pointer) -> None:
        """The button was released where it was pressed; does nothing."""

    def cancel(self) -> None:
        self.scene.removeItem(self.line)
        super().cancel()


class WireFromPort(DrawnWire):
    """Draws a wire from an output to an input, or the other way round."""

    @classmethod
    def begin(cls, canvas: Canvas, pointer: Pointer) -> Gesture | None:
        port = canvas.items_of_level.port_at(pointer.at)
        if port is None or not pointer.is_left:
            return None
        position = canvas.items_of_level.port_position(*port)
        assert position is not None
        return cls(canvas, pointer, port, position[0])

    def clicked(self, pointer: Pointer) -> None:
        """A click on a port selects its block."""
        item = self.scene.blocks.get(self.end[0][0])
        if item is not None:
            if not pointer.holds(Qt.KeyboardModifier.ShiftModifier):
                self.scene.clearSelection()
            item.setSelected(True)


class Branch(DrawnWire):
    """Draws a branch from a wire; a click selects a branch, a second one the whole net."""

    @classmethod
    def begin(cls, canvas: Canvas, pointer: Pointer) -> Gesture | None:
        item = canvas.items_of_level.net_at(pointer.at)
        if item is None or not pointer.is_left:
            return None
        return cls(canvas, pointer, (item.net.source, "out"), pointer.at)

    def move(self, pointer: Pointer) -> None:
        if self.has_moved(pointer):
            super().move(pointer)

    def clicked(self, pointer: Pointer) -> None:
        item = self.scene.net_at(self.start.at)
        if item is None:
            return
        target = item.target_at(self.start.at)
        again = item.isSelected() and item.chosen == target
        if not pointer.holds(Qt.KeyboardModifier.ShiftModifier):
            self.scene.clearSelection()
        item.chosen = None if again or len(item.net.targets) == 1 else target
        item.setSelected(True)
        item.update()
