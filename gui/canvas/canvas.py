"""The view of one level of a document: zoom, pan, and gestures."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QLineF, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QCursor, QPainter, QPen
from PySide6.QtWidgets import QFrame, QGraphicsView, QToolTip
from railblocks.engine.drawing.scene import GRID, Terminal

from ..model.document import Document
from ..model.layouts import notes_of
from ..model.levels import Path
from ..model.problems import Mark
from ..style.plain_text import plain_text
from ..style.theme import LIGHT, Theme
from .editing import Editing
from .net_item import NetItem
from .pointer import ActiveGesture, BeginDrop, BeginGesture, Pointer
from .scene import CanvasScene

MIN_ZOOM, MAX_ZOOM, MAX_FIT_ZOOM = 0.05, 6.0, 1.4
MIN_GRID_ZOOM = 0.6  # the grid is not drawn below
VALUE_ATTEMPTS, RETRY_INTERVAL_MS = 40, 60  # to show a value that a run must compute first
PAN_MARGIN = 20_000  # pixels around everything
PAN_AREA = (-PAN_MARGIN, -PAN_MARGIN, PAN_MARGIN, PAN_MARGIN)
ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class Canvas(QGraphicsView):
    """The view of one level of a document; gestures do what a user does to it.

    At a press of the mouse the first of `gestures` that begins is followed; `begin_drop` follows
    what is dragged from elsewhere.
    """

    level_changed = Signal(tuple)
    selection_changed = Signal()
    block_opened = Signal(str)  # the block that was double-clicked; empty for a note
    message = Signal(str)
    hint_changed = Signal(str)  # about what the pointer is on; empty when it has left
    block_wanted = Signal(QPointF, str)  # a block is to be typed at a point: its first letters
    scope_wanted = Signal(tuple, str)  # a signal is to be shown: its port and way

    def __init__(
        self,
        document: Document,
        theme: Theme = LIGHT,
        gestures: Sequence[BeginGesture] = (),
        begin_drop: BeginDrop | None = None,
    ):
        super().__init__()
        self.document = document
        self.theme = theme
        self.problems: dict[str, Mark] = {}
        self.probe: Callable[[Terminal], str] = lambda terminal: ""
        self.gesture: ActiveGesture | None = None
        self._gestures, self._begin_drop = gestures, begin_drop
        self._views: dict[Path, tuple[float, QPointF]] = {}
        self._was_zoomed = False  # or panned, by hand
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.timeout.connect(self._retry_value)
        self._canvas_scene = CanvasScene(theme)
        self.editing = Editing(document, self._canvas_scene, self.message.emit)
        self.setScene(self._canvas_scene)
        self._canvas_scene.selectionChanged.connect(self.selection_changed)
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

    @property
    def path(self) -> Path:
        """The level that is shown."""
        return self.editing.path

    # --- what is shown -------------------------------------------------------------------------
    def refresh(self) -> None:
        """Shows the document as it is now."""
        while not self.document.has(self.path):
            self.editing.path = self.path[:-1]
            self._canvas_scene.forget()
            self.level_changed.emit(self.path)
        level = self.document.level(self.path)
        self._canvas_scene.show(self.document.drawing(self.path), notes_of(level))
        self._canvas_scene.mark(self.problems)
        self.setSceneRect(self._canvas_scene.sceneRect().adjusted(*PAN_AREA))

    def enter(self, path: Path) -> None:
        """Shows the diagram inside a subsystem."""
        if path == self.path or not self.document.has(path):
            return
        middle = self.mapToScene(self.viewport().rect().center())
        self._views[self.path] = (self.zoom, middle)
        self.editing.path = path
        self._canvas_scene.forget()
        self.refresh()
        if path in self._views:
            zoom, middle = self._views[path]
            self.set_zoom(zoom)
            self.centerOn(middle)
        else:
            self.fit()
        self.level_changed.emit(path)

    def detach(self) -> None:
        """Stops following the document, since the canvas goes away."""
        self._canvas_scene.blockSignals(True)
        if self.refresh in self.document.listeners:
            self.document.listeners.remove(self.refresh)

    def set_theme(self, theme: Theme) -> None:
        self.theme = self._canvas_scene.theme = theme
        chosen = self._canvas_scene.chosen_blocks()
        self._canvas_scene.forget()
        self.refresh()
        self._canvas_scene.choose(chosen)
        self.viewport().update()

    def set_problems(self, problems: dict[str, Mark]) -> None:
        self.problems = problems
        self._canvas_scene.mark(problems)

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        painter.fillRect(rect, QColor(self.theme.paper))
        if self.zoom < MIN_GRID_ZOOM:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(QColor(self.theme.grid), 0))
        step = 2 * GRID
        left, top, right, bottom = rect.left(), rect.top(), rect.right(), rect.bottom()
        for x in _marks(left, right, step):
            painter.drawLine(QLineF(x, top, x, bottom))
        for y in _marks(top, bottom, step):
            painter.drawLine(QLineF(left, y, right, y))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    # --- zoom and pan --------------------------------------------------------------------------
    @property
    def zoom(self) -> float:
        return self.transform().m11()

    def set_zoom(self, zoom: float, at: QPoint | None = None) -> None:
        """Zooms so that the point under `at` stays there."""
        self._was_zoomed = True
        at = at or self.viewport().rect().center()
        before = self.mapToScene(at)
        zoom = min(max(zoom, MIN_ZOOM), MAX_ZOOM)
        self.scale(zoom / self.zoom, zoom / self.zoom)
        moved = self.mapToScene(at) - before
        self.translate(moved.x(), moved.y())

    def fit(self) -> None:
        """Shows the whole level, enlarged by MAX_FIT_ZOOM at most."""
        area = self._canvas_scene.content()
        if area.isEmpty() or not self._canvas_scene.items():
            self.resetTransform()
            self.centerOn(0, 0)
            return
        view = self.viewport().rect()
        scale = min(view.width() / area.width(), view.height() / area.height(), MAX_FIT_ZOOM)
        self.set_zoom(scale)
        self.centerOn(area.center())
        self._was_zoomed = False

    def resizeEvent(self, event) -> None:
        """Fits a view again that was not zoomed or panned."""
        super().resizeEvent(event)
        if not self._was_zoomed:
            self.fit()

    def pan(self, dx: float, dy: float) -> None:
        """Moves the view by scrolling, so that only what comes into sight is painted."""
        self._was_zoomed = True
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
        for begin in self._gestures:
            self.gesture = begin(self, pointer)
            if self.gesture is not None:
                return

    def mouseMoveEvent(self, event) -> None:
        if self.gesture is not None:
            self.gesture.move(self.pointer(event))
        else:
            super().mouseMoveEvent(event)
            self._hover(self.mapToScene(event.position().toPoint()))

    def leaveEvent(self, event) -> None:
        self._retry.stop()
        self.hint_changed.emit("")
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
            self.block_opened.emit(block.key)
        elif note is not None:
            self.block_opened.emit("")
        elif (net := self._canvas_scene.net_at(at)) is not None:
            self.scope_wanted.emit(net.net.source, "out")
        else:
            self.block_wanted.emit(at, "")

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
            self.block_wanted.emit(at if inside else middle, text)
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
            self._show_value(net, VALUE_ATTEMPTS)
        else:
            self._retry.stop()
            self.hint_changed.emit("")

    def _show_value(self, net: NetItem, attempts: int) -> None:
        """Shows name, unit and value of a wire; a value that a run must compute comes later."""
        value = self.probe(net.net.source)
        if value or attempts == VALUE_ATTEMPTS:
            net.setToolTip(plain_text(f"{net.net.title}\n{value}" if value else net.net.title))
            self.hint_changed.emit(f"{net.net.title}   {value}".strip())
        self._awaited = (net, attempts - 1)
        if not value and attempts > 1:
            self._retry.start(RETRY_INTERVAL_MS)

    def _retry_value(self) -> None:
        net, attempts = self._awaited
        if self._canvas_scene.nets.get(net.net.source) is net and net.hovered:
            self._show_value(net, attempts)

    # --- dragging from the library -------------------------------------------------------------
    def dragEnterEvent(self, event) -> None:
        drop = self._begin_drop(self, event) if self._begin_drop else None
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

    def show_tip(self, at: QPoint, text: str) -> None:
        """Shows text beside the pointer."""
        QToolTip.showText(self.viewport().mapToGlobal(at + QPoint(14, 10)), text, self.viewport())


def _marks(start: float, end: float, step: int) -> range:
    """Multiples of a step from start to end."""
    return range(math.ceil(start / step) * step, math.floor(end) + 1, step)
