"""Moving blocks: each drag is one step of the history."""

from hand import CTRL, SHIFT, crossed, wires
from PySide6.QtCore import QPointF, Qt


def test_a_dragged_block_moves_by_the_grid_and_comes_back_with_undo(loop, hand):
    before = loop.editor.document.text()
    spot = hand.scene.blocks["gain"].pos()
    hand.drag(hand.block("gain"), hand.block("gain") + QPointF(3, 97))
    assert hand.scene.blocks["gain"].pos() - spot == QPointF(0, 100)
    assert loop.editor.document.history.undo_label == "Move"
    loop.commands["undo"].trigger()
    assert loop.editor.document.text() == before
    assert hand.scene.blocks["gain"].pos() == spot


def test_wires_follow_and_avoid_blocks_after_a_move(loop, hand):
    hand.drag(hand.block("gain"), hand.block("gain") + QPointF(0, 160))
    assert crossed(hand.scene) == []


def test_shift_click_adds_to_the_selection_and_both_move(loop, hand):
    hand.click(hand.block("gain"))
    hand.click(hand.block("plant"), SHIFT)
    assert set(hand.scene.chosen_blocks()) == {"gain", "plant"}
    before = {k: hand.scene.blocks[k].pos() for k in ("gain", "plant", "ref")}
    hand.drag(hand.block("plant"), hand.block("plant") + QPointF(0, 60))
    after = {k: hand.scene.blocks[k].pos() for k in ("gain", "plant", "ref")}
    assert after["gain"] - before["gain"] == after["plant"] - before["plant"] == QPointF(0, 60)
    assert after["ref"] == before["ref"]


def test_escape_cancels_a_drag(loop, hand):
    spot = hand.scene.blocks["gain"].pos()
    hand.press(hand.block("gain"))
    hand.move(hand.block("gain") + QPointF(0, 80))
    hand.key(Qt.Key.Key_Escape)
    hand.release(hand.block("gain"))
    assert hand.scene.blocks["gain"].pos() == spot
    assert loop.editor.document.is_saved


def test_an_open_block_moved_onto_a_wire_is_put_in_between(loop, hand):
    hand.drop("math.gain", (300, 300))
    hand.drag(hand.block("gain_2"), hand.wire(("gain", "y"), ("plant", "u")))
    assert "err -> gain -> gain_2 -> plant" in wires(loop)


def test_ctrl_drag_moves_a_copy(loop, hand):
    spot = hand.scene.blocks["gain"].pos()
    hand.drag(hand.block("gain"), hand.block("gain") + QPointF(0, 120), CTRL)
    assert hand.scene.blocks["gain"].pos() == spot
    assert hand.scene.blocks["gain_2"].pos() == spot + QPointF(0, 120)
