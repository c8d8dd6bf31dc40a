"""The items of one level, kept in step with its drawing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene
from railblocks.engine.drawing import Drawing
from railblocks.engine.drawing.placement import Spot
from railblocks.engine.drawing.scene import GRID, Terminal, Way

from ..model.layouts import Note
from ..model.problems import Mark
from ..style.plain_text import plain_text
from ..style.theme import LIGHT, Theme
from .block_item import BlockItem
from .net_item import NetItem
from .note_item import NoteItem
from .sketch import PortPlacement, sketched

MARGIN = 60  # pixels around the items


class CanvasScene(QGraphicsScene):
    """Items by the keys of their boxes and the sources of their nets."""

    def __init__(self, theme: Theme = LIGHT):
        super().__init__()
        self.theme = theme
        self.blocks: dict[str, BlockItem] = {}
        self.nets: dict[Terminal, NetItem] = {}
        self.notes: list[NoteItem] = []
        self.drawing: Drawing | None = None

    # --- keeping in step -----------------------------------------------------------------------
    def show(self, drawing: Drawing, notes: list[Note]) -> None:
        """Shows a drawing: changes the items that differ from the last one, and no others."""
        self.drawing = drawing
        joined: dict[str, set[tuple[str, Way]]] = {}
        for net in drawing.scene.nets:
            joined.setdefault(net.source[0], set()).add((net.source[1], "out"))
            for block, port in net.targets:
                joined.setdefault(block, set()).add((port, "in"))
        for key in self.blocks.keys() - drawing.scene.boxes.keys():
            self.removeItem(self.blocks.pop(key))
        for key, box in drawing.scene.boxes.items():
            item = self.blocks.get(key)
            if item is None:
                item = self.blocks[key] = BlockItem(box, drawing.spots[key], self.theme)
                item.connected = frozenset(joined.get(key, ()))
                self.addItem(item)
            else:
                item.show_box(box, drawing.spots[key], frozenset(joined.get(key, ())))
        routes = {route.net.source: route for route in drawing.routes}
        for source in self.nets.keys() - routes.keys():
            self.removeItem(self.nets.pop(source))
        for source, route in routes.items():
            if source in self.nets:
                self.nets[source].show_route(route)
            else:
                self.nets[source] = NetItem(route, self.theme)
                self.addItem(self.nets[source])
            self.nets[source].setToolTip(plain_text(route.net.title))
        self._show_notes(notes)
        self.setSceneRect(self.sceneRect().united(self.content()))

    def _show_notes(self, notes: list[Note]) -> None:
        if [item.note.text for item in self.notes] == [note.text for note in notes]:
            for item, note in zip(self.notes, notes, strict=True):
                item.note = note
                item.setPos(note.x, note.y)
            return
        for item in self.notes:
            self.removeItem(item)
        self.notes = [NoteItem(note, self.theme) for note in notes]
        for item in self.notes:
            self.addItem(item)

    def forget(self) -> None:
        """Removes all items, since another level will be shown."""
        self.blocks, self.nets, self.notes, self.drawing = {}, {}, [], None
        self.clear()

    def content(self) -> QRectF:
        """The area that has items."""
        area = QRectF()
        for item in (*self.blocks.values(), *self.nets.values(), *self.notes):
            area = area.united(item.sceneBoundingRect())
        return area.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)

    def mark(self, problems: Mapping[str, Mark]) -> None:
        """Shows badges on blocks with problems, and marks the wires of a loop that failed."""
        for key, item in self.blocks.items():
            item.mark(problems.get(key))
        loop = {key for key, mark in problems.items() if mark.in_loop}
        for net in self.nets.values():
            source, targets = net.net.source, net.net.targets
            net.mark(frozenset(t for t in targets if source[0] in loop and t[0] in loop))

    # --- finding -------------------------------------------------------------------------------
    def port_position(self, terminal: Terminal, way: Way) -> tuple[QPointF, int] | None:
        item = self.blocks.get(terminal[0])
        return item.port_position(terminal[1], way) if item else None

    def sketch_position(self, terminal: Terminal, way: Way) -> PortPlacement | None:
        position = self.port_position(terminal, way)
        return (position[0].x(), position[0].y(), position[1]) if position else None

    def port_at(self, at: QPointF, reach: float = 9.0) -> tuple[Terminal, Way] | None:
        """The port near a point."""
        area = QRectF(at.x() - reach - 8, at.y() - reach - 8, 2 * reach + 16, 2 * reach + 16)
        for item in self.items(area):
            if isinstance(item, BlockItem):
                port = item.port_at(at, reach)
                if port is not None:
                    return port
        return None

    def block_at(self, at: QPointF) -> BlockItem | None:
        return next((i for i in self.items(at) if isinstance(i, BlockItem)), None)

    def net_at(self, at: QPointF) -> NetItem | None:
        return next((i for i in self.items(at) if isinstance(i, NetItem)), None)

    def note_at(self, at: QPointF) -> NoteItem | None:
        return next((i for i in self.items(at) if isinstance(i, NoteItem)), None)

    # --- selection -----------------------------------------------------------------------------
    def chosen_blocks(self) -> list[str]:
        return [key for key, item in self.blocks.items() if item.isSelected()]

    def chosen_nets(self) -> list[NetItem]:
        return [item for item in self.nets.values() if item.isSelected()]

    def chosen_notes(self) -> list[NoteItem]:
        return [item for item in self.notes if item.isSelected()]

    def choose(self, keys: Iterable[str]) -> None:
        wanted = set(keys)
        self.choose_items([item for key, item in self.blocks.items() if key in wanted])

    def choose_items(self, items: list[QGraphicsItem]) -> None:
        """Selects these items alone, with one signal however many were selected before."""
        before = self.selectedItems()
        self.blockSignals(True)
        for item in before:
            item.setSelected(item in items)
        for item in items:
            item.setSelected(True)
        self.blockSignals(False)
        if set(before) != set(items):
            self.selectionChanged.emit()

    def room_below(self) -> int:
        """Distance below the selection at which a copy of it covers no block."""
        blocks = [item.sceneBoundingRect() for item in self.blocks.values()]
        chosen = [self.blocks[key].sceneBoundingRect() for key in self.chosen_blocks()]
        return next(
            dy
            for dy in count(2 * GRID, GRID)
            if not any(area.translated(0, dy).intersects(b) for area in chosen for b in blocks)
        )

    # --- on the move ---------------------------------------------------------------------------
    def sketch(self, keys: set[str]) -> None:
        """Draws the wires of blocks that are dragged."""
        for item in self.nets.values():
            net = item.net
            if net.source[0] in keys or any(target[0] in keys for target in net.targets):
                item.show_route(sketched(net, self.sketch_position, item.route))

    def spots(self, keys: Iterable[str]) -> dict[str, Spot]:
        """Positions of blocks as they are drawn now."""
        spots = {}
        for key in keys:
            item = self.blocks[key]
            x, y = round(item.pos().x()), round(item.pos().y())
            spots[key] = Spot(x, y, item.spot.flipped, item.spot.turned)
        return spots
