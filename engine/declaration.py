"""How a block is declared: ports, parameters and states as data, behaviour as pure functions.

A function's arguments are matched by name with what the block declares, so that direct
feedthrough is read off the signature. Some names need no declaration: `t`, the time; `run_seed`,
the seed of the run; `stream_number`, the number of the random stream of this block and element; and
the names of the block's guards that fire in both directions, which stand for their sides: True
while the guard is not negative, and never changing within a step.

A scalar result is returned (several as a tuple, in the order of the decorator). A vector result is
an argument to fill: an output under its own name, a derivative as `der_x`, the next value of a
state as `next_x`. A shape is `()`, `3`, `"n"`, `("n", 3)`, `"n-1"`, or `EACH`: the equations are
scalar and hold for every element of whatever is connected.

A function may also read an output that another one computes: that one runs first.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

from .errors import Place

EACH = "*"
STREAM_NUMBER = "stream_number"
IMPLICIT = ("t", "run_seed", STREAM_NUMBER)
FREQUENCY = "j_omega"
FIGURE = "figure"
_REQUIRED: Any = type("Required", (), {"__repr__": lambda _: "required"})()

Kind = Literal[
    "out", "der", "update", "guard", "reset", "derive", "validate", "notice", "response", "picture"
]  # fmt: skip
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
        """The shape as a tuple; EACH counts as scalar, since equations are written so."""
        if self.shape == EACH:
            return ()
        return self.shape if isinstance(self.shape, tuple) else (self.shape,)


@dataclass(frozen=True)
class In(Item):
    """An input port; with `many`, as many ports u1, u2, ... as that parameter says."""

    default: float | None = field(default=None, kw_only=True)
    many: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Out(Item):
    """An output port; `before` is what a sampled block shows until its first sample.

    A number, or the name of a parameter or of something derived.
    """

    before: float | str = field(default=0.0, kw_only=True)


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


@dataclass(frozen=True)
class Equation:
    """One pure function of a block and what it computes."""

    kind: Kind
    targets: tuple[str, ...]
    function: Callable[..., Any]
    arguments: tuple[str, ...]
    guard: str = ""
    direction: Literal["rising", "falling", "both"] = "rising"
    action: Literal["reset", "stop", "fail"] = "reset"
    message: str = ""
    initial: bool = False


def _equation(kind: Kind, targets: tuple[str, ...], **options: Any) -> Callable[[Any], Equation]:
    def mark(function: Callable[..., Any]) -> Equation:
        arguments = tuple(inspect.signature(function).parameters)
        return Equation(kind, targets, function, arguments, **options)

    return mark


def out(*outputs: str) -> Any:
    """The function computes these outputs."""
    return _equation("out", outputs)


def der(*states: str) -> Any:
    """The function computes the time derivatives of these continuous states."""
    return _equation("der", states)


def update(*states: str) -> Any:
    """The function computes these discrete states' next values, at every sample hit."""
    return _equation("update", states)


def guard(
    name: str,
    direction: Literal["rising", "falling", "both"] = "rising",
    action: Literal["reset", "stop", "fail"] = "reset",
    message: str = "",
    initial: bool = False,
) -> Any:
    """The function's zero crossings are located; what happens there says `@reset` or `action`.

    A guard that stops or fails the run, or is `initial`, also fires where it is not negative at
    the start of the run.
    """
    options = {"guard": name, "direction": direction, "action": action, "message": message}
    return _equation("guard", (), **options, initial=initial or action != "reset")


def reset(guard: str, *states: str) -> Any:
    """At the guard's event the function computes these states' new values."""
    return _equation("reset", states, guard=guard)


def derive(*names: str) -> Any:
    """The function computes derived parameters, in Python, when parameters are set."""
    return _equation("derive", names)


def validate(function: Callable[..., Any]) -> Equation:
    """The function returns what is wrong with the parameters together, or None."""
    return _equation("validate", ())(function)


def notice(function: Callable[..., Any]) -> Equation:
    """The function returns what to know about the results at the end of a run, or None.

    It takes parameters and discrete states, in Python; the run puts the block's name before it.
    """
    return _equation("notice", ())(function)


def response(function: Callable[..., Any]) -> Equation:
    """The function gives frequency responses of a linear block, for Bode plots.

    It takes parameters and `j_omega`, an array of complex frequencies, and returns a mapping
    from names to responses at these frequencies; a row for each response of a family.
    """
    return _equation("response", ())(function)


def picture(function: Callable[..., Any]) -> Equation:
    """The function draws what the block's parameters describe.

    It takes parameters and `figure`, an empty figure of matplotlib, whose size it may change.
    """
    return _equation("picture", ())(function)


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
    equations: tuple[Equation, ...]
    sampled: str | None
    place: Place

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


class Block:
    """Base of all blocks; a subclass only declares.

    `symbol` is the text drawn on the block, `example` holds values for parameters without default
    (for documentation and tests), `recorded` says that its inputs are logged. `specialise` may
    return another block type that depends on parameters, for blocks whose ports or equations come
    from text.
    """

    id: ClassVar[str] = ""
    symbol: ClassVar[str] = ""
    example: ClassVar[Mapping[str, Any]] = {}
    recorded: ClassVar[bool] = False
    declaration: ClassVar[Declaration]

    @classmethod
    def specialise(cls, values: Mapping[str, Any]) -> type[Block]:
        return cls

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.declaration = _declare(cls)


def _declare(cls: type[Block]) -> Declaration:
    from .declaration_checks import refuse_mistakes

    members: dict[str, Any] = {}
    for base in reversed(cls.__mro__[:-1]):
        members |= {name: value for name, value in vars(base).items() if not name.startswith("__")}
    place = _place(cls)
    items = {n: replace(v, name=n) for n, v in members.items() if isinstance(v, Item)}
    sampled = next((n for n, v in members.items() if isinstance(v, Sample)), None)
    if sampled:
        sample = members[sampled]
        items[sampled] = Param("s", sample.doc, name=sampled, default=sample.default, gt=0)
        items["offset"] = Param("s", "time of the first hit", name="offset", default=0.0, ge=0)
    equations = tuple(v for v in members.values() if isinstance(v, Equation))

    def group(kind: type) -> dict[str, Any]:
        return {name: item for name, item in items.items() if isinstance(item, kind)}

    declaration = Declaration(
        id=cls.__dict__.get("id") or f"{_family(cls)}.{snake(cls.__name__)}",
        doc=inspect.cleandoc(cls.__doc__ or ""),
        inputs=group(In),
        outputs=group(Out),
        params=group(Param),
        derived=group(Derived),
        states=group(State),
        discretes=group(Discrete),
        equations=equations,
        sampled=sampled,
        place=place,
    )
    refuse_mistakes(declaration)
    return declaration


def _place(cls: type) -> Place:
    first = min(
        (e.function.__code__ for e in vars(cls).values() if isinstance(e, Equation)),
        key=lambda code: code.co_firstlineno,
        default=None,
    )
    if first is None:
        return Place(cls.__module__)
    return Place(first.co_filename, first.co_firstlineno)


def _family(cls: type) -> str:
    return cls.__module__.removeprefix("railblocks.blocks.").split(".")[0]


def snake(name: str) -> str:
    """The name of a class as block ids write it: first_order_lag of FirstOrderLag."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def filled(kind: Kind, target: str) -> str:
    """The argument under which a vector result is filled in."""
    return {"der": f"der_{target}", "update": f"next_{target}", "reset": f"next_{target}"}.get(
        kind, target
    )
