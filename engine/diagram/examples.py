"""A block as a diagram writes it, with a value for all that has no default."""

from __future__ import annotations

from ..declaration import Block
from ..text.nodes import Mapping, Node, Sequence
from .values import node_of
from .writing import value_text

WIDEST = 80  # characters of a line


def example_of(block: type[Block]) -> str:
    """`name: {type: ..., ...}` in one line, from the example that the block declares."""
    name, node = _example(block)
    return f"{name}: {value_text(node)}"


def example_lines(block: type[Block]) -> list[str]:
    """The lines of `example_of`: several where one would be too long."""
    name, node = _example(block)
    return _entry_lines(name, node, 0)


def _example(block: type[Block]) -> tuple[str, Node]:
    declaration = block.declaration
    entries = {"type": declaration.id, **block.example}
    name = declaration.id.partition(".")[2] or declaration.id
    return name, node_of(entries, declaration.position)


def _entry_lines(key: str, node: Node, indent: int) -> list[str]:
    line = f"{' ' * indent}{key}: {value_text(node)}"
    if len(line) <= WIDEST or not isinstance(node, Mapping | Sequence):
        return [line]
    lines = [f"{' ' * indent}{key}:"]
    if isinstance(node, Mapping):
        for inner, entry in node.entries.items():
            lines += _entry_lines(inner, entry.node, indent + 2)
    else:
        lines += [f"{' ' * indent}  - {value_text(item)}" for item in node.items]
    return lines
