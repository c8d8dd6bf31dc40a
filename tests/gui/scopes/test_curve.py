"""Curves cover the pixels that a painter would."""

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtGui import QImage
from railblocks.gui.scopes.curve import Curve


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
