"""The base of all blocks, which collects what a subclass declares."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from ..errors import Position
from ..plugins import BLOCKS
from .checks import refuse_mistakes, refuse_record_mistakes
from .declaration import Declaration
from .equations import Equation
from .items import Derived, Discrete, In, Item, Out, Param, Sample, State
from .records import Record, expand


class Block:
    """Base of all blocks; a subclass only declares.

    `symbol` is the text drawn on the block, `example` holds values for parameters without default
    (for documentation and tests), `recorded` says that its inputs are logged, `further_items` are
    declared beside the members, under any name (`id`, `symbol`). `specialise` may return another
    block type that depends on parameters, for blocks whose ports or equations come from text.
    """

    id: ClassVar[str] = ""
    symbol: ClassVar[str] = ""
    example: ClassVar[Mapping[str, Any]] = {}
    recorded: ClassVar[bool] = False
    further_items: ClassVar[Mapping[str, Item]] = {}
    declaration: ClassVar[Declaration]

    @classmethod
    def specialise(cls, values: Mapping[str, Any]) -> type[Block]:
        return cls

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.declaration = _declare(cls)


def _declare(cls: type[Block]) -> Declaration:
    members: dict[str, Any] = {}
    for base in reversed(cls.__mro__[:-1]):
        members |= {name: value for name, value in vars(base).items() if not name.startswith("__")}
    own = {n: v for n, v in members.items() if isinstance(v, Item)}
    items = {n: replace(v, name=n) for n, v in (own | dict(cls.further_items)).items()}
    sampled = next((n for n, v in members.items() if isinstance(v, Sample)), None)
    if sampled:
        sample = members[sampled]
        items[sampled] = Param("s", sample.doc, name=sampled, default=sample.default, gt=0)
        items["offset"] = Param("s", "time of the first hit", name="offset", default=0.0, ge=0)

    def group(kind: type) -> dict[str, Any]:
        return {name: item for name, item in items.items() if isinstance(item, kind)}

    written = Declaration(
        id=cls.__dict__.get("id") or f"{_family(cls)}.{snake(cls.__name__)}",
        doc=inspect.cleandoc(cls.__doc__ or ""),
        inputs=group(In),
        outputs=group(Out),
        params=group(Param),
        derived=group(Derived),
        states=group(State),
        discretes=group(Discrete),
        records={name: value for name, value in members.items() if isinstance(value, Record)},
        equations=tuple(v for v in members.values() if isinstance(v, Equation)),
        sampled=sampled,
        position=_position(cls),
    )
    refuse_record_mistakes(written)
    flat = tuple(expand(equation, written.records) for equation in written.equations)
    declaration = replace(written, equations=flat)
    refuse_mistakes(declaration)
    return declaration


def _position(cls: type) -> Position:
    first = min(
        (e.function.__code__ for e in vars(cls).values() if isinstance(e, Equation)),
        key=lambda code: code.co_firstlineno,
        default=None,
    )
    if first is None:
        return Position(cls.__module__)
    return Position(first.co_filename, first.co_firstlineno)


def _family(cls: type) -> str:
    return cls.__module__.removeprefix(f"{BLOCKS}.").split(".")[0]


def snake(name: str) -> str:
    """The name of a class as block ids write it: first_order_lag of FirstOrderLag."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
