"""Moves the mouse and presses keys in a window, by names of blocks and ports."""

from itertools import pairwise

from PySide6.QtCore import QMimeData, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from railblocks.gui.gestures.library_drop import BLOCK_FORMAT

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def crossed(scene):
    """Blocks that a wire runs through, and blocks that lie on each other."""
    boxes = {key: item.body().translated(item.pos()) for key, item in scene.blocks.items()}
    crossings = []
    for key, box in boxes.items():
        inner = box.adjusted(1, 1, -1, -1)
        for net in scene.nets.values():
            for line in net.route.lines:
                for (ax, ay), (bx, by) in pairwise(line):
                    piece = QRectF(
                        QPointF(min(ax, bx), min(ay, by)), QPointF(max(ax, bx), max(ay, by))
                    )
                    if piece.adjusted(-0.1, -0.1, 0.1, 0.1).intersects(inner):
                        crossings.append((net.net.source, key))
        crossings += [
            (key, other) for other, area in boxes.items() if other > key and area.intersects(box)
        ]
    return crossings


def wires(window):
    """The lines of wires of the level that is shown."""
    level = window.editor.document.level(window.editor.canvas.path)
    return [line.node.text for line in level.wires]


class Hand:
    def __init__(self, window, qtbot):
        self.window, self.qtbot = window, qtbot

    @property
    def canvas(self):
        return self.window.editor.canvas

    @property
    def scene(self):
        return self.canvas.items_of_level

    # --- places --------------------------------------------------------------------------------
    def view(self, point) -> QPoint:
        return self.canvas.mapFromScene(QPointF(*point) if isinstance(point, tuple) else point)

    def block(self, key) -> QPointF:
        item = self.scene.blocks[key]
        return item.pos() + item.body().center()

    def port(self, block, name, way) -> QPointF:
        return self.scene.port_position((block, name), way)[0]

    def wire(self, source, target) -> QPointF:
        """The middle of the longest piece of the line to a target."""
        item = self.scene.nets[source]
        line = item.line_of(target)
        pieces = sorted(
            pairwise(line),
            key=lambda p: -abs(p[0][0] - p[1][0]) - abs(p[0][1] - p[1][1]),
        )
        (ax, ay), (bx, by) = pieces[0]
        return QPointF((ax + bx) / 2, (ay + by) / 2)

    # --- mouse ---------------------------------------------------------------------------------
    def click(self, at, keys=NONE, button=LEFT):
        QTest.mouseClick(self.canvas.viewport(), button, keys, self.view(at))

    def double_click(self, at):
        QTest.mouseDClick(self.canvas.viewport(), LEFT, NONE, self.view(at))

    def press(self, at, keys=NONE, button=LEFT):
        QTest.mousePress(self.canvas.viewport(), button, keys, self.view(at))

    def move(self, at):
        QTest.mouseMove(self.canvas.viewport(), self.view(at))
        QApplication.processEvents()

    def release(self, at, keys=NONE, button=LEFT):
        QTest.mouseRelease(self.canvas.viewport(), button, keys, self.view(at))

    def drag(self, start, end, keys=NONE, button=LEFT):
        self.press(start, keys, button)
        a, b = self.view(start), self.view(end)
        for share in (0.3, 0.7, 1.0):
            at = a + (b - a) * share
            QTest.mouseMove(self.canvas.viewport(), at)
            QApplication.processEvents()
        self.release(end, keys, button)

    def drop(self, kind, at):
        """A block from the library, as the drag brings it."""
        data = QMimeData()
        data.setData(BLOCK_FORMAT, kind.encode())
        view = self.view(at)
        copy = Qt.DropAction.CopyAction
        viewport = self.canvas.viewport()
        for event in (
            QDragEnterEvent(view, copy, data, LEFT, NONE),
            QDragMoveEvent(view, copy, data, LEFT, NONE),
            QDropEvent(QPointF(view), copy, data, LEFT, NONE),
        ):
            QApplication.sendEvent(viewport, event)

    # --- keys ----------------------------------------------------------------------------------
    def key(self, key, keys=NONE, widget=None):
        QTest.keyClick(widget or self.canvas, key, keys)

    def type(self, text, widget=None):
        QTest.keyClicks(widget or self.canvas, text)

    def fill(self, line, text):
        """Replace what stands in a line and press Enter."""
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)

    # --- waiting -------------------------------------------------------------------------------
    def settle(self):
        """Until the check has answered."""
        self.qtbot.waitUntil(lambda: self.window.editor.watch.is_settled, timeout=10000)

    def run(self):
        self.window.commands["run"].trigger()
        self.qtbot.waitUntil(
            lambda: (
                self.window.editor.session.run is not None
                and self.window.editor.session.state in ("done", "failed", "stopped", "cancelled")
            ),
            timeout=120000,
        )
