"""Drawings of the levels of a document, made when they are asked for and kept while they hold."""

from __future__ import annotations

from dataclasses import dataclass

from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.drawing import Drawing, drawing_of
from railblocks.engine.drawing.layers import Flow, flow_of
from railblocks.engine.drawing.reading import scene_of
from railblocks.engine.drawing.scene import Scene
from railblocks.engine.drawing.types import Types
from railblocks.engine.registry import Registry

from .history import Step
from .levels import Path, inside

KEPT = 16


@dataclass
class _Structure:
    """What does not depend on where boxes stand."""

    key: object
    types: Types
    scenes: dict[Path, tuple[Scene, Flow]]


class Pictures:
    """Types, scenes and drawings of the steps of one document."""

    def __init__(self, registry: Registry):
        self.registry = registry
        self._structures: list[_Structure] = []
        self._drawings: dict[Path, tuple[Diagram, Drawing]] = {}

    def types(self, step: Step) -> Types:
        return self._structure(step).types

    def drawing(self, step: Step, path: Path) -> Drawing:
        """The drawing of a level; wires that are not touched stay."""
        known = self._drawings.get(path)
        if known is not None and known[0] is step.diagram:
            return known[1]
        level = inside(step.diagram, path)
        assert level is not None
        structure = self._structure(step)
        if path not in structure.scenes:
            prefix = "".join(f"{name}." for name in path)
            scene = scene_of(level, self.registry, structure.types, prefix)
            structure.scenes[path] = (scene, flow_of(scene))
        scene, flow = structure.scenes[path]
        drawing = drawing_of(scene, level, known[1] if known else None, flow)
        self._drawings[path] = (step.diagram, drawing)
        return drawing

    def _structure(self, step: Step) -> _Structure:
        for structure in self._structures:
            if structure.key is step.structure:
                return structure
        before = self._structures[-1].types if self._structures else None
        made = _Structure(step.structure, Types(step.diagram, self.registry, before), {})
        self._structures = [*self._structures[1 - KEPT :], made]
        return made
