"""What a block declares under a name: ports, parameters and states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

EACH = "*"
_REQUIRED: Any = type("Required", (), {"__repr__": lambda _: "required"})()

Shape = str | int | tuple[str | int, ...]


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """The range in which a number makes sense."""

    gt: float | None = None
    ge: float | None = None
    lt: float | None = None
    le: float | None = None

    def __str__(self) -> str:
        signs = {"gt": ">", "ge": ">=", "lt": "<", "le": "<="}
        parts = [
            f"{s} {getattr(self, n):g}" for n, s in signs.items() if getattr(self, n) is not None
        ]
        return " and ".join(parts)

    def holds(self, value: float) -> bool:
        return not (
            (self.gt is not None and not value > self.gt)
            or (self.ge is not None and not value >= self.ge)
            or (self.lt is not None and not value < self.lt)
            or (self.le is not None and not value <= self.le)
        )


@dataclass(frozen=True)
class Item:
    """Anything a block declares under a name."""

    unit: str
    doc: str
    name: str = field(default="", kw_only=True)
    shape: Shape = field(default=(), kw_only=True)
    type: type = field(default=float, kw_only=True)
    gt: float | None = field(default=None, kw_only=True)
    ge: float | None = field(default=None, kw_only=True)
    lt: float | None = field(default=None, kw_only=True)
    le: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """A number as shape means that many elements, as in NumPy."""
        if isinstance(self.shape, int) and not isinstance(self.shape, bool):
            object.__setattr__(self, "shape", (self.shape,))

    @property
    def bounds(self) -> Bounds:
        return Bounds(gt=self.gt, ge=self.ge, lt=self.lt, le=self.le)

    @property
    def dims(self) -> tuple[str | int, ...]:
        """The shape as equations see it, a tuple: that of one element."""
        if self.shape == EACH:
            return ()
        dims = self.shape if isinstance(self.shape, tuple) else (self.shape,)
        return dims[1:] if dims[:1] == (EACH,) else dims

    @property
    def is_each(self) -> bool:
        """Whether every element has one of its own: a number, or for (EACH, "n") a vector."""
        return self.shape == EACH or (isinstance(self.shape, tuple) and self.shape[:1] == (EACH,))

    @property
    def shape_text(self) -> str:
        """The shape as tables print it; nothing for a scalar."""
        return " x ".join(["any"] * self.is_each + list(map(str, self.dims)))

    @property
    def type_text(self) -> str:
        """The type as tables print it."""
        return "any" if self.type is object else self.type.__name__


@dataclass(frozen=True)
class In(Item):
    """An input port; with `many`, as many ports u1, u2, ... as that parameter says.

    `paced` is the pace of sampled blocks that may drive it: "own" of its block, or "faster".
    """

    default: float | None = field(default=None, kw_only=True)
    many: str | None = field(default=None, kw_only=True)
    paced: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class Out(Item):
    """An output port; `before` is what a sampled block shows until its first sample.

    A number, or the name of a parameter or of something derived. `paced` is the pace of sampled
    blocks that may read it: "own" of its block, or "faster".
    """

    before: float | str = field(default=0.0, kw_only=True)
    paced: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class Param(Item):
    """A parameter; without a default it must be given. `type` may also be str or object.

    `file` tells of a text whether it names a file; the block then gets the file's path, which
    starts at the folder of the file that the text stands in. `hint` says about text that is not
    one of the choices what to write instead, or nothing.
    """

    default: Any = field(default=_REQUIRED, kw_only=True)
    choices: tuple[str, ...] = field(default=(), kw_only=True)
    file: Callable[[str], bool] | None = field(default=None, kw_only=True)
    hint: Callable[[str], str] | None = field(default=None, kw_only=True)

    @property
    def required(self) -> bool:
        return self.default is _REQUIRED


@dataclass(frozen=True)
class Derived(Item):
    """A number or array that a `@derive` function computes from parameters when they are set."""


@dataclass(frozen=True)
class State(Item):
    """A continuous state; `start` is a number or the name of a parameter.

    `size`, a positive number or the name of a parameter, says how large the state is where signals
    are of size 1: solvers allow it an absolute error of `atol` times that. It is needed where a
    state is scaled otherwise than the outputs that depend on it, such as the integral of an
    integral of a fast signal.
    """

    start: float | str = field(default=0.0, kw_only=True)
    size: float | str = field(default=1.0, kw_only=True)


@dataclass(frozen=True)
class Discrete(Item):
    """A discrete state, changed by `@update` at sample hits and by `@reset` at events."""

    start: float | str = field(default=0.0, kw_only=True)


@dataclass(frozen=True)
class Sample:
    """Makes the block sampled: its functions run every so many seconds, from `offset` on."""

    doc: str = "sample time"
    default: Any = _REQUIRED
