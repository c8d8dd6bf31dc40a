"""Scopes: from wires, cursors, statistics, spectrum, overlays, export; and the pyramid beneath."""

import os
import threading

import numpy as np
import pyqtgraph as pg
import pytest
from hypothesis import given, strategies
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from railblocks.engine.errors import DiagramError
from railblocks.gui.recording.measured_data import load_recording
from railblocks.gui.recording.pyramid import Pyramid
from railblocks.gui.recording.recording import Recording, Track
from railblocks.gui.scopes.export import export_scope
from railblocks.gui.scopes.measures import spectrum, statistics
from railblocks.gui.scopes.plan import ScopePlan
from railblocks.gui.scopes.ruler import Ruler
from railblocks.gui.scopes.scope import Scope
from railblocks.gui.style.theme import LIGHT


@given(strategies.lists(strategies.integers(1, 3000), min_size=1, max_size=6), strategies.data())
def test_an_envelope_has_the_extremes_of_what_it_shows(lengths, data):
    rng = np.random.default_rng(sum(lengths))
    values = rng.normal(size=sum(lengths))
    time = np.arange(len(values)) * 0.5
    pyramid = Pyramid()
    for end in np.cumsum(lengths):
        pyramid.extend(values[:end])
    start = data.draw(strategies.floats(0, time[-1]))
    stop = data.draw(strategies.floats(start, time[-1]))
    x, y = pyramid.envelope(time, values, start, stop, 20)
    inside = values[(time >= start) & (time <= stop)]
    assert len(x) == len(y)
    assert (np.diff(x) >= 0).all()
    if len(inside):
        assert y.min() <= inside.min()
        assert y.max() >= inside.max()
    assert set(y) <= set(values)


@pytest.mark.parametrize("way", [1, -1])
def test_steps_up_and_down_are_equally_steep(way):
    values = way * (np.arange(100_000) >= 50_100).astype(float)
    pyramid = Pyramid()
    pyramid.extend(values)
    x, y = pyramid.envelope(np.arange(100_000.0), values, -np.inf, np.inf, 100)
    (step,) = np.flatnonzero(np.diff(y))
    assert x[step] == x[step + 1]


def test_an_envelope_of_a_million_points_is_short():
    values = np.sin(np.arange(1_000_000))
    pyramid = Pyramid()
    pyramid.extend(values)
    x, _ = pyramid.envelope(np.arange(1_000_000.0), values, -np.inf, np.inf, 800)
    assert 800 <= len(x) <= 2 * 800 + 2 * 16**3


def test_statistics_of_a_sine_over_whole_periods():
    time = np.linspace(0, 2, 20001)
    found = statistics(time, 3 * np.sin(2 * np.pi * 5 * time), 0, 2)
    assert found.mean == pytest.approx(0, abs=1e-6)
    assert found.rms == pytest.approx(3 / np.sqrt(2), rel=1e-4)
    assert found.span == pytest.approx(6, rel=1e-5)


def test_the_spectrum_of_a_sine_shows_its_amplitude_at_its_frequency():
    time = np.arange(0, 4, 1e-3)
    frequencies, amplitudes = spectrum(time, 2 * np.sin(2 * np.pi * 25 * time) + 7, -np.inf, np.inf)
    at = np.argmax(amplitudes)
    assert frequencies[at] == pytest.approx(25, abs=0.3)
    assert amplitudes[at] == pytest.approx(2, rel=0.02)


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


def test_vectors_are_named_once_and_do_not_widen_the_plot(qtbot):
    long = "a.very.long.path.to.a.vector.that.goes.on"
    recording = Recording([Track(f"{long}[{k}]", "rad/s", k + 1) for k in range(6)])
    recording.append(np.column_stack([np.arange(50.0)] + [np.arange(50.0) * k for k in range(6)]))
    scope = Scope(ScopePlan("Scope", ((long,),)), LIGHT)
    qtbot.addWidget(scope)
    scope.resize(500, 300)
    scope.show()
    scope.show_recordings([recording])
    qtbot.wait(50)
    axis = scope.axes[0]
    assert axis.legend.text.count(long) == 1
    assert "[5]" in axis.legend.text
    assert axis.plot.sceneBoundingRect().width() <= 500


def test_scopes_are_saved_and_come_back(loop, hand, loop_file):
    loop.editor.workspace.scopes.new("plant.y")
    loop.editor.workspace.scopes.show_signal("err.y")
    loop.commands["save"].trigger()
    assert loop.editor.files.open(os.fspath(loop_file))
    assert loop.editor.workspace.scopes.signals() == ["plant.y", "err.y"]


@pytest.fixture
def scoped(loop, hand):
    loop.editor.workspace.scopes.new("plant.y", "ref.y")
    hand.run()
    return loop.editor.workspace.scopes.scopes[0]


def test_cursors_tell_differences_and_statistics(scoped, qtbot):
    scoped.cursors_action.setChecked(True)
    a, b = scoped._cursors
    a.setValue(0.5)
    b.setValue(1.5)
    qtbot.waitUntil(lambda: "B-A = 1 s" in scoped.readout.text(), timeout=3000)
    text = scoped.readout.text()
    recording = scoped.recordings[0]
    difference = recording.value_at("plant.y", 1.5) - recording.value_at("plant.y", 0.5)
    assert f"B-A: {difference:.6g}" in text
    scoped.statistics_action.setChecked(True)
    qtbot.waitUntil(lambda: "rms" in scoped.readout.text(), timeout=3000)


def test_cursors_go_through_all_axes(scoped, qtbot):
    scoped.split()
    scoped.cursors_action.setChecked(True)
    below = [i for i in scoped.axes[1].plot.items if isinstance(i, pg.InfiniteLine)]
    assert len(below) == 2
    below[0].setValue(0.25)
    assert scoped.cursor_times()[0] == 0.25
    qtbot.waitUntil(lambda: "A = 0.25 s" in scoped.readout.text(), timeout=3000)
    scoped.cursors_action.setChecked(False)
    assert not [i for i in scoped.axes[1].plot.items if isinstance(i, pg.InfiniteLine)]


@pytest.mark.parametrize("size", [20, 30, 60, 300])
@pytest.mark.parametrize(
    "span", [(0.1, 170.0), (-1e-4, 3e-4), (0.0, 1.0), (144.0, 190.0), (-0.5, 9.9)]
)
def test_the_numbers_of_an_axis_stand_apart_and_there_is_one(qtbot, size, span):
    step = Ruler("left").tickSpacing(*span, size)[0][0]
    places = np.arange(np.ceil(span[0] / step), np.floor(span[1] / step) + 1) * step
    pixels = (places - span[0]) / (span[1] - span[0]) * size
    edge = min(8, 0.3 * size)
    assert ((pixels >= edge) & (pixels <= size - edge)).any()
    assert size < 60 or step / (span[1] - span[0]) * size >= 24


def test_x_y_and_spectrum_views(scoped, qtbot):
    scoped.set_view("x-y")
    (curve,) = scoped.axes[0].plot.listDataItems()
    x, y = curve.getData()
    np.testing.assert_array_equal(x, scoped.recordings[0].values("plant.y"))
    np.testing.assert_array_equal(y, scoped.recordings[0].values("ref.y"))
    scoped.set_view("spectrum")
    qtbot.waitUntil(lambda: len(scoped.axes[0].plot.listDataItems()) == 2, timeout=3000)


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


def test_split_and_join(scoped):
    scoped.split()
    assert scoped.plan.axes == (("plant.y",), ("ref.y",))
    scoped.join()
    assert scoped.plan.axes == (("plant.y", "ref.y"),)


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


def test_data_without_time_are_refused(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(DiagramError, match="no column 'time'"):
        load_recording(os.fspath(path))


@pytest.mark.parametrize("ending", ["png", "svg", "csv"])
def test_a_scope_is_exported(scoped, tmp_path, ending):
    path = tmp_path / f"scope.{ending}"
    export_scope(scoped, os.fspath(path))
    data = path.read_bytes()
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "csv": b"time [s],plant.y"}
    assert data.startswith(starts[ending])
    if ending == "csv":
        again = load_recording(os.fspath(path))
        np.testing.assert_allclose(again.values("plant.y"), scoped.recordings[0].values("plant.y"))


def test_a_recording_can_be_cut():
    recording = Recording([Track("a", "", 1)])
    recording.append(np.column_stack([np.arange(5000.0), np.arange(5000.0)]))
    recording.envelopes(["a"], -np.inf, np.inf, 10)
    recording.cut(100.0)
    assert len(recording) == 101
    _, y = recording.envelopes(["a"], -np.inf, np.inf, 10)["a"]
    assert y.max() == 100


def test_time_and_values_fit_together_while_rows_are_written():
    recording = Recording([Track("a", "", 1)], max_numbers=20_000)
    writing = threading.Event()

    def write():
        writing.set()
        for start in range(0, 400_000, 100):
            time = np.arange(start, start + 100, dtype=float)
            recording.append(np.column_stack([time, 2 * time]))

    thread = threading.Thread(target=write)
    thread.start()
    writing.wait()
    while thread.is_alive():
        time, values = recording.over_time("a")
        assert len(time) == len(values)
        recording.value_at("a", 50.0)
        found = recording.envelopes(["a"], -np.inf, np.inf, 20)
        assert found is None or len(found["a"][0]) == len(found["a"][1])
    np.testing.assert_array_equal(recording.values("a"), 2 * recording.time)


def test_a_box_zooms_in(scoped, qtbot):
    scoped.zoom_action.trigger()
    view = scoped.plots.viewport()
    box = scoped.axes[0].plot.getViewBox()
    area = box.sceneBoundingRect()
    start, end = (
        QPoint(round(area.left() + area.width() * s), round(area.center().y() + 40 * s))
        for s in (0.25, 0.75)
    )
    QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    for share in (0.2, 0.6, 1.0):
        at = QPointF(start + (end - start) * share)
        event = QMouseEvent(
            QEvent.Type.MouseMove, at, view.mapToGlobal(at), Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
        )  # fmt: skip
        QApplication.sendEvent(view, event)
        qtbot.wait(20)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end)
    left, right = box.viewRange()[0]
    assert left == pytest.approx(0.5, abs=0.1)
    assert right == pytest.approx(1.5, abs=0.1)
    scoped.autoscale()
    qtbot.waitUntil(lambda: box.viewRange()[0][1] >= 2.0, timeout=2000)


def test_a_run_without_end_is_thinned_out():
    recording = Recording([Track("a", "", 1)], max_numbers=4000)
    for start in range(0, 50_000, 700):
        time = np.arange(start, start + 700, dtype=float)
        recording.append(np.column_stack([time, 2 * time]))
    assert len(recording) * 2 <= 4000
    steps = np.diff(recording.time)
    assert set(steps) == {float(recording.stride)}
    np.testing.assert_array_equal(recording.values("a"), 2 * recording.time)


def turn_wheel(scope, axis, side):
    view = scope.axes[axis].plot.getViewBox().sceneBoundingRect()
    at = (
        QPointF(view.left() - 20, view.center().y())
        if side == "left"
        else QPointF(view.center().x(), view.bottom() + 8)
    )
    place = scope.plots.mapFromScene(at)
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    turn = (QPoint(0, 0), QPoint(0, 120), *none, Qt.ScrollPhase.NoScrollPhase, False)
    viewport = scope.plots.viewport()
    at_screen = QPointF(viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, QWheelEvent(QPointF(place), at_screen, *turn))


@pytest.mark.parametrize("side", ["left", "bottom"])
def test_the_wheel_on_one_axis_leaves_the_other(qtbot, side):
    time = np.linspace(0, 10, 5001)
    recording = Recording([Track("a.y", "m", 1)])
    recording.append(np.column_stack([time, time**2]))
    scope = Scope(ScopePlan("S", (("a.y",),)), LIGHT)
    qtbot.addWidget(scope)
    scope.resize(700, 400)
    scope.show()
    scope.show_recordings([recording])
    qtbot.wait(100)
    before = np.array(scope.axes[0].plot.getViewBox().viewRange())
    turn_wheel(scope, 0, side)
    qtbot.wait(100)
    after = np.array(scope.axes[0].plot.getViewBox().viewRange())
    turned, other = (1, 0) if side == "left" else (0, 1)
    assert np.ptp(after[turned]) < 0.9 * np.ptp(before[turned])
    np.testing.assert_allclose(after[other], before[other])


@given(strategies.integers(1, 6000))
def test_limits_are_the_extremes_of_all_values(count):
    values = np.random.default_rng(count).normal(size=count)
    pyramid = Pyramid()
    pyramid.extend(values)
    assert pyramid.limits(values) == (values.min(), values.max())
    assert pyramid.limits(np.append(values, 99.0)) == (values.min(), values.max())
