"""What varies in a study: a parameter by its path, and the values that it takes.

    motor.J=1e-4..4e-4:50            50 numbers, evenly between two
    motor.J=1e-4..4e-4:50:log        evenly in their logarithms
    motor.J=1..4 g*m^2:7             with a unit, written once or at both ends
    pid.K_p=0.1, 0.2, 0.5            a list
    solver.method=ode45, radau5      of words, too
    load=normal(0.12 N*m, 0.01 N*m)  a distribution, for samples

A range without a number of values is for samples. Numbers without a unit are what `--set` takes:
in the unit that the block declares.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..diagram.assignments import read_quantity
from ..errors import DiagramError, Position
from ..text.scalars import number_text
from ..units.quantity import Quantity
from ..units.unit import Unit, UnitError
from .distributions import DISTRIBUTIONS, Distribution, distribution

MOST_VALUES = 1_000_000
_CALL = re.compile(r"([a-z]+)\s*\((.*)\)", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_][\w./-]*")
FORMS = "LOW..HIGH:COUNT, a list 1, 2, 5, or a distribution such as normal(mean, deviation)"


@dataclass(frozen=True)
class Variation:
    """A parameter and its values: numbers in one unit, or words.

    `low` and `high` are the ends of a range, evenly spaced in logarithms if it is `log`; a
    `distribution` has neither.
    """

    path: str
    numbers: tuple[float, ...] = ()
    words: tuple[str, ...] = ()
    unit: str = ""
    low: float = math.nan
    high: float = math.nan
    log: bool = False
    distribution: Distribution | None = None

    @property
    def count(self) -> int:
        """How many values it lists; 0 where they are drawn."""
        return len(self.words) or len(self.numbers)

    def drawn(self, u: np.ndarray) -> np.ndarray:
        """Numbers for uniform ones in 0..1; the index of a word, or of a listed number's value."""
        if self.distribution is not None:
            return self.distribution.quantile(u)
        if math.isfinite(self.low):
            if self.log:
                return np.asarray(self.low * (self.high / self.low) ** u)
            return self.low + (self.high - self.low) * u
        index = np.minimum((u * self.count).astype(int), self.count - 1)
        return index.astype(float) if self.words else np.array(self.numbers)[index]

    def text(self, number: float) -> str:
        """A value as `--set` takes it."""
        if self.words:
            return self.words[int(number)]
        whole = float(number).is_integer() and abs(number) < 1e15
        text = number_text(int(number) if whole else float(number))
        return f"{text} {self.unit}" if self.unit else text

    def shown(self, number: float) -> str:
        """A value for people."""
        if self.words:
            return self.words[int(number)]
        return f"{number:.6g} {self.unit}" if self.unit else f"{number:.6g}"


def read_variation(text: str, option: str = "--vary") -> Variation:
    """`PATH=VALUES`; raises DiagramError."""
    path, equals, values = text.partition("=")
    if not equals or not path.strip():
        raise DiagramError(
            f"{text!r} is not a variation; expected PATH=VALUES with {FORMS}", Position(option)
        )
    return variation_of(path.strip(), values.strip(), Position(f"{option} {path.strip()}"))


def variation_of(path: str, values: Any, position: Position) -> Variation:
    """A variation from text or from a list of numbers or texts; raises DiagramError."""
    if isinstance(values, str):
        return _of_text(path, values, position)
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if not isinstance(values, list | tuple | range):
        values = [values]
    return _of_list(path, [_item_text(item, position) for item in values], position)


def _item_text(item: Any, position: Position) -> str:
    if isinstance(item, bool | np.bool_):
        return "true" if item else "false"
    if isinstance(item, str):
        return item
    if isinstance(item, int | float | np.number):
        return number_text(item.item() if isinstance(item, np.number) else item)
    raise DiagramError(
        f"{type(item).__name__} {str(item)[:60]!r} is not a value; expected numbers or text",
        position,
    )


def _of_text(path: str, text: str, position: Position) -> Variation:
    call = _CALL.fullmatch(text)
    if call is not None and call[1] in DISTRIBUTIONS:
        return _of_distribution(path, call[1], call[2].split(","), position)
    if ".." in text:
        return _of_range(path, text, position)
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    items = [item.strip() for item in inner.split(",")]
    if not all(items):
        raise DiagramError(f"{text!r} has no values; expected {FORMS}", position)
    return _of_list(path, items, position)


def _of_range(path: str, text: str, position: Position) -> Variation:
    ends, *rest = (part.strip() for part in text.split(":"))
    log = rest[-1:] == ["log"]
    rest = rest[:-1] if log else rest
    if len(rest) > 1 or ends.count("..") != 1:
        raise DiagramError(f"{text!r} is not a range; expected LOW..HIGH:COUNT", position)
    (low, high), unit = _in_one_unit([_number(e, position) for e in ends.split("..")], position)
    if not low < high or (log and not low > 0.0):
        above = "0 < LOW < HIGH for logarithms" if log else "LOW < HIGH"
        raise DiagramError(f"{text!r} goes from {low:g} to {high:g}; expected {above}", position)
    numbers: tuple[float, ...] = ()
    if rest:
        count = _count(rest[0], text, position)
        spaced = np.geomspace if log else np.linspace
        numbers = tuple(map(float, spaced(low, high, count)))
    return Variation(path, numbers, (), unit, low, high, log)


def _count(text: str, whole: str, position: Position) -> int:
    if not (text.isascii() and text.isdigit()) or not 2 <= int(text[:12]) <= MOST_VALUES:
        raise DiagramError(
            f"{whole!r}: {text[:40]!r} is not a number of values; expected 2 to {MOST_VALUES}",
            position,
        )
    return int(text)


def _of_list(path: str, items: Sequence[str], position: Position) -> Variation:
    if not 1 <= len(items) <= MOST_VALUES:
        raise DiagramError(f"has {len(items)} values; expected 1 to {MOST_VALUES}", position)
    if all(_WORD.fullmatch(item) for item in items):
        if len(set(items)) < len(items):
            raise DiagramError("has a word twice; expected each once", position)
        return Variation(path, words=tuple(items))
    numbers, unit = _in_one_unit([_number(item, position) for item in items], position)
    return Variation(path, numbers, unit=unit)


def _of_distribution(path: str, name: str, items: Sequence[str], position: Position) -> Variation:
    pure = DISTRIBUTIONS[name].pure
    quantities = [_number(item, position) for item in items]
    for i, quantity in enumerate(quantities):
        if pure(i) and quantity.unit is not None:
            raise DiagramError(f"{items[i].strip()!r} has a unit; expected a pure number", position)
    kept = [quantity for i, quantity in enumerate(quantities) if not pure(i)]
    scaled, unit = _in_one_unit(kept, position)
    of_unit = iter(scaled)
    arguments = [
        float(quantity.value) if pure(i) else next(of_unit) for i, quantity in enumerate(quantities)
    ]
    return Variation(path, unit=unit, distribution=distribution(name, arguments, position))


def _number(text: str, position: Position) -> Quantity:
    quantity = read_quantity(text.strip(), position)
    value = quantity.value
    if np.ndim(value) or isinstance(value, bool | np.bool_) or not np.isfinite(value):
        raise DiagramError(f"{text.strip()!r} is not a finite number; expected {FORMS}", position)
    return quantity


def _in_one_unit(
    quantities: Sequence[Quantity], position: Position
) -> tuple[tuple[float, ...], str]:
    """The numbers in the last unit that is written; those without one are taken to be in it."""
    units = [quantity.unit for quantity in quantities if quantity.unit is not None]
    if not units:
        return tuple(float(quantity.value) for quantity in quantities), ""
    unit: Unit = units[-1]
    try:
        for quantity in quantities:
            quantity.to(unit)  # refuses another dimension
        return tuple(float(q.nearest(unit) if q.unit else q.value) for q in quantities), str(unit)
    except UnitError as error:
        raise DiagramError(str(error), position) from None
