"""Algebraic loops: which calls form them, and at which signals they are cut for Newton's method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import networkx as nx
import numpy as np

from ..errors import DiagramError
from ..memory.slots import Key, Slots
from ..model.model import Model
from .calls import Call, Loop


class LoopCutter:
    """Finds the strongly connected parts of the data-flow graph and cuts each of them open.

    `loops` are the results, `loop_of` gives the number of the loop that a call belongs to.
    """

    def __init__(
        self,
        model: Model,
        slots: Slots,
        outs: Sequence[Call],
        reads: Sequence[Sequence[int]],
        guesses: Mapping[Key, np.ndarray],
    ):
        self.model = model
        self.slots = slots
        self.outs = outs
        self.guesses = {
            slots.signals[key].offset + i: float(value)
            for key, values in guesses.items()
            for i, value in enumerate(values)
        }
        self.graph = nx.DiGraph()
        self.graph.add_nodes_from(range(len(outs)))
        self.graph.add_edges_from((i, j) for i, others in enumerate(reads) for j in others)
        self.loops: list[Loop] = []
        self.loop_of: dict[int, int] = {}
        cycles = [c for c in nx.strongly_connected_components(self.graph) if self._is_cycle(c)]
        for nodes in sorted(map(sorted, cycles)):
            self._add_loop(nodes)

    def _is_cycle(self, nodes: set[int]) -> bool:
        return len(nodes) > 1 or any(self.graph.has_edge(i, i) for i in nodes)

    def _add_loop(self, nodes: Sequence[int]) -> None:
        """Cuts signals until the rest is ordered; the cut ones are what Newton solves for."""
        inside = self.graph.subgraph(nodes).copy()
        chain = self._chain(inside)
        self._refuse_unsolvable(nodes, chain)
        condition = self._condition(nodes, chain)
        torn: list[int] = []
        while cycle := self._some_cycle(inside):
            cut = max(sorted(cycle), key=lambda i: self._worth_cutting(i, inside))
            inside.remove_edges_from(list(inside.in_edges(cut)))
            torn.append(cut)
        calls = tuple(self.outs[i] for i in reversed(list(nx.topological_sort(inside))))
        slots = tuple(
            ref.element(k) for i in torn for ref in self.outs[i].writes for k in range(ref.size)
        )
        offset = sum(loop.workspace for loop in self.loops)
        self.loop_of |= dict.fromkeys(nodes, len(self.loops))
        start = tuple(self.guesses.get(slot.offset, 0.0) for slot in slots)
        self.loops.append(Loop(len(self.loops), calls, slots, offset, chain, start, condition))

    def _condition(self, nodes: Sequence[int], chain: tuple[str, ...]) -> int | None:
        """The condition under which all calls of a loop run; refuses loops that it cuts."""
        conditions = {self.outs[i].condition for i in nodes}
        if len(conditions) > 1:
            raise DiagramError(
                f"algebraic loop: {' -> '.join(chain)}: some of it runs only while a subsystem is "
                "enabled; put the loop inside, or a delay or a lag into it"
            )
        return conditions.pop()

    def _worth_cutting(self, i: int, graph: nx.DiGraph) -> tuple[bool, int]:
        """Signals with a start value first, then those on most ways."""
        slots = (ref.offset + k for ref in self.outs[i].writes for k in range(ref.size))
        guessed = any(slot in self.guesses for slot in slots)
        return guessed, graph.in_degree(i) * graph.out_degree(i)

    def _some_cycle(self, graph: nx.DiGraph) -> set[int] | None:
        cycles = (
            c
            for c in nx.strongly_connected_components(graph)
            if len(c) > 1 or any(graph.has_edge(i, i) for i in c)
        )
        return min(cycles, key=min, default=None)

    def _chain(self, inside: nx.DiGraph) -> tuple[str, ...]:
        """The ports along a cycle in the direction of the signals."""
        cycle = [(source, target) for target, source, *_ in reversed(nx.find_cycle(inside))]
        names = [name for source, target in cycle for name in self._wire(source, target)]
        return (*names, names[0])

    def _wire(self, source: int, target: int) -> tuple[str, str]:
        """Names of the output and the input through which one call reads another's result."""
        producer, consumer = self.outs[source], self.outs[target]
        slots = {s for ref in producer.writes for s in range(ref.offset, ref.offset + ref.size)}
        for name in self.model.blocks[consumer.block].inputs:
            for part in self.model.drivers.get((consumer.block, name), ()):
                ref = self.slots.signals[part.source.block, part.source.name]
                first = ref.offset + part.first
                if slots & set(range(first, first + part.count)):
                    return part.source.path, f"{consumer.block}.{name}"
        return producer.block, consumer.block

    def _refuse_unsolvable(self, nodes: Sequence[int], chain: tuple[str, ...]) -> None:
        calls = [self.outs[i] for i in nodes]
        position = self.model.blocks[calls[0].block].position
        text = " -> ".join(chain)
        for call in calls:
            if call.group is not None:
                raise DiagramError(
                    f"algebraic loop through the sampled block {call.block}: {text}; "
                    "put discrete.unit_delay into it",
                    position,
                )
            if any(ref.type is not float for ref in call.writes):
                raise DiagramError(
                    f"algebraic loop through {call.block}, whose output is not a float: {text}; "
                    "put discrete.unit_delay or discrete.memory into it",
                    position,
                )
