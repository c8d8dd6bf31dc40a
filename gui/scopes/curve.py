"""A curve of a plot that stays quick however many lines it has."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter

from .columns import columns, mask

PATTERNS = {  # pixels that are drawn and left out by turns
    Qt.PenStyle.DashLine: (7, 4),
    Qt.PenStyle.DotLine: (2, 3),
    Qt.PenStyle.DashDotLine: (7, 3, 2, 3),
    Qt.PenStyle.DashDotDotLine: (7, 3, 2, 3, 2, 3),
}
STEEP_PIXELS = 7  # of a column, from which a line is dashed along it
SPARSE_COLUMNS = 4  # for each point, from which a painter is quicker


class Curve(pg.PlotCurveItem):
    """A curve that fills the pixels it covers at once where points are dense, over rising x."""

    signal = ""  # its name without that of its run
    rising = True  # x never falls
    limits: tuple[float, float] | None = None  # of y over all x, also of what is not drawn

    def boundingRect(self) -> QRectF:
        """The area in view; where the curve runs in it is computed when it is painted."""
        view = self.getViewBox()
        return view.viewRect() if view is not None else super().boundingRect()

    def dataBounds(self, ax: int, frac: float = 1.0, orthoRange=None):
        if ax == 0 and self.rising and orthoRange is None and self.xData is not None:
            return (self.xData[0], self.xData[-1]) if len(self.xData) else (None, None)
        if ax == 1 and self.limits is not None and orthoRange is None:
            return self.limits  # looking closer at a stretch of time does not move the other axis
        return super().dataBounds(ax, frac, orthoRange)

    def pixelPadding(self) -> float:
        return 0.0

    def viewTransformChanged(self) -> None:
        self.prepareGeometryChange()  # the bounds of the data stay

    def paint(self, painter: QPainter, option, widget=None) -> None:
        view = self.getViewBox()
        raster = painter.paintEngine().type() == QPaintEngine.Type.Raster
        if not raster or not self.rising or view is None or self.xData is None:
            super().paint(painter, option, widget)
            return
        transform = painter.deviceTransform()
        area = transform.mapRect(view.viewRect()).toAlignedRect()
        if len(self.xData) * SPARSE_COLUMNS < area.width() or area.isEmpty():
            super().paint(painter, option, widget)
            return
        x = transform.m11() * self.xData + (transform.dx() - area.left())
        y = transform.m22() * self.yData + (transform.dy() - area.top())
        covered = mask(*columns(x, y, area.width()), area.height())
        for _ in range(1, round(painter.device().devicePixelRatio())):  # wider on dense screens
            covered[1:] |= covered[:-1]
            covered[:, 1:] |= covered[:, :-1]
        pen = self.opts["pen"]
        if pen.style() in PATTERNS:
            lengths = PATTERNS[pen.style()]
            drawn = np.repeat(np.arange(len(lengths)) % 2 == 0, lengths)
            rows, across = np.ogrid[: area.height(), : area.width()]
            along = np.where(covered.sum(axis=0) > STEEP_PIXELS, rows, across)
            covered &= drawn[along % len(drawn)]
        _fill(painter, covered, area, pen.color())


def _fill(painter: QPainter, covered: np.ndarray, area: QRect, colour: QColor) -> None:
    """The covered pixels of an area of the device in a colour."""
    rows = np.flatnonzero(covered.any(axis=1))
    if not len(rows):
        return
    top, bottom = rows[0], rows[-1] + 1
    alpha = colour.alpha()
    parts = (
        colour.red() * alpha // 255,
        colour.green() * alpha // 255,
        colour.blue() * alpha // 255,
    )
    value = alpha << 24 | parts[0] << 16 | parts[1] << 8 | parts[2]
    pixels = np.multiply(covered[top:bottom], np.uint32(value), dtype=np.uint32)
    height, width = pixels.shape
    premultiplied = QImage.Format.Format_ARGB32_Premultiplied
    image = QImage(pixels.data, width, height, 4 * width, premultiplied)
    painter.save()
    painter.resetTransform()
    painter.setWorldTransform(painter.deviceTransform().inverted()[0])
    painter.drawImage(QPoint(area.left(), area.top() + int(top)), image)
    painter.restore()
