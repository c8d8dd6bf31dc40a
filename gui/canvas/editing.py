"""What a user can do to the selection of a canvas: each is one step of the history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF
from railblocks.engine.drawing.placement import Spot
from railblocks.engine.drawing.reading import scene_of
from railblocks.engine.drawing.scene import GRID, Terminal, Way
from railblocks.engine.drawing.types import Types
from railblocks.engine.errors import DiagramError

from ..model import blocks, fragments, grouping, layouts, wires
from ..model.connections import ConnectionRules
from ..model.layouts import Note
from ..model.levels import inside, with_inside
from ..model.wires import Link, end_of

if TYPE_CHECKING:
    from .canvas import Canvas


class Editing:
    """Verbs; what cannot be done is said with its reason."""

    def __init__(self, canvas: Canvas):
        self.canvas = canvas
        self.pending: tuple[Terminal, Way] | None = None  # a wire that waits for its block

    # --- where it happens ----------------------------------------------------------------------
    @property
    def _document(self):
        return self.canvas.document

    @property
    def _drawing(self):
        return self._document.drawing(self.canvas.path)

    @property
    def _level(self):
        return self._document.level(self.canvas.path)

    @property
    def _scene(self):
        return self.canvas.items_of_level

    def _edit(self, label: str, change, looks: bool = False) -> bool:
        return self._document.edit_level(self.canvas.path, label, change, looks)

    # --- wires ---------------------------------------------------------------------------------
    def connect(self, source: Terminal, target: Terminal) -> None:
        scene = self._drawing.scene
        pair = (end_of(scene, source, "out"), end_of(scene, target, "in"))
        self._edit("Connect", lambda level: wires.connected(self._frozen(level), [pair]))

    def join(self) -> None:
        """Joins the selected blocks from left to right, by their first open ports that fit."""
        keys = self._scene.chosen_blocks()
        spots = self._scene.spots(keys)
        keys.sort(key=lambda key: (spots[key].x, spots[key].y))
        if len(keys) < 2:
            self.canvas.said.emit("select two blocks or more to join them")
            return
        rules = ConnectionRules(self._document, self.canvas.path)
        pairs, reasons = [], []
        for left, right in pairwise(keys):
            found = self._open_pair(rules, left, right, reasons)
            pairs += [found] if found else []
        if not pairs:
            self.canvas.said.emit(reasons[0] if reasons else "there is no open port to join")
            return
        scene = rules.scene
        ends = [(end_of(scene, a, "out"), end_of(scene, b, "in")) for a, b in pairs]
        self._edit("Join", lambda level: wires.connected(self._frozen(level), ends))

    def _open_pair(
        self, rules: ConnectionRules, left: str, right: str, reasons: list[str]
    ) -> Link | None:
        """The first output of one block and the first open input of another that fit."""
        taken = {target for net in rules.scene.nets for target in net.targets}
        for out in rules.scene.boxes[left].outputs:
            for into in rules.scene.boxes[right].inputs:
                source, target = (left, out.name), (right, into.name)
                if target in taken:
                    continue
                reason = rules.reason_against((source, "out"), (target, "in"))
                if not reason:
                    return source, target
                reasons.append(reason)
        return None

    def _frozen(self, level):
        """A level whose boxes all have their places, so that none jumps when wires change."""
        return layouts.with_spots(level, self._drawing, {})

    # --- inserting -----------------------------------------------------------------------------
    def fits_on_wires(self, kind: str) -> bool:
        block = self._document.registry.get(kind)
        return block is not None and bool(block.declaration.inputs and block.declaration.outputs)

    def insert(self, kind: str, x: int, y: int, link: Link | None = None) -> str:
        """A new block, in the middle of a wire if one is given; the key of its box."""
        if kind in (blocks.INPUT, blocks.OUTPUT) and not self.canvas.path:
            self.canvas.said.emit("only a subsystem has inputs and outputs; enter one first")
            return ""
        keys = []

        def change(level):
            changed, key = blocks.with_block(self._frozen(level), kind)
            keys.append(key)
            spot = Spot(x, y)
            changed = layouts.with_spots(changed, self._with_spot(key, spot), {key: spot})
            return self._put_between(changed, key, link) if link else changed

        self._edit(f"Insert {kind}", change)
        self._scene.choose(keys)
        return keys[0]

    def insert_joined(self, kind: str, at: QPointF) -> None:
        """A new block at a point, joined with the wire that was drawn there."""
        end, self.pending = self.pending, None
        x, y = _snap(at.x()), _snap(at.y())
        if end is None:
            self.insert(kind, x - 30, y - 20)
            return
        history = self._document.history
        key = self.insert(kind, x if end[1] == "out" else x - 60, y - 20)
        if not key:
            return
        rules = ConnectionRules(self._document, self.canvas.path)
        box = rules.scene.boxes[key]
        ports = box.inputs if end[1] == "out" else box.outputs
        other: Way = "in" if end[1] == "out" else "out"
        reasons = []
        for port in ports:
            candidate = ((key, port.name), other)
            reason = rules.reason_against(end, candidate)
            if not reason:
                self.connect(*rules.pair(end, candidate))
                history.merge_last(f"Insert {kind}")
                return
            reasons.append(reason)
        self.canvas.said.emit(reasons[0] if reasons else f"{key} has no port for this wire")

    def _with_spot(self, key: str, spot: Spot):
        drawing = self._drawing
        return replace(drawing, spots=drawing.spots | {key: spot})

    def _put_between(self, level, key: str, link: Link):
        """The level with a block, which is new or moved, in the middle of a wire."""
        path = self.canvas.path
        root = with_inside(self._document.root, path, level)
        scene = _scene_of(self._document, root, path)
        box = scene.boxes[key]
        if not box.inputs or not box.outputs:
            return level
        pair = (
            end_of(scene, (key, box.inputs[0].name), "in"),
            end_of(scene, (key, box.outputs[0].name), "out"),
        )
        return wires.inserted(level, scene, link, pair)

    # --- moving --------------------------------------------------------------------------------
    def move(self, spots: Mapping[str, Spot], notes: list[Note], link: Link | None) -> None:
        def change(level):
            if spots:
                level = layouts.with_spots(level, self._drawing, spots)
            if notes != layouts.notes_of(level):
                level = layouts.with_notes(level, notes)
            return self._put_between(level, next(iter(spots)), link) if link else level

        self._edit("Move", change, looks=link is None)

    def nudge(self, dx: int, dy: int) -> None:
        """The selection one step of the grid further."""
        spots = self._scene.spots(self._scene.chosen_blocks())
        moved = {k: replace(s, x=s.x + dx * GRID, y=s.y + dy * GRID) for k, s in spots.items()}
        chosen = self._scene.chosen_notes()
        notes = [
            replace(n.note, x=n.note.x + dx * GRID, y=n.note.y + dy * GRID)
            if n in chosen
            else n.note
            for n in self._scene.notes
        ]
        if moved or chosen:
            self.move(moved, notes, None)

    def flip(self) -> None:
        """Mirrors the selected blocks."""
        self._turned("Flip", lambda spot: replace(spot, flipped=not spot.flipped))

    def rotate(self) -> None:
        """Turns the selected blocks a quarter clockwise."""

        def turn(spot: Spot) -> Spot:
            way = (spot.way + 1) % 4
            return replace(spot, flipped=way > 1, turned=way % 2 == 1)

        self._turned("Rotate", turn)

    def _turned(self, label: str, turn) -> None:
        spots = {k: turn(s) for k, s in self._scene.spots(self._scene.chosen_blocks()).items()}
        if spots:
            change = lambda level: layouts.with_spots(level, self._drawing, spots)  # noqa: E731
            self._edit(label, change, looks=True)

    def align(self, edge: str) -> None:
        """Lines the selected blocks up: left, right, top, bottom, centre or middle."""
        keys = self._scene.chosen_blocks()
        spots = self._scene.spots(keys)
        if len(keys) < 2:
            self.canvas.said.emit("select two blocks or more to align them")
            return
        boxes = {key: self._scene.blocks[key].box for key in keys}
        level = edge in ("left", "right", "centre")
        size = {k: boxes[k].width if level else boxes[k].height for k in keys}
        place = {k: spots[k].x if level else spots[k].y for k in keys}
        share = {"left": 0.0, "top": 0.0, "right": 1.0, "bottom": 1.0}.get(edge, 0.5)
        lows, highs = min(place.values()), max(place[k] + size[k] for k in keys)
        wanted = lows + share * (highs - lows)
        name = "x" if level else "y"
        moved = {k: replace(spots[k], **{name: _snap(wanted - share * size[k])}) for k in keys}
        change = lambda level: layouts.with_spots(level, self._drawing, moved)  # noqa: E731
        self._edit("Align", change, looks=True)

    def arrange(self) -> None:
        """Lays the whole level out anew."""
        self._edit("Arrange", layouts.without_layout, looks=True)

    # --- removing and switching off ------------------------------------------------------------
    def delete(self) -> None:
        """Removes what is selected: blocks with their wires, branches, notes."""
        keys, notes = self._scene.chosen_blocks(), self._scene.chosen_notes()
        links: list[Link] = []
        for item in self._scene.chosen_nets():
            targets = item.net.targets if item.chosen is None else (item.chosen,)
            links += [(item.net.source, target) for target in targets]
        if not (keys or notes or links):
            return
        path, drawing = self.canvas.path, self._drawing

        def change(root):
            level = self._frozen(self._level) if keys or links else self._level
            level = wires.disconnected(level, drawing.scene, links) if links else level
            if notes:
                kept = [item.note for item in self._scene.notes if item not in notes]
                level = layouts.with_notes(level, kept)
            return blocks.without_blocks(with_inside(root, path, level), path, keys)

        self._document.edit("Delete", change)

    def comment_out(self) -> None:
        """Leaves the selected blocks out of the simulation, or takes them in again."""
        keys = [key for key in self._scene.chosen_blocks() if key in self._level.blocks]
        if keys:
            disabled = not all(self._level.blocks[key].disabled for key in keys)
            label = "Comment out" if disabled else "Uncomment"
            self._edit(label, lambda level: blocks.with_disabled(level, keys, disabled))

    # --- copying -------------------------------------------------------------------------------
    def copied(self) -> str:
        """The selection as text."""
        keys = [key for key in self._scene.chosen_blocks() if key in self._level.blocks]
        notes = [item.note for item in self._scene.chosen_notes()]
        return fragments.copied(self._level, self._drawing, keys, notes) if keys or notes else ""

    def paste(self, text: str, at: tuple[int, int] | None = None, label: str = "Paste") -> None:
        """What the text holds, selected."""
        names: list[str] = []
        count = len(self._scene.notes)

        def change(level):
            changed, found, _ = fragments.pasted(level, self._drawing, text, at)
            names.extend(found)
            return changed

        try:
            self._edit(label, change)
        except DiagramError as error:
            self.canvas.said.emit(error.problems[0].message)
            return
        self._scene.choose(names)
        for item in self._scene.notes[count:]:
            item.setSelected(True)

    def duplicate(self, dx: int = 20, dy: int = 20) -> None:
        text = self.copied()
        if text:
            things = [
                *self._scene.spots(self._scene.chosen_blocks()).values(),
                *(item.note for item in self._scene.chosen_notes()),
            ]
            corner = (min(t.x for t in things) + dx, min(t.y for t in things) + dy)
            self.paste(text, corner, "Duplicate")

    # --- structure -----------------------------------------------------------------------------
    def group(self) -> None:
        """Makes a subsystem of the selected blocks."""
        names = []

        def change(root):
            keys = self._scene.chosen_blocks()
            changed, name = grouping.grouped(root, self.canvas.path, self._drawing, keys)
            names.append(name)
            return changed

        self._try("Group", change)
        self._scene.choose(names)

    def expand(self) -> None:
        """Puts the blocks of the selected subsystem in its place."""
        names: list[str] = []
        chosen = [k for k in self._scene.chosen_blocks() if k in self._level.blocks]
        if len(chosen) != 1:
            self.canvas.said.emit("select one subsystem to expand it")
            return

        def change(root):
            changed, found = grouping.expanded(root, self.canvas.path, self._drawing, chosen[0])
            names.extend(found)
            return changed

        self._try("Expand", change)
        self._scene.choose(names)

    def _try(self, label: str, change) -> None:
        try:
            self._document.edit(label, change)
        except DiagramError as error:
            self.canvas.said.emit(error.problems[0].message)

    # --- notes ---------------------------------------------------------------------------------
    def add_note(self, x: int, y: int, text: str) -> None:
        note = Note(_snap(x), _snap(y), text)
        change = lambda level: layouts.with_notes(level, [*layouts.notes_of(level), note])  # noqa: E731
        self._edit("Add note", change, looks=True)

    def change_note(self, old: Note, text: str) -> None:
        def change(level):
            new = [replace(n, text=text) if n == old else n for n in layouts.notes_of(level)]
            return layouts.with_notes(level, [note for note in new if note.text.strip()])

        self._edit("Change note", change, looks=True)


def _scene_of(document, root, path):
    types = Types(root, document.registry, document.types())
    prefix = "".join(f"{name}." for name in path)
    level = inside(root, path)
    assert level is not None
    return scene_of(level, document.registry, types, prefix)


def _snap(value: float) -> int:
    return round(value / GRID) * GRID
