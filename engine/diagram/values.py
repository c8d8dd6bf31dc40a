"""Python values as nodes: what `with_values` and the builder accept."""

from __future__ import annotations

import re
from collections.abc import Mapping as Map
from typing import Any

import numpy as np

from ..errors import DiagramError, Position
from ..text.nodes import Entry, Mapping, Node, Scalar, Sequence
from ..text.scalars import NumberTooLarge, ScalarValue, number_text, plain_value
from ..text.source import LARGEST_DEPTH

_QUOTED = re.compile(r"'[^']*'|\"[^\"\\]*\"")


def node_of(value: Any, position: Position, depth: int = 0) -> Node:
    """Numbers, truth values, arrays, lists and mappings as YAML would write them; text is read."""
    if depth > LARGEST_DEPTH:
        raise DiagramError(f"the value is nested deeper than {LARGEST_DEPTH}", position)
    if isinstance(value, Scalar | Sequence | Mapping):
        return value
    if isinstance(value, str):
        return text_node(value, position)
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if value is None:
        return Scalar(None, "", False, position)
    if isinstance(value, bool | int | float):
        return _number_node(value, position)
    if isinstance(value, list | tuple):
        return Sequence(tuple(node_of(item, position, depth + 1) for item in value), position)
    if isinstance(value, Map):
        entries = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise DiagramError(f"the key {key!r} is not text", position)
            entries[key] = Entry(position, node_of(item, position, depth + 1))
        return Mapping(entries, position)
    raise DiagramError(
        f"{type(value).__name__} {str(value)[:60]!r} is not a value; expected a number, text, a "
        "list or a mapping",
        position,
    )


def text_node(text: str, position: Position) -> Scalar:
    """Text as a YAML scalar is read: 3 is a number, 3 m is text, and so is "3" in quotes."""
    surrogate = re.search("[\ud800-\udfff]", text)
    if surrogate:
        message = f"the text contains U+{ord(surrogate.group()):04X}, which is not a character"
        raise DiagramError(message, position)
    if _QUOTED.fullmatch(text):
        return Scalar(text[1:-1], text[1:-1], True, position)
    stripped = text.strip(" ")
    value: ScalarValue = text
    if stripped == text or stripped:
        try:
            value = plain_value(stripped)
        except NumberTooLarge:
            raise DiagramError(f"{text[:60]!r} is too large for a number", position) from None
    if isinstance(value, str):
        return Scalar(text, text, False, position)
    return Scalar(value, "" if value is None else stripped, False, position)


def _number_node(number: bool | int | float, position: Position) -> Scalar:
    text = number_text(number)
    if len(text) > 300:
        raise DiagramError(f"{text[:40]}... is too large for a number", position)
    return Scalar(plain_value(text), text, False, position)


def plain_data(node: Node) -> Any:
    """A node as nested Python data: dict, list, text, float, bool, None."""
    if isinstance(node, Sequence):
        return [plain_data(item) for item in node.items]
    if isinstance(node, Mapping):
        return {key: plain_data(entry.node) for key, entry in node.entries.items()}
    if isinstance(node.value, int) and not isinstance(node.value, bool):
        return float(node.value)
    return node.value
