"""The tree of an expression: a handful of node types, and nothing that could run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ..errors import RailblocksError, suggestion


class ExpressionError(RailblocksError):
    """An expression that cannot be read or evaluated; `column` counts from 1."""

    def __init__(self, message: str, column: int = 1):
        super().__init__(message)
        self.message = message
        self.column = column


class UnknownName(ExpressionError):
    """A name that the scope does not have."""

    def __init__(self, name: str, column: int, known: Iterable[str]):
        super().__init__(f"{name!r} is not known{suggestion(name, known)}", column)
        self.name = name


@dataclass(frozen=True, slots=True)
class Number:
    value: float | bool
    column: int
    depth: int = 1


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    column: int
    depth: int = 1


@dataclass(frozen=True, slots=True)
class Operation:
    """`symbol` is an operator, a function, `neg`, `and`, `or`, `not` or `if` (c, a, b)."""

    symbol: str
    operands: tuple[Tree, ...]
    column: int
    depth: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A chain a < b <= c: one operand more than symbols."""

    symbols: tuple[str, ...]
    operands: tuple[Tree, ...]
    column: int
    depth: int


@dataclass(frozen=True, slots=True)
class Vector:
    items: tuple[Tree, ...]
    column: int
    depth: int


Tree: TypeAlias = Number | Name | Operation | Comparison | Vector


def walk(tree: Tree) -> Iterator[Tree]:
    """Every node of a tree."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Operation | Comparison):
            waiting.extend(node.operands)
        elif isinstance(node, Vector):
            waiting.extend(node.items)


def is_truth(node: Tree) -> bool:
    """Whether a node is true or false, rather than a number."""
    while isinstance(node, Operation) and node.symbol == "if":
        if not is_truth(node.operands[1]):
            return False
        node = node.operands[2]
    if isinstance(node, Operation):
        return node.symbol in ("and", "or", "not")
    return isinstance(node, Comparison) or (
        isinstance(node, Number) and isinstance(node.value, bool)
    )
