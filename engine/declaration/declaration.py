"""All that a block type declares, collected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..errors import Position
from .equations import Equation, Kind
from .items import Derived, Discrete, In, Item, Out, Param, State
from .records import Record


@dataclass(frozen=True)
class Declaration:
    """All that a block type declares."""

    id: str
    doc: str
    inputs: Mapping[str, In]
    outputs: Mapping[str, Out]
    params: Mapping[str, Param]
    derived: Mapping[str, Derived]
    states: Mapping[str, State]
    discretes: Mapping[str, Discrete]
    records: Mapping[str, Record]
    equations: tuple[Equation, ...]
    sampled: str | None
    position: Position

    @cached_property
    def items(self) -> dict[str, Item]:
        groups = (self.inputs, self.outputs, self.params, self.derived, self.states, self.discretes)
        return {name: item for group in groups for name, item in group.items()}

    def of_kind(self, *kinds: Kind) -> tuple[Equation, ...]:
        return tuple(e for e in self.equations if e.kind in kinds)

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The inputs that an output depends on at the same time, also through other outputs."""
        reached: set[str] = set()
        names = [output]
        while names:
            name = names.pop()
            reached.add(name)
            for equation in self.of_kind("out"):
                if name in equation.targets:
                    names += [a for a in equation.arguments if a not in reached]
        return tuple(name for name in self.inputs if name in reached)

    @property
    def summary(self) -> str:
        return self.doc.strip().split("\n")[0]
