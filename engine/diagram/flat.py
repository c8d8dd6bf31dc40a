"""A flat diagram: blocks with full names, and wires between their ports."""

from __future__ import annotations

from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from typing import Literal

from ..declaration import Block
from ..errors import Position, Problem
from .assignments import Assignment
from .copies import Shares
from .endpoints import Endpoint

BlockType = type[Block]


@dataclass(frozen=True)
class FlatBlock:
    """A block with its full name, the name of its type, and the values of its parameters.

    `sampling` has `every` and `offset` of the subsystem around it, for a block without its own.
    `condition` is the name of the block that says whether this one runs, `trigger` of the one at
    whose events it runs. Blocks that the engine adds have their `kind`, which no registry knows.
    """

    name: str
    type: str
    position: Position = field(compare=False)
    values: Map[str, Assignment]
    sampling: Map[str, Assignment] = field(default_factory=dict)
    condition: str = ""
    trigger: str = ""
    kind: BlockType | None = None


@dataclass(frozen=True)
class FlatCondition:
    """What the condition of a subsystem does, by the name of its block; `triggers` runs it once.

    `signals` has the ports of the block by the signals that they read, `around` is the condition of
    a subsystem around, `ports` are what the subsystem shows, `shown` the value of its outputs while
    it does not run, None where they hold the last one.
    """

    subsystem: str
    signals: Map[str, str]
    around: str
    resets: bool
    shown: Assignment | None
    ports: tuple[Endpoint, ...] = ()
    triggers: bool = False


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

    `ports` names subsystem outputs, `variants` the chosen and all variants of blocks, `conditions`
    those of subsystems by the names of their blocks.
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
    conditions: Map[str, FlatCondition] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
