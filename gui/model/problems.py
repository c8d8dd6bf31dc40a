"""What is wrong with a document, and which block each problem belongs to."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from railblocks.engine.checks.checking import Checked, check
from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.errors import DiagramError, Place, Problem
from railblocks.engine.registry import Registry

from .levels import Path


@dataclass(frozen=True)
class Found:
    """A problem, and the block (or the level) that it is about."""

    message: str
    path: Path
    block: str = ""
    parameter: str = ""
    place: str = ""

    @property
    def where(self) -> str:
        return ".".join((*self.path, self.block)) if self.block else ".".join(self.path)


def checked(root: Diagram, registry: Registry) -> Checked | list[Found]:
    """The checked diagram, or all that is wrong with it."""
    try:
        return check(root, registry)
    except DiagramError as error:
        index = PlaceIndex(root)
        return [index.found(problem) for problem in error.problems]


class PlaceIndex:
    """Who stands at a place of the files of a diagram."""

    def __init__(self, root: Diagram):
        self._owners: dict[str, list[tuple[int, int, Path, str, str]]] = {}
        self._add(root, ())
        for owners in self._owners.values():
            owners.sort(key=lambda owner: owner[:2])

    def found(self, problem: Problem) -> Found:
        place = problem.place
        owners = self._owners.get(place.file, []) if place else []
        if place is None or not owners or not place.line:
            return Found(problem.message, ())
        key = (place.line, place.column)
        at = bisect_right([owner[:2] for owner in owners], key) - 1
        shown = "" if place.file.startswith("<") else f"line {place.line}"
        if at < 0:
            return Found(problem.message, (), place=shown)
        _, _, path, block, parameter = owners[at]
        return Found(problem.message, path, block, parameter, shown)

    def _put(self, place: Place, path: Path, block: str, parameter: str = "") -> None:
        owners = self._owners.setdefault(place.file, [])
        owners.append((place.line, place.column, path, block, parameter))

    def _add(self, diagram: Diagram, path: Path) -> None:
        for name, entry in diagram.parameters.items():
            self._put(entry.key_place, path, "", name)
        for name, entry in (*diagram.solver.items(), *diagram.log.items()):
            self._put(entry.key_place, path, "", name)
        for name, block in diagram.blocks.items():
            self._put(block.place, path, name)
            for parameter, entry in block.values.items():
                self._put(entry.key_place, path, name, parameter)
                self._put(entry.node.place, path, name, parameter)
            inner = block.subsystem.diagram if block.subsystem else None
            if inner is not None:
                self._add(inner, (*path, name))
        for line in diagram.wires:
            for _, target in line.wires:
                if target.place is not None:
                    self._put(line.node.place, path, line.wires[0][0].block)
                    self._put(target.place, path, target.block)
        for key, ports in (("<", diagram.inputs), (">", diagram.outputs)):
            for name, port in ports.items():
                self._put(port.place, path, key + name)
