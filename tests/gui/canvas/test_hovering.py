"""Values of wires under the pointer."""

import pytest


def test_values_are_shown_on_hovered_wires(loop, hand, qtbot):
    hand.run()
    hints = []
    loop.editor.canvas.hint_changed.connect(hints.append)
    hand.move(hand.wire(("plant", "y"), ("err", "u2")))
    assert any("plant.y" in text and "= 0." in text for text in hints), hints
    end = hand.wire(("err", "y"), ("gain", "u"))  # not logged: found by interpreting
    hand.move(end)
    qtbot.wait(200)
    hand.move(end + hand.port("gain", "u", "in") * 0)
    qtbot.waitUntil(lambda: "=" in loop.editor.canvas.probe(("err", "y")), timeout=5000)
    shown = float(loop.editor.canvas.probe(("err", "y")).split()[1])
    recording = loop.editor.session.recordings[0]
    assert shown == pytest.approx(1 - recording.values("plant.y")[-1], abs=1e-4)


def test_a_value_that_must_be_found_comes_to_a_resting_pointer(loop, hand, qtbot):
    hand.run()
    hints = []
    loop.editor.canvas.hint_changed.connect(hints.append)
    net = hand.scene.nets[("err", "y")]
    hand.move(hand.block("ref"))
    hand.move(hand.wire(("err", "y"), ("gain", "u")))
    qtbot.waitUntil(lambda: any("err.y" in text and "= " in text for text in hints), timeout=3000)
    assert "= " in net.toolTip()
