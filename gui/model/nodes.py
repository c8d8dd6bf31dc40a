"""New entries of a diagram, each with a position of its own so that problems are traced to it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping as Map
from typing import Any

from railblocks.engine.declaration import Param
from railblocks.engine.diagram.values import node_of, text_node
from railblocks.engine.errors import DiagramError, Position
from railblocks.engine.text.nodes import Entry, Mapping, Node, Scalar, Sequence
from railblocks.engine.text.source import read_text

EDITED = "<edited>"
_numbers = itertools.count(1)


def new_position() -> Position:
    return Position(EDITED, next(_numbers), 1)


def word(text: str) -> Scalar:
    """Text that is not read as a number."""
    return Scalar(text, text, False, new_position())


def entry_of(value: Any) -> Entry:
    """A Python value as an entry."""
    place = new_position()
    return Entry(place, node_of(value, place))


def mapping_of(entries: Map[str, Entry]) -> Mapping:
    return Mapping(dict(entries), new_position())


def written_node(text: str, param: Param | None = None) -> Node:
    """What a user typed for a value, as the file would read it; raises `DiagramError`."""
    place = new_position()
    text = text.strip()
    if "\n" in text:
        raise DiagramError("the value has several lines; expected one", place)
    if param is not None and param.type is str:
        return text_node(text, place)
    try:
        node = read_text(f"value: {text}\n", EDITED).entries["value"].node
    except DiagramError as error:
        message = error.problems[0].message
        raise DiagramError(f"{text!r} cannot be read: {message}", place) from None
    return _moved(node, place)


def _moved(node: Node, place: Position) -> Node:
    if isinstance(node, Sequence):
        return Sequence(tuple(_moved(item, place) for item in node.items), place)
    if isinstance(node, Mapping):
        entries = {k: Entry(place, _moved(e.node, place)) for k, e in node.entries.items()}
        return Mapping(entries, place)
    return Scalar(node.value, node.text, node.quoted, place)
