"""The instructions of a program: kernel calls over slots in memory.

A diagram becomes lists of calls, one list for each thing the solver asks for. The same lists are
interpreted in Python (`interpreter`) and emitted as LLVM code (`emitter`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ..functions.functions import fingerprint, loops
from ..memory.references import Argument, Ref, is_carried


@dataclass(frozen=True, eq=False)
class Kernel:
    """A pure function with the types it is compiled for.

    `ranks` and `types` describe the arguments, `results` the scalar results in order; vector
    results are arguments to fill, whose numbers are in `fills`. Kernels are equal if they compute
    the same.
    """

    function: Callable[..., Any]
    ranks: tuple[int, ...]
    types: tuple[type, ...]
    results: tuple[type, ...]
    fills: tuple[int, ...] = ()

    @cached_property
    def key(self) -> str:
        types = ",".join(f"{t.__name__}{r}" for t, r in zip(self.types, self.ranks, strict=True))
        results = [t.__name__ for t in self.results]
        whose = "by the rules of Python, also of what it calls" if self.foreign else "own"
        return f"{fingerprint(self.function)[:32]}({types})->{results}{self.fills} {whose}"

    @property
    def foreign(self) -> bool:
        """Whether it comes from outside of railblocks, so that its indices are checked."""
        return not (self.function.__module__ or "").startswith("railblocks.")

    @cached_property
    def can_hang(self) -> bool:
        """Whether it comes from outside of railblocks and has loops."""
        return self.foreign and loops(self.function)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kernel) and (self is other or self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)


class Call(NamedTuple):
    """`results = kernel(arguments)`.

    Sampled calls run only when their group is hit, those with a guard when it fires, and those with
    a condition while that guard is not negative. Where they do not run, signals and guards keep
    their values and derivatives are 0.
    """

    kernel: Kernel
    arguments: tuple[Argument, ...]
    results: tuple[Ref, ...]
    fills: tuple[Ref, ...]
    block: str
    equation: str
    group: int | None = None
    guard: int | None = None
    condition: int | None = None

    @property
    def writes(self) -> tuple[Ref, ...]:
        return self.results + self.fills

    @property
    def carried(self) -> tuple[Argument, ...]:
        """The arguments that are kept for a message if the call raises an exception."""
        read = (a for i, a in enumerate(self.arguments) if i not in self.kernel.fills)
        return tuple(argument for argument in read if is_carried(argument))


class Loop(NamedTuple):
    """An algebraic loop: `calls` in order once the `torn` scalars are guessed, first as `start`."""

    number: int
    calls: tuple[Call, ...]
    torn: tuple[Ref, ...]
    offset: int
    chain: tuple[str, ...]
    start: tuple[float, ...] = ()
    condition: int | None = None

    @property
    def workspace(self) -> int:
        """Numbers of memory that Newton's method needs: six vectors and a matrix."""
        n = len(self.torn)
        return 6 * n + n * n


class Copy(NamedTuple):
    """`target = source`: how next values of states become current, all at once."""

    source: Ref
    target: Ref
    group: int | None = None
    guard: int | None = None
    condition: int | None = None


Step = Call | Loop | Copy


@dataclass(frozen=True)
class Program:
    """All that the solver calls, and what it needs to know."""

    rhs: tuple[Step, ...]
    outputs: tuple[Step, ...]
    guards: tuple[Step, ...]
    tasks: tuple[Step, ...]
    resets: tuple[Step, ...]
    loops: tuple[Loop, ...] = ()
