"""Scopes: cursors, statistics, views, zoom."""

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from railblocks.engine.model.signals import LoggedSignal
from railblocks.gui.recording.recording import Recording
from railblocks.gui.scopes.plan import ScopePlan
from railblocks.gui.scopes.scope import Scope
from railblocks.gui.style.theme import LIGHT


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


def test_vectors_are_named_once_and_do_not_widen_the_plot(qtbot):
    long = "a.very.long.path.to.a.vector.that.goes.on"
    recording = Recording([LoggedSignal(long, "rad/s", (6,))])
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


def test_x_y_and_spectrum_views(scoped, qtbot):
    scoped.set_view("x-y")
    (curve,) = scoped.axes[0].plot.listDataItems()
    x, y = curve.getData()
    np.testing.assert_array_equal(x, scoped.recordings[0].values("plant.y"))
    np.testing.assert_array_equal(y, scoped.recordings[0].values("ref.y"))
    scoped.set_view("spectrum")
    qtbot.waitUntil(lambda: len(scoped.axes[0].plot.listDataItems()) == 2, timeout=3000)


def test_split_and_join(scoped):
    scoped.split()
    assert scoped.plan.axes == (("plant.y",), ("ref.y",))
    scoped.join()
    assert scoped.plan.axes == (("plant.y", "ref.y"),)


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


@pytest.mark.parametrize("side", ["left", "bottom"])
def test_the_wheel_on_one_axis_leaves_the_other(qtbot, side):
    time = np.linspace(0, 10, 5001)
    recording = Recording([LoggedSignal("a.y", "m")])
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
