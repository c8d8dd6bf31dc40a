"""Typing blocks onto the canvas."""

from hand import wires
from PySide6.QtCore import QPointF, Qt


def test_typing_on_the_canvas_inserts_a_block(loop, hand):
    loop.editor.canvas.setFocus()
    hand.type("i")
    assert loop.editor.workspace.quick_insert.isVisible()
    hand.type("ntegrator", loop.editor.workspace.quick_insert.line)
    hand.key(Qt.Key.Key_Return, widget=loop.editor.workspace.quick_insert.line)
    assert loop.editor.document.root.blocks["integrator"].type.text == "continuous.integrator"
    assert hand.scene.chosen_blocks() == ["integrator"]


def test_a_wire_to_an_empty_place_asks_for_a_block_and_joins_it(loop, hand):
    end = hand.port("plant", "y", "out") + QPointF(60, 90)
    hand.drag(hand.port("plant", "y", "out"), end)
    assert loop.editor.workspace.quick_insert.isVisible()
    hand.type("scope", loop.editor.workspace.quick_insert.line)
    hand.key(Qt.Key.Key_Return, widget=loop.editor.workspace.quick_insert.line)
    assert any("plant" in text and "scope" in text for text in wires(loop))
    loop.commands["undo"].trigger()
    assert "scope" not in loop.editor.document.root.blocks
    assert loop.editor.document.is_saved
