"""Curves as columns of pixels: they cover what a painter would."""

import numpy as np
import pyqtgraph as pg
import pytest
from hypothesis import example, given, strategies
from PySide6.QtGui import QColor, QImage
from railblocks.gui.recording.recording import Recording, Track
from railblocks.gui.scopes.axis import LEGEND, rulers
from railblocks.gui.scopes.columns import columns, mask
from railblocks.gui.scopes.curve import Curve
from railblocks.gui.scopes.plan import ScopePlan
from railblocks.gui.scopes.scope import Scope
from railblocks.gui.style.theme import DARK, LIGHT

PLACE = strategies.integers(-40, 200).map(lambda eighths: eighths / 8)


@example([(0.0, 0.0), (1.0, 0.125), (1.0, 0.0)])
@given(strategies.lists(strategies.tuples(PLACE, PLACE), min_size=2, max_size=60))
def test_columns_hold_all_of_the_lines_and_no_more(points):
    points.sort(key=lambda point: point[0])
    x, y = np.array(points).T
    lowest, highest = columns(x, y, 20)
    share = np.linspace(0, 1, 400)
    fine_x = (x[:-1, None] + np.diff(x)[:, None] * share).ravel()
    fine_y = (y[:-1, None] + np.diff(y)[:, None] * share).ravel()
    for column in range(20):
        inside = fine_y[(fine_x >= column) & (fine_x < column + 1)]
        if len(inside):
            assert lowest[column] <= inside.min() + 1e-9
            assert highest[column] >= inside.max() - 1e-9
        near = fine_y[(fine_x >= column - 1e-6) & (fine_x <= column + 1 + 1e-6)]
        if not np.isnan(lowest[column]) and len(near) > 100:
            steepest = np.abs(np.diff(y)).max() / 399
            assert lowest[column] >= near.min() - steepest - 1e-9
            assert highest[column] <= near.max() + steepest + 1e-9


def test_nothing_is_covered_beside_the_curve_and_where_values_are_missing():
    x = np.array([2.2, 3.5, 4.5, 5.5, 6.5, 8.4])
    y = np.array([1.0, 1.0, np.nan, 1.0, 1.0, 1.0])
    covered = mask(*columns(x, y, 12), 3)
    assert covered.any(axis=0).nonzero()[0].tolist() == [2, 3, 5, 6, 7, 8]
    assert covered.any(axis=1).tolist() == [False, True, False]


def test_what_lies_outside_the_window_is_cut_off():
    covered = mask(np.array([-1e9, -5.0, 7.0, 2.0]), np.array([1e9, -4.0, 9.0, 2.0]), 4)
    assert covered.sum(axis=0).tolist() == [4, 0, 0, 1]


def painted(qtbot, curve):
    view = pg.GraphicsLayoutWidget()
    qtbot.addWidget(view)
    plot = view.addPlot()
    plot.hideAxis("left")
    plot.hideAxis("bottom")
    view.setBackground("#ffffff")
    view.resize(400, 300)
    plot.addItem(curve)
    plot.setRange(xRange=(10, 90), yRange=(-4, 4), padding=0)
    view.show()
    qtbot.waitExposed(view)
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.array(image.constBits()).reshape(image.height(), image.width(), 4)
    return (pixels[12:-12, 12:-12, :3] != 255).any(axis=2)  # a border is clipped in other ways


def grown(pixels):
    wide = np.pad(pixels, 1)
    rows, cols = pixels.shape
    return np.any([wide[i : i + rows, j : j + cols] for i in range(3) for j in range(3)], axis=0)


@pytest.mark.parametrize("kind", ["wave", "noise", "steps"])
def test_the_pixels_are_those_that_a_painter_draws(qtbot, kind):
    x = np.linspace(0, 100, 3000)
    rng = np.random.default_rng(1)
    y = {"wave": np.sin(x), "noise": rng.normal(size=3000), "steps": np.round(np.sin(x / 9) * 3)}[
        kind
    ]
    pen = pg.mkPen("#1769aa", width=1)
    ours = painted(qtbot, Curve(x, y, pen=pen))
    theirs = painted(qtbot, pg.PlotCurveItem(x, y, pen=pen))
    assert ours.sum() > 300
    assert not (theirs & ~grown(ours)).any()
    assert not (ours & ~grown(theirs)).any()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_lines_of_the_grid_are_solid(qtbot, theme, monkeypatch):
    seen = []
    pair = rulers()
    pair["left"].paper = QColor(theme.paper)
    draw = pg.AxisItem.drawPicture
    monkeypatch.setattr(
        pg.AxisItem,
        "drawPicture",
        lambda self, p, axis, ticks, texts: (
            seen.extend(pen.color().alpha() for pen, *_ in ticks),
            draw(self, p, axis, ticks, texts),
        ),
    )
    view = pg.GraphicsLayoutWidget()
    qtbot.addWidget(view)
    view.addPlot(axisItems=pair).showGrid(x=True, y=True, alpha=0.25)
    view.grab()
    assert seen
    assert set(seen) == {255}


def test_the_grid_lies_below_the_curves(qtbot):
    """Steps stand on lines of the grid, which must not hide them."""
    scope = Scope(ScopePlan("Scope", (("a",),)), LIGHT)
    qtbot.addWidget(scope)
    scope.resize(500, 300)
    time = np.linspace(0, 10, 2001)
    recording = Recording([Track("a", "1", 1)])
    recording.append(np.column_stack([time, np.where(time < 5, 0.0, 1.0)]))
    scope.show()
    scope.show_recordings([recording])
    qtbot.wait(50)
    image = scope.plots.grab().toImage()
    wanted = QColor(LIGHT.curves[0]).rgb()
    rows = [
        sum(image.pixel(x, y) == wanted for x in range(image.width()))
        for y in range(LEGEND, image.height())
    ]
    assert sorted(rows)[-2] > 150
