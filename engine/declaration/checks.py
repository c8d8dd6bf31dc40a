"""Checks of a declaration: mistakes of a block author are reported when the file is loaded."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

from ..errors import DiagramError, suggestion
from ..units.unit import UnitError, parse_pattern
from .declaration import Declaration
from .equations import FIGURE, FREQUENCY, IMPLICIT, VALUES, filled
from .items import EACH, Discrete, Item, Out, State
from .read_only import changed_name, changes_given

OWN_ARGUMENTS = (("response", FREQUENCY), ("picture", FIGURE), ("modes", VALUES))
"""Arguments that functions of a kind are given besides what is declared."""
EARLY = ("derive", "validate", "notice", "response", "picture", "modes")
"""Kinds of functions that are called when there are no outputs yet."""
DIMENSION = re.compile(r"[A-Za-z_]\w*\s*([+-]\s*\d+)?")


def refuse_record_mistakes(declaration: Declaration) -> None:
    """Refuses records with fields that are not declared, or cannot be fields."""
    targets = {(e.kind, target) for e in declaration.equations for target in e.targets}
    known = {*declaration.items, *IMPLICIT, *(filled(*target) for target in targets)}
    known |= {equation.guard for equation in declaration.of_kind("guard")}
    for name, record in declaration.records.items():
        if name in known:
            _fail(declaration, f"record '{name}' has a name that means something else; rename it")
        if problem := record.problem():
            _fail(declaration, f"record '{name}' {problem}")
        for field, item in record.items:
            where = f"record '{name}' has the field '{field}'"
            where += "" if item == field else f" for '{item}'"
            if item in declaration.records:
                _fail(declaration, f"{where}, which is a record; name its items")
            if item not in known:
                _fail(declaration, f"{where}, which is not declared{suggestion(item, known)}")


def _fail(declaration: Declaration, message: str) -> NoReturn:
    raise DiagramError(f"block {declaration.id}: {message}", declaration.position)


def refuse_mistakes(declaration: Declaration) -> None:
    """Refuses a declaration with a mistake; the message says what to mend."""
    items = declaration.items

    def fail(message: str) -> None:
        _fail(declaration, message)

    for name, item in items.items():
        try:
            parse_pattern(item.unit)
        except UnitError as error:
            fail(f"unit of '{name}': {error}")
        if not _is_shape(item.shape) and not (_is_state(item) and _is_shape(item.dims)):
            fail(
                f"shape of '{name}' is {item.shape!r}; expected (), a number of elements, a name "
                "such as 'n' or 'n-1', a tuple of these, or EACH; states also (EACH, 'n')"
            )
    allowed = {
        "out": declaration.outputs,
        "der": declaration.states,
        "update": declaration.discretes,
        "reset": {**declaration.states, **declaration.discretes},
        "derive": declaration.derived,
        "guard": {},
        "validate": {},
        "notice": {},
        "response": {},
        "picture": {},
        "modes": {},
    }
    guards = {e.guard for e in declaration.of_kind("guard")}
    computed: set[tuple[str, str]] = set()
    for equation in declaration.equations:
        where = f"function '{equation.function.__name__}'"
        for target in equation.targets:
            if target not in allowed[equation.kind]:
                known = allowed[equation.kind]
                fail(
                    f"{where} computes '{target}', which is not declared{suggestion(target, known)}"
                )
            key = (equation.kind + equation.guard, target)
            if key in computed:
                fail(f"'{target}' is computed twice; keep one @{equation.kind}")
            computed.add(key)
        if equation.kind == "reset" and equation.guard not in guards:
            fail(f"{where} resets at guard '{equation.guard}', which is not declared")
        fills = {filled(equation.kind, n) for n in equation.targets if items[n].dims}
        if equation.kind == "derive":
            fills = set()
        for argument in equation.arguments:
            if argument in fills or argument in IMPLICIT or argument in guards:
                continue
            if (equation.kind, argument) in OWN_ARGUMENTS:
                continue
            early = equation.kind in EARLY
            if argument not in items or (early and isinstance(items[argument], Out)):
                names = [n for n, item in items.items() if not (early and isinstance(item, Out))]
                names += declaration.records
                fail(
                    f"{where} uses '{argument}', which is not declared{suggestion(argument, names)}"
                )
        if missing := fills - set(equation.arguments):
            name = sorted(missing)[0]
            fail(f"{where} computes a vector; take '{name}' as an argument and fill it")
        if not (equation.function.__module__ or "").startswith("railblocks."):
            arrays = {a for a in equation.arguments if a in items and items[a].dims} - fills
            if equation.spellings:
                arrays = {written for item, written in equation.spellings if item in arrays}
            if arrays and (changed := changed_name(equation.function, arrays)):
                fail(changes_given(equation.function.__name__, changed))
    _refuse_unknown_numbers(declaration, fail)
    for kind, group in (("out", declaration.outputs), ("der", declaration.states)):
        for name in group:
            if declaration.equations and not any(
                name in e.targets for e in declaration.equations if e.kind == kind
            ):
                fail(f"'{name}' is never computed; add a function with @{kind}(\"{name}\")")


def _refuse_unknown_numbers(declaration: Declaration, fail: Callable[[str], None]) -> None:
    """Start values, sizes and values before the first sample are numbers or names of parameters."""
    numbers = declaration.params.keys() | declaration.derived.keys()
    given = [(name, state.start) for name, state in declaration.states.items()]
    given += [(name, state.size) for name, state in declaration.states.items()]
    given += [(name, state.start) for name, state in declaration.discretes.items()]
    given += [(name, output.before) for name, output in declaration.outputs.items()]
    for name, value in given:
        if isinstance(value, str) and value not in numbers:
            near = suggestion(value, numbers)
            fail(f"'{name}' refers to '{value}', which is not a parameter{near}")


def _is_state(item: Item) -> bool:
    return isinstance(item, State | Discrete)


def _is_shape(shape: Any) -> bool:
    """Whether a shape is one: sizes from 0 on, and names with a number added or not."""
    if shape == EACH:
        return True
    dims = shape if isinstance(shape, tuple) else (shape,)
    return all(
        bool(DIMENSION.fullmatch(dim))
        if isinstance(dim, str)
        else isinstance(dim, int) and not isinstance(dim, bool) and dim >= 0
        for dim in dims
    )
