"""Analyses and drawings of a document, made when they are asked for and kept while they hold."""

from __future__ import annotations

from dataclasses import dataclass

from railblocks.engine.analysis.analysis import Analysis
from railblocks.engine.declaration.registry import Registry
from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.drawing import Drawing, drawing_of
from railblocks.engine.drawing.layers import Flow, flow_of
from railblocks.engine.drawing.reading import scene_of
from railblocks.engine.drawing.scene import Scene

from .history import HistoryStep
from .levels import Path, inside

MAX_KEPT = 16


@dataclass
class _Structure:
    """What does not depend on the positions of boxes."""

    key: object
    analysis: Analysis
    scenes: dict[Path, tuple[Scene, Flow]]


@dataclass(frozen=True)
class _Kept:
    """A drawing, and what it shows."""

    level: Diagram
    structure: object
    drawing: Drawing


class Drawings:
    """Analyses, scenes and drawings of the steps of one document."""

    def __init__(self, registry: Registry):
        self.registry = registry
        self._structures: list[_Structure] = []
        self._tried: Analysis | None = None
        self._drawings: dict[Path, list[_Kept]] = {}  # the newest last

    def analysis(self, step: HistoryStep) -> Analysis:
        return self._structure(step).analysis

    def tried(self, diagram: Diagram) -> Analysis:
        """The analysis of a diagram that may become the next step."""
        if self._tried is None or self._tried.diagram is not diagram:
            before = self._structures[-1].analysis if self._structures else None
            self._tried = Analysis(diagram, self.registry, before)
        return self._tried

    def drawing(self, step: HistoryStep, path: Path) -> Drawing:
        """The drawing of a level; wires that are not touched stay."""
        level = inside(step.diagram, path)
        assert level is not None
        kept = self._drawings.setdefault(path, [])
        for known in kept:
            if known.level is level and known.structure is step.structure:
                kept.remove(known)
                kept.append(known)
                return known.drawing
        structure = self._structure(step)
        if path not in structure.scenes:
            prefix = "".join(f"{name}." for name in path)
            scene = scene_of(level, structure.analysis, prefix)
            structure.scenes[path] = (scene, flow_of(scene))
        scene, flow = structure.scenes[path]
        drawing = drawing_of(scene, level, kept[-1].drawing if kept else None, flow)
        self._drawings[path] = [*kept[1 - MAX_KEPT :], _Kept(level, step.structure, drawing)]
        return drawing

    def _structure(self, step: HistoryStep) -> _Structure:
        for structure in self._structures:
            if structure.key is step.structure:
                return structure
        made = _Structure(step.structure, self.tried(step.diagram), {})
        self._structures = [*self._structures[1 - MAX_KEPT :], made]
        return made
