"""Dropping blocks from the library."""

from hand import wires


def test_a_block_dropped_on_a_wire_is_put_in_between(loop, hand):
    hand.drop("nonlinear.saturation", hand.wire(("gain", "y"), ("plant", "u")))
    assert "err -> gain -> saturation -> plant" in wires(loop)
    loop.commands["undo"].trigger()
    assert "saturation" not in hand.scene.blocks
    assert "err -> gain -> plant" in wires(loop)
