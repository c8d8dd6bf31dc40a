"""The view of one level of a document: zoom, pan, and gestures."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QLineF, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QCursor, QPainter, QPen
from PySide6.QtWidgets import QFrame, QGraphicsView, QToolTip
from railblocks.engine.drawing.scene import GRID, Terminal

from ..gestures.gesture import Gesture, Pointer
from ..gestures.library_drop import LibraryDrop
from ..gestures.move import Move
from ..gestures.pan import Pan
from ..gestures.rubber_band import RubberBand
from ..gestures.wiring import Branch, WireFromPort
from ..model.document import Document
from ..model.layouts import notes_of
from ..model.levels import Path
from ..model.problems import Mark
from ..plain_text import tip
from .editing import Editing
from .net_item import NetItem
from .scene import CanvasScene
from .theme import LIGHT, Theme

SMALLEST, LARGEST = 0.05, 6.0
GRID_FROM = 0.6
LOOKS, LOOK = 40, 60  # times, ms: for a value that must be found first
ROOM = 20_000  # around everything, to pan
ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
GESTURES = (Pan, WireFromPort, Move, Branch, RubberBand)  # the first that begins is done


class Canvas(QGraphicsView):
    """Shows a document at a path; what a user does to it is done by gestures."""

    level_changed = Signal(tuple)
    chosen = Signal()
    opened = Signal(str)  # a block was double-clicked
    said = Signal(str)  # a word about what is going on
    hinted = Signal(str)  # what the pointer is on; empty when it has left
    wanted = Signal(QPointF, str)  # a block is to be typed at a point, with its first letters
    scoped = Signal(tuple, str)  # a signal is to be shown: its port and way

    def __init__(self, document: Document, theme: Theme = LIGHT):
        super().__init__()
        self.document = document
        self.path: Path = ()
        self.theme = theme
        self.problems: dict[str, Mark] = {}
        self.probe: Callable[[Terminal], str] = lambda terminal: ""
        self.editing = Editing(self)
        self.gesture: Gesture | None = None
        self._views: dict[Path, tuple[float, QPointF]] = {}
        self._touched = False  # zoomed or panned by hand
        self._look = QTimer(self)
        self._look.setSingleShot(True)
        self._look.timeout.connect(self._look_again)
        self._canvas_scene = CanvasScene(theme)
        self.setScene(self._canvas_scene)
        self._canvas_scene.selectionChanged.connect(self.chosen)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Diagram")
        document.listeners.append(self.refresh)
        self.refresh()

    @property
    def items_of_level(self) -> CanvasScene:
        return self._canvas_scene

    # --- what is shown -------------------------------------------------------------------------
    def refresh(self) -> None:
        """Show the document as it is now."""
        while not self.document.has(self.path):
            self.path = self.path[:-1]
            self._canvas_scene.forget()
            self.level_changed.emit(self.path)
        level = self.document.level(self.path)
        self._canvas_scene.show(self.document.drawing(self.path), notes_of(level))
        self._canvas_scene.mark(self.problems)
        self.setSceneRect(self._canvas_scene.sceneRect().adjusted(-ROOM, -ROOM, ROOM, ROOM))

    def enter(self, path: Path) -> None:
        """Show the diagram inside a subsystem."""
        if path == self.path or not self.document.has(path):
            return
        middle = self.mapToScene(self.viewport().rect().center())
        self._views[self.path] = (self.zoom, middle)
        self.path = path
        self._canvas_scene.forget()
        self.refresh()
        if path in self._views:
            zoom, middle = self._views[path]
            self.set_zoom(zoom)
            self.centerOn(middle)
        else:
            self.fit()
        self.level_changed.emit(path)

    def let_go(self) -> None:
        """Hear nothing more of the document: the canvas goes away."""
        self._canvas_scene.blockSignals(True)
        if self.refresh in self.document.listeners:
            self.document.listeners.remove(self.refresh)

    def use(self, theme: Theme) -> None:
        self.theme = self._canvas_scene.theme = theme
        chosen = self._canvas_scene.chosen_blocks()
        self._canvas_scene.forget()
        self.refresh()
        self._canvas_scene.choose(chosen)
        self.viewport().update()

    def set_problems(self, problems: dict[str, Mark]) -> None:
        self.problems = problems
        self._canvas_scene.mark(problems)

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        painter.fillRect(rect, QColor(self.theme.paper))
        if self.zoom < GRID_FROM:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(QColor(self.theme.grid), 0))
        step = 2 * GRID
        left, top, right, bottom = rect.getCoords()
        lines = [QLineF(x, top, x, bottom) for x in _marks(left, right, step)]
        painter.drawLines(lines + [QLineF(left, y, right, y) for y in _marks(top, bottom, step)])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    # --- zoom and pan --------------------------------------------------------------------------
    @property
    def zoom(self) -> float:
        return self.transform().m11()

    def set_zoom(self, zoom: float, at: QPoint | None = None) -> None:
        """Zoom so that the point under `at` stays there."""
        self._touched = True
        at = at or self.viewport().rect().center()
        before = self.mapToScene(at)
        zoom = min(max(zoom, SMALLEST), LARGEST)
        self.scale(zoom / self.zoom, zoom / self.zoom)
        moved = self.mapToScene(at) - before
        self.translate(moved.x(), moved.y())

    def fit(self) -> None:
        """Everything in the window, not larger than life."""
        area = self._canvas_scene.content()
        if area.isEmpty() or not self._canvas_scene.items():
            self.resetTransform()
            self.centerOn(0, 0)
            return
        view = self.viewport().rect()
        scale = min(view.width() / area.width(), view.height() / area.height(), 1.4)
        self.set_zoom(scale)
        self.centerOn(area.center())
        self._touched = False

    def resizeEvent(self, event) -> None:
        """What nobody zoomed or panned stays fitted."""
        super().resizeEvent(event)
        if not self._touched:
            self.fit()

    def pan(self, dx: float, dy: float) -> None:
        """Scrolled, so that only what comes into sight is painted."""
        self._touched = True
        for bar, shift in ((self.horizontalScrollBar(), dx), (self.verticalScrollBar(), dy)):
            bar.setValue(bar.value() - round(shift))

    def wheelEvent(self, event) -> None:
        turns = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.pan(turns.y() / 2 or turns.x() / 2, 0)
        else:
            self.set_zoom(self.zoom * 1.2 ** (turns.y() / 120), event.position().toPoint())
        event.accept()

    # --- gestures ------------------------------------------------------------------------------
    def pointer(self, event) -> Pointer:
        at = event.position().toPoint()
        buttons = event.button() if hasattr(event, "button") else Qt.MouseButton.NoButton
        return Pointer(self.mapToScene(at), at, buttons, event.modifiers())

    def mousePressEvent(self, event) -> None:
        self.setFocus()
        pointer = self.pointer(event)
        if self.gesture is not None:
            self.gesture.press(pointer)
            return
        for kind in GESTURES:
            self.gesture = kind.begin(self, pointer)
            if self.gesture is not None:
                return

    def mouseMoveEvent(self, event) -> None:
        if self.gesture is not None:
            self.gesture.move(self.pointer(event))
        else:
            super().mouseMoveEvent(event)
            self._hover(self.mapToScene(event.position().toPoint()))

    def leaveEvent(self, event) -> None:
        self._look.stop()
        self.hinted.emit("")
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event) -> None:
        if self.gesture is not None:
            self.gesture.release(self.pointer(event))

    def end_gesture(self) -> None:
        self.gesture = None
        self.unsetCursor()
        self.viewport().unsetCursor()

    def mouseDoubleClickEvent(self, event) -> None:
        at = self.mapToScene(event.position().toPoint())
        block = self._canvas_scene.block_at(at)
        note = self._canvas_scene.note_at(at)
        if self.gesture is not None:
            self.gesture.cancel()
        if block is not None:
            self.opened.emit(block.key)
        elif note is not None:
            self.opened.emit("")
        elif (net := self._canvas_scene.net_at(at)) is not None:
            self.scoped.emit(net.net.source, "out")
        else:
            self.wanted.emit(at, "")

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self.gesture is not None:
                self.gesture.cancel()
            else:
                self._canvas_scene.clearSelection()
            return
        if event.key() in ARROWS and not event.modifiers():
            self.editing.nudge(*ARROWS[event.key()])
            return
        text = event.text()
        plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if plain and len(text) == 1 and text.isalpha() and self.gesture is None:
            at = self.mapToScene(self.viewport().mapFromGlobal(QCursor.pos()))
            inside = self.viewport().rect().contains(self.mapFromScene(at))
            middle = self.mapToScene(self.viewport().rect().center())
            self.wanted.emit(at if inside else middle, text)
            return
        event.ignore()

    def _hover(self, at: QPointF) -> None:
        scene = self._canvas_scene
        port = scene.port_at(at)
        self.viewport().setCursor(
            Qt.CursorShape.CrossCursor if port else Qt.CursorShape.ArrowCursor
        )
        net = scene.net_at(at) if port is None else None
        if net is not None:
            self._tell_value(net, LOOKS)
        else:
            self._look.stop()
            self.hinted.emit("")

    def _tell_value(self, net: NetItem, looks: int) -> None:
        """Name, unit and value of a wire; a value that must be found first comes a little later."""
        value = self.probe(net.net.source)
        if value or looks == LOOKS:
            net.setToolTip(tip(f"{net.net.title}\n{value}" if value else net.net.title))
            self.hinted.emit(f"{net.net.title}   {value}".strip())
        self._awaited = (net, looks - 1)
        if not value and looks > 1:
            self._look.start(LOOK)

    def _look_again(self) -> None:
        net, looks = self._awaited
        if self._canvas_scene.nets.get(net.net.source) is net and net.hovered:
            self._tell_value(net, looks)

    # --- dragging from the library -------------------------------------------------------------
    def dragEnterEvent(self, event) -> None:
        drop = LibraryDrop.begin_drop(self, event)
        if drop is not None:
            self.gesture = drop
            event.acceptProposedAction()

    def dragMoveEvent(self, event) -> None:
        if self.gesture is not None:
            self.gesture.move(self.pointer(event))
            event.acceptProposedAction()

    def dragLeaveEvent(self, event) -> None:
        if self.gesture is not None:
            self.gesture.cancel()

    def dropEvent(self, event) -> None:
        if self.gesture is not None:
            self.gesture.release(self.pointer(event))
            event.acceptProposedAction()

    def tell_at(self, at: QPoint, text: str) -> None:
        """A reason beside the pointer."""
        QToolTip.showText(self.viewport().mapToGlobal(at + QPoint(14, 10)), text, self.viewport())


def _marks(start: float, end: float, step: int) -> range:
    """Multiples of a step from start to end."""
    return range(math.ceil(start / step) * step, math.floor(end) + 1, step)
