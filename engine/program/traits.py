"""What a function may do, as read off its lowered text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from ..numba_bridge.convention import can_raise, maybe_changed
from .optimiser import parsed


@dataclass(frozen=True)
class Traits:
    """What a kernel's lowered text says about it.

    `refusal` is why numba cannot compile it, `changes` that it writes into what it may only read.
    `raises` says that it can raise an exception; `copied` are the numbers of the arguments whose
    arrays a kernel from outside of railblocks might change, so that it gets copies of them.
    """

    refusal: str = ""
    changes: bool = False
    raises: bool = False
    copied: tuple[int, ...] = ()

    @classmethod
    def from_text(cls, text: str) -> Traits:
        fields = json.loads(text)
        return cls(**fields | {"copied": tuple(fields["copied"])})

    @classmethod
    def of_code(cls, text: str, name: str, ranks: Sequence[int], fills: Sequence[int]) -> Traits:
        """The traits of a function; of its arrays, with `ranks` above 0, it may change `fills`."""
        function = parsed(text).get_function(name)
        changed = [number for number in maybe_changed(function, ranks) if number not in fills]
        return cls(raises=can_raise(function), copied=tuple(changed))

    def as_text(self) -> str:
        return json.dumps(asdict(self))
