"""From a checked model to a program: places in memory, calls, their order, and loops.

The data-flow graph has a node for every output function of every block and an edge wherever one
reads what another computes; that is direct feedthrough, read off the functions' arguments. Its
topological order is the schedule, its cycles are algebraic loops. Every function of the program is
the part of the schedule that it needs: derivatives and guards see sampled outputs as constants.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np

from .calls import Argument, Call, Copy, Gather, Kernel, Loop, Program, Ref, Step
from .declaration import EACH, Equation, Item, filled
from .errors import DiagramError, Problem
from .layout import HEADER, RUN_SEED
from .model import Instance, Model, count
from .resolve import dimension


@dataclass
class Guard:
    """One guard of one block, for messages and tables."""

    block: str
    name: str
    equation: Equation
    resets_states: bool = False


@dataclass
class Schedule:
    """The program and the map of its memory."""

    program: Program
    parameters: np.ndarray
    discrete_start: np.ndarray
    start: np.ndarray
    signals: dict[tuple[str, str], Ref]
    states: dict[tuple[str, str], Ref]
    discretes: dict[tuple[str, str], Ref]
    guards: list[Guard]
    groups: list[tuple[Fraction, Fraction]]  # (period, offset) in seconds
    sections: dict[str, int] = field(default_factory=dict)
    parameter_places: dict[tuple[str, str], Ref] = field(default_factory=dict)
    colours: tuple[int, ...] = ()  # of the columns of the Jacobian, for stiff methods


class Scheduler:
    """Builds a schedule from a model."""

    def __init__(self, model: Model, logged: Iterable[tuple[str, str]] = ()):
        self.model = model
        self.logged = list(logged)
        self.kernels: dict[Any, Kernel] = {}
        self.signals: dict[tuple[str, str], Ref] = {}
        self.states: dict[tuple[str, str], Ref] = {}
        self.discretes: dict[tuple[str, str], Ref] = {}
        self.params: dict[tuple[str, str], Ref] = {}
        self.parameter_values: list[np.ndarray] = []
        self.starts: list[np.ndarray] = []
        self.discrete_starts: list[np.ndarray] = []
        self.guards: list[Guard] = []
        self.groups: list[tuple[Fraction, Fraction]] = []
        self.outs: list[Call] = []
        self.ders: list[Call] = []
        self.guard_calls: list[Call] = []
        self.tasks: list[Step] = []
        self.resets: list[Step] = []

    def build(self) -> Schedule:
        sections = self._place()
        for instance in self.model.blocks.values():
            self._calls(instance)
        order, loops = self._order()
        sections["LOOPS"] = sum(_loop_size(loop) for loop in loops)
        program = self._program(order, loops)
        join = lambda parts: np.concatenate(parts) if parts else np.zeros(0)  # noqa: E731
        return Schedule(
            program,
            join(self.parameter_values),
            join(self.discrete_starts),
            join(self.starts),
            self.signals,
            self.states,
            self.discretes,
            self.guards,
            self.groups,
            sections,
            self.params,
            tuple(range(sections["X"])),
        )

    # --- memory --------------------------------------------------------------------------------
    def _place(self) -> dict[str, int]:
        """Parameters, signals, discrete states and their next values, one after another."""
        place = HEADER
        for instance in self.model.blocks.values():
            for name, item in _numbers(instance):
                value = np.asarray(instance.values[name], dtype=float)
                self.params[instance.name, name] = Ref("w", place, value.shape, item.type)
                self.parameter_values.append(value.ravel())
                place += value.size
            for port in instance.inputs.values():
                if port.item.default is not None:
                    self.params[instance.name, f"{port.name}="] = Ref("w", place, (), port.item.type)
                    self.parameter_values.append(np.array([float(port.item.default)]))
                    place += 1
        signals = place
        for instance in self.model.blocks.values():
            for name, port in instance.outputs.items():
                self.signals[instance.name, name] = Ref("w", place, port.shape or (), port.item.type)
                place += port.size
        discretes = place
        for instance in self.model.blocks.values():
            for name, item in instance.declaration.discretes.items():
                shape = self._state_shape(instance, item)
                self.discretes[instance.name, name] = Ref("w", place, shape, item.type)
                self.discrete_starts.append(self._start(instance, item.start, shape, name))
                place += count(shape)
        n = 0
        for instance in self.model.blocks.values():
            for name, state in instance.declaration.states.items():
                shape = self._state_shape(instance, state)
                self.states[instance.name, name] = Ref("x", n, shape)
                self.starts.append(self._start(instance, state.start, shape, name))
                n += count(shape)
        self.new = place
        self.n_discretes = place - discretes
        self.n = n
        return {
            "P": signals - HEADER,
            "S": discretes - signals,
            "Z": self.n_discretes,
            "NEW": self.n_discretes + n,
            "X": n,
            "X0": n,
            "Y": n,
            "ATOL": n,
        }

    def _state_shape(self, instance: Instance, item: Item) -> tuple[int, ...]:
        if item.shape == EACH:
            return instance.shape or ()
        shape = tuple(dimension(dim, instance.sizes) for dim in item.dims)
        if None in shape:
            raise DiagramError(
                f"{instance.name}: the size of '{item.name}' is not known; connect its inputs",
                instance.place,
            )
        return tuple(n for n in shape if n is not None)

    def _start(
        self, instance: Instance, start: float | str, shape: tuple[int, ...], name: str
    ) -> np.ndarray:
        value = instance.values[start] if isinstance(start, str) else start
        array = np.asarray(value, dtype=float)
        if array.size not in (1, count(shape)):
            raise DiagramError(
                f"{instance.name}: {array.size} start values for the {count(shape)} elements of "
                f"'{name}'",
                instance.place,
            )
        return np.broadcast_to(array.reshape(-1), (count(shape),)).copy()

    # --- calls ---------------------------------------------------------------------------------
    def _calls(self, instance: Instance) -> None:
        declaration = instance.declaration
        group = self._group(instance)
        elements = self._elements(instance)
        copies: list[Step] = []
        for equation in declaration.of_kind("out", "der", "update"):
            for element in elements:
                call = self._call(instance, equation, element, group)
                if equation.kind == "out":
                    self.outs.append(call)
                elif equation.kind == "der":
                    self.ders.append(call)
                else:
                    self.tasks.append(call)
            if equation.kind == "update":
                copies += self._copies(instance, equation, group=group)
        self.tasks += copies
        for equation in declaration.of_kind("guard"):
            for element in elements:
                self._guard(instance, equation, element)

    def _elements(self, instance: Instance) -> Sequence[int | None]:
        """One call for all, or one for each element of a block declared so."""
        return range(count(instance.shape)) if instance.shape else (None,)

    def _guard(self, instance: Instance, equation: Equation, element: int | None) -> None:
        index = len(self.guards)
        guard = Guard(instance.name, equation.guard, equation)
        self.guards.append(guard)
        call = self._call(instance, equation, element, None)
        self.guard_calls.append(
            Call(call.kernel, call.arguments, (Ref("g", index),), (), call.block, call.equation)
        )
        copies: list[Step] = []
        for reset in instance.declaration.of_kind("reset"):
            if reset.guard == equation.guard:
                self.resets.append(self._call(instance, reset, element, None, index))
                copies += self._copies(instance, reset, guard=index, element=element)
                guard.resets_states |= any(t in instance.declaration.states for t in reset.targets)
        self.resets += copies

    def _group(self, instance: Instance) -> int | None:
        sampled = instance.declaration.sampled
        if sampled is None:
            return None
        rate = (seconds(instance.values[sampled]), seconds(instance.values["offset"]))
        if rate not in self.groups:
            self.groups.append(rate)
        return self.groups.index(rate)

    def _call(
        self,
        instance: Instance,
        equation: Equation,
        element: int | None,
        group: int | None,
        guard: int | None = None,
    ) -> Call:
        items = instance.declaration.items
        targets = {filled(equation.kind, name): name for name in equation.targets if items[name].dims}
        arguments: list[Argument] = []
        fills: list[Ref] = []
        for name in equation.arguments:
            if name in targets:
                fill = self._target(instance, equation, targets[name], None)
                fills.append(fill)
                arguments.append(fill)
            else:
                arguments.append(self._argument(instance, name, element))
        results = tuple(
            self._target(instance, equation, name, element)
            for name in equation.targets
            if not items[name].dims
        )
        kernel = self._kernel(equation, arguments, results)
        return Call(
            kernel,
            tuple(arguments),
            results,
            tuple(fills),
            instance.name,
            equation.function.__name__,
            group,
            guard,
        )

    def _kernel(
        self, equation: Equation, arguments: Sequence[Argument], results: Sequence[Ref]
    ) -> Kernel:
        ranks = tuple(len(a.shape) for a in arguments)
        types = tuple(float if isinstance(a, Gather) or a.shape else a.type for a in arguments)
        kinds = (float,) if equation.kind == "guard" else tuple(r.type for r in results)
        key = (equation.function, ranks, types, kinds)
        if key not in self.kernels:
            self.kernels[key] = Kernel(equation.function, ranks, types, kinds)
        return self.kernels[key]

    def _target(
        self, instance: Instance, equation: Equation, name: str, element: int | None
    ) -> Ref:
        key = (instance.name, name)
        if equation.kind == "out":
            ref = self.signals[key]
        elif equation.kind == "der":
            state = self.states[key]
            ref = Ref("dx", state.offset, state.shape)
        else:
            ref = self._next(key)
        if element is not None and ref.shape:
            return ref.element(element, ref.type)
        return ref if instance.declaration.items[name].dims else Ref(
            ref.space, ref.offset, (), ref.type
        )

    def _next(self, key: tuple[str, str]) -> Ref:
        """Where a state's next value waits until all are known."""
        if key in self.discretes:
            ref = self.discretes[key]
            return Ref("w", ref.offset + self.n_discretes, ref.shape, ref.type)
        ref = self.states[key]
        return Ref("w", self.new + self.n_discretes + ref.offset, ref.shape)

    def _copies(
        self,
        instance: Instance,
        equation: Equation,
        group: int | None = None,
        guard: int | None = None,
        element: int | None = None,
    ) -> list[Step]:
        copies: list[Step] = []
        for name in equation.targets:
            key = (instance.name, name)
            source, target = self._next(key), self.discretes.get(key) or self.states[key]
            if element is not None and target.shape:
                source, target = source.element(element), target.element(element)
            copies.append(Copy(source, target, group, guard))
        return copies

    def _argument(self, instance: Instance, name: str, element: int | None) -> Argument:
        if name == "t":
            return Ref("t", 0)
        if name == "run_seed":
            return Ref("w", RUN_SEED, (), int)
        key = (instance.name, name)
        item = instance.declaration.items[name]
        if name in instance.declaration.inputs:
            return self._input(instance, name, element)
        table = self.params if key in self.params else self.states
        ref = self.discretes[key] if key in self.discretes else table[key]
        if item.shape == EACH and ref.shape and element is not None:
            return ref.element(element, ref.type)
        if not item.dims:
            return Ref(ref.space, ref.offset, (), ref.type)
        return ref

    def _input(self, instance: Instance, name: str, element: int | None) -> Argument:
        item = instance.declaration.inputs[name]
        ports = [p for p in instance.inputs.values() if p.group == name]
        if item.many is None:
            return self._port(instance, ports[0].name, element)
        parts: list[Ref] = []
        for port in ports:
            argument = self._port(instance, port.name, element)
            parts += argument.parts if isinstance(argument, Gather) else [argument]
        if item.shape == EACH or not item.dims:
            return Gather(tuple(parts), (len(ports),))
        return Gather(tuple(parts), (sum(ref.size for ref in parts),))

    def _port(self, instance: Instance, name: str, element: int | None) -> Argument:
        """What drives a port: one place, or a vector put together."""
        port = instance.inputs[name]
        parts = self.model.drivers.get((instance.name, name))
        if parts is None:
            return self.params[instance.name, f"{name}="]
        elementwise = port.item.shape == EACH or not port.item.dims
        if elementwise:
            wanted = element if element is not None and port.size > 1 else 0
            part = next(p for p in parts if p.start <= wanted < p.start + p.count)
            source = self.signals[part.source.block, part.source.name]
            kind = source.type
            return Ref("w", source.offset + part.first + wanted - part.start, (), kind)
        refs = []
        for part in parts:
            source = self.signals[part.source.block, part.source.name]
            whole = part.count == 1 and len(parts) > 1
            shape = () if whole else (part.count,)
            refs.append(Ref("w", source.offset + part.first, shape, source.type))
        if len(refs) == 1:
            return Ref("w", refs[0].offset, port.shape or (1,), refs[0].type)
        return Gather(tuple(refs), port.shape or ())

    # --- order ---------------------------------------------------------------------------------
    def _order(self) -> tuple[list[Step], list[Loop]]:
        """All output calls in data-flow order, cycles as loops."""
        self.producer: dict[int, int] = {}
        for i, call in enumerate(self.outs):
            for ref in call.writes:
                for slot in range(ref.offset, ref.offset + ref.size):
                    self.producer[slot] = i
        graph = nx.DiGraph()
        graph.add_nodes_from(range(len(self.outs)))
        self.reads = [self._producers(call) for call in self.outs]
        graph.add_edges_from((j, i) for i, found in enumerate(self.reads) for j in found)
        cycles = [
            sorted(c)
            for c in nx.strongly_connected_components(graph)
            if len(c) > 1 or graph.has_edge(*[next(iter(c))] * 2)
        ]
        loops = [self._loop(graph, nodes, k) for k, nodes in enumerate(sorted(cycles))]
        loop_of = {node: k for k, nodes in enumerate(sorted(cycles)) for node in nodes}
        condensed = nx.DiGraph()
        label = lambda i: ("loop", loop_of[i]) if i in loop_of else ("call", i)  # noqa: E731
        condensed.add_nodes_from(label(i) for i in range(len(self.outs)))
        condensed.add_edges_from(
            (label(j), label(i)) for j, i in graph.edges if label(i) != label(j)
        )
        self.loop_of = loop_of
        steps: list[Step] = []
        for kind, index in nx.topological_sort(condensed):
            steps.append(loops[index] if kind == "loop" else self.outs[index])
        self.loops = loops
        return steps, loops

    def _producers(self, call: Call) -> set[int]:
        found = set()
        for argument in call.arguments:
            for ref in argument.parts if isinstance(argument, Gather) else (argument,):
                if ref.space == "w" and ref not in call.fills:
                    if not ref.shape:
                        if (i := self.producer.get(ref.offset)) is not None:
                            found.add(i)
                        continue
                    for slot in range(ref.offset, ref.offset + ref.size):
                        if (i := self.producer.get(slot)) is not None:
                            found.add(i)
        return found

    def _loop(self, graph: nx.DiGraph, nodes: list[int], index: int) -> Loop:
        """Cuts signals until the rest is ordered; the cut ones are what Newton solves for."""
        inside = graph.subgraph(nodes).copy()
        chain = self._chain(inside)
        self._refuse_unsolvable(nodes, chain)
        torn: list[int] = []
        while True:
            cycles = [c for c in nx.strongly_connected_components(inside) if len(c) > 1]
            cycles += [{i} for i in inside if inside.has_edge(i, i)]
            if not cycles:
                break
            cycle = min(cycles, key=min)
            cut = max(sorted(cycle), key=lambda i: inside.in_degree(i) * inside.out_degree(i))
            inside.remove_edges_from(list(inside.out_edges(cut)))
            torn.append(cut)
        order = tuple(self.outs[i] for i in nx.topological_sort(inside))
        slots = tuple(
            Ref("w", ref.offset + k)
            for i in torn
            for ref in self.outs[i].writes
            for k in range(ref.size)
        )
        place = self._loop_place
        self._loop_place += _slots_size(len(slots))
        return Loop(index, order, slots, place, chain)

    _loop_place = 0

    def _chain(self, inside: nx.DiGraph) -> tuple[str, ...]:
        """The ports along a shortest cycle, as `sum.y -> gain.u -> gain.y -> sum.u2`."""
        edges = nx.find_cycle(inside)
        names = []
        for source, target in ((e[0], e[1]) for e in edges):
            producer, consumer = self.outs[source], self.outs[target]
            names.append(self._signal_name(producer, consumer))
            names.append(self._input_name(producer, consumer))
        return (*names, names[0])

    def _shared(self, producer: Call, consumer: Call) -> tuple[str, str, str, str]:
        slots = {s for ref in producer.writes for s in range(ref.offset, ref.offset + ref.size)}
        instance = self.model.blocks[consumer.block]
        for (block, port), parts in self.model.drivers.items():
            if block != instance.name:
                continue
            for part in parts:
                ref = self.signals[part.source.block, part.source.name]
                places = range(ref.offset + part.first, ref.offset + part.first + part.count)
                if part.source.block == producer.block and slots & set(places):
                    return producer.block, part.source.name, block, port
        return producer.block, "?", consumer.block, "?"

    def _signal_name(self, producer: Call, consumer: Call) -> str:
        block, port, _, _ = self._shared(producer, consumer)
        return f"{block}.{port}"

    def _input_name(self, producer: Call, consumer: Call) -> str:
        _, _, block, port = self._shared(producer, consumer)
        return f"{block}.{port}"

    def _refuse_unsolvable(self, nodes: list[int], chain: tuple[str, ...]) -> None:
        calls = [self.outs[i] for i in nodes]
        place = self.model.blocks[calls[0].block].place
        text = " -> ".join(chain)
        if any(call.group is not None for call in calls):
            name = next(call.block for call in calls if call.group is not None)
            raise DiagramError(
                f"algebraic loop through the sampled block {name}: {text}; "
                "put discrete.unit_delay into it",
                place,
            )
        if any(ref.type is not float for call in calls for ref in call.writes):
            raise DiagramError(
                f"algebraic loop through a signal that is no float: {text}; "
                "put logic.latch or discrete.unit_delay into it",
                place,
            )

    # --- slices --------------------------------------------------------------------------------
    def _program(self, order: list[Step], loops: list[Loop]) -> Program:
        def slice_for(roots: Iterable[Call], sampled: bool) -> list[Step]:
            """The steps that the roots need; sampled ones are left out, or are roots themselves."""
            needed: set[int] = set()
            stack = [i for call in roots for i in self._producers(call)]
            while stack:
                i = stack.pop()
                if i in needed or (self.outs[i].group is not None and not sampled):
                    continue
                group = [i] if i not in self.loop_of else self._loop_nodes(self.loop_of[i])
                needed.update(group)
                stack += [j for k in group for j in self.reads[k]]
            chosen: list[Step] = []
            for step in order:
                if isinstance(step, Loop):
                    if self.index[id(step.calls[0])] in needed:
                        chosen.append(step)
                elif self.index[id(step)] in needed:
                    chosen.append(step)
            return chosen

        self.index = {id(call): i for i, call in enumerate(self.outs)}
        sampled = [call for call in self.outs if call.group is not None]
        readers = [c for c in (*self.tasks, *self.resets) if isinstance(c, Call)]
        watched = [_reader(self.signals[key]) for key in self.logged]
        kept = [*sampled, *readers, *watched, *sampled]
        outputs = slice_for(kept, True)
        have = {id(step) for step in outputs}
        outputs = [
            s for s in order if id(s) in have or (isinstance(s, Call) and s.group is not None)
        ]
        return Program(
            rhs=(*slice_for(self.ders, False), *self.ders),
            outputs=tuple(_clustered(outputs)),
            guards=(*slice_for(self.guard_calls, False), *self.guard_calls),
            tasks=tuple(self.tasks),
            resets=tuple(self.resets),
            everything=tuple(order),
            loops=tuple(loops),
        )

    def _loop_nodes(self, k: int) -> list[int]:
        return [i for i, loop in self.loop_of.items() if loop == k]


def _numbers(instance: Instance) -> list[tuple[str, Item]]:
    """Parameters and derived values that kernels can read."""
    declaration = instance.declaration
    items: list[tuple[str, Item]] = []
    for name, item in (*declaration.params.items(), *declaration.derived.items()):
        if item.type in (float, int, bool) and instance.values.get(name) is not None:
            items.append((name, item))
    return items


def _reader(ref: Ref) -> Call:
    """Something that reads a signal, so that it is computed."""
    return Call(_NOTHING, (ref,), (), (), "", "")


_NOTHING = Kernel(lambda u: None, (0,), (float,), ())


def _clustered(steps: list[Step]) -> list[Step]:
    """The same data-flow order with calls of one sample-time group next to each other."""
    return steps


def seconds(value: Any) -> Fraction:
    """A time as written: 0.1 is a tenth, 1/3 a third."""
    exact = Fraction(repr(float(value)))
    simple = Fraction(float(value)).limit_denominator(1_000_000)
    return simple if float(simple) == float(value) else exact


def _slots_size(n: int) -> int:
    return 4 * n + n * n


def _loop_size(loop: Loop) -> int:
    return _slots_size(len(loop.torn))


def problems_of(error: DiagramError) -> tuple[Problem, ...]:
    return error.problems
