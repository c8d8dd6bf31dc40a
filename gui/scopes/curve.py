"""A curve of a plot that stays quick however many lines it has, and the axis behind it."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter

from .columns import columns, mask

DASH, GAP = 7, 4  # pixels
APART, EDGE = 24, 8  # pixels between numbers; where one is cut off
SPARSE = 4  # columns for each point, from which a painter is quicker


class Curve(pg.PlotCurveItem):
    """Where points are dense, over rising x, the pixels that they cover are filled at once."""

    rising = True  # x never falls

    def paint(self, painter: QPainter, option, widget=None) -> None:
        view = self.getViewBox()
        raster = painter.paintEngine().type() == QPaintEngine.Type.Raster
        if not raster or not self.rising or view is None or self.xData is None:
            super().paint(painter, option, widget)
            return
        place = painter.deviceTransform()
        area = place.mapRect(view.viewRect()).toAlignedRect()
        if len(self.xData) * SPARSE < area.width() or area.isEmpty():
            super().paint(painter, option, widget)
            return
        x = place.m11() * self.xData + (place.dx() - area.left())
        y = place.m22() * self.yData + (place.dy() - area.top())
        covered = mask(*columns(x, y, area.width()), area.height())
        for _ in range(
            round(painter.device().devicePixelRatio()) - 1
        ):  # a line as wide as elsewhere
            covered[1:] |= covered[:-1]
            covered[:, 1:] |= covered[:, :-1]
        pen = self.opts["pen"]
        if pen.style() == Qt.PenStyle.DashLine:
            rows, across = np.ogrid[: area.height(), : area.width()]
            covered &= (rows + across) % (DASH + GAP) < DASH
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


class Axis(pg.AxisItem):
    """Its grid is mixed with the paper beforehand: lines that let through are painted slowly."""

    paper = QColor("#ffffff")

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        """Of low plots too, the numbers on the left stand apart."""
        if self.orientation != "left" or not high > low or size <= 0:
            return super().tickSpacing(low, high, size)
        length = high - low
        step = _round_number(length * APART / size)
        edge = min(EDGE / size, 0.3) * length
        while math.floor((high - edge) / step) * step < low + edge:  # one number at least
            step = _round_number(step / 2.5)
        return [(step, 0), (step / 5, 0)]

    def drawPicture(self, painter, axis, ticks, texts) -> None:
        solid = []
        for pen, start, end in ticks:
            colour, share = pen.color(), pen.color().alphaF()
            mixed = [
                share * ink + (1 - share) * paper
                for ink, paper in zip(colour.getRgb()[:3], self.paper.getRgb()[:3], strict=True)
            ]
            pen.setColor(QColor(*(round(part) for part in mixed)))
            solid.append((pen, start, end))
        super().drawPicture(painter, axis, solid, texts)


def _round_number(least: float) -> float:
    """The next of 1, 2, 5, 10, 20, ..."""
    decade = 10.0 ** math.floor(math.log10(least))
    return next(factor * decade for factor in (1, 2, 5, 10) if factor * decade >= least)
