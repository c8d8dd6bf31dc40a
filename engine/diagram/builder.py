"""Diagrams built in Python, the same as those from files.

    d = DiagramBuilder("spring")
    d.parameter("k", "3 N/m")
    d.add("gain", "math.gain", k="2 * k")
    d.connect("source.y", "gain.u", "scope.u")
    d.solver(method="ode45", stop="10 s")
    diagram = d.build()

Values are numbers, arrays, lists, mappings, or text as in YAML. Everything passes the reader
that files pass; problems are raised at once by `build` and name the line of the caller.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from ..errors import DiagramError, Position, Problem
from ..text.nodes import Entry, Mapping, Node, Scalar, Sequence
from .diagram import Diagram
from .reader import FORMAT, read_tree
from .trees import tree_of
from .values import node_of

FILE = "<python>"


class DiagramBuilder:
    """Collects entries in the order of the calls; `build` makes the diagram."""

    def __init__(self, title: str | None = None, description: str | None = None):
        self._problems: list[Problem] = []
        self._parts: dict[str, Node] = {}
        self._entries: dict[str, dict[str, Entry]] = {}
        self._lists: dict[str, list[Node]] = {}
        position = _caller()
        if title is not None:
            self._parts["title"] = _verbatim(title, position)
        if description is not None:
            self._parts["description"] = _verbatim(description, position)

    def parameter(self, name: str, value: Any) -> DiagramBuilder:
        """A parameter that expressions may use."""
        return self._set("parameters", name, value, _caller())

    def include(self, path: str | os.PathLike[str]) -> DiagramBuilder:
        """A parameter set from a file."""
        self._lists.setdefault("include", []).append(_verbatim(os.fspath(path), _caller()))
        return self

    def add(
        self,
        name: str,
        type: str | None = None,
        /,
        *,
        subsystem: str | os.PathLike[str] | Diagram | DiagramBuilder | None = None,
        include: str | os.PathLike[str] | None = None,
        comment: str | None = None,
        disabled: bool = False,
        **values: Any,
    ) -> DiagramBuilder:
        """A block of a type, or a subsystem: a path, a diagram or another builder."""
        position = _caller()
        entries: dict[str, Any] = {}
        if type is not None:
            entries["type"] = _verbatim(type, position)
        if isinstance(subsystem, DiagramBuilder):
            subsystem = subsystem.build()
        if isinstance(subsystem, Diagram):
            entries["subsystem"] = tree_of(subsystem, folder=os.getcwd(), inline=True)
        elif subsystem is not None:
            entries["subsystem"] = _verbatim(os.fspath(subsystem), position)
        if include is not None:
            entries["include"] = _verbatim(os.fspath(include), position)
        entries |= values
        if comment is not None:
            entries["comment"] = _verbatim(comment, position)
        if disabled:
            entries["disabled"] = True
        return self._set("blocks", name, entries, position)

    def connect(self, source: str, *targets: str) -> DiagramBuilder:
        """A wire from `block.port` to one or more targets."""
        position = _caller()
        if targets:
            line = _verbatim(f"{source} -> {', '.join(targets)}", position)
            self._lists.setdefault("wires", []).append(line)
        else:
            message = f"connect({source!r}) has no target; expected a source and its targets"
            self._problem(position, message)
        return self

    def input(self, name: str, *targets: str) -> DiagramBuilder:
        """An outer input of a subsystem and the inner ports that it feeds."""
        value = targets[0] if len(targets) == 1 else list(targets)
        return self._set("inputs", name, value, _caller())

    def output(self, name: str, source: str) -> DiagramBuilder:
        """An outer output of a subsystem and the inner port that it shows."""
        return self._set("outputs", name, source, _caller())

    def solver(self, **settings: Any) -> DiagramBuilder:
        """Settings of the run; several calls add up, and one setting given twice is a problem."""
        position = _caller()
        for name, value in settings.items():
            self._set("solver", name, value, position)
        return self

    def log(self, *signals: str, **settings: Any) -> DiagramBuilder:
        """Signals to record (`"all"` for every one), and settings such as `every="1 ms"`."""
        position = _caller()
        if signals:
            self._set("log", "signals", "all" if signals == ("all",) else list(signals), position)
        for name, value in settings.items():
            self._set("log", name, value, position)
        return self

    def layout(self, **positions: Any) -> DiagramBuilder:
        """Where the editor draws blocks."""
        position = _caller()
        for name, value in positions.items():
            self._set("layout", name, value, position)
        return self

    def build(self) -> Diagram:
        """The diagram; raises `DiagramError` with all problems."""
        position = Position(FILE)
        parts: dict[str, Node] = {
            "diagram": Scalar(FORMAT, str(FORMAT), False, position),
            **self._parts,
        }
        parts |= {key: Sequence(tuple(items), position) for key, items in self._lists.items()}
        parts |= {key: Mapping(dict(entries), position) for key, entries in self._entries.items()}
        root = Mapping({key: Entry(node.position, node) for key, node in parts.items()}, position)
        problems = list(self._problems)
        try:
            diagram = read_tree(root, FILE, os.getcwd())
        except DiagramError as error:
            problems.extend(error.problems)
        if problems:
            raise DiagramError(problems)
        return diagram

    def _set(self, part: str, name: str, value: Any, position: Position) -> DiagramBuilder:
        entries = self._entries.setdefault(part, {})
        if name in entries:
            first = entries[name].key_position.line
            message = f"{name!r} is given twice in {part} (first in line {first}); give it once"
            self._problem(position, message)
            return self
        try:
            entries[name] = Entry(position, node_of(value, position))
        except DiagramError as error:
            self._problem(position, f"{name}: {error.problems[0].message}")
        return self

    def _problem(self, position: Position, message: str) -> None:
        self._problems.append(Problem(position, message))


def _verbatim(text: str, position: Position) -> Scalar:
    """Text that is not read as a number."""
    return Scalar(str(text), str(text), False, position)


def _caller() -> Position:
    """The line outside this file that called."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return Position(FILE, frame.f_lineno)
