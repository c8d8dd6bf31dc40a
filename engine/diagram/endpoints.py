"""Ends of wires: `block`, `block.port`, `block.port[0]`, `block.port[0:2, 1]`, and whole lines.

a.y -> b.u, c.u[0]          one source, several targets
a -> b -> c                 a chain: b is a target, then a source
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from ..errors import DiagramError, Position, Problem
from ..text.nodes import Node, Scalar, Sequence, describe, short

Index: TypeAlias = tuple[int | slice, ...]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
DOTTED_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")

LARGEST_LINE = 10_000  # characters of a wire


@dataclass(frozen=True)
class Endpoint:
    """A port of a block, or a part of it; port None is the only port of its kind."""

    block: str
    port: str | None = None
    index: Index | None = None
    position: Position | None = field(default=None, compare=False)

    def __hash__(self) -> int:
        return hash((self.block, self.port, repr(self.index)))

    def __str__(self) -> str:
        port = f".{self.port}" if self.port else ""
        return f"{self.block}{port}{index_text(self.index)}"


Wire: TypeAlias = tuple[Endpoint, Endpoint]


class EndpointError(DiagramError):
    """Text that is neither an endpoint nor a wire."""


def index_text(index: Index | None) -> str:
    """`[0, 1:3]`, or nothing."""
    return "" if index is None else f"[{', '.join(_part_text(part) for part in index)}]"


_ENDPOINT = re.compile(
    r"\s*((?:[A-Za-z_][A-Za-z0-9_]*(?:\[[0-9]{1,9}\])?\.)*)"
    r"([A-Za-z_][A-Za-z0-9_]*)\s*(?:\[([^\[\]]*)\])?\s*"
)
_PART = re.compile(r"\s*([-+]?[0-9]+)?\s*(?:(:)\s*([-+]?[0-9]+)?\s*(?:(:)\s*([-+]?[0-9]+)?\s*)?)?")


def read_endpoints(node: Node) -> tuple[Endpoint, ...]:
    """The endpoints of a list, or of a single text."""
    items = node.items if isinstance(node, Sequence) else (node,)
    ends: list[Endpoint] = []
    problems: list[Problem] = []
    for item in items:
        try:
            if not isinstance(item, Scalar) or not isinstance(item.value, str):
                message = f"the port is {describe(item)}; expected `block.port`"
                raise EndpointError(message, item.position)
            ends.append(read_endpoint(item.text, item.position, int(item.quoted)))
        except EndpointError as error:
            problems.extend(error.problems)
    if problems:
        raise EndpointError(problems)
    return tuple(ends)


def read_endpoint(text: str, position: Position, offset: int = 0) -> Endpoint:
    """One endpoint; the block may be a dotted path, `offset` is where the text starts."""
    match = _ENDPOINT.fullmatch(text)
    if match is None:
        blanks = len(text) - len(text.lstrip())
        raise EndpointError(_not_an_endpoint(text), shifted(position, offset + blanks))
    blocks, last, index = match.groups()
    where = shifted(position, offset + match.start(1))
    part = None if index is None else _index(index, where)
    return Endpoint(blocks[:-1], last, part, where) if blocks else Endpoint(last, None, part, where)


def read_wires(node: Scalar) -> Iterator[Wire]:
    """The wires of one line; raises `EndpointError`."""
    text = node.text
    if len(text) > LARGEST_LINE:
        message = f"{short(text)} is longer than {LARGEST_LINE} characters; write several lines"
        raise EndpointError(message, node.position)
    stages = text.split("->")
    if len(stages) < 2:
        message = f"{short(text)} is not a wire; expected `block.port -> block.port`"
        raise EndpointError(message, node.position)
    sources: list[Endpoint] = []
    offset = int(node.quoted)
    for stage in stages:
        if len(sources) > 1:
            message = f"{short(text)} goes on after a fan-out; write one line per branch"
            raise EndpointError(message, shifted(node.position, offset))
        targets = [read_endpoint(part, node.position, at) for part, at in _split(stage, offset)]
        if not sources and len(targets) > 1:
            message = f"{short(text)} has several sources; write one line for each"
            raise EndpointError(message, node.position)
        for source in sources:
            for target in targets:
                yield source, target
        first = not sources
        sources = targets if first else [_as_source(target) for target in targets]
        offset += len(stage) + 2


@lru_cache(maxsize=1024)
def read_index(text: str) -> Index:
    """`0`, `0:2`, `0, 1`, `::2` as Python means them; raises `ValueError`."""
    parts: list[int | slice] = []
    for part in text.split(","):
        match = _PART.fullmatch(part)
        numbers = [] if match is None else [match[1], match[3], match[5]]
        if match is None or not part.strip() or any(len(n or "") > 9 for n in numbers):
            raise ValueError("is not an index; expected for example [0], [0:2] or [0, 1]")
        start, stop, step = (None if n is None else int(n) for n in numbers)
        if step == 0:
            raise ValueError("has step 0; expected another step")
        if match[2]:
            parts.append(slice(start, stop, step))
        else:
            assert start is not None
            parts.append(start)
    if len(parts) > 2:
        raise ValueError(f"has {len(parts)} parts; a matrix has two")
    return tuple(parts)


def shifted(position: Position, offset: int) -> Position:
    """A position some characters further in the line."""
    return (
        Position(position.file, position.line, position.column + offset)
        if position.column
        else position
    )


def _index(text: str, position: Position) -> Index:
    try:
        return read_index(text)
    except ValueError as error:
        raise EndpointError(f"[{text[:40]}] {error}", position) from None


def _split(stage: str, offset: int) -> Iterator[tuple[str, int]]:
    """The parts of `a, b[0, 1], c`: commas inside brackets do not separate."""
    if "[" not in stage:
        for part in stage.split(","):
            yield part, offset
            offset += len(part) + 1
        return
    depth, start = 0, 0
    for position, character in enumerate(stage):
        depth += (character == "[") - (character == "]")
        if character == "," and depth <= 0:
            yield stage[start:position], offset + start
            start = position + 1
    yield stage[start:], offset + start


def _as_source(target: Endpoint) -> Endpoint:
    return Endpoint(target.block, None, None, target.position)


def _part_text(part: int | slice) -> str:
    if isinstance(part, int):
        return str(part)
    ends = [part.start, part.stop] if part.step is None else [part.start, part.stop, part.step]
    return ":".join("" if end is None else str(end) for end in ends)


def _not_an_endpoint(text: str) -> str:
    if not text.strip():
        return "an end of the wire is missing; expected `block.port`"
    return f"{short(text.strip())} is not a port; expected `block.port` or `block.port[0]`"
