"""A checked diagram: every block with its values, ports, shapes, units and connections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..declaration import Block, Declaration, In, Out
from ..errors import Position
from ..units.unit import Unit

Shape = tuple[int, ...]
CONDITION_GUARD = "running"
"""The guard of a condition: not negative while its subsystem runs."""


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
    condition: str = ""  # the block that says whether this one runs, if there is one
    trigger: str = ""  # the block at whose events this one runs, if there is one
    resets: bool = False  # whether its states go back to their start where it stops
    shown: dict[str, float] = field(default_factory=dict)  # by output, while it does not run

    @property
    def declaration(self) -> Declaration:
        return self.type.declaration


@dataclass(frozen=True)
class Conditional:
    """A subsystem that runs while its condition holds.

    `blocks` are those inside, also of subsystems inside; `outputs` are the signals that it shows,
    with `shown` as their value while it does not run, or the last one. With `resets` its states go
    back to their start values.
    """

    blocks: tuple[str, ...]
    outputs: tuple[tuple[str, str], ...]
    resets: bool
    shown: float | None

    def mark(self, instances: Mapping[str, Instance]) -> None:
        """Lets the blocks know what they keep and show."""
        for name in self.blocks if self.resets else ():
            instances[name].resets = True
        if self.shown is not None:
            for block, output in self.outputs:
                instances[block].shown[output] = self.shown


@dataclass
class Model:
    """A whole diagram, flat and typed; `conditionals` by the names of their conditions."""

    title: str
    file: str
    blocks: dict[str, Instance]
    drivers: dict[tuple[str, str], tuple[Part, ...]]
    aliases: dict[str, tuple[str, str]]  # subsystem outputs: name -> (block, port)
    conditionals: dict[str, Conditional] = field(default_factory=dict)
