"""Finding and copying."""

from hand import CTRL, SHIFT
from PySide6.QtCore import Qt


def test_find_goes_into_subsystems(loop, hand):
    hand.click(hand.block("gain"))
    hand.click(hand.block("plant"), SHIFT)
    hand.key(Qt.Key.Key_G, CTRL)
    loop.editor.diagram.find_block("plant")
    assert loop.editor.canvas.path == ("group",)
    assert hand.scene.chosen_blocks() == ["plant"]


def test_copies_go_to_another_window(loop, hand, qtbot, tmp_path):
    from railblocks.gui.files.settings import Settings
    from railblocks.gui.window.window import EditorWindow

    hand.click(hand.block("gain"))
    hand.key(Qt.Key.Key_C, CTRL)
    other = EditorWindow(settings=Settings(tmp_path / "config"))
    qtbot.addWidget(other)
    other.show()
    other.editor.canvas.setFocus()
    other.commands["paste"].trigger()
    assert "k: 2" in other.editor.document.text()
    other.editor.dialogs.ask = lambda *_: other.editor.files.document.history.mark_saved() or 0
    other.editor.document.history.mark_saved()
