"""What a steady state is asked to be: values that are held, what is free, and rates that are given.

Values are written as in diagrams, with or without unit; a number without one is in that of the
signal or state.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ..analysis.checking import Checked
from ..diagram.assignments import read_quantity
from ..diagram.diagram import parameter_names
from ..errors import DiagramError, Position, suggestion
from ..measurements.tunables import Tunable, read_tunable
from ..memory.slots import Key
from ..units.quantity import Quantity
from ..units.unit import UnitError, parse_unit
from .ports import PortElements, find_elements, refuse_other_than_real
from .states import names_of, unit_of

ANY = "any"
"""The rate of a state whose rate does not count."""


@dataclass(frozen=True)
class Hold:
    """A port whose signal has a value; one for each element."""

    at: PortElements
    values: tuple[float, ...]


@dataclass(frozen=True)
class FreePort:
    """A port that takes a value of its own in place of what drives it."""

    at: PortElements
    start: float | None = None
    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True)
class FreeState:
    """Where a state begins, and its bounds; all states are free."""

    key: Key
    element: int | None
    start: float | None = None
    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True)
class Conditions:
    """All that is asked of a steady state beside its being steady."""

    holds: tuple[Hold, ...] = ()
    ports: tuple[FreePort, ...] = ()
    parameters: tuple[Tunable, ...] = ()
    states: tuple[FreeState, ...] = ()
    rates: dict[tuple[Key, int], float | None] = field(default_factory=dict)


def read_conditions(
    checked: Checked, hold: Iterable[str] = (), free: Iterable[str] = (), rate: Iterable[str] = ()
) -> Conditions:
    """PORT=VALUE, NAME[=START][:LOW..HIGH] and BLOCK.STATE=VALUE; raises `DiagramError`."""
    holds = tuple(_hold(checked, text) for text in hold)
    ports: list[FreePort] = []
    parameters: list[Tunable] = []
    states: list[FreeState] = []
    for text in free:
        _free(checked, text, ports, parameters, states)
    rates: dict[tuple[Key, int], float | None] = {}
    for text in rate:
        rates |= _rate(checked, text)
    return Conditions(holds, tuple(ports), tuple(parameters), tuple(states), rates)


def _hold(checked: Checked, text: str) -> Hold:
    name, value = _sides(text, "--hold", "PORT=VALUE, as in motor.omega='100 rad/s'")
    at = find_elements(checked.model, name, "--hold")
    refuse_other_than_real([at], "held", f"--hold {name}")
    numbers = np.ravel(_numbers(value, at.unit, f"--hold {text}"))
    if numbers.size not in (1, len(at.elements)):
        raise DiagramError(
            f"{name} has {len(at.elements)} elements and {numbers.size} values; expected one, or "
            "one for each",
            Position(f"--hold {text}"),
        )
    return Hold(at, tuple(map(float, np.broadcast_to(numbers, (len(at.elements),)))))


def _free(
    checked: Checked,
    text: str,
    ports: list[FreePort],
    parameters: list[Tunable],
    states: list[FreeState],
) -> None:
    option = f"--free {text}"
    named, colon, bounds = text.partition(":") if "[" not in text else _split_behind(text)
    name, equals, start_text = (part.strip() for part in named.partition("="))
    block, _, last = name.partition("[")[0].rpartition(".")
    instance = checked.model.blocks.get(block)
    declaration = instance.declaration if instance is not None else None
    is_parameter = (
        last in declaration.params
        if declaration is not None
        else not block and last in parameter_names(checked.diagram)
    )
    nested = block and instance is None and block.partition(".")[0] in checked.diagram.blocks
    if is_parameter or (nested and name not in checked.model.aliases):
        try:
            parameters.append(read_tunable(text, checked.diagram, checked.registry))
        except DiagramError as error:
            raise _placed(error, option) from None
        return
    key = (block, last)
    is_state = declaration is not None and (
        last in declaration.states or last in declaration.discretes
    )
    at = None if is_state else find_elements(checked.model, name, "--free")
    unit = unit_of(instance, last) if is_state and instance is not None else at.unit if at else ""
    start = _number(start_text, unit, option) if equals else None
    low, high = _bounds(bounds, unit, option) if colon else (-math.inf, math.inf)
    if start is not None and not low <= start <= high:
        raise DiagramError(
            f"the start {start:g} is not between {low:g} and {high:g}", Position(option)
        )
    if at is None:
        states.append(FreeState(key, _element(checked, name, key, option), start, low, high))
        return
    refuse_other_than_real([at], "free", option)
    ports.append(FreePort(at, start, low, high))


def _split_behind(text: str) -> tuple[str, str, str]:
    """As `partition(":")`, but not inside of brackets."""
    head, bracket, tail = text.rpartition("]")
    rest, colon, bounds = tail.partition(":")
    return head + bracket + rest, colon, bounds


def _rate(checked: Checked, text: str) -> dict[tuple[Key, int], float | None]:
    name, value = _sides(text, "--rate", "BLOCK.STATE=VALUE, as in wheel.phi='150 rad/s'")
    option = f"--rate {text}"
    block, _, last = name.partition("[")[0].rpartition(".")
    slots = checked.schedule.slots
    key = (block, last)
    if key not in slots.states and key not in slots.discretes:
        known = [".".join(k) for k in (*slots.states, *slots.discretes)]
        raise DiagramError(f"'{name}' is not a state{suggestion(name, known)}", Position(option))
    ref = slots.states.get(key) or slots.discretes[key]
    element = _element(checked, name, key, option)
    elements = range(max(ref.size, 1)) if element is None else (element,)
    if value == ANY:
        return dict.fromkeys(((key, i) for i in elements), None)
    if key in slots.discretes:
        raise DiagramError(
            f"{name} is a state of a sampled block, which has no rate; its only choice is "
            f"'{ANY}', for one that may go on changing",
            Position(option),
        )
    unit = unit_of(checked.model.blocks[block], last)
    number = _number(value, per_second(unit), option)
    return dict.fromkeys(((key, i) for i in elements), number)


def per_second(unit: str) -> str:
    """The unit of the rate of something in a unit."""
    return str(parse_unit(unit) / parse_unit("s")) if unit else ""


def _element(checked: Checked, name: str, key: Key, option: str) -> int | None:
    slots = checked.schedule.slots
    ref = slots.states.get(key) or slots.discretes[key]
    labels = names_of(*key, ref.shape)
    if name == ".".join(key):
        return None
    if name not in labels:
        raise DiagramError(f"'{name}' is not a state; expected {labels[0]}", Position(option))
    return labels.index(name)


def _sides(text: str, option: str, example: str) -> tuple[str, str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name or not value:
        raise DiagramError(f"{text!r} is not an assignment; expected {example}", Position(option))
    return name, value


def _bounds(text: str, unit: str, option: str) -> tuple[float, float]:
    low, dots, high = text.partition("..")
    if not dots:
        raise DiagramError(f"{text!r} are not bounds; expected LOW..HIGH", Position(option))
    ends = _number(low, unit, option), _number(high, unit, option)
    if not ends[0] < ends[1]:
        raise DiagramError(f"the bounds {text} do not rise", Position(option))
    return ends


def _numbers(text: str, unit: str, option: str) -> np.ndarray:
    try:
        quantity: Quantity = read_quantity(text, Position(option))
        value = quantity.to(parse_unit(unit)) if unit else quantity.si().value
    except UnitError as error:
        raise DiagramError(str(error), Position(option)) from None
    numbers = np.asarray(value, dtype=float)
    if isinstance(value, bool) or not np.all(np.isfinite(numbers)):
        raise DiagramError(f"{text!r} is not a finite number", Position(option))
    return numbers


def _number(text: str, unit: str, option: str) -> float:
    numbers = _numbers(text, unit, option)
    if numbers.ndim:
        raise DiagramError(f"{text!r} is not a single number", Position(option))
    return float(numbers)


def _placed(error: DiagramError, option: str) -> DiagramError:
    return DiagramError("; ".join(p.message for p in error.problems), Position(option))
