"""What a user can do to the selection of a canvas: each is one step of the history."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from PySide6.QtCore import QPointF
from railblocks.engine.drawing.placement import Spot
from railblocks.engine.drawing.scene import Terminal, Way
from railblocks.engine.errors import DiagramError

from ..model import blocks, fragments, grouping, layouts, wires
from ..model.connections import ConnectionRules
from ..model.document import Document
from ..model.levels import with_inside
from ..model.wires import TerminalPair, end_of
from .arranging import Arranging
from .level import snap
from .scene import CanvasScene


class Editing(Arranging):
    """Edits of a level; for what cannot be done, a message gives the reason."""

    def __init__(
        self, document: Document, scene: CanvasScene, show_message: Callable[[str], object]
    ):
        super().__init__(document, scene, show_message)
        self.pending: tuple[Terminal, Way] | None = None  # a wire that waits for its block

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
            self._show_message("select two blocks or more to join them")
            return
        rules = ConnectionRules(self._document, self.path)
        pairs: list[TerminalPair] = []
        reasons: list[str] = []
        for left, right in pairwise(keys):
            pair = self._open_pair(rules, left, right, reasons)
            pairs += [pair] if pair else []
        if not pairs:
            self._show_message(reasons[0] if reasons else "there is no open port to join")
            return
        scene = rules.scene
        ends = [(end_of(scene, a, "out"), end_of(scene, b, "in")) for a, b in pairs]
        self._edit("Join", lambda level: wires.connected(self._frozen(level), ends))

    def _open_pair(
        self, rules: ConnectionRules, left: str, right: str, reasons: list[str]
    ) -> TerminalPair | None:
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

    # --- inserting -----------------------------------------------------------------------------
    def fits_on_wires(self, kind: str) -> bool:
        block = self._document.registry.get(kind)
        return block is not None and bool(block.declaration.inputs and block.declaration.outputs)

    def insert(self, kind: str, x: int, y: int, link: TerminalPair | None = None) -> str:
        """Inserts a new block, in the middle of a wire if one is given; the key of its box."""
        if kind in (blocks.INPUT, blocks.OUTPUT) and not self.path:
            self._show_message("only a subsystem has inputs and outputs; enter one first")
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
        """Inserts a new block at a point and joins it with the wire that was drawn there."""
        end, self.pending = self.pending, None
        x, y = snap(at.x()), snap(at.y())
        if end is None:
            self.insert(kind, x - 30, y - 20)
            return
        history = self._document.history
        key = self.insert(kind, x if end[1] == "out" else x - 60, y - 20)
        if not key:
            return
        rules = ConnectionRules(self._document, self.path)
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
        self._show_message(reasons[0] if reasons else f"{key} has no port for this wire")

    # --- removing and switching off ------------------------------------------------------------
    def delete(self) -> None:
        """Removes what is selected: blocks with their wires, branches, notes."""
        keys, notes = self._scene.chosen_blocks(), self._scene.chosen_notes()
        links: list[TerminalPair] = []
        for item in self._scene.chosen_nets():
            targets = item.net.targets if item.chosen is None else (item.chosen,)
            links += [(item.net.source, target) for target in targets]
        if not (keys or notes or links):
            return
        path, drawing = self.path, self._drawing

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
        """Inserts what the text holds and selects it."""
        names: list[str] = []
        count = len(self._scene.notes)

        def change(level):
            changed, new_names, _ = fragments.pasted(level, self._drawing, text, at)
            names.extend(new_names)
            return changed

        try:
            self._edit(label, change)
        except DiagramError as error:
            self._show_message(error.problems[0].message)
            return
        self._scene.choose(names)
        for item in self._scene.notes[count:]:
            item.setSelected(True)

    def duplicate(self, dx: int = 0, dy: int = 0) -> None:
        """Copies the selection; by default to just below it, where there is room."""
        text = self.copied()
        if text:
            dy = dy if dx or dy else self._scene.room_below()
            spots = self._scene.spots(self._scene.chosen_blocks()).values()
            notes = [item.note for item in self._scene.chosen_notes()]
            left = min([*(spot.x for spot in spots), *(note.x for note in notes)])
            top = min([*(spot.y for spot in spots), *(note.y for note in notes)])
            corner = (left + dx, top + dy)
            self.paste(text, corner, "Duplicate")

    # --- structure -----------------------------------------------------------------------------
    def group(self) -> None:
        """Makes a subsystem of the selected blocks."""
        names = []

        def change(root):
            keys = self._scene.chosen_blocks()
            changed, name = grouping.grouped(root, self.path, self._drawing, keys)
            names.append(name)
            return changed

        self._try("Group", change)
        self._scene.choose(names)

    def can_expand(self) -> bool:
        """Whether the selection is one subsystem."""
        chosen = [self._level.blocks.get(key) for key in self._scene.chosen_blocks()]
        return len(chosen) == 1 and chosen[0] is not None and chosen[0].subsystem is not None

    def expand(self) -> None:
        """Replaces the selected subsystem by its blocks."""
        names: list[str] = []
        chosen = [k for k in self._scene.chosen_blocks() if k in self._level.blocks]
        if len(chosen) != 1:
            self._show_message("select one subsystem to expand it")
            return

        def change(root):
            changed, new_names = grouping.expanded(root, self.path, self._drawing, chosen[0])
            names.extend(new_names)
            return changed

        self._try("Expand", change)
        self._scene.choose(names)

    def _try(self, label: str, change) -> None:
        try:
            self._document.edit(label, change)
        except DiagramError as error:
            self._show_message(error.problems[0].message)
