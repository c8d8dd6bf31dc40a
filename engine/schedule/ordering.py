"""The order of calls: which ones compute what others read, which form loops, what each needs.

The data-flow graph has a node for every output call and an edge from each call to those whose
results it reads; that is direct feedthrough, read off the functions' arguments. Strongly connected
parts are algebraic loops. A depth-first walk from what a function must deliver gives its schedule:
only what is needed, each call close to where its result is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

import numpy as np

from ..memory.references import parts_of
from ..memory.slots import Key, Slots
from ..model.model import Model
from .calls import Call, Loop, Step
from .lowering import Lowered

Node = int | str


class Order:
    """The data-flow graph of a model, with its loops.

    `reads` has for each output call the numbers of those whose results it reads; `condensed` is the
    same with every loop as one node.
    """

    def __init__(
        self, model: Model, slots: Slots, lowered: Lowered, guesses: Mapping[Key, np.ndarray]
    ):
        self.outs = lowered.outs
        self.producer: dict[int, int] = {}
        for i, call in enumerate(self.outs):
            for ref in call.writes:
                for slot in range(ref.offset, ref.offset + ref.size):
                    self.producer[slot] = i
        self.reads = [self.read_by(call) for call in self.outs]
        self.loops: Sequence[Loop] = ()
        self.loop_of: Mapping[int, int] = {}
        if has_cycle(self.reads):
            from .loops import LoopCutter  # with networkx, which takes long to import

            cutter = LoopCutter(model, slots, self.outs, self.reads, guesses)
            self.loops, self.loop_of = cutter.loops, cutter.loop_of
        self.condensed = self._condensed()

    def read_by(self, call: Call) -> list[int]:
        """The calls whose results this one reads, in the order of its arguments."""
        producers: dict[int, None] = {}
        for number, argument in enumerate(call.arguments):
            for ref in parts_of(argument):
                if ref.space != "w" or number in call.kernel.fills:
                    continue
                for slot in range(ref.offset, ref.offset + ref.size):
                    if (i := self.producer.get(slot)) is not None:
                        producers.setdefault(i)
        return list(producers)

    def _node(self, i: int) -> Node:
        return f"loop {self.loop_of[i]}" if i in self.loop_of else i

    def _condensed(self) -> dict[Node, dict[Node, None]]:
        graph: dict[Node, dict[Node, None]] = {self._node(i): {} for i in range(len(self.outs))}
        for i, reads in enumerate(self.reads):
            node = self._node(i)
            for other in map(self._node, reads):
                if other != node:
                    graph[node].setdefault(other)
        return graph

    def steps_for(self, roots: Iterable[Call], sampled: bool) -> list[Step]:
        """The calls that some roots need, producers first, and the roots themselves.

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


def has_cycle(reads: Sequence[Sequence[int]]) -> bool:
    """Whether any call reads its own result, directly or through others."""
    try:
        TopologicalSorter(dict(enumerate(reads))).prepare()
    except CycleError:
        return True
    return False
