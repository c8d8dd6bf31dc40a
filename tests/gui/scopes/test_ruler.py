"""Rulers and grids of plots."""

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtGui import QColor
from railblocks.engine.model.signals import LoggedSignal
from railblocks.gui.recording.recording import Recording
from railblocks.gui.scopes.axis import LEGEND, rulers
from railblocks.gui.scopes.plan import ScopePlan
from railblocks.gui.scopes.ruler import Ruler
from railblocks.gui.scopes.scope import Scope
from railblocks.gui.style.theme import DARK, LIGHT


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
    recording = Recording([LoggedSignal("a", "1")])
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
