"""Zoom of the canvas."""

from PySide6.QtCore import QPointF, Qt


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
