"""A nested diagram to a flat one: blocks with full names (`ctl.pid`), wires between them.

Subsystem boundaries vanish: a wire that enters or leaves a subsystem is joined with what the
port stands for inside, and the indices of both compose. Disabled blocks are left out with
their wires. Block types are not known here, so neither are their ports and parameters.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from typing import Literal, NoReturn

from ..errors import DiagramError, Position, Problem
from ..errors.problems import Problems
from ..text.collecting import collection_paused
from .assignments import Assignment, ParameterScope
from .diagram import BlockEntry, Diagram, Entries, PortEntry, parameter_names
from .endpoints import Endpoint, Index, index_text
from .indices import composed
from .saving import text_of

__all__ = ["Assignment", "Endpoint", "FlatBlock", "FlatDiagram", "FlatWire", "flatten"]

LARGEST_BLOCKS = 200_000
LARGEST_WIRES = 1_000_000


@dataclass(frozen=True)
class FlatBlock:
    """A block with its full name, the name of its type, and the values of its parameters."""

    name: str
    type: str
    position: Position = field(compare=False)
    values: Map[str, Assignment]


@dataclass(frozen=True)
class FlatWire:
    source: Endpoint
    target: Endpoint


@dataclass(frozen=True)
class FlatDiagram:
    """Blocks in file order, wires, and settings; `ports` names subsystem outputs."""

    title: str
    file: str
    text: str
    blocks: dict[str, FlatBlock]
    wires: tuple[FlatWire, ...]
    solver: Map[str, Assignment]
    log_signals: tuple[Endpoint, ...] | Literal["all"] | None
    log: Map[str, Assignment]
    ports: Map[str, Endpoint]
    problems: tuple[Problem, ...] = ()


def flatten(diagram: Diagram, strict: bool = True) -> FlatDiagram:
    """Flatten a diagram; problems are raised at once, or kept if not strict."""
    flattener = _Flattener()
    with collection_paused():
        root = flattener.instance(diagram, "", ParameterScope({}), {})
        flattener.connect(root)
    signals = diagram.log_signals
    log = _assignments(diagram.log, root.scope)
    flat = FlatDiagram(
        title=diagram.title.text if diagram.title else "",
        file=diagram.file,
        text=text_of(diagram),
        blocks=flattener.blocks,
        wires=tuple(flattener.wires),
        solver=_assignments(diagram.solver, root.scope),
        log_signals=signals
        if signals is None or isinstance(signals, str)
        else tuple(inner for end in signals for inner in flattener.signal(root, end)),
        log={name: value for name, value in log.items() if name != "signals"},
        ports=flattener.ports,
        problems=flattener.problems.all(),
    )
    if strict:
        flattener.problems.raise_any()
    return flat


@dataclass
class _Instance:
    """A diagram as part of the tree; `prefix` is empty or ends with a dot."""

    diagram: Diagram
    prefix: str
    scope: ParameterScope
    inner: dict[str, _Instance]


class _Flattener:
    def __init__(self) -> None:
        self.blocks: dict[str, FlatBlock] = {}
        self.wires: list[FlatWire] = []
        self.ports: dict[str, Endpoint] = {}
        self.problems = Problems()
        self.count = 0
        self.joints = 0

    def problem(self, position: Position | None, message: str) -> None:
        self.problems.add(position, message)

    def give_up(self, position: Position | None, message: str) -> NoReturn:
        raise DiagramError([*self.problems.all(), Problem(position, message)])

    # -- blocks and scopes -------------------------------------------------------------------

    def instance(
        self, diagram: Diagram, prefix: str, scope: ParameterScope, given: Map[str, Assignment]
    ) -> _Instance:
        """Fill the scope of a diagram and add its blocks."""
        own = scope.own
        for include in diagram.includes:
            for name, entry in include.parameters.items():
                folder = include.folders.get(name, "")
                own[name] = Assignment(entry.node, scope, entry.node.position, folder=folder)
        own.update(_assignments(diagram.parameters, scope, diagram.folder))
        own.update((name, value) for name, value in given.items() if name in own)
        scope.evaluate_all()
        self.problems.extend(scope.problems)
        instance = _Instance(diagram, prefix, scope, {})
        for name, block in diagram.blocks.items():
            if not block.disabled:
                self.add(instance, prefix + name, block)
        return instance

    def add(self, instance: _Instance, name: str, block: BlockEntry) -> None:
        self.count += 1
        if self.count > LARGEST_BLOCKS:
            self.give_up(block.position, f"more than {LARGEST_BLOCKS} blocks; simplify the diagram")
        values = _block_values(block, instance.scope, instance.diagram.folder)
        inner = block.subsystem.diagram if block.subsystem else None
        if inner is not None and block.subsystem is not None:
            self.check_given(name, block, inner)
            around = instance.scope
            inline = block.subsystem.path is None
            scope = (
                ParameterScope({}, outer=around) if inline else ParameterScope({}, hidden=around)
            )
            instance.inner[block.name] = self.instance(inner, name + ".", scope, values)
        elif block.type is not None:
            self.blocks[name] = FlatBlock(name, block.type.text, block.position, values)

    def check_given(self, name: str, block: BlockEntry, inner: Diagram) -> None:
        known = parameter_names(inner)
        for key, entry in block.values.items():
            if key not in known:
                listed = f"; known are {', '.join(known[:20])}" if known else "; it has none"
                self.problem(
                    entry.key_position,
                    f"{key!r} is not a parameter of subsystem {name!r}"
                    f"{self.problems.near(key, known)}{listed}",
                )

    # -- wires -------------------------------------------------------------------------------

    def connect(self, root: _Instance) -> None:
        waiting = deque([root])
        while waiting:
            instance = waiting.popleft()
            waiting.extend(instance.inner.values())
            for line in instance.diagram.wires:
                for start, end in line.wires:
                    sources = list(self.sources(instance, start))
                    for target in self.targets(instance, end):
                        self.wires.extend(FlatWire(source, target) for source in sources)
            for port in instance.diagram.outputs.values():
                for inner_end in port.ends:
                    for source in self.sources(instance, inner_end):
                        self.ports[instance.prefix + port.name] = source

    def targets(self, instance: _Instance, end: Endpoint) -> Iterator[Endpoint]:
        """The block ports that an end drives: one, or several behind a subsystem input."""
        yield from self.resolve(instance, end, "input")

    def sources(self, instance: _Instance, end: Endpoint) -> Iterator[Endpoint]:
        """The block port that an end reads, if it is there."""
        yield from self.resolve(instance, end, "output")

    def resolve(self, instance: _Instance, end: Endpoint, kind: str) -> Iterator[Endpoint]:
        name = end.block
        block = instance.diagram.blocks.get(name)
        if block is None:
            self.unknown_block(instance, end)
        elif block.disabled:
            return
        elif name not in instance.inner:
            yield Endpoint(instance.prefix + name, end.port, end.index, end.position)
        else:
            inner = instance.inner[name]
            port = self.port_of(inner, name, end, kind)
            for behind in port.ends if port else ():
                for reached in self.resolve(inner, behind, kind):
                    self.joints += 1
                    if self.joints > LARGEST_WIRES:
                        self.give_up(end.position, f"more than {LARGEST_WIRES} wires; simplify")
                    index = self.join(reached, end)
                    yield Endpoint(reached.block, reached.port, index, end.position)

    def port_of(self, inner: _Instance, name: str, end: Endpoint, kind: str) -> PortEntry | None:
        ports = inner.diagram.inputs if kind == "input" else inner.diagram.outputs
        if end.port is None:
            if len(ports) == 1:
                return next(iter(ports.values()))
            if ports:
                remedy = f"({', '.join(ports)}); name one, as in `{name}.{next(iter(ports))}`"
                self.problem(end.position, f"{name!r} has {len(ports)} {kind}s {remedy}")
            else:
                message = f"subsystem {name!r} has no {kind}; give it one under `{kind}s`"
                self.problem(end.position, message)
            return None
        if end.port not in ports:
            others = inner.diagram.outputs if kind == "input" else inner.diagram.inputs
            other = "output" if kind == "input" else "input"
            if end.port in others:
                message = f"'{name}.{end.port}' is an {other} of the subsystem; expected an {kind}"
            else:
                near = self.problems.near(
                    f"{name}.{end.port}", [f"{name}.{port}" for port in ports]
                )
                listed = f"; known are {', '.join(ports)}" if ports else "; it has none"
                message = (
                    f"'{name}.{end.port}' is not an {kind} of subsystem {name!r}{near}{listed}"
                )
            self.problem(end.position, message)
            return None
        return ports[end.port]

    def join(self, inner: Endpoint, outer: Endpoint) -> Index | None:
        try:
            return composed(inner.index, outer.index)
        except ValueError as error:
            self.problem(
                outer.position,
                f"{index_text(outer.index)} of {inner} cannot be taken: {error}; "
                "take the part in one place",
            )
            return None

    def unknown_block(self, instance: _Instance, end: Endpoint) -> None:
        diagram = instance.diagram
        first = end.block.partition(".")[0]
        if end.block in diagram.inputs or end.block in diagram.outputs:
            kind = "inputs" if end.block in diagram.inputs else "outputs"
            message = (
                f"{end.block!r} is a port, not a block; connect it under `{kind}`, as in "
                f"`{end.block}: block.port`"
            )
        elif first in instance.inner:
            message = f"'{end}' reaches into a subsystem; give the subsystem a port for it"
        elif first in diagram.blocks:
            message = f"'{end}': {first!r} is a block without inner blocks"
        else:
            message = f"{first!r} is not a block{self.problems.near(first, diagram.blocks)}"
        self.problem(end.position, message)

    # -- signals -----------------------------------------------------------------------------

    def signal(self, instance: _Instance, end: Endpoint) -> Iterator[Endpoint]:
        """The block port behind `ctl.pid.y`, `ctl.u` (a port of ctl) or `ctl.pid` (its output)."""
        path = [*end.block.split("."), *([end.port] if end.port else [])]
        while len(path) > 1 and path[0] in instance.inner:
            inner = instance.inner[path[0]]
            diagram = inner.diagram
            if len(path) == 2 and (path[1] in diagram.outputs or path[1] in diagram.inputs):
                break
            if len(path) == 2 and path[1] not in diagram.blocks:
                break
            instance, path = inner, path[1:]
        if len(path) > 2:
            self.unknown_block(
                instance, Endpoint(".".join(path[:-1]), path[-1], None, end.position)
            )
            return
        local = Endpoint(path[0], path[1] if len(path) == 2 else None, end.index, end.position)
        inputs = instance.inner[path[0]].diagram.inputs if path[0] in instance.inner else {}
        kind = "input" if local.port in inputs else "output"
        yield from list(self.resolve(instance, local, kind))[:1]


def _block_values(block: BlockEntry, scope: ParameterScope, folder: str) -> dict[str, Assignment]:
    values = _assignments(block.values, scope, folder)
    if not block.includes:
        return values
    included: dict[str, Assignment] = {}
    inner = ParameterScope(included)
    for include in block.includes:
        for name, entry in include.parameters.items():
            start = include.folders.get(name, "")
            included[name] = Assignment(entry.node, inner, entry.node.position, True, start)
    included.update(values)
    return included


def _assignments(
    entries: Entries, scope: ParameterScope, folder: str = ""
) -> dict[str, Assignment]:
    return {
        name: Assignment(entry.node, scope, entry.node.position, folder=folder)
        for name, entry in entries.items()
    }
