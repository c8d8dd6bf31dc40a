"""What is wrong with a document, and which block each problem belongs to."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from railblocks.engine.analysis.analysis import Analysis
from railblocks.engine.analysis.checking import Checked, check_analysis
from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.errors import DiagramError, Position, Problem

from .levels import Path

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
BEGINNING = re.compile(r"^(?:t = \S+ s: )?(?:the derivative of |guard '\w+' of )?")
CHAIN = re.compile(rf"{NAME.pattern}(?:\[[^\]]*\])?(?: -> {NAME.pattern}(?:\[[^\]]*\])?)+")


@dataclass(frozen=True)
class LocatedProblem:
    """A problem, and the block (or the level) that it is about.

    An error keeps the diagram from running; a warning does not, nor does a note about a run that
    has ended. `loop` are the blocks of an algebraic loop, each with the path of its level.
    """

    message: str
    path: Path
    block: str = ""
    parameter: str = ""
    position: str = ""  # in its file, as it is shown
    severity: Severity = "error"
    loop: tuple[tuple[Path, str], ...] = ()

    @property
    def where(self) -> str:
        return ".".join((*self.path, self.block)) if self.block else ".".join(self.path)

    @property
    def blocks(self) -> tuple[tuple[Path, str], ...]:
        """All blocks that it is about, each with the path of its level."""
        return self.loop or (((self.path, self.block),) if self.block else ())


@dataclass(frozen=True)
class Mark:
    """What a box on the canvas shows of a problem; `in_loop`: its wires are marked with it."""

    message: str
    severity: Severity = "error"
    in_loop: bool = False


def marks(problems: Iterable[LocatedProblem], path: Path) -> dict[str, Mark]:
    """Marks by the boxes of a level; what is wrong inside a subsystem marks it too.

    A box shows the most severe of its problems; notes alone do not mark one.
    """
    by_box: dict[str, Mark] = {}
    for problem in sorted(problems, key=lambda p: SEVERITIES.index(p.severity)):
        blocks = problem.blocks or ((problem.path, ""),)
        for level, block in blocks if problem.severity != "note" else ():
            where = (*level, *([block] if block else []))
            if where[: len(path)] == path and len(where) > len(path):
                mark = Mark(problem.message, problem.severity, bool(problem.loop))
                by_box.setdefault(where[len(path)], mark)
    return by_box


def checked(analysis: Analysis) -> Checked | list[LocatedProblem]:
    """The checked diagram, or all that is wrong with it, with files as they are now."""
    analysis = analysis.current()
    try:
        return check_analysis(analysis)
    except DiagramError as error:
        index = PositionIndex(analysis.diagram)
        return [index.locate(problem) for problem in error.problems]


def warnings(diagram: Checked) -> list[LocatedProblem]:
    """What the check warns of, in a diagram that can run."""
    index = PositionIndex(diagram.diagram)
    return [replace(index.locate(problem), severity="warning") for problem in diagram.warnings]


def run_failure(message: str, root: Diagram) -> LocatedProblem:
    """The message of a run that failed, at the blocks that it names."""
    loop = loop_of(message, root)
    path, block = loop[0] if loop else _first_block(message, root)
    return LocatedProblem(message, path, block, loop=loop)


def run_notice(message: str, root: Diagram) -> LocatedProblem:
    """A note about the numbers of a run that has ended."""
    path, block = _first_block(message, root)
    return LocatedProblem(message, path, block, severity="note")


def loop_of(message: str, root: Diagram) -> tuple[tuple[Path, str], ...]:
    """The blocks of the algebraic loop that a message names by its chain of ports."""
    chain = CHAIN.search(message) if "algebraic loop" in message else None
    names = NAME.findall(chain[0]) if chain else []
    blocks = [block for name in names if (block := _block_named(name, root)) is not None]
    return tuple(dict.fromkeys(blocks))


def _first_block(message: str, root: Diagram) -> tuple[Path, str]:
    names = NAME.findall(BEGINNING.sub("", message))
    blocks = (_block_named(name, root) for name in names)
    return next((block for block in blocks if block is not None), ((), ""))


def _block_named(name: str, root: Diagram) -> tuple[Path, str] | None:
    """The block that a name begins with, as deep as the name goes: `sub.gain.y` is in `sub`."""
    level: Diagram | None = root
    way: Path = ()
    for part in name.split("."):
        block = level.blocks.get(part) if level is not None else None
        if block is None:
            break
        way = (*way, part)
        level = block.subsystem.diagram if block.subsystem else None
    return (way[:-1], way[-1]) if way else None


class PositionIndex:
    """The block or parameter at each position of the files of a diagram."""

    def __init__(self, root: Diagram):
        self._root = root
        self._owners: dict[str, list[tuple[int, int, Path, str, str]]] = {}
        self._add(root, ())
        for owners in self._owners.values():
            owners.sort(key=lambda owner: owner[:2])

    def locate(self, problem: Problem) -> LocatedProblem:
        loop = loop_of(problem.message, self._root)
        return (
            replace(self._at_position(problem), loop=loop) if loop else self._at_position(problem)
        )

    def _at_position(self, problem: Problem) -> LocatedProblem:
        position = problem.position
        owners = self._owners.get(position.file, []) if position else []
        if position is None or not owners or not position.line:
            return LocatedProblem(problem.message, ())
        key = (position.line, position.column)
        at = bisect_right([owner[:2] for owner in owners], key) - 1
        shown = "" if position.file.startswith("<") else f"line {position.line}"
        if at < 0:
            return LocatedProblem(problem.message, (), position=shown)
        _, _, path, block, parameter = owners[at]
        return LocatedProblem(problem.message, path, block, parameter, shown)

    def _put(self, position: Position, path: Path, block: str, parameter: str = "") -> None:
        owners = self._owners.setdefault(position.file, [])
        owners.append((position.line, position.column, path, block, parameter))

    def _add(self, diagram: Diagram, path: Path) -> None:
        for name, entry in diagram.parameters.items():
            self._put(entry.key_position, path, "", name)
        for name, entry in (*diagram.solver.items(), *diagram.log.items()):
            self._put(entry.key_position, path, "", name)
        for name, block in diagram.blocks.items():
            self._put(block.position, path, name)
            for parameter, entry in block.values.items():
                self._put(entry.key_position, path, name, parameter)
                self._put(entry.node.position, path, name, parameter)
            inner = block.subsystem.diagram if block.subsystem else None
            if inner is not None:
                self._add(inner, (*path, name))
        for line in diagram.wires:
            for _, target in line.wires:
                if target.position is not None:
                    self._put(line.node.position, path, line.wires[0][0].block)
                    self._put(target.position, path, target.block)
        for key, ports in (("<", diagram.inputs), (">", diagram.outputs)):
            for name, port in ports.items():
                self._put(port.position, path, key + name)
