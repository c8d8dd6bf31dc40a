"""Panning."""

from PySide6.QtCore import Qt


def test_middle_button_pans(loop, hand):
    before = loop.editor.canvas.mapFromScene(0, 0)
    hand.drag((0, 200), (40, 230), button=Qt.MouseButton.MiddleButton)
    assert loop.editor.canvas.mapFromScene(0, 0) != before
    assert loop.editor.document.is_saved
