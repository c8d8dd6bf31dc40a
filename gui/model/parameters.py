"""Parameters of a subsystem that is expanded: they go on under names of their own outside."""

from __future__ import annotations

import re
from dataclasses import replace

from railblocks.engine.diagram.diagram import BlockEntry, Diagram
from railblocks.engine.text.nodes import Entry, Mapping, Node, Scalar, Sequence
from railblocks.engine.units.quantity import parse_quantity

from .naming import free_name
from .nodes import new_position

WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?![\w.]|\s*\()")


def lifted(level: Diagram, inner: Diagram, block: BlockEntry) -> tuple[Diagram, Diagram]:
    """The level with the parameters of a subsystem, and its inside that reads them from there.

    They have the values that the subsystem's block gives, or else those of its own file.
    """
    new: dict[str, str] = {}
    for name in inner.parameters:
        new[name] = free_name(f"{block.name}_{name}", {*level.parameters, *new.values()})
    entries = {}
    for name, default in inner.parameters.items():
        given = block.values.get(name)
        node = given.node if given is not None else renamed(default.node, new)
        entries[new[name]] = Entry(new_position(), node)
    blocks = {
        key: replace(entry, values=_values(entry, new)) for key, entry in inner.blocks.items()
    }
    level = replace(level, parameters=level.parameters | entries)
    return level, replace(inner, blocks=blocks, parameters={})


def _values(block: BlockEntry, new: dict[str, str]) -> dict[str, Entry]:
    return {
        name: replace(entry, node=renamed(entry.node, new)) for name, entry in block.values.items()
    }


def renamed(node: Node, new: dict[str, str]) -> Node:
    """A value with other names of parameters; quoted text and numbers with units have none."""
    if isinstance(node, Sequence):
        return replace(node, items=tuple(renamed(item, new) for item in node.items))
    if isinstance(node, Mapping):
        entries = {
            key: replace(entry, node=renamed(entry.node, new))
            for key, entry in node.entries.items()
        }
        return replace(node, entries=entries)
    if not isinstance(node.value, str) or node.quoted or parse_quantity(node.text) is not None:
        return node
    text = WORD.sub(lambda word: new.get(word[0], word[0]), node.text)
    return node if text == node.text else Scalar(text, text, False, new_position())
