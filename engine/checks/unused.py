"""Warnings about parameters that nothing in a diagram uses, since a name may be mistyped.

A parameter is used if a value of its level names it, or one of a subsystem that is written in
place there; also in text that is not an expression, to be on the safe side. What parameter sets
bring along is meant for several diagrams and may stay unused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..diagram.assignments import used_names
from ..diagram.diagram import BlockEntry, Diagram
from ..errors import Problem
from ..text.nodes import Mapping, Node, Scalar, Sequence

_WORD = re.compile(r"[A-Za-z_]\w*")


def unused_parameters(diagram: Diagram) -> list[Problem]:
    """A warning at the position of each parameter without use, those of subsystems once."""
    search = _Search()
    search.names_needed(diagram)
    return list(search.problems.values())


class _Search:
    """Walks through a diagram and its subsystems; each file is looked at once."""

    def __init__(self) -> None:
        self.problems: dict[int, Problem] = {}
        self._needed: dict[int, frozenset[str]] = {}

    def names_needed(self, diagram: Diagram) -> frozenset[str]:
        """The names that a diagram uses and does not define itself."""
        known = self._needed.get(id(diagram))
        if known is None:
            known = self._needed[id(diagram)] = self._look(diagram)
        return known

    def _look(self, diagram: Diagram) -> frozenset[str]:
        used: set[str] = set()
        given = [e for include in diagram.includes for e in include.parameters.values()]
        given += [*diagram.parameters.values(), *diagram.solver.values()]
        given += [entry for name, entry in diagram.log.items() if name != "signals"]
        for block in diagram.blocks.values():
            used |= self._look_at_block(block)
        used.update(_names(entry.node for entry in given))
        for name, entry in diagram.parameters.items():
            if name not in used:
                message = f"nothing uses parameter '{name}'; name it in a value, or take it out"
                self.problems[id(entry)] = Problem(entry.key_position, message)
        own = {name for include in diagram.includes for name in include.parameters}
        return frozenset(used - own - diagram.parameters.keys())

    def _look_at_block(self, block: BlockEntry) -> set[str]:
        """The names that a block and its variants use."""
        nodes = [entry.node for entry in block.values.values()]
        nodes += [block.variant] if block.variant is not None else []
        nodes += [block.each.count] if block.each is not None else []
        nodes += [node for _, node in block.enabling.nodes] if block.enabling is not None else []
        conditions = [condition for condition, _ in block.conditions.values()]
        used = _names(nodes)
        used.update(name for condition in conditions for name in condition.names)
        inner = block.subsystem.diagram if block.subsystem else None
        if inner is not None and block.subsystem is not None:
            needed = self.names_needed(inner)
            used |= needed if block.subsystem.path is None else frozenset()
        return used.union(*map(self._look_at_block, block.variants.values()))


def _names(nodes: Iterable[Node]) -> set[str]:
    names: set[str] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mapping):
            waiting.extend(entry.node for entry in node.entries.values())
        elif isinstance(node, Sequence):
            waiting.extend(node.items)
        elif isinstance(node, Scalar) and isinstance(node.value, str):
            used = used_names(node)
            names.update(used or (_WORD.findall(node.text) if node.quoted else ()))
    return names
