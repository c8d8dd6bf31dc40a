"""The scope of logged signals: all of them, and several runs side by side."""

import os

import pytest
from PySide6.QtWidgets import QApplication

MANY = """diagram: 1
blocks:
%s
solver: {stop: 1 s}
log: {signals: [%s], every: 10 ms}
"""
UNITS = ("m", "s", "kg", "A", "K", "N", "W", "V", "Pa")


def many_units(tmp_path, per_unit=1):
    names = [f"{unit}{k}" for unit in UNITS for k in range(per_unit)]
    lines = [f"  {n}: {{type: sources.ramp, slope: 1 {n[:-1]}/s}}" for n in names]
    file = tmp_path / "many.yaml"
    file.write_text(MANY % ("\n".join(lines), ", ".join(f"{n}.y" for n in names)))
    return os.fspath(file), [f"{n}.y" for n in names]


def looks(scope):
    """Name, colour and style of all curves."""
    return [
        (curve.name(), curve.opts["pen"].color().name(), curve.opts["pen"].style())
        for axis in scope.axes
        for curve in axis.plot.listDataItems()
    ]


@pytest.mark.parametrize("per_unit", [1, 8])
def test_the_log_scope_shows_every_signal(window, hand, tmp_path, per_unit):
    file, names = many_units(tmp_path, per_unit)
    assert window.editor.files.open(file)
    hand.settle()
    assert not window.editor.problems.problems
    hand.run()
    (scope,) = window.editor.workspace.scopes.scopes
    assert sorted(scope.plan.signals) == sorted(names)
    drawn = [curve.name() for axis in scope.axes for curve in axis.plot.listDataItems()]
    assert len(drawn) == len(names)
    assert all(len(axis.signals) <= 6 for axis in scope.axes)
    QApplication.processEvents()
    assert min(axis.plot.sceneBoundingRect().height() for axis in scope.axes) >= 60


def test_signals_beyond_what_can_be_shown_are_told(window, tmp_path):
    messages = []
    window.editor.session.message.connect(messages.append)
    window.editor.workspace.scopes.preview([f"x{k}.y" for k in range(200)])
    shown = len(window.editor.workspace.scopes.scopes[0].plan.signals)
    assert f"shows {shown} of 200" in messages[0]


def test_every_run_has_its_own_name_and_look(loop, hand, tmp_path):
    loop.editor.workspace.scopes.new("plant.y")
    loop.editor.session.keep_previous = True
    for _ in range(4):
        hand.run()
    scope = loop.editor.workspace.scopes.scopes[0]
    styles = looks(scope)
    assert [name for name, *_ in styles] == [f"plant.y  (run {n})" for n in (4, 3, 2, 1)]
    assert len({look[1:] for look in styles}) == 4
    assert len({style for *_, style in styles}) == 4
    shown = scope.axes[0].legend.item.toPlainText().replace("\N{NO-BREAK SPACE}", " ")
    assert shown.count("plant.y") == 1
    for run in range(1, 5):
        assert f"run {run}" in shown
    scope.statistics_action.setChecked(True)
    hand.qtbot.waitUntil(lambda: "run 1" in scope.readout.text(), timeout=5000)
    for run in range(1, 5):
        assert f"plant.y  (run {run})" in scope.readout.text()


def test_files_laid_under_twice_have_names_of_their_own(loop, hand, loop_file, tmp_path):
    from railblocks.engine import load, simulate

    simulate(load(loop_file), output=tmp_path / "loop.h5")
    loop.editor.workspace.scopes.new("plant.y")
    hand.run()
    for _ in range(2):
        loop.editor.workspace.scopes.overlay(os.fspath(tmp_path / "loop.h5"))
    names = [name for name, *_ in looks(loop.editor.workspace.scopes.scopes[0])]
    assert names == ["plant.y  (run 1)", "plant.y  (loop.h5 (2))", "plant.y  (loop.h5)"]


def test_a_legend_wraps_where_it_is_too_long(loop, hand, qtbot):
    loop.editor.workspace.scopes.new("plant.y")
    scope = loop.editor.workspace.scopes.scopes[0]
    hand.run()
    one_line = scope.axes[0].legend.size().height()
    loop.editor.session.keep_previous = True
    for _ in range(10):
        hand.run()
    scope.statistics_action.setChecked(True)
    loop.resize(900, 700)
    qtbot.wait(100)
    legend = scope.axes[0].legend
    assert legend.size().height() > one_line
    assert legend.item.document().size().height() - 8 <= legend.size().height() + 2
    assert "run 1" in legend.toolTip()
    assert legend.item.document().size().width() <= scope.axes[0].plot.width()


def test_one_run_alone_needs_no_name(loop, hand):
    loop.editor.workspace.scopes.new("plant.y")
    hand.run()
    assert [name for name, *_ in looks(loop.editor.workspace.scopes.scopes[0])] == ["plant.y"]
