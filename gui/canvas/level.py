"""The level that a canvas shows, as edits need it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.drawing import Drawing
from railblocks.engine.drawing.placement import Spot
from railblocks.engine.drawing.reading import scene_of
from railblocks.engine.drawing.scene import GRID, Scene

from ..model import layouts, wires
from ..model.document import Document
from ..model.levels import Path, inside, with_inside
from ..model.wires import TerminalPair, end_of
from .scene import CanvasScene


class CanvasLevel:
    """Document, drawing and items at the path that a canvas shows."""

    def __init__(
        self, document: Document, scene: CanvasScene, show_message: Callable[[str], object]
    ):
        self.path: Path = ()
        self._document, self._scene = document, scene
        self._show_message = show_message

    @property
    def _drawing(self) -> Drawing:
        return self._document.drawing(self.path)

    @property
    def _level(self) -> Diagram:
        return self._document.level(self.path)

    def _edit(
        self, label: str, change: Callable[[Diagram], Diagram], appearance_only: bool = False
    ) -> bool:
        return self._document.edit_level(self.path, label, change, appearance_only)

    def _frozen(self, level: Diagram) -> Diagram:
        """A level with the positions of all boxes, so that none jumps when wires change."""
        return layouts.with_spots(level, self._drawing, {})

    def _with_spot(self, key: str, spot: Spot) -> Drawing:
        drawing = self._drawing
        return replace(drawing, spots=drawing.spots | {key: spot})

    def _put_between(self, level: Diagram, key: str, link: TerminalPair) -> Diagram:
        """The level with a block, which is new or moved, in the middle of a wire."""
        scene = self._scene_with(level)
        box = scene.boxes[key]
        if not box.inputs or not box.outputs:
            return level
        pair = (
            end_of(scene, (key, box.inputs[0].name), "in"),
            end_of(scene, (key, box.outputs[0].name), "out"),
        )
        return wires.inserted(level, scene, link, pair)

    def _scene_with(self, level: Diagram) -> Scene:
        """The boxes of a level that is not in the document yet."""
        document, path = self._document, self.path
        root = with_inside(document.root, path, level)
        changed = inside(root, path)
        assert changed is not None
        return scene_of(changed, document.analysis_of(root), "".join(f"{name}." for name in path))


def snap(value: float) -> int:
    """The nearest line of the grid."""
    return round(value / GRID) * GRID
