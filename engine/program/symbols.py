"""What the text of a program refers to: kernels by the linker's names, sections, numbered calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ..memory.layout import Layout
from ..schedule.calls import Call, Kernel
from .traits import Traits


@dataclass
class Symbols:
    """What functions may refer to: the linker's names, and the offsets of sections.

    A kernel that numba refused stays in Python; its calls are called back by their numbers.
    """

    layout: Layout
    kernels: Mapping[Kernel, Traits]
    solve_loop: str
    used: dict[str, Kernel] = field(default_factory=dict)
    numbered: list[Call] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)

    @cached_property
    def can_raise(self) -> bool:
        """Whether any call of the program can raise an exception."""
        return any(traits.raises or traits.refusal for traits in self.kernels.values())

    def number(self, call: Call) -> int:
        """The number by which a call is known to the callback and to messages."""
        if id(call) not in self._numbers:
            self._numbers[id(call)] = len(self.numbered)
            self.numbered.append(call)
        return self._numbers[id(call)]
