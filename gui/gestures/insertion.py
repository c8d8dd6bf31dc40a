"""Wires into which a block would be inserted if it were dropped now."""

from __future__ import annotations

from railblocks.engine.drawing.scene import Box, Terminal

from ..canvas.net_item import NetItem
from ..canvas.scene import CanvasScene
from ..model.wires import TerminalPair

Wire = tuple[NetItem, Terminal]  # one branch of a net, by its target


def fits_on_wires(box: Box) -> bool:
    """Whether a block has an input and an output to be put in between."""
    return bool(box.inputs and box.outputs)


def wire_under(scene: CanvasScene, area, moved: set[str]) -> Wire | None:
    """A wire of other blocks through the middle of an area, by its net and target."""
    middle = area.center()
    inner = area.adjusted(6, 6, -6, -6)
    for item in scene.items(inner):
        if not isinstance(item, NetItem) or not item.shape().intersects(inner):
            continue
        target = item.target_at(middle)
        if target is None or item.net.source[0] in moved or target[0] in moved:
            continue
        return item, target
    return None


def link_of(wire: Wire) -> TerminalPair:
    item, target = wire
    return item.net.source, target


def mark(scene: CanvasScene, wire: Wire | None) -> None:
    """Shows which wire would take the block."""
    for item in scene.nets.values():
        marked = wire is not None and wire[0] is item
        if item.marked != marked:
            item.marked = marked
            item.update()
