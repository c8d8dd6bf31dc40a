"""Moving blocks and notes: drag one, and all that are selected go along.

A block without wires that is dropped on a wire is put in between. With Ctrl, copies are moved.
"""

from __future__ import annotations

from PySide6.QtCore import Qt

from ..canvas.canvas import Canvas
from ..canvas.level import snap
from ..canvas.pointer import Pointer
from .gesture import Gesture
from .insertion import Wire, fits_on_wires, link_of, mark, wire_under


class Move(Gesture):
    """Drags the selected blocks and notes."""

    @classmethod
    def begin(cls, canvas: Canvas, pointer: Pointer) -> Gesture | None:
        scene = canvas.items_of_level
        item = scene.block_at(pointer.at) or scene.note_at(pointer.at)
        if item is None or not pointer.is_left:
            return None
        toggles = pointer.holds(Qt.KeyboardModifier.ShiftModifier)
        if toggles:
            item.setSelected(not item.isSelected())
        elif not item.isSelected():
            scene.choose_items([item])
        return cls(canvas, pointer, item)

    def __init__(self, canvas: Canvas, start: Pointer, item):
        super().__init__(canvas, start)
        self.item = item
        self.keys = set(self.scene.chosen_blocks())
        self.notes = self.scene.chosen_notes()
        moving = [*(self.scene.blocks[key] for key in self.keys), *self.notes]
        self.origins = {item: item.pos() for item in moving}
        self.moved = False
        self.wire: Wire | None = None
        self.copies = start.holds(Qt.KeyboardModifier.ControlModifier)

    def move(self, pointer: Pointer) -> None:
        if not self.moved and not self.has_moved(pointer):
            return
        self.moved = True
        dx = snap(pointer.at.x() - self.start.at.x())
        dy = snap(pointer.at.y() - self.start.at.y())
        for item, origin in self.origins.items():
            item.setPos(origin.x() + dx, origin.y() + dy)
        if not self.copies:
            self.scene.sketch(self.keys)
        self._look_for_wire()

    def _look_for_wire(self) -> None:
        self.wire = None
        if len(self.keys) == 1 and not self.notes and not self.copies:
            item = self.scene.blocks[next(iter(self.keys))]
            if not item.connected and fits_on_wires(item.box):
                area = item.body().translated(item.pos())
                self.wire = wire_under(self.scene, area, self.keys)
        mark(self.scene, self.wire)

    def release(self, pointer: Pointer) -> None:
        mark(self.scene, None)
        self.canvas.end_gesture()
        if not self.moved:
            self._click(pointer)
            return
        spots = self.scene.spots(self.keys)
        notes = [item.moved() if item in self.notes else item.note for item in self.scene.notes]
        if self.copies:
            shift = next(item.pos() - origin for item, origin in self.origins.items())
            self.canvas.refresh()
            self.canvas.editing.duplicate(round(shift.x()), round(shift.y()))
        else:
            self.canvas.editing.move(spots, notes, link_of(self.wire) if self.wire else None)
        self.canvas.refresh()

    def _click(self, pointer: Pointer) -> None:
        """A click without a drag selects this one alone."""
        if pointer.holds(Qt.KeyboardModifier.ShiftModifier):
            return
        self.scene.choose_items([self.item])

    def cancel(self) -> None:
        mark(self.scene, None)
        for item, origin in self.origins.items():
            item.setPos(origin)
        super().cancel()
