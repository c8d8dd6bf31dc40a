"""Records: what belongs together reaches the functions of a block as one named tuple.

    material = Record("elasticity and friction of both bodies", "E_star", "mu")

A function with an argument `material` reads `material.E_star` and `material.mu`. To the engine it
is a function of E_star and mu: feedthrough, order and types are read off the fields. That flat
function is made here; it builds the named tuples and calls the author's function.
"""

from __future__ import annotations

import ast
import keyword
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ..functions.functions import merged
from ..functions.maker import Origin, call, make_function, read
from .equations import Equation


@dataclass(frozen=True, init=False)
class Record:
    """Items of a block that functions take together, under one name.

    `fields` are names of items, or one class of named tuples whose fields are names of items;
    `renamed` gives a field the item of another name, as in `tread="tread_l"`.
    """

    doc: str
    items: tuple[tuple[str, str], ...]
    """Names of the fields, each with the name of its item."""
    made: type | None

    def __init__(self, doc: str, /, *fields: str | type, **renamed: str):
        made = fields[0] if len(fields) == 1 and _is_named_tuple(fields[0]) else None
        named: Any = getattr(made, "_fields", fields)
        items = [(name, renamed.get(name, name)) for name in named]
        items += [(name, item) for name, item in renamed.items() if name not in named]
        object.__setattr__(self, "doc", doc)
        object.__setattr__(self, "items", tuple(items))
        object.__setattr__(self, "made", made)

    def problem(self) -> str:
        """What is wrong with the fields alone; empty if nothing is."""
        names = [name for name, _ in self.items]
        for name in names:
            if not isinstance(name, str):
                return f"has the field {name!r}; expected names, or one class of named tuples"
            if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
                return f"has the field '{name}'; expected names that do not begin with '_'"
            if names.count(name) > 1:
                return f"has the field '{name}' twice"
        if not names:
            return "has no fields; name the items that belong to it"
        own = getattr(self.made, "_fields", tuple(names))
        if foreign := [name for name in names if name not in own]:
            return f"renames '{foreign[0]}', which is not a field of {self.made.__name__}"  # type: ignore[union-attr]
        return ""


def _is_named_tuple(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def expand(equation: Equation, records: Mapping[str, Record]) -> Equation:
    """The equation as a function of items alone, which makes its records itself."""
    taken = tuple((name, records.get(name)) for name in equation.arguments)
    if all(record is None for _, record in taken):
        return equation
    function, arguments = _flat(equation.function, taken)
    spellings = tuple(spelling for argument in taken for spelling in _spellings(*argument))
    return replace(equation, function=function, arguments=arguments, spellings=spellings)


@cache
def _flat(
    author: Callable[..., Any], taken: tuple[tuple[str, Record | None], ...]
) -> tuple[Callable[..., Any], tuple[str, ...]]:
    """The function of items that calls the author's, and its arguments; each item comes once."""
    arguments = tuple(dict.fromkeys(item for argument in taken for item in _items_of(*argument)))
    names = _fresh_names(arguments)
    called = next(names)
    scope: dict[str, Any] = {called: merged(author)}
    values: list[ast.expr] = []
    for name, record in taken:
        if record is None:
            values.append(read(name))
            continue
        maker = next(names)
        scope[maker] = record.made or _named_tuple(name, tuple(field for field, _ in record.items))
        values.append(call(maker, [read(item) for _, item in record.items]))
    return _function(author, arguments, call(called, values), scope), arguments


def _items_of(name: str, record: Record | None) -> Sequence[str]:
    return [name] if record is None else [item for _, item in record.items]


def _spellings(name: str, record: Record | None) -> Sequence[tuple[str, str]]:
    """Items behind an argument, and how the author's text writes them."""
    if record is None:
        return [(name, name)]
    return [(item, f"{name}.{field}") for field, item in record.items]


def _fresh_names(used: Sequence[str]) -> Iterator[str]:
    """Names that no argument has."""
    number = 0
    while True:
        number += 1
        name = f"_{number}"
        if name not in used:
            yield name


@cache
def _named_tuple(name: str, fields: tuple[str, ...]) -> type:
    return namedtuple(name, fields)


def _function(
    author: Callable[..., Any], arguments: Sequence[str], result: ast.expr, scope: dict[str, Any]
) -> Callable[..., Any]:
    """A function that returns the result; by name, module, file and line it is the author's."""
    code = author.__code__
    origin = Origin(author.__module__, code.co_filename, code.co_firstlineno)
    name = author.__name__ if author.__name__.isidentifier() else "flat"  # of a lambda
    flat = make_function(name, arguments, [ast.Return(result)], scope, origin)
    flat.__qualname__ = author.__qualname__
    flat.__doc__ = author.__doc__
    return flat
