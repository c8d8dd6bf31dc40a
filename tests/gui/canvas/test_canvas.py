"""Zoom of the canvas."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from railblocks.engine import standard_blocks
from railblocks.gui.canvas.canvas import Canvas
from railblocks.gui.model.document import Document


def test_wheel_zooms_at_the_pointer(loop, hand, qtbot):
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

    at = hand.view(hand.block("plant"))
    before, zoom = loop.editor.canvas.mapToScene(at), loop.editor.canvas.zoom
    event = QWheelEvent(
        QPointF(at), loop.editor.canvas.viewport().mapToGlobal(QPointF(at)),
        QPoint(), QPoint(0, 120),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(loop.editor.canvas.viewport(), event)
    assert loop.editor.canvas.zoom > zoom
    moved = loop.editor.canvas.mapToScene(at) - before
    assert abs(moved.x()) < 2
    assert abs(moved.y()) < 2


def test_a_canvas_does_what_the_gestures_that_it_is_given_do(qtbot):
    """The first that begins follows the pointer until its button is released."""
    seen = []

    class Spy:
        def __init__(self, canvas):
            self.canvas = canvas

        def move(self, pointer):
            seen.append(("move", pointer.is_left))

        def release(self, pointer):
            seen.append(("release", pointer.is_left))
            self.canvas.end_gesture()

    def never(canvas, pointer):
        seen.append(("asked", pointer.is_left))

    canvas = Canvas(Document.new(standard_blocks()), gestures=(never, lambda c, _: Spy(c), never))
    qtbot.addWidget(canvas)
    canvas.show()
    view, at = canvas.viewport(), QPoint(20, 20)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert isinstance(canvas.gesture, Spy)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert canvas.gesture is None
    assert seen[0] == ("asked", True)
    assert seen[-1] == ("release", True)
    assert ("asked", True) not in seen[1:]
