"""Edits of the selection: delete, copy, paste, join, comment out."""

from hand import CTRL, SHIFT, crossed, wires
from PySide6.QtCore import Qt


def test_delete_takes_block_wires_and_log_along(loop, hand):
    hand.click(hand.block("plant"))
    hand.key(Qt.Key.Key_Delete)
    assert "plant" not in loop.editor.document.root.blocks
    assert wires(loop) == ["ref -> err.u1", "err -> gain"]
    assert "plant" not in loop.editor.document.text()
    loop.commands["undo"].trigger()
    assert "plant" in hand.scene.blocks


def test_copy_and_paste_keep_the_wires_between(loop, hand):
    hand.click(hand.block("gain"))
    hand.click(hand.block("plant"), SHIFT)
    hand.key(Qt.Key.Key_C, CTRL)
    hand.key(Qt.Key.Key_V, CTRL)
    assert {"gain_2", "plant_2"} <= set(loop.editor.document.root.blocks)
    assert "gain_2 -> plant_2" in wires(loop)
    assert set(hand.scene.chosen_blocks()) == {"gain_2", "plant_2"}


def test_duplicate_is_one_step_beside_the_original(loop, hand):
    hand.click(hand.block("gain"))
    hand.click(hand.block("plant"), SHIFT)
    hand.key(Qt.Key.Key_D, CTRL)
    assert set(hand.scene.blocks) == {"ref", "err", "gain", "plant", "gain_2", "plant_2"}
    assert set(hand.scene.chosen_blocks()) == {"gain_2", "plant_2"}
    assert "gain_2 -> plant_2" in loop.editor.document.text()
    assert crossed(hand.scene) == []
    assert (
        loop.editor.document.root.blocks["gain_2"].values
        == loop.editor.document.root.blocks["gain"].values
    )
    hand.key(Qt.Key.Key_Z, CTRL)
    assert loop.editor.document.is_saved


def test_comment_out_and_in_again(loop, hand):
    hand.click(hand.block("gain"))
    hand.key(Qt.Key.Key_X, CTRL | SHIFT)
    assert "disabled: true" in loop.editor.document.text()
    assert hand.scene.blocks["gain"].box.disabled
    hand.key(Qt.Key.Key_X, CTRL | SHIFT)
    assert not loop.editor.document.root.blocks["gain"].disabled


def test_selected_blocks_are_joined_by_a_key(window, hand):
    hand.drop("sources.sine", (0, 0))
    hand.drop("math.gain", (160, 0))
    hand.drop("continuous.integrator", (320, 0))
    hand.key(Qt.Key.Key_A, CTRL)
    hand.key(Qt.Key.Key_J, CTRL)
    assert wires(window) == ["sine -> gain", "gain -> integrator"]
    assert window.editor.document.history.undo_label == "Join"
