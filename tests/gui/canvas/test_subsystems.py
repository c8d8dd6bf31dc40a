"""Blocks into a subsystem and back."""

import os

import numpy as np
from hand import CTRL, SHIFT, crossed
from PySide6.QtCore import Qt
from railblocks.engine import load, simulate

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
