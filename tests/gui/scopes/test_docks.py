"""Scopes in docks: opened from wires, saved with the diagram, with overlays."""

import os

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest


def test_a_wire_goes_to_a_scope_by_one_key(loop, hand):
    hand.click(hand.wire(("gain", "y"), ("plant", "u")))
    hand.key(Qt.Key.Key_U, Qt.KeyboardModifier.ControlModifier)
    assert loop.editor.workspace.scopes.signals() == ["gain.y"]
    hand.run()
    recording = loop.editor.session.recordings[0]
    assert "gain.y" in recording.tracks
    assert "scopes: [{title: Scope 1, axes: [[gain.y]]}]" in loop.editor.document.text()
    loop.commands["undo"].trigger()
    assert loop.editor.workspace.scopes.scopes == []
    assert loop.editor.document.is_saved


def test_a_signal_inside_a_subsystem_is_scoped_by_its_full_name(loop, hand):
    hand.click(hand.block("gain"))
    hand.click(hand.block("plant"), Qt.KeyboardModifier.ShiftModifier)
    hand.key(Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    hand.double_click(hand.block("group"))
    loop.editor.runs.scope_terminal(("gain", "u"), "in")
    assert loop.editor.workspace.scopes.signals() == ["err.y"]
    loop.editor.runs.scope_terminal(("gain", "y"), "out")
    assert loop.editor.workspace.scopes.signals() == ["err.y", "group.gain.y"]
    hand.run()
    assert loop.editor.session.state == "done"
    assert {"err.y", "group.gain.y"} <= set(loop.editor.session.recordings[0].tracks)


def test_an_output_of_a_subsystem_is_shown_under_its_own_name(loop, hand):
    """A run records it as the output of a block inside."""
    hand.click(hand.block("gain"))
    hand.click(hand.block("plant"), Qt.KeyboardModifier.ShiftModifier)
    hand.key(Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    (port,) = loop.editor.document.root.blocks["group"].subsystem.diagram.outputs
    loop.editor.workspace.scopes.new(f"group.{port}")
    hand.run()
    (curve,) = loop.editor.workspace.scopes.scopes[0].axes[0].plot.listDataItems()
    assert curve.name().startswith(f"group.{port}")
    recording = loop.editor.session.recordings[0]
    np.testing.assert_array_equal(curve.getData()[1], recording.values("group.plant.y"))


def test_scopes_are_saved_and_come_back(loop, hand, loop_file):
    loop.editor.workspace.scopes.new("plant.y")
    loop.editor.workspace.scopes.show_signal("err.y")
    loop.commands["save"].trigger()
    assert loop.editor.files.open(os.fspath(loop_file))
    assert loop.editor.workspace.scopes.signals() == ["plant.y", "err.y"]


def test_a_scope_floats_and_is_docked_again(scoped, loop, hand, qtbot):
    (dock,) = loop.editor.workspace.scopes.docks
    QTest.mouseDClick(
        dock, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(60, 8)
    )
    assert dock.isFloating()
    assert dock.isVisible()
    before = len(loop.editor.session.recordings[0])
    hand.run()
    assert len(loop.editor.session.recordings[0]) == before
    curves = scoped.axes[0].plot.listDataItems()
    assert all(len(curve.getData()[0]) == before for curve in curves)
    dock.setFloating(False)
    assert not dock.isFloating()
    dock.close()
    assert loop.editor.workspace.scopes.signals() == []
    loop.commands["undo"].trigger()
    assert loop.editor.workspace.scopes.signals() == ["plant.y", "ref.y"]


def test_an_earlier_run_stays_as_an_overlay(scoped, loop, hand):
    loop.commands["keep_runs"].setChecked(True)
    loop.editor.session.keep_previous = True
    hand.run()
    assert len(loop.editor.session.recordings) == 2
    labels = [curve.name() for curve in scoped.axes[0].plot.listDataItems()]
    assert any("run 1" in label for label in labels)


@pytest.mark.parametrize("ending", ["csv", "mat", "h5"])
def test_measured_data_is_laid_over(scoped, loop, hand, tmp_path, ending):
    results = scoped.recordings[0].results()
    path = tmp_path / f"measured.{ending}"
    results.save(path) if ending == "h5" else results.export(path)
    loop.editor.workspace.scopes.overlay(os.fspath(path))
    overlay = loop.editor.session.recordings[1]
    assert overlay.name == f"measured.{ending}"
    name = next(n for n in overlay.tracks if n.replace("_", ".") == "plant.y")
    np.testing.assert_allclose(overlay.values(name), results["plant.y"])
