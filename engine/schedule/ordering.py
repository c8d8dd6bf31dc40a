"""Order: who computes what others read, which signals form loops, and what each function needs.

The data-flow graph has a node for every output call and an edge from each call to those whose
results it reads; that is direct feedthrough, read off the functions' arguments. Strongly connected
parts are algebraic loops. A depth-first walk from what a function must deliver gives its schedule:
only what is needed, each call close to where its result is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import networkx as nx
import numpy as np

from ..errors import DiagramError
from ..memory.places import Key, Places
from ..memory.references import parts_of
from ..model.model import Model
from .calls import Call, Loop, Step
from .lowering import Lowered

Node = int | str


class Order:
    """The data-flow graph of a model with its loops found."""

    def __init__(
        self, model: Model, places: Places, lowered: Lowered, guesses: Mapping[Key, np.ndarray]
    ):
        self.guesses = {
            places.signals[key].offset + i: float(value)
            for key, values in guesses.items()
            for i, value in enumerate(values)
        }
        self.model = model
        self.places = places
        self.outs = lowered.outs
        self.producer: dict[int, int] = {}
        for i, call in enumerate(self.outs):
            for ref in call.writes:
                for slot in range(ref.offset, ref.offset + ref.size):
                    self.producer[slot] = i
        self.graph = nx.DiGraph()
        self.graph.add_nodes_from(range(len(self.outs)))
        for i, call in enumerate(self.outs):
            self.graph.add_edges_from((i, j) for j in self.read_by(call))
        self.loops: list[Loop] = []
        self.loop_of: dict[int, int] = {}
        cycles = [c for c in nx.strongly_connected_components(self.graph) if self._is_cycle(c)]
        for nodes in sorted(map(sorted, cycles)):
            self._add_loop(nodes)
        self.condensed = self._condensed()

    def _is_cycle(self, nodes: set[int]) -> bool:
        return len(nodes) > 1 or any(self.graph.has_edge(i, i) for i in nodes)

    def read_by(self, call: Call) -> list[int]:
        """The calls whose results this one reads, in the order of its arguments."""
        found: dict[int, None] = {}
        for number, argument in enumerate(call.arguments):
            for ref in parts_of(argument):
                if ref.space != "w" or number in call.kernel.fills:
                    continue
                for slot in range(ref.offset, ref.offset + ref.size):
                    if (i := self.producer.get(slot)) is not None:
                        found.setdefault(i)
        return list(found)

    def _node(self, i: int) -> Node:
        return f"loop {self.loop_of[i]}" if i in self.loop_of else i

    def _condensed(self) -> nx.DiGraph:
        """The graph with every loop as one node."""
        if not self.loops:
            return self.graph
        graph = nx.DiGraph()
        graph.add_nodes_from(self._node(i) for i in self.graph)
        pairs = ((self._node(i), self._node(j)) for i, j in self.graph.edges)
        graph.add_edges_from((i, j) for i, j in pairs if i != j)
        return graph

    def steps_for(self, roots: Iterable[Call], sampled: bool) -> list[Step]:
        """What the roots need, producers first, and the roots themselves.

        Without `sampled`, outputs of sampled blocks count as known.
        """
        steps: list[Step] = []
        done: set[Node] = set()
        position = {id(call): i for i, call in enumerate(self.outs)}

        def held(node: Node) -> bool:
            return isinstance(node, int) and self.outs[node].group is not None and not sampled

        def visit(start: Node) -> None:
            stack: list[tuple[Node, bool]] = [(start, False)]
            while stack:
                node, ready = stack.pop()
                if ready:
                    steps.append(
                        self.outs[node] if isinstance(node, int) else self.loops[int(node[5:])]
                    )
                elif node not in done and not held(node):
                    done.add(node)
                    stack.append((node, True))
                    stack.extend((n, False) for n in reversed(list(self.condensed[node])))

        for root in roots:
            own = position.get(id(root))
            if own is not None:
                visit(self._node(own))
                continue
            for i in self.read_by(root):
                visit(self._node(i))
            steps.append(root)
        return steps

    # --- loops ---------------------------------------------------------------------------------
    def _add_loop(self, nodes: Sequence[int]) -> None:
        """Cuts signals until the rest is ordered; the cut ones are what Newton solves for."""
        inside = self.graph.subgraph(nodes).copy()
        chain = self._chain(inside)
        self._refuse_unsolvable(nodes, chain)
        torn: list[int] = []
        while cycle := self._some_cycle(inside):
            cut = max(sorted(cycle), key=lambda i: self._worth_cutting(i, inside))
            inside.remove_edges_from(list(inside.in_edges(cut)))
            torn.append(cut)
        calls = tuple(self.outs[i] for i in reversed(list(nx.topological_sort(inside))))
        slots = tuple(
            ref.element(k) for i in torn for ref in self.outs[i].writes for k in range(ref.size)
        )
        place = sum(loop_workspace(loop) for loop in self.loops)
        self.loop_of |= dict.fromkeys(nodes, len(self.loops))
        start = tuple(self.guesses.get(slot.offset, 0.0) for slot in slots)
        self.loops.append(Loop(len(self.loops), calls, slots, place, chain, start))

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
                ref = self.places.signals[part.source.block, part.source.name]
                first = ref.offset + part.first
                if slots & set(range(first, first + part.count)):
                    return part.source.path, f"{consumer.block}.{name}"
        return producer.block, consumer.block

    def _refuse_unsolvable(self, nodes: Sequence[int], chain: tuple[str, ...]) -> None:
        calls = [self.outs[i] for i in nodes]
        place = self.model.blocks[calls[0].block].place
        text = " -> ".join(chain)
        for call in calls:
            if call.group is not None:
                raise DiagramError(
                    f"algebraic loop through the sampled block {call.block}: {text}; "
                    "put discrete.unit_delay into it",
                    place,
                )
            if any(ref.type is not float for ref in call.writes):
                raise DiagramError(
                    f"algebraic loop through {call.block}, whose output is no float: {text}; "
                    "put discrete.unit_delay or discrete.memory into it",
                    place,
                )


def loop_workspace(loop: Loop) -> int:
    """Memory that Newton's method needs: six vectors and a matrix."""
    n = len(loop.torn)
    return 6 * n + n * n
