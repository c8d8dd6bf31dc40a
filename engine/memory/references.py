"""References to values in memory: one value, or a vector put together from several."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

Space = Literal["t", "w", "x", "dx", "g", "mode"]


class Ref(NamedTuple):
    """A value in memory: absolute (`w`), or relative to states, derivatives, guards or modes."""

    space: Space
    offset: int
    shape: tuple[int, ...] = ()
    type: type = float

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def element(self, index: int, kind: Any = float) -> Ref:
        return Ref(self.space, self.offset + index, (), kind)


class Gather(NamedTuple):
    """A vector put together from several slots."""

    parts: tuple[Ref, ...]
    shape: tuple[int, ...]


Argument = Ref | Gather


def parts_of(argument: Argument) -> tuple[Ref, ...]:
    return argument.parts if isinstance(argument, Gather) else (argument,)


def size_of(argument: Argument) -> int:
    return sum(ref.size for ref in parts_of(argument))


def is_carried(argument: Argument) -> bool:
    """Whether its value is lost once the call is over; vectors in memory stay where they are."""
    return not (isinstance(argument, Ref) and argument.shape and argument.space == "w")
