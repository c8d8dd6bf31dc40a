"""One block on the canvas, with its ports, symbol and name."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget
from railblocks.engine.drawing.placement import Spot
from railblocks.engine.drawing.routing import STEPS, port_position
from railblocks.engine.drawing.scene import NAME_ROOM, NAME_SIZE, PORT_SIZE, Box, Terminal, Way
from railblocks.engine.drawing.text import text_width

from ..model.problems import Mark, Severity
from ..style.plain_text import plain_text
from ..style.theme import Theme
from .canvas_item import NO_TEXT_BELOW, CanvasItem
from .fonts import font
from .symbols import paint_symbol

REACH = 9.0  # pixels around a port that count as the port
MARGIN = 14.0  # pixels around the box in which ports and badge are painted


class BlockItem(CanvasItem):
    """The item of one block; draws it as the engine's drawing does."""

    def __init__(self, box: Box, spot: Spot, theme: Theme):
        super().__init__(theme, height=2)
        self.box, self.spot = box, spot
        self.problem = ""
        self.severity: Severity = "error"
        self.connected: frozenset[tuple[str, Way]] = frozenset()
        self._bounds = self._painted_area()
        self.setPos(spot.x, spot.y)
        self._show_tool_tip()

    @property
    def key(self) -> str:
        return self.box.key

    def show_box(self, box: Box, spot: Spot, connected: frozenset[tuple[str, Way]]) -> None:
        """Shows another box or position of the block; nothing is painted if nothing changed."""
        self.setPos(spot.x, spot.y)
        if (box, spot, connected) == (self.box, self.spot, self.connected):
            return
        self.prepareGeometryChange()
        self.box, self.spot, self.connected = box, spot, connected
        self._bounds = self._painted_area()
        self._show_tool_tip()
        self.update()

    def mark(self, mark: Mark | None) -> None:
        """Shows a problem, or that there is none."""
        problem, severity = (mark.message, mark.severity) if mark else ("", "error")
        if (problem, severity) != (self.problem, self.severity):
            self.problem, self.severity = problem, severity
            self._show_tool_tip()
            self.update()

    def _show_tool_tip(self) -> None:
        problem = f"\n\N{WARNING SIGN} {self.problem}" if self.problem else ""
        self.setToolTip(plain_text(self.box.title + problem))

    # --- ports ---------------------------------------------------------------------------------
    def port_position(self, name: str, way: Way) -> tuple[QPointF, int]:
        """The position of a port on the canvas, and the direction in which its signal flows."""
        here = Spot(0, 0, self.spot.flipped, self.spot.turned)
        x, y, direction = port_position(self.box, here, name, way)
        return self.pos() + QPointF(x, y), direction

    def port_at(self, at: QPointF, reach: float = REACH) -> tuple[Terminal, Way] | None:
        """The nearest port within reach of a point of the canvas."""
        best, nearest = reach, None
        for name, way in self.ports():
            position, _ = self.port_position(name, way)
            distance = max(abs(position.x() - at.x()), abs(position.y() - at.y()))
            if distance <= best:
                best, nearest = distance, ((self.key, name), way)
        return nearest

    def ports(self) -> list[tuple[str, Way]]:
        inputs: list[tuple[str, Way]] = [(port.name, "in") for port in self.box.inputs]
        return [*inputs, *((port.name, "out") for port in self.box.outputs)]

    # --- drawing -------------------------------------------------------------------------------
    def body(self) -> QRectF:
        return QRectF(0, 0, self.box.width, self.box.height)

    def boundingRect(self) -> QRectF:
        return self._bounds

    def _painted_area(self) -> QRectF:
        """The area of everything that is painted; Qt asks for it many times a frame."""
        extra = (self.box.footprint - self.box.width) / 2 + MARGIN
        name_width = text_width(self.box.name, NAME_SIZE) if self.box.turned else 0
        return self.body().adjusted(-extra, -NAME_ROOM - 4, extra + name_width, NAME_ROOM + 4)

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        path.addRect(self.body().adjusted(-2, -2, 2, 2))
        return path

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        zoom = option.levelOfDetailFromTransform(painter.worldTransform())
        theme, box = self.theme, self.box
        edge = QColor(theme.faint if box.disabled else theme.edge)
        if self.problem:
            edge = self._badge_colour()
        pen = QPen(edge, 1.4)
        if box.disabled:
            pen.setStyle(Qt.PenStyle.DashLine)
        if self.isSelected():
            pen = QPen(QColor(theme.accent), 2.4)
        painter.setOpacity(0.6 if box.disabled else 1.0)
        painter.setPen(pen)
        painter.setBrush(theme.fill(box.kind))
        self._outline(painter, zoom)
        if zoom >= NO_TEXT_BELOW:
            self._symbol(painter)
            self._labels(painter)
            self._name(painter)
            self._port_marks(painter)
        painter.setOpacity(1.0)
        if self.problem:
            self._badge(painter)

    def _outline(self, painter: QPainter, zoom: float) -> None:
        body = self.body()
        if self.box.round:
            painter.drawEllipse(body)
            return
        if zoom < NO_TEXT_BELOW:
            painter.drawRect(body)
            return
        radius = body.height() / 2 if self.box.kind in ("input", "output") else 3
        painter.drawRoundedRect(body, radius, radius)
        if self.box.kind == "subsystem":
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(painter.pen().color(), 0.8))
            painter.drawRoundedRect(body.adjusted(3, 3, -3, -3), 1, 1)

    def _symbol(self, painter: QPainter) -> None:
        middle = self.body().center()
        ink = self.theme.ink
        if self.box.kind in ("input", "output"):
            painter.setFont(font(NAME_SIZE))
            painter.setPen(QColor(ink))
            painter.drawText(self.body(), Qt.AlignmentFlag.AlignCenter, self.box.symbol)
        elif self.box.symbol:
            width = self.box.width - 10
            paint_symbol(painter, self.box.symbol, middle.x(), middle.y(), width, ink)

    def _labels(self, painter: QPainter) -> None:
        painter.setFont(font(PORT_SIZE))
        painter.setPen(QColor(self.theme.note))
        align = Qt.AlignmentFlag
        for name, way in self.ports():
            ports = self.box.inputs if way == "in" else self.box.outputs
            label = next(port.label for port in ports if port.name == name)
            if not label:
                continue
            position, direction = self.port_position(name, way)
            at = position - self.pos()
            inwards = direction if way == "in" else (direction + 2) % 4
            dx, dy = STEPS[inwards]
            side = (align.AlignLeft, align.AlignHCenter, align.AlignRight, align.AlignHCenter)
            shift = (0, -60, -120, -60)[inwards]
            area = QRectF(at.x() + 5 * dx + shift, at.y() + 9 * dy - 8, 120, 16)
            painter.drawText(area, side[inwards] | align.AlignVCenter, label)

    def _name(self, painter: QPainter) -> None:
        box = self.box
        if not box.name:
            return
        painter.setFont(font(NAME_SIZE))
        painter.setPen(QColor(self.theme.note))
        align = Qt.AlignmentFlag
        wide = box.footprint + 40
        sides = {port.side for port in box.inputs}
        if box.turned:
            area = QRectF(box.width + 5, 0, 300, box.height)
            painter.drawText(area, align.AlignLeft | align.AlignVCenter, box.name)
        elif "below" in sides and "above" in sides:
            area = QRectF(box.width / 2 + 6, box.height + 1, wide, NAME_ROOM)
            painter.drawText(area, align.AlignLeft | align.AlignTop, box.name)
        else:
            top = -NAME_ROOM if box.name_above else box.height + 1
            area = QRectF((box.width - wide) / 2, top, wide, NAME_ROOM - 2)
            up = align.AlignBottom if box.name_above else align.AlignTop
            painter.drawText(area, align.AlignHCenter | up, box.name)

    def _port_marks(self, painter: QPainter) -> None:
        """Paints arrows at open ports, and at all ports under the pointer."""
        for name, way in self.ports():
            open_port = (name, way) not in self.connected
            if not open_port and not self.hovered:
                continue
            position, direction = self.port_position(name, way)
            at = position - self.pos()
            colour = QColor(self.theme.accent if self.hovered else self.theme.edge)
            painter.setPen(QPen(colour, 1.2))
            painter.setBrush(QColor(self.theme.paper))
            if not open_port:
                painter.drawEllipse(at, 3.0, 3.0)
                continue
            dx, dy = STEPS[direction]
            back = -7 if way == "in" else 0
            tip = QPointF(at.x() + dx * (back + 7), at.y() + dy * (back + 7))
            base = QPointF(at.x() + dx * back, at.y() + dy * back)
            across = QPointF(-dy * 4, dx * 4)
            painter.drawPolyline(QPolygonF([base + across, tip, base - across]))

    def _badge_colour(self) -> QColor:
        return QColor(self.theme.error if self.severity == "error" else self.theme.warning)

    def _badge(self, painter: QPainter) -> None:
        """Paints a disc for an error, a triangle for a warning: not only the colour differs."""
        centre = QPointF(self.box.width, 0)
        painter.setPen(QPen(QColor(self.theme.paper), 1))
        painter.setBrush(self._badge_colour())
        if self.severity == "error":
            painter.drawEllipse(centre, 7, 7)
        else:
            corners = [QPointF(0, -9), QPointF(9, 6), QPointF(-9, 6)]
            painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))
        painter.setPen(QColor("#ffffff"))
        painter.setFont(font(11, bold=True))
        painter.drawText(
            QRectF(centre.x() - 7, centre.y() - 7, 14, 14), Qt.AlignmentFlag.AlignCenter, "!"
        )
