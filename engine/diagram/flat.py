"""A flat diagram: blocks with full names, and wires between their ports."""

from __future__ import annotations

from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from typing import Literal

from ..errors import Position, Problem
from .assignments import Assignment
from .copies import Shares
from .endpoints import Endpoint


@dataclass(frozen=True)
class FlatBlock:
    """A block with its full name, the name of its type, and the values of its parameters.

    `sampling` has `every` and `offset` of the subsystem around it, for a block without its own.
    """

    name: str
    type: str
    position: Position = field(compare=False)
    values: Map[str, Assignment]
    sampling: Map[str, Assignment] = field(default_factory=dict)


@dataclass(frozen=True)
class FlatWire:
    """A wire; with `taken`, only the share of one copy of its source, `put` into one of its target.

    At most one of the two has shares.
    """

    source: Endpoint
    target: Endpoint
    taken: Shares = ()
    put: Shares = ()


@dataclass(frozen=True)
class FlatDiagram:
    """Blocks in file order, wires, and settings.

    `ports` names subsystem outputs, `variants` the chosen and all variants of blocks.
    """

    title: str
    file: str
    blocks: dict[str, FlatBlock]
    wires: tuple[FlatWire, ...]
    solver: Map[str, Assignment]
    log_signals: tuple[Endpoint, ...] | Literal["all"] | None
    log: Map[str, Assignment]
    ports: Map[str, Endpoint]
    variants: Map[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
