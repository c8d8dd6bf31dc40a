"""Selecting with a rubber band."""

from PySide6.QtCore import QPointF


def test_rubber_band_selects_what_is_inside(loop, hand):
    area = hand.scene.blocks["ref"].sceneBoundingRect()
    hand.drag(area.topLeft() - QPointF(20, 20), area.bottomRight() + QPointF(8, 8))
    assert hand.scene.chosen_blocks() == ["ref"]
