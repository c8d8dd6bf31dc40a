"""The numbers beside a plot, and the grid behind it."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtGui import QColor

from ..style.theme import Theme

NUMBER_SPACING = {"left": 24, "bottom": 80}  # pixels between numbers
EDGE = 8  # pixels, where a number is cut off
MIN_LINE_SPACING = 7  # pixels between lines of the grid


class Ruler(pg.AxisItem):
    """Ruler of one side of a plot.

    The colour of its grid is mixed with the paper: transparent lines are painted slowly.
    """

    paper = QColor("#ffffff")

    def set_theme(self, theme: Theme, curves: pg.ViewBox) -> None:
        """Takes the colours of a theme; the grid comes below the curves."""
        self.paper = QColor(theme.paper)
        self.setPen(theme.edge)
        self.setTextPen(theme.ink)
        self.setStyle(maxTextLevel=0)
        self.enableAutoSIPrefix(False)
        self.setZValue(curves.zValue() - 1)

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        """Spacings of numbers, far enough apart also in low plots, and of grid lines."""
        length = high - low
        if length <= 0 or size <= 0:
            return super().tickSpacing(low, high, size)
        step = _round_number(length * NUMBER_SPACING[self.orientation] / size)
        edge = min(EDGE / size, 0.3) * length
        while math.floor((high - edge) / step) * step < low + edge:  # one number at least
            step = _round_number(step / 2.5)
        fine = [step / 5] if step / 5 * size >= MIN_LINE_SPACING * length else []
        return [(spacing, 0) for spacing in (step, *fine)]

    def drawPicture(self, painter, axis, ticks, texts) -> None:
        for pen in {id(pen): pen for pen, *_ in ticks}.values():  # one for each spacing
            pen.setColor(self._mixed(pen.color()))
        super().drawPicture(painter, axis, ticks, texts)

    def _mixed(self, colour: QColor) -> QColor:
        share = colour.alphaF()
        return QColor(
            round(share * colour.red() + (1 - share) * self.paper.red()),
            round(share * colour.green() + (1 - share) * self.paper.green()),
            round(share * colour.blue() + (1 - share) * self.paper.blue()),
        )


def _round_number(least: float) -> float:
    """The next of 1, 2, 5, 10, 20, ..."""
    decade = 10.0 ** math.floor(math.log10(least))
    return next(factor * decade for factor in (1, 2, 5, 10) if factor * decade >= least)
