"""The tree of a YAML text: scalars, lists and mappings, each of which knows its position.

Nodes are equal if they say the same; where they stand and how they were quoted does not count.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ..errors import Position
from .scalars import ScalarValue


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value: `text` is what stands in the file without quotes, `end` the index behind it.

    The text of null is empty however it was written.
    """

    value: ScalarValue
    text: str
    quoted: bool = field(compare=False)
    position: Position = field(compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    position: Position = field(compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """One `key: node` of a mapping."""

    key_position: Position = field(compare=False)
    node: Node


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping from text to nodes, in file order."""

    entries: dict[str, Entry]
    position: Position = field(compare=False)
    end: int = field(default=0, compare=False)


Node: TypeAlias = Scalar | Sequence | Mapping


def describe(node: Node) -> str:
    """A node in a message: what it is, and a short value."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    if node.value is None:
        return "empty"
    return short(node.text) if isinstance(node.value, str) else node.text


def short(text: str) -> str:
    """Text in a message: quoted, and not longer than a line."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def position_of(text: str, index: int, file: str) -> Position:
    """Line and column, from 1, of a character index."""
    line_start = text.rfind("\n", 0, index) + 1
    return Position(file, text.count("\n", 0, index) + 1, index - line_start + 1)
