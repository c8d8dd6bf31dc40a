"""What the editor takes for granted of the bindings of Qt."""

import sys

from PySide6.QtWidgets import QGraphicsScene, QLabel


def test_calls_that_return_none_keep_their_references(qtbot):
    """PySide6 6.12.0 on Python 3.11 drops a reference to None a call, and dies after thousands."""
    label, scene = QLabel(), QGraphicsScene()
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for number in range(5000):
        label.setText(str(number))
        scene.update()
    assert abs(sys.getrefcount(None) - before) < 500
