"""Gestures on the canvas, by mouse and keys: each is one step of the history."""

import os

import numpy as np
import pytest
from hand import CTRL, SHIFT, crossed
from PySide6.QtCore import QPointF, Qt
from railblocks.engine import load, simulate


def wires(window):
    level = window.editor.document.level(window.editor.canvas.path)
    return [line.node.text for line in level.wires]


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


def test_rubber_band_selects_what_is_inside(loop, hand):
    area = hand.scene.blocks["ref"].sceneBoundingRect()
    hand.drag(area.topLeft() - QPointF(20, 20), area.bottomRight() + QPointF(8, 8))
    assert hand.scene.chosen_blocks() == ["ref"]


def test_escape_cancels_a_drag(loop, hand):
    spot = hand.scene.blocks["gain"].pos()
    hand.press(hand.block("gain"))
    hand.move(hand.block("gain") + QPointF(0, 80))
    hand.key(Qt.Key.Key_Escape)
    hand.release(hand.block("gain"))
    assert hand.scene.blocks["gain"].pos() == spot
    assert loop.editor.document.is_saved


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
    said = []
    loop.editor.canvas.message.connect(said.append)
    hand.drag(hand.port("ref", "y", "out"), hand.port("gain", "u", "in"))
    assert any("gain.u is driven by err.y already" in text for text in said)
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
    said = []
    window.editor.canvas.message.connect(said.append)
    target = kind.rpartition(".")[2]
    hand.drag(hand.port("constant", "y", "out"), hand.port(target, port, "in"))
    assert any(reason in text for text in said), said
    assert wires(window) == []


def test_shapes_that_do_not_fit_are_refused(window, hand):
    hand.drop("sources.constant", (0, 0))
    hand.fill(window.editor.workspace.inspector.rows["value"].edit, "[1 V, 2 V]")
    hand.drop("mechanics.dc_motor", (240, 0))
    said = []
    window.editor.canvas.message.connect(said.append)
    hand.drag(hand.port("constant", "y", "out"), hand.port("dc_motor", "V", "in"))
    assert any("has 2 elements but dc_motor.V takes one element" in text for text in said), said
    assert wires(window) == []


def test_a_block_dropped_on_a_wire_is_put_in_between(loop, hand):
    hand.drop("nonlinear.saturation", hand.wire(("gain", "y"), ("plant", "u")))
    assert "err -> gain -> saturation -> plant" in wires(loop)
    loop.commands["undo"].trigger()
    assert "saturation" not in hand.scene.blocks
    assert "err -> gain -> plant" in wires(loop)


def test_an_open_block_moved_onto_a_wire_is_put_in_between(loop, hand):
    hand.drop("math.gain", (300, 300))
    hand.drag(hand.block("gain_2"), hand.wire(("gain", "y"), ("plant", "u")))
    assert "err -> gain -> gain_2 -> plant" in wires(loop)


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


def test_delete_takes_block_wires_and_log_along(loop, hand):
    hand.click(hand.block("plant"))
    hand.key(Qt.Key.Key_Delete)
    assert "plant" not in loop.editor.document.root.blocks
    assert wires(loop) == ["ref -> err.u1", "err -> gain"]
    assert "plant" not in loop.editor.document.text()
    loop.commands["undo"].trigger()
    assert "plant" in hand.scene.blocks


def test_a_clicked_branch_alone_is_deleted(loop, hand):
    hand.drop("sinks.scope", (620, 300))
    hand.drag(hand.port("plant", "y", "out"), hand.port("scope", "u1", "in"))
    hand.click(hand.wire(("plant", "y"), ("scope", "u1")))
    hand.key(Qt.Key.Key_Delete)
    assert "plant -> err.u2" in wires(loop)
    assert not any("scope" in text for text in wires(loop))


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


def test_ctrl_drag_moves_a_copy(loop, hand):
    spot = hand.scene.blocks["gain"].pos()
    hand.drag(hand.block("gain"), hand.block("gain") + QPointF(0, 120), CTRL)
    assert hand.scene.blocks["gain"].pos() == spot
    assert hand.scene.blocks["gain_2"].pos() == spot + QPointF(0, 120)


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


def test_group_and_expand_give_the_same_diagram(loop, hand):
    hand.click(hand.block("gain"))
    hand.click(hand.block("plant"), SHIFT)
    hand.key(Qt.Key.Key_G, CTRL)
    group = loop.editor.document.root.blocks["group"].subsystem.diagram
    assert set(group.blocks) == {"gain", "plant"}
    assert "group.plant.y" in loop.editor.document.text()
    hand.settle()
    assert loop.editor.problems.problems == []
    hand.double_click(hand.block("group"))
    assert loop.editor.canvas.path == ("group",)
    assert set(hand.scene.blocks) == {"<u", "gain", "plant", ">y"}
    hand.key(Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert loop.editor.canvas.path == ()
    hand.click(hand.block("group"))
    hand.key(Qt.Key.Key_G, CTRL | SHIFT)
    assert set(loop.editor.document.root.blocks) == {"ref", "err", "gain", "plant"}
    hand.settle()
    assert loop.editor.problems.problems == []
    assert "plant.y" in loop.editor.document.text()


WITH_PARAMETERS = """diagram: 1
parameters: {lag_T: 1 s}
blocks:
  ref: {type: sources.step, time: 0.1 s}
  lag:
    T: 0.5 s
    subsystem:
      parameters: {T: 2 s, s: 3, k: 2 * s}
      inputs: {u: gain.u}
      outputs: {y: slow.y}
      blocks:
        gain: {type: math.gain, k: k + s}
        slow: {type: continuous.first_order_lag, T: T, x_0: 0}
      wires: [gain -> slow]
wires: [ref -> lag.u]
solver: {stop: 1 s}
log: {signals: [lag.slow.y], every: 0.1 s}
"""


def test_an_expanded_subsystem_keeps_its_parameters_under_other_names(window, hand, tmp_path):
    file = tmp_path / "lag.yaml"
    file.write_text(WITH_PARAMETERS)
    before = simulate(load(file))["lag.slow.y"]
    assert window.editor.files.open(os.fspath(file))
    hand.settle()
    hand.click(hand.block("lag"))
    hand.key(Qt.Key.Key_G, CTRL | SHIFT)
    hand.settle()
    assert [p.message for p in window.editor.problems.problems if p.severity == "error"] == []
    root = window.editor.document.root
    assert {n: e.node.text for n, e in root.parameters.items()} == {
        "lag_T": "1 s", "lag_T_2": "0.5 s", "lag_s": "3", "lag_k": "2 * lag_s",
    }  # fmt: skip
    assert root.blocks["gain"].values["k"].node.text == "lag_k + lag_s"
    window.commands["save"].trigger()
    assert np.array_equal(simulate(load(file))["slow.y"], before)
    window.commands["undo"].trigger()
    assert set(window.editor.document.root.blocks) == {"ref", "lag"}


def test_comment_out_and_in_again(loop, hand):
    hand.click(hand.block("gain"))
    hand.key(Qt.Key.Key_X, CTRL | SHIFT)
    assert "disabled: true" in loop.editor.document.text()
    assert hand.scene.blocks["gain"].box.disabled
    hand.key(Qt.Key.Key_X, CTRL | SHIFT)
    assert not loop.editor.document.root.blocks["gain"].disabled


def test_wheel_zooms_at_the_pointer(loop, hand, qtbot):
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

    at = hand.view(hand.block("plant"))
    before, zoom = loop.editor.canvas.mapToScene(at), loop.editor.canvas.zoom
    event = QWheelEvent(
        QPointF(at), loop.editor.canvas.viewport().mapToGlobal(QPointF(at)),
        QPoint(), QPoint(0, 120),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(loop.editor.canvas.viewport(), event)
    assert loop.editor.canvas.zoom > zoom
    moved = loop.editor.canvas.mapToScene(at) - before
    assert abs(moved.x()) < 2
    assert abs(moved.y()) < 2


def test_middle_button_pans(loop, hand):
    before = loop.editor.canvas.mapFromScene(0, 0)
    hand.drag((0, 200), (40, 230), button=Qt.MouseButton.MiddleButton)
    assert loop.editor.canvas.mapFromScene(0, 0) != before
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


def test_selected_blocks_are_joined_by_a_key(window, hand):
    hand.drop("sources.sine", (0, 0))
    hand.drop("math.gain", (160, 0))
    hand.drop("continuous.integrator", (320, 0))
    hand.key(Qt.Key.Key_A, CTRL)
    hand.key(Qt.Key.Key_J, CTRL)
    assert wires(window) == ["sine -> gain", "gain -> integrator"]
    assert window.editor.document.history.undo_label == "Join"


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


def test_a_new_subsystem_is_drawn_clean_with_its_ports_at_the_sides(loop, hand):
    hand.click(hand.block("gain"))
    hand.click(hand.block("plant"), SHIFT)
    hand.key(Qt.Key.Key_G, CTRL)
    assert crossed(hand.scene) == []
    hand.double_click(hand.block("group"))
    assert crossed(hand.scene) == []
    xs = {key: item.pos().x() for key, item in hand.scene.blocks.items()}
    assert xs["<u"] < xs["gain"] < xs["plant"] < xs[">y"]


def test_grouping_inside_a_subsystem_keeps_log_and_scopes(loop, hand):
    loop.editor.workspace.scopes.new("plant.y")
    for _ in range(2):
        hand.click(hand.block("gain"))
        hand.click(hand.block("plant"), SHIFT)
        hand.key(Qt.Key.Key_G, CTRL)
        hand.double_click(hand.block("group"))
    assert "signals: [ref.y, group.group.plant.y]" in loop.editor.document.text()
    assert "axes: [[group.group.plant.y]]" in loop.editor.document.text()
    hand.settle()
    assert loop.editor.problems.problems == []
