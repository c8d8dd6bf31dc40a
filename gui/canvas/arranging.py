"""Edits of positions: move, turn, align, lay out; and notes. Each is one step of the history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from railblocks.engine.drawing.placement import Spot
from railblocks.engine.drawing.scene import GRID

from ..model import layouts
from ..model.layouts import Note
from ..model.wires import TerminalPair
from .level import CanvasLevel, snap


class Arranging(CanvasLevel):
    """Edits of the layout alone: positions, notes, and the wire that a block is put on."""

    def move(self, spots: Mapping[str, Spot], notes: list[Note], link: TerminalPair | None) -> None:
        def change(level):
            if spots:
                level = layouts.with_spots(level, self._drawing, spots)
            if notes != layouts.notes_of(level):
                level = layouts.with_notes(level, notes)
            return self._put_between(level, next(iter(spots)), link) if link else level

        self._edit("Move", change, appearance_only=link is None)

    def nudge(self, dx: int, dy: int) -> None:
        """Moves the selection one step of the grid."""
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

    def _turned(self, label: str, turn: Callable[[Spot], Spot]) -> None:
        spots = {k: turn(s) for k, s in self._scene.spots(self._scene.chosen_blocks()).items()}
        if spots:
            change = lambda level: layouts.with_spots(level, self._drawing, spots)  # noqa: E731
            self._edit(label, change, appearance_only=True)

    def align(self, edge: str) -> None:
        """Lines the selected blocks up: left, right, top, bottom, centre or middle."""
        keys = self._scene.chosen_blocks()
        spots = self._scene.spots(keys)
        if len(keys) < 2:
            self._show_message("select two blocks or more to align them")
            return
        boxes = {key: self._scene.blocks[key].box for key in keys}
        along_x = edge in ("left", "right", "centre")
        size = {k: boxes[k].width if along_x else boxes[k].height for k in keys}
        start = {k: spots[k].x if along_x else spots[k].y for k in keys}
        share = {"left": 0.0, "top": 0.0, "right": 1.0, "bottom": 1.0}.get(edge, 0.5)
        lowest, highest = min(start.values()), max(start[k] + size[k] for k in keys)
        wanted = lowest + share * (highest - lowest)
        moved = {}
        for key in keys:
            aligned = snap(wanted - share * size[key])
            spot = spots[key]
            moved[key] = replace(spot, x=aligned) if along_x else replace(spot, y=aligned)
        change = lambda level: layouts.with_spots(level, self._drawing, moved)  # noqa: E731
        self._edit("Align", change, appearance_only=True)

    def arrange(self) -> None:
        """Lays the whole level out anew."""
        self._edit("Arrange", layouts.without_layout, appearance_only=True)

    # --- notes ---------------------------------------------------------------------------------
    def add_note(self, x: int, y: int, text: str) -> None:
        note = Note(snap(x), snap(y), text)
        change = lambda level: layouts.with_notes(level, [*layouts.notes_of(level), note])  # noqa: E731
        self._edit("Add note", change, appearance_only=True)

    def change_note(self, old: Note, text: str) -> None:
        def change(level):
            new = [replace(n, text=text) if n == old else n for n in layouts.notes_of(level)]
            return layouts.with_notes(level, [note for note in new if note.text.strip()])

        self._edit("Change note", change, appearance_only=True)
