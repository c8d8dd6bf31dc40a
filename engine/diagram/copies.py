"""Copies of a subsystem, one for each element of vectors: `each: 4`.

What `each` says, the values of one copy, and the shares of wires: a vector that is wired to a
port of the copies is taken apart, the k-th element (or row) for the k-th copy; what the copies
show is put together in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence as Seq
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import DiagramError
from ..text.nodes import Mapping, Node, Scalar, Sequence, describe
from .assignments import Assignment, ParameterScope
from .endpoints import NAME, Index

EACH_KEYS = ("count", "index", "shared")
EXAMPLE = "`each: 4` or `each: {count: 4, index: k, shared: [u]}`"
MOST_COPIES = 10_000
_NUMBER = re.compile(r"\[[0-9]+\]")

Share = tuple[int, int]
"""Which copy, of how many."""
Shares = tuple[Share, ...]
"""The part of a signal that belongs to one copy; the outermost copies come first."""


@dataclass(frozen=True)
class Repetition:
    """What `each` says: how many copies, what their number is called, what all of them share."""

    node: Node
    count: Scalar
    index: str = "index"
    shared: tuple[str, ...] = ()

    def number_of_copies(self, scope: ParameterScope, block: str) -> int:
        """The number of copies; raises `DiagramError`."""
        quantity = Assignment(self.count, scope, self.count.position).quantity()
        value = quantity.value
        number = isinstance(value, float) and value.is_integer() and str(quantity.unit or 1) == "1"
        if not isinstance(value, float) or not number or not 1 <= value <= MOST_COPIES:
            raise DiagramError(
                f"each of {block!r} is {quantity}; expected a whole number of copies, from 1 to "
                f"{MOST_COPIES}",
                self.count.position,
            )
        return int(value)


def read_repetition(node: Node, block: str) -> Repetition:
    """What `each` says; raises `DiagramError`."""
    if isinstance(node, Scalar) and node.value is not None:
        return Repetition(node, node)
    if not isinstance(node, Mapping):
        raise _misread(node, f"each of {block!r} is {describe(node)}; expected {EXAMPLE}")
    for key, entry in node.entries.items():
        if key not in EACH_KEYS:
            message = f"{key!r} is not a key of each; known are {', '.join(EACH_KEYS)}"
            raise DiagramError(message, entry.key_position)
    nodes = {key: entry.node for key, entry in node.entries.items()}
    count = nodes.get("count")
    if not isinstance(count, Scalar) or count.value is None:
        raise _misread(count or node, f"each of {block!r} has no count; expected {EXAMPLE}")
    index = nodes.get("index")
    if index is not None and not (isinstance(index, Scalar) and NAME.fullmatch(index.text)):
        raise _misread(index, f"index of each is {describe(index)}; expected a name")
    shared = nodes.get("shared")
    items = shared.items if isinstance(shared, Sequence) else () if shared is None else (shared,)
    for item in items:
        if not isinstance(item, Scalar) or NAME.fullmatch(item.text) is None:
            raise _misread(item, f"shared of each has {describe(item)}; expected names of inputs")
    names = tuple(item.text for item in items if isinstance(item, Scalar))
    return Repetition(node, count, index.text if isinstance(index, Scalar) else "index", names)


def _misread(node: Node, message: str) -> DiagramError:
    return DiagramError(message, node.position)


def copy_name(block: str, number: int) -> str:
    """`filters[2]`."""
    return f"{block}[{number}]"


def split_copy_name(name: str) -> tuple[str, int | None]:
    """`filters[2]` as name and number; the number is None where no copy is named."""
    block, bracket, number = name.partition("[")
    return (block, int(number[:-1])) if bracket else (name, None)


def without_copies(name: str) -> str:
    """`bank.filters.lag` of `bank.filters[2].lag`."""
    return _NUMBER.sub("", name)


def scope_of_copy(repetition: Repetition, number: int, around: ParameterScope) -> ParameterScope:
    """The parameters around a copy, and its number."""
    position = repetition.count.position
    index = Assignment(Scalar(number, str(number), False, position), {}, position)
    return ParameterScope({repetition.index: index}, outer=around)


def value_of_copy(assignment: Assignment, share: Share) -> Assignment:
    """A value as it holds for one copy; `{each: [1, 2, 3]}` has one for each.

    Raises `DiagramError` where there are not as many as copies.
    """
    node = assignment.node
    if not isinstance(node, Mapping) or node.entries.keys() != {"each"}:
        return assignment
    values, (number, count) = node.entries["each"].node, share
    if not isinstance(values, Sequence):
        return replace(assignment, node=values, share=share)
    if len(values.items) != count:
        raise DiagramError(
            f"each has {len(values.items)} values for {count} copies; give one for each copy",
            values.position,
        )
    return replace(assignment, node=values.items[number])


@dataclass(frozen=True)
class Chosen:
    """Which copies an index takes, with the share of each, and what is left of the index."""

    numbers: tuple[int, ...]
    shares: tuple[Shares, ...]
    rest: Index | None = field(default=None)


def chosen_copies(index: Index | None, count: int, shared: bool) -> Chosen:
    """The copies behind an end of a wire: all, or those that its index takes.

    Raises `IndexError` where there is none.
    """
    everything = tuple(range(count))
    if shared:
        return Chosen(everything, ((),) * count, index)
    if index is None:
        return Chosen(everything, tuple(((k, count),) for k in everything))
    first, rest = index[0], index[1:] or None
    if isinstance(first, int):
        return Chosen((everything[first],), ((),), rest)
    numbers = everything[first]
    if not numbers:
        raise IndexError
    return Chosen(numbers, tuple(((j, len(numbers)),) for j in range(len(numbers))), rest)


def paired(source: Shares, target: Shares) -> tuple[Shares, Shares] | None:
    """What is left of the shares of a wire's ends: copies are wired to copies of one number.

    None where the ends belong to different copies; raises `ValueError` where one end has more
    copies than the other.
    """
    while source and target:
        (k, n), (j, m) = source[0], target[0]
        if n != m:
            raise ValueError(f"{n} copies are wired to {m}")
        if k != j:
            return None
        source, target = source[1:], target[1:]
    return source, target


def part_of(positions: np.ndarray, shares: Shares) -> np.ndarray:
    """The positions that belong to one copy; raises `ShareError`."""
    for number, count in shares:
        if positions.ndim == 0 or len(positions) != count:
            raise ShareError(positions.shape, count)
        positions = positions[number]
    return positions


class ShareError(Exception):
    """A signal that cannot be shared out, since its elements are not as many as the copies."""

    def __init__(self, shape: Seq[int], count: int):
        elements = " x ".join(map(str, shape)) or "1"
        super().__init__(f"{elements} elements for {count} copies")
