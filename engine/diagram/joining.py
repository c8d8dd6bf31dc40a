"""Wires through subsystems: their boundaries vanish, and the indices of both sides compose."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass

from ..conditions.condition import ON, OUTER
from ..errors import DiagramError, Position, Problem
from ..errors.problems import Problems
from .copies import Chosen, Shares, chosen_copies, paired, split_copy_name
from .diagram import BlockEntry, Diagram, PortEntry
from .enabling import ENABLE
from .endpoints import Endpoint, Index, index_text, read_endpoint
from .flat import FlatCondition, FlatWire
from .indices import composed
from .instances import Instance
from .triggering import TRIGGER

LARGEST_WIRES = 1_000_000
CONDITION_KEYS = (ENABLE, TRIGGER)


@dataclass(frozen=True)
class Reached:
    """A port of a block behind an end of a wire, and the share of the wire that is its own."""

    end: Endpoint
    shares: Shares = ()


class Joining:
    """Joins wires with what ports stand for inside."""

    def __init__(self, problems: Problems, conditions: Map[str, FlatCondition]) -> None:
        self.problems = problems
        self.problem = problems.add
        self.conditions = conditions
        self.wires: list[FlatWire] = []
        self.ports: dict[str, Endpoint] = {}
        self.shown: dict[str, list[Endpoint]] = {}
        self.joints = 0

    def connect(self, root: Instance) -> None:
        waiting = deque([root])
        while waiting:
            instance = waiting.popleft()
            waiting.extend(copy for copies in instance.inner.values() for copy in copies)
            for line in instance.diagram.wires:
                for start, end in line.wires:
                    sources = list(self.resolve(instance, start, "output"))
                    targets = list(self.resolve(instance, end, "input"))
                    self.wires.extend(self.joined(sources, targets, end.position))
            for port in instance.diagram.outputs.values():
                for inner_end in port.ends:
                    for source in self.resolve(instance, inner_end, "output"):
                        self.ports[instance.prefix + port.name] = source.end
                        self.shown.setdefault(instance.prefix[:-1], []).append(source.end)
            self.connect_conditions(instance)

    def connect_conditions(self, instance: Instance) -> None:
        """Wires what the conditions of subsystems name."""
        for name, copies in instance.inner.items():
            for key, signal, position in self.signals_of(instance, name):
                if signal not in instance.diagram.inputs:
                    end = read_endpoint(signal, position)
                    sources = list(self.resolve(instance, end, "output"))
                    targets = list(self.conditions_on(instance, name, key, signal))
                    self.wires.extend(self.joined(sources, targets, position))
            for path in (copy.prefix + key for copy in copies for key in CONDITION_KEYS):
                around = self.conditions[path].around if path in self.conditions else ""
                if around:
                    self.wires.append(FlatWire(Endpoint(around, ON), Endpoint(path, OUTER)))

    def signals_of(self, instance: Instance, name: str) -> Iterator[tuple[str, str, Position]]:
        """The signals that the conditions of a subsystem read, with the keys of these."""
        for copy in instance.inner[name][:1]:
            for key, (_, position) in instance.blocks[name].conditions.items():
                for signal in self.conditions[copy.prefix + key].signals:
                    yield key, signal, position

    def conditions_on(
        self, instance: Instance, name: str, key: str, signal: str
    ) -> Iterator[Reached]:
        """The ports of conditions that a signal feeds: of a subsystem, or of each of its copies."""
        block, copies = instance.blocks[name], instance.inner[name]
        shared = block.each is None or key in block.each.shared
        for number, copy in enumerate(copies):
            condition = copy.prefix + key
            end = Endpoint(condition, self.conditions[condition].signals[signal])
            yield Reached(end, () if shared else ((number, len(copies)),))

    def joined(
        self, sources: list[Reached], targets: list[Reached], position: Position | None
    ) -> Iterator[FlatWire]:
        """The wires from each source to each target, between copies those of one number."""
        for target in targets:
            for source in sources:
                try:
                    shares = paired(source.shares, target.shares)
                except ValueError as error:
                    self.problem(position, f"{error}; expected as many copies on both sides")
                    return
                if shares is not None:
                    yield FlatWire(source.end, target.end, taken=shares[1], put=shares[0])

    def resolve(self, instance: Instance, end: Endpoint, kind: str) -> Iterator[Reached]:
        """The block ports behind an end: one, or several behind a subsystem's port."""
        name = end.block
        block = instance.blocks.get(name)
        if block is None:
            if name not in instance.diagram.blocks:
                self.unknown_block(instance, end)
        elif block.disabled:
            return
        elif name not in instance.inner:
            yield Reached(Endpoint(instance.prefix + name, end.port, end.index, end.position))
        elif instance.inner[name]:
            copies = instance.inner[name]
            port = self.port_of(copies[0], name, end, kind)
            if port is not None:
                chosen = self.copies_of(block, port, end, len(copies))
                yield from self.behind(copies, chosen, port, end, kind)

    def copies_of(self, block: BlockEntry, port: PortEntry, end: Endpoint, count: int) -> Chosen:
        """The copies of a subsystem that an end of a wire means."""
        if block.each is None:
            return Chosen((0,), ((),), end.index)
        try:
            return chosen_copies(end.index, count, port.name in block.each.shared)
        except IndexError:
            self.problem(
                end.position,
                f"{index_text(end.index)} of '{end.block}.{port.name}' is out of range: there are "
                f"{count} copies; indices start at 0",
            )
            return Chosen((), ())

    def behind(
        self,
        copies: tuple[Instance, ...],
        chosen: Chosen,
        port: PortEntry,
        end: Endpoint,
        kind: str,
    ) -> Iterator[Reached]:
        """The block ports behind a port of subsystems."""
        for number, shares in zip(chosen.numbers, chosen.shares, strict=True):
            inner = copies[number]
            for reached in self.inside_port(inner, port, kind):
                self.joints += 1
                if self.joints > LARGEST_WIRES:
                    message = f"more than {LARGEST_WIRES} wires; simplify"
                    raise DiagramError([*self.problems.all(), Problem(end.position, message)])
                index = self.join(reached, chosen.rest, end)
                found = Endpoint(reached.end.block, reached.end.port, index, end.position)
                yield Reached(found, (*shares, *reached.shares))

    def inside_port(self, inner: Instance, port: PortEntry, kind: str) -> Iterator[Reached]:
        """What a port stands for inside: its ends, and conditions that name it."""
        for end in port.ends:
            yield from self.resolve(inner, end, kind)
        for name in inner.inner if kind == "input" else ():
            for key, signal, _ in self.signals_of(inner, name):
                if signal == port.name:
                    yield from self.conditions_on(inner, name, key, signal)

    def port_of(self, inner: Instance, name: str, end: Endpoint, kind: str) -> PortEntry | None:
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

    def join(self, inner: Reached, index: Index | None, end: Endpoint) -> Index | None:
        try:
            if inner.shares and index is not None:
                raise ValueError("its elements go to copies, or come from them")
            return composed(inner.end.index, index)
        except ValueError as error:
            self.problem(
                end.position,
                f"{index_text(index)} of {inner.end} cannot be taken: {error}; "
                "take the part in one place",
            )
            return None

    def unknown_block(self, instance: Instance, end: Endpoint) -> None:
        diagram = instance.diagram
        first = end.block.partition(".")[0]
        if end.block in diagram.inputs or end.block in diagram.outputs:
            kind = "inputs" if end.block in diagram.inputs else "outputs"
            message = (
                f"{end.block!r} is a port, not a block; connect it under `{kind}`, as in "
                f"`{end.block}: block.port`"
            )
        elif "[" in end.block and "." not in end.block:
            block, number = split_copy_name(end.block)
            message = f"{end.block!r} is not a block; write `{block}.{end.port}[{number}]`"
        elif first in instance.inner:
            message = f"'{end}' reaches into a subsystem; give the subsystem a port for it"
        elif first in diagram.blocks:
            message = f"'{end}': {first!r} is a block without inner blocks"
        else:
            message = f"{first!r} is not a block{self.problems.near(first, diagram.blocks)}"
        self.problem(end.position, message)

    # -- signals -----------------------------------------------------------------------------

    def signal(self, instance: Instance, end: Endpoint) -> Iterator[Endpoint]:
        """The block ports behind `ctl.pid.y`, `ctl.u` (a port of ctl) or `ctl.pid` (its output).

        `filters.lag.y` is that of every copy, `filters[2].lag.y` that of one.
        """
        path = [*end.block.split("."), *([end.port] if end.port else [])]
        yield from self.inside(instance, path, end)

    def inside(self, instance: Instance, path: list[str], end: Endpoint) -> Iterator[Endpoint]:
        if path[0] in CONDITION_KEYS and instance.prefix + path[0] in self.conditions:
            shown = path[1] if len(path) > 1 else ON
            yield Endpoint(instance.prefix + path[0], shown, None, end.position)
            return
        name, number = split_copy_name(path[0])
        copies = instance.inner.get(name, ())
        if number is not None:
            if number >= len(copies) or instance.blocks[name].each is None:
                self.unknown_copy(instance, name, path[0], end)
                return
            copies = copies[number : number + 1]
        named = len(path) > 1 and path[1] in instance.blocks[name].conditions if copies else False
        if copies and len(path) > 1 and (named or not _is_port(copies[0].diagram, path[1:])):
            for copy in copies:
                yield from self.inside(copy, path[1:], end)
        elif len(path) > 2:
            unknown = Endpoint(".".join(path[:-1]), path[-1], None, end.position)
            self.unknown_block(instance, unknown)
        else:
            port = path[1] if len(path) == 2 else None
            inputs = copies[0].diagram.inputs if copies else {}
            kind = "input" if port in inputs else "output"
            index = end.index if number is None else (number, *(end.index or ()))
            reached = self.resolve(instance, Endpoint(name, port, index, end.position), kind)
            yield from self.one_of_each_copy(reached)

    def one_of_each_copy(self, reached: Iterator[Reached]) -> Iterator[Endpoint]:
        """The first port that an input of a subsystem feeds, of each of its copies."""
        seen = set()
        for one in reached:
            if one.shares not in seen:
                seen.add(one.shares)
                yield one.end

    def unknown_copy(self, instance: Instance, name: str, written: str, end: Endpoint) -> None:
        copies = instance.inner.get(name, ())
        if copies and instance.blocks[name].each is not None:
            known = f"; there are {len(copies)} copies, numbered from 0"
        else:
            known = f"; {name!r} is not repeated by `each`"
        self.problem(end.position, f"{written!r} is not a copy of a subsystem{known}")


def _is_port(diagram: Diagram, path: list[str]) -> bool:
    """Whether a path inside a subsystem is one of its ports rather than a block."""
    if len(path) > 1:
        return False
    name = path[0]
    return name in diagram.outputs or name in diagram.inputs or name not in diagram.blocks
