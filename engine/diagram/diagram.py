"""A diagram as immutable data: what a file says, with the position of every entry.

Nothing is interpreted here: parameter values are nodes as they were written, block types are
names. Two diagrams are equal if they say the same, wherever they were read from.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from collections.abc import Mapping as Map
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from importlib import import_module
from typing import Any, Literal

from ..conditions.condition import Condition
from ..errors import DiagramError, Position, Problem, suggestion
from ..errors.problems import Problems
from ..plugins import DRAWING
from ..text.files import FileRead
from ..text.nodes import Entry, Mapping, Node, Scalar
from .copies import Repetition
from .enabling import ENABLE, Enabling
from .endpoints import NAME, Endpoint, Wire, read_endpoints, read_wires
from .triggering import TRIGGER, Triggering
from .values import node_of

__all__ = ["BlockEntry", "Diagram", "Endpoint", "Include", "PortEntry", "Subsystem", "WireLine"]

Entries = dict[str, Entry]


@dataclass(frozen=True)
class Include:
    """A parameter set from a file: the path as written, and what stood there.

    `folders` are those of the files that the parameters stand in.
    """

    path: Scalar
    parameters: Entries
    folders: dict[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Subsystem:
    """A diagram inside a block: inline (path None) or from a file.

    The diagram is None where the block is disabled: its file is not read.
    """

    diagram: Diagram | None
    path: Scalar | None = None


@dataclass(frozen=True)
class BlockEntry:
    """One block: a type, a subsystem or variants, and the values given to its parameters.

    `variant` says which of the `variants` stands for the block, with the block's own values.
    """

    name: str
    position: Position = field(compare=False)
    type: Scalar | None = None
    subsystem: Subsystem | None = None
    variant: Scalar | None = None
    variants: dict[str, BlockEntry] = field(default_factory=dict)
    each: Repetition | None = None
    enabling: Enabling | None = None
    triggering: Triggering | None = None
    includes: tuple[Include, ...] = ()
    values: Entries = field(default_factory=dict)
    comment: Scalar | None = None
    disabled: bool = False

    def chosen(self, name: str) -> BlockEntry:
        """One of the variants, as if it stood in the place of the block."""
        entry = self.variants[name]
        return replace(
            entry,
            name=self.name,
            includes=(*self.includes, *entry.includes),
            values=self.values | entry.values,
            each=self.each or entry.each,
            enabling=self.enabling or entry.enabling,
            triggering=self.triggering or entry.triggering,
            comment=entry.comment or self.comment,
            disabled=self.disabled or entry.disabled,
        )

    @property
    def conditions(self) -> dict[str, tuple[Condition, Position]]:
        """The conditions of a subsystem by their keys, with where they stand."""
        written = {ENABLE: self.enabling, TRIGGER: self.triggering}
        return {k: (c.condition, c.node.position) for k, c in written.items() if c is not None}

    @property
    def diagrams(self) -> tuple[Diagram, ...]:
        """The diagrams inside: of the subsystem, or of all variants."""
        inner = self.subsystem.diagram if self.subsystem else None
        inside = [d for entry in self.variants.values() for d in entry.diagrams]
        return (*inside, inner) if inner is not None else tuple(inside)


@dataclass(frozen=True)
class PortEntry:
    """An outer port of a subsystem and the inner ports behind it."""

    name: str
    node: Node
    position: Position = field(compare=False)

    @cached_property
    def ends(self) -> tuple[Endpoint, ...]:
        """The inner ends; raises `EndpointError` for what is not an endpoint."""
        return read_endpoints(self.node)


@dataclass(frozen=True)
class WireLine:
    """A line of `wires` and what it connects."""

    node: Scalar

    @cached_property
    def wires(self) -> tuple[Wire, ...]:
        """The wires of the line; raises `EndpointError` if it is not a wire."""
        return tuple(read_wires(self.node))


@dataclass(frozen=True)
class Source:
    """The text that a diagram was read from, and its tree: what saving compares with.

    `parts` are the parts of the diagram as they were read.
    """

    text: str
    root: Mapping
    parts: tuple[object, ...] = ()


@dataclass(frozen=True)
class Diagram:
    """What a diagram file says."""

    file: str = field(compare=False)
    title: Scalar | None = None
    description: Scalar | None = None
    includes: tuple[Include, ...] = ()
    parameters: Entries = field(default_factory=dict)
    inputs: dict[str, PortEntry] = field(default_factory=dict)
    outputs: dict[str, PortEntry] = field(default_factory=dict)
    blocks: dict[str, BlockEntry] = field(default_factory=dict)
    wires: tuple[WireLine, ...] = ()
    solver: Entries = field(default_factory=dict)
    log: Entries = field(default_factory=dict)
    annotations: Node | None = None
    layout: Node | None = None
    position: Position = field(default=Position("<python>"), compare=False)
    folder: str = field(default="", compare=False)
    source: Source | None = field(default=None, compare=False, repr=False)
    files: tuple[FileRead, ...] = field(default=(), compare=False, repr=False)

    @property
    def text(self) -> str:
        """The text of the file that the diagram was read from, else nothing."""
        return self.source.text if self.source else ""

    @cached_property
    def log_signals(self) -> tuple[Endpoint, ...] | Literal["all"] | None:
        """The signals of `log`: endpoints, "all", or None if it names none."""
        if "signals" not in self.log:
            return None
        node = self.log["signals"].node
        if isinstance(node, Scalar) and node.text == "all":
            return "all"
        return read_endpoints(node)

    def parts(self) -> tuple[object, ...]:
        """Everything that the diagram says."""
        return tuple(getattr(self, name) for name in _PARTS)

    @property
    def is_as_read(self) -> bool:
        """Whether the diagram is still what its source says; quick, since parts never change."""
        read = self.source.parts if self.source else ()
        return bool(read) and all(map(operator.is_, read, self.parts()))

    def with_values(self, values: Map[str, Any]) -> Diagram:
        """A diagram with other values: `{"mu_0": 0.1, "motor.J": "2 g*m^2", "ctl.pid.Kp": 3}`.

        A path names a parameter of the diagram, of a block, or of a block inside subsystems;
        `solver.stop` a setting. Text is read as in YAML. Unknown paths are errors, all at once.
        """
        diagram = self
        problems = Problems()
        for path, value in values.items():
            try:
                node = node_of(value, Position(f"<values>: {path}"))
                diagram = _with_value(diagram, path.split("."), node, path)
            except DiagramError as error:
                problems.extend(error.problems)
        problems.raise_any()
        return diagram

    def _repr_svg_(self) -> str:
        """The picture that Jupyter shows."""
        return import_module(DRAWING).svg(self)


_PARTS = tuple(part.name for part in fields(Diagram) if part.compare)


def _with_value(diagram: Diagram, path: list[str], node: Node, full: str) -> Diagram:
    name, rest = path[0], path[1:]
    if not rest:
        known = parameter_names(diagram)
        if name not in known:
            message = f"{name!r} is not a parameter of the diagram"
            if name in diagram.blocks:
                message += f" but a block; name one of its parameters, as {name}.k"
            raise _unknown(full, message, name, known)
        entry = _like(diagram.parameters.get(name), node)
        return replace(diagram, parameters=diagram.parameters | {name: entry})
    if name not in diagram.blocks:
        if name == "solver" and len(rest) == 1:
            entry = _like(diagram.solver.get(rest[0]), node)
            return replace(diagram, solver=diagram.solver | {rest[0]: entry})
        raise _unknown(full, f"{name!r} is not a block", name, diagram.blocks)
    if not NAME.fullmatch(rest[-1]):
        raise _unknown(full, f"{rest[-1]!r} is not a name; expected letters, digits and _", "", ())
    changed = _with_block_value(diagram.blocks[name], rest, node, full)
    return replace(diagram, blocks=diagram.blocks | {name: changed})


def _with_block_value(block: BlockEntry, path: list[str], node: Node, full: str) -> BlockEntry:
    """A block with another value: its own, one inside, or one of a variant."""
    inner = block.subsystem.diagram if block.subsystem else None
    if path[0] in block.variants and len(path) > 1:
        changed = _with_block_value(block.variants[path[0]], path[1:], node, full)
        return replace(block, variants=block.variants | {path[0]: changed})
    if path == ["variant"] and block.variant is not None and isinstance(node, Scalar):
        return replace(block, variant=node)
    if len(path) == 1:
        known = parameter_names(inner) if inner else path
        if path[0] not in known:
            message = f"{path[0]!r} is not a parameter of {block.name!r}"
            raise _unknown(full, message, path[0], known)
        default = inner.parameters.get(path[0]) if inner else None
        entry = _like(block.values.get(path[0], default), node)
        return replace(block, values=block.values | {path[0]: entry})
    if block.subsystem is None or inner is None:
        if block.variants:
            message = f"{path[0]!r} is not a variant of {block.name!r}"
            raise _unknown(full, message, path[0], block.variants)
        raise _unknown(full, f"{block.name!r} is a block without inner blocks", path[0], ())
    inner = _with_value(inner, path, node, full)
    return replace(block, subsystem=replace(block.subsystem, diagram=inner))


def written_value(diagram: Diagram, path: str) -> tuple[Node | None, str]:
    """What is written for a path of `with_values`, and the type of its block (or nothing)."""
    *names, last = path.split(".")
    level: Diagram | None = diagram
    block: BlockEntry | None = None
    for name in names:
        if block is not None and name in block.variants:
            block = block.variants[name]
        else:
            block = level.blocks.get(name) if level else None
        level = block.subsystem.diagram if block and block.subsystem else None
    sets = [block.values, *_included(block.includes)] if block else []
    kind = block.type.text if block and block.type else ""
    if level is not None:
        sets += [level.parameters, *_included(level.includes)]
    node = next((values[last].node for values in sets if last in values), None)
    return node, kind


def _included(includes: tuple[Include, ...]) -> list[Entries]:
    return [include.parameters for include in reversed(includes)]


def _like(old: Entry | None, node: Node) -> Entry:
    """The new value; quoted if the old one was, so that text stays text."""
    quoted = old is not None and isinstance(old.node, Scalar) and old.node.quoted
    if quoted and isinstance(node, Scalar) and isinstance(node.value, str):
        node = replace(node, quoted=True)
    return Entry(node.position, node)


def parameter_names(diagram: Diagram) -> list[str]:
    """The parameters of a diagram, those of its includes first."""
    included = [name for include in diagram.includes for name in include.parameters]
    return list(dict.fromkeys([*included, *diagram.parameters]))


def _unknown(path: str, message: str, name: str, known: Iterable[str]) -> DiagramError:
    names = list(known)
    listed = f"; known are {', '.join(names[:20])}" if names else ""
    text = f"{path}: {message}{suggestion(name, names)}{listed}"
    return DiagramError(Problem(Position("<values>"), text))
