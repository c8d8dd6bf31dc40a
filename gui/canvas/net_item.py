"""One net on the canvas: an output and all inputs that it drives."""

from __future__ import annotations

from itertools import pairwise
from typing import Protocol, cast

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPainterPathStroker, QPen, QPolygonF
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget
from railblocks.engine.drawing.routing import Point, Route
from railblocks.engine.drawing.scene import ARROW, PORT_SIZE, Net, Terminal, Way

from ..style.theme import Theme
from .canvas_item import NO_TEXT_BELOW, CanvasItem
from .fonts import font

LINE_WIDTH_PX, WIDE_LINE_WIDTH_PX = 1.3, 2.4
REACH_PX, DOT_RADIUS_PX = 5.0, 3.2


class PortPositions(Protocol):
    """What a net asks of the scene that it is in."""

    def port_position(self, terminal: Terminal, way: Way) -> tuple[QPointF, int] | None: ...


class NetItem(CanvasItem):
    """The item of one net; draws its route and highlights a selected branch."""

    def __init__(self, route: Route, theme: Theme):
        super().__init__(theme, height=1)
        self.route = route
        self.chosen: Terminal | None = None  # the branch that was clicked, by its target
        self.marked = False  # a block would be inserted here
        self.failed: frozenset[Terminal] = frozenset()  # targets in a loop without a solution
        self._path = QPainterPath()
        self.show_route(route)

    @property
    def net(self) -> Net:
        return self.route.net

    def show_route(self, route: Route) -> None:
        if route is self.route and not self._path.isEmpty():
            return
        self.prepareGeometryChange()
        self.route = route
        self._path, self._marks = QPainterPath(), QPainterPath()
        self._marks.setFillRule(Qt.FillRule.WindingFill)
        for line in route.lines:
            self._path.moveTo(*line[0])
            for x, y in line[1:]:
                self._path.lineTo(x, y)
            self._marks.addPolygon(_arrow(line[-2], line[-1]))
            self._marks.closeSubpath()
        for x, y in route.dots:
            self._marks.addEllipse(QPointF(x, y), DOT_RADIUS_PX, DOT_RADIUS_PX)
        self._bounds = self._path.controlPointRect().adjusted(-ARROW, -ARROW, ARROW, ARROW)
        for corner in route.labels:
            self._bounds |= _label(corner)
        stroker = QPainterPathStroker()
        stroker.setWidth(2 * REACH_PX)
        self._shape = stroker.createStroke(self._path)
        self.update()

    def mark(self, failed: frozenset[Terminal]) -> None:
        """Marks the branches to some targets as part of an algebraic loop that failed."""
        if failed != self.failed:
            self.failed = failed
            self.update()

    def line_of(self, target: Terminal) -> tuple[Point, ...] | None:
        """The line that ends at an input."""
        ends = {line[-1]: line for line in self.route.lines}
        scene = cast("PortPositions | None", self.scene())
        end = scene.port_position(target, "in") if scene is not None else None
        return ends.get((round(end[0].x()), round(end[0].y()))) if end is not None else None

    def target_at(self, at: QPointF) -> Terminal | None:
        """The input whose line runs nearest to a point."""
        best, nearest = 1e9, None
        for target in self.net.targets:
            line = self.line_of(target)
            for a, b in pairwise(line or ()):
                distance = _distance(at, a, b)
                if distance < best:
                    best, nearest = distance, target
        return nearest

    def boundingRect(self) -> QRectF:
        return self._bounds

    def shape(self) -> QPainterPath:
        return self._shape

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        zoom = option.levelOfDetailFromTransform(painter.worldTransform())
        theme = self.theme
        colour = QColor(theme.faint if self.net.disabled else theme.wire)
        width = WIDE_LINE_WIDTH_PX if self.net.wide else LINE_WIDTH_PX
        lit = self.marked or self.hovered or (self.isSelected() and self.chosen is None)
        if lit:
            colour = QColor(theme.accent)
            width += 1.0 if self.marked or self.isSelected() else 0.4
        pen = QPen(colour, width)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if self.net.disabled:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(self._path)
        if self.failed:
            painter.setPen(QPen(QColor(theme.error), width + 0.8, Qt.PenStyle.DashLine))
            for target in self.failed:
                self._draw_branch(painter, target)
        if self.isSelected() and self.chosen is not None:
            painter.setPen(QPen(QColor(theme.accent), width + 1.2))
            self._draw_branch(painter, self.chosen)
        if zoom < NO_TEXT_BELOW:
            return
        painter.fillPath(self._marks, colour)
        if self.route.labels:
            painter.setPen(QColor(theme.note))
            painter.setFont(font(PORT_SIZE))
            align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
            for corner, part in self.route.labels.items():
                painter.drawText(_label(corner), align, part)

    def _draw_branch(self, painter: QPainter, target: Terminal) -> None:
        line = self.line_of(target)
        painter.drawPolyline(QPolygonF([QPointF(*point) for point in line or ()]))


def _label(corner: Point) -> QRectF:
    """Area of the label at a wire that carries a part of a vector."""
    return QRectF(corner[0] - 60, corner[1] - 13, 60, 14)


def _arrow(before: Point, tip: Point) -> QPolygonF:
    (ax, ay), (x, y) = before, tip
    length = max(abs(x - ax) + abs(y - ay), 1)
    dx, dy = (x - ax) / length * ARROW, (y - ay) / length * ARROW
    points = [(x, y), (x - dx - dy * 0.45, y - dy + dx * 0.45)]
    points += [(x - dx * 0.75, y - dy * 0.75), (x - dx + dy * 0.45, y - dy - dx * 0.45)]
    return QPolygonF([QPointF(*point) for point in points])


def _distance(at: QPointF, a: Point, b: Point) -> float:
    x = min(max(at.x(), min(a[0], b[0])), max(a[0], b[0]))
    y = min(max(at.y(), min(a[1], b[1])), max(a[1], b[1]))
    return max(abs(at.x() - x), abs(at.y() - y))
