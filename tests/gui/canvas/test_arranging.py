"""Positions: flip, rotate, align, nudge, notes."""

from hand import CTRL, SHIFT
from PySide6.QtCore import QPointF, Qt


def test_flip_and_rotate_turn_the_ports(loop, hand):
    hand.click(hand.block("gain"))
    assert hand.port("gain", "u", "in").x() < hand.port("gain", "y", "out").x()
    hand.key(Qt.Key.Key_I, CTRL)
    assert hand.port("gain", "u", "in").x() > hand.port("gain", "y", "out").x()
    hand.key(Qt.Key.Key_R, CTRL | SHIFT)
    assert hand.port("gain", "u", "in").y() > hand.port("gain", "y", "out").y()
    assert "up]" in loop.editor.document.text()
    loop.commands["undo"].trigger()
    loop.commands["undo"].trigger()
    assert loop.editor.document.is_saved


def test_align_and_arrange(loop, hand):
    hand.drag(hand.block("gain"), hand.block("gain") + QPointF(0, 100))
    hand.click(hand.block("gain"))
    hand.click(hand.block("ref"), SHIFT)
    loop.commands["align_top"].trigger()
    assert hand.scene.blocks["gain"].pos().y() == hand.scene.blocks["ref"].pos().y()
    loop.commands["arrange"].trigger()
    assert "layout" not in loop.editor.document.text()


def test_arrow_keys_move_by_one_step_of_the_grid(loop, hand):
    hand.click(hand.block("gain"))
    spot = hand.scene.blocks["gain"].pos()
    hand.key(Qt.Key.Key_Down)
    hand.key(Qt.Key.Key_Right)
    assert hand.scene.blocks["gain"].pos() - spot == QPointF(10, 10)


def test_notes_are_written_moved_and_removed(loop, hand, monkeypatch):
    before = loop.editor.document.text()
    monkeypatch.setattr(loop.editor.dialogs, "ask_text", lambda *_: "Speed loop: check the gain")
    hand.key(Qt.Key.Key_T, CTRL)
    (note,) = hand.scene.notes
    spot = note.pos()
    hand.drag(spot + QPointF(8, 8), spot + QPointF(48, 28))
    assert hand.scene.notes[0].pos() - spot == QPointF(40, 20)
    assert "Speed loop: check the gain" in loop.editor.document.text()
    hand.key(Qt.Key.Key_Delete)
    assert loop.editor.document.text() == before
