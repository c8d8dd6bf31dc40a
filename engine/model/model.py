"""A checked diagram: every block with its values, ports, shapes, units and connections."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..declaration import Block, Declaration, In, Out
from ..errors import Position
from ..units.unit import Unit

Shape = tuple[int, ...]


def count(shape: Shape) -> int:
    total = 1
    for n in shape:
        total *= n
    return total


@dataclass
class Port:
    """One input or output of a block in the diagram; shape and unit are filled in by inference."""

    block: str
    name: str
    item: In | Out
    group: str  # the declared name: u for u1, u2, ...
    shape: Shape | None = None
    unit: Unit | None = None

    @property
    def path(self) -> str:
        return f"{self.block}.{self.name}"

    @property
    def size(self) -> int:
        return count(self.shape or ())

    @property
    def default(self) -> float | None:
        """The value of an input that may stay unconnected."""
        return self.item.default if isinstance(self.item, In) else None


@dataclass(frozen=True)
class Part:
    """A run of elements of an input and the output elements that drive it."""

    start: int
    source: Port
    first: int
    count: int


@dataclass
class Instance:
    """A block of the diagram."""

    name: str
    type: type[Block]
    position: Position
    values: dict[str, Any]
    units: dict[str, Unit | None]
    sizes: dict[str, int]
    inputs: dict[str, Port] = field(default_factory=dict)
    outputs: dict[str, Port] = field(default_factory=dict)
    shape: Shape | None = None  # of everything declared with EACH

    @property
    def declaration(self) -> Declaration:
        return self.type.declaration


@dataclass
class Model:
    """A whole diagram, flat and typed."""

    title: str
    file: str
    blocks: dict[str, Instance]
    drivers: dict[tuple[str, str], tuple[Part, ...]]
    aliases: dict[str, tuple[str, str]]  # subsystem outputs: name -> (block, port)
