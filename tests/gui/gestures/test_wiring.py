"""Drawing wires: from ports and wires, and what is refused."""

import pytest
from hand import wires
from PySide6.QtCore import Qt


def test_a_wire_is_drawn_from_port_to_port(loop, hand):
    hand.drop("sinks.scope", (600, 260))
    hand.drag(hand.port("plant", "y", "out"), hand.port("scope", "u1", "in"))
    assert "plant -> err.u2, scope" in wires(loop)
    assert loop.editor.document.history.undo_label == "Connect"


def test_a_wire_is_drawn_backwards_from_an_input(loop, hand):
    hand.drop("sinks.scope", (600, 260))
    hand.drag(hand.port("scope", "u1", "in"), hand.port("ref", "y", "out"))
    assert "ref -> err.u1, scope" in wires(loop)


def test_a_branch_starts_in_the_middle_of_a_wire(loop, hand):
    hand.drop("sinks.scope", (600, 260))
    hand.drag(hand.wire(("ref", "y"), ("err", "u1")), hand.port("scope", "u1", "in"))
    assert "ref -> err.u1, scope" in wires(loop)


def test_a_second_driver_is_refused_with_the_reason(loop, hand):
    messages = []
    loop.editor.canvas.message.connect(messages.append)
    hand.drag(hand.port("ref", "y", "out"), hand.port("gain", "u", "in"))
    assert any("gain.u is driven by err.y already" in text for text in messages)
    assert loop.editor.document.is_saved


@pytest.mark.parametrize(
    ("kind", "port", "reason"),
    [
        ("mechanics.mass", "F", "is in m but mass.F takes a force (N)"),
        ("logic.not", "u", "is a float but not.u takes a bool"),
    ],
)
def test_units_and_types_that_do_not_fit_are_refused(window, hand, kind, port, reason):
    hand.drop("sources.constant", (0, 0))
    hand.drop(kind, (240, 0))
    hand.click(hand.block("constant"))
    if "mass" in kind:
        hand.fill(window.editor.workspace.inspector.rows["value"].edit, "3 m")
    messages = []
    window.editor.canvas.message.connect(messages.append)
    target = kind.rpartition(".")[2]
    hand.drag(hand.port("constant", "y", "out"), hand.port(target, port, "in"))
    assert any(reason in text for text in messages), messages
    assert wires(window) == []


def test_shapes_that_do_not_fit_are_refused(window, hand):
    hand.drop("sources.constant", (0, 0))
    hand.fill(window.editor.workspace.inspector.rows["value"].edit, "[1 V, 2 V]")
    hand.drop("mechanics.dc_motor", (240, 0))
    messages = []
    window.editor.canvas.message.connect(messages.append)
    hand.drag(hand.port("constant", "y", "out"), hand.port("dc_motor", "V", "in"))
    assert any("has 2 elements but dc_motor.V takes one element" in text for text in messages), (
        messages
    )
    assert wires(window) == []


def test_a_clicked_branch_alone_is_deleted(loop, hand):
    hand.drop("sinks.scope", (620, 300))
    hand.drag(hand.port("plant", "y", "out"), hand.port("scope", "u1", "in"))
    hand.click(hand.wire(("plant", "y"), ("scope", "u1")))
    hand.key(Qt.Key.Key_Delete)
    assert "plant -> err.u2" in wires(loop)
    assert not any("scope" in text for text in wires(loop))


def test_ports_of_a_subsystem_are_made_and_wired_inside(window, hand):
    hand.drop("subsystem", (0, 0))
    hand.double_click(hand.block("subsystem"))
    hand.drop("subsystem input", (0, 0))
    hand.drop("math.gain", (160, 0))
    hand.drop("subsystem output", (320, 0))
    hand.drag(hand.port("<u", "", "out"), hand.port("gain", "u", "in"))
    hand.drag(hand.port("gain", "y", "out"), hand.port(">y", "", "in"))
    window.commands["go_up"].trigger()
    assert [port.name for port in hand.scene.blocks["subsystem"].box.inputs] == ["u"]
    assert [port.name for port in hand.scene.blocks["subsystem"].box.outputs] == ["y"]
    inner = window.editor.document.root.blocks["subsystem"].subsystem.diagram
    assert inner.inputs["u"].node.text == "gain"
    assert inner.outputs["y"].node.text == "gain"
