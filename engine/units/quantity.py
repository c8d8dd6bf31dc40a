"""A value with its unit: `150 rad/s`, a vector of lengths, a bare number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .times import carried, written
from .unit import Unit, UnitError, parse_unit

LARGEST_TEXT = 300

Value: TypeAlias = float | bool | NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Quantity:
    """A number, vector, matrix or truth value; `unit` None means that no unit was written.

    `exact` is the fraction of which a number's value is a rounding, where one is known.
    """

    value: Value
    unit: Unit | None = None
    exact: Fraction | None = None

    def to(self, unit: Unit) -> Value:
        """The value in `unit`; a bare number passes as it is, another dimension is an error."""
        if self.unit is None or isinstance(self.value, bool):
            return self.value
        if not self.unit.same_dimension(unit):
            raise UnitError(f"{self} has unit {self.unit}; expected {unit.describe()}")
        return scaled(self.value, self.unit.scale, unit.scale)

    def si(self) -> Quantity:
        """The same quantity in SI units without prefixes."""
        if self.unit is None or self.unit.scale == 1.0:
            return self
        return Quantity(self.to(self.unit.si()), self.unit.si(), self.exact_si())

    def nearest(self, unit: Unit | None = None) -> Value:
        """The value in `unit`, or as it is; rounded only once where the number is known exactly."""
        exact = self.exact_si()
        if unit is None:
            return self.value if self.exact is None else float(self.exact)
        if exact is None or unit.ratio is None:
            return self.to(unit)
        return float(exact / unit.ratio)

    def exact_si(self) -> Fraction | None:
        """The exact number in SI units without prefixes, where it is known."""
        if self.exact is None or self.unit is None:
            return self.exact
        return None if self.unit.ratio is None else carried(self.exact * self.unit.ratio)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Quantity):
            return NotImplemented
        alike = np.shape(self.value) == np.shape(other.value) and self.unit == other.unit
        return alike and bool(np.array_equal(self.value, other.value, equal_nan=True))

    def __hash__(self) -> int:
        return hash((np.asarray(self.value).tobytes(), self.unit))

    def __str__(self) -> str:
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        if isinstance(self.value, np.ndarray):
            number = np.array2string(self.value, separator=", ", threshold=6).replace("\n", "")
        else:
            number = f"{self.value:.12g}"
        return number if self.unit is None or self.unit.text == "1" else f"{number} {self.unit}"


def scaled(value: Value, source: float, target: float) -> Value:
    """value * source / target, by one rounding where the factor or its inverse is an integer.

    35 mm is 35/1000 m, the float nearest to 0.035, whereas 35 * 0.001 misses it by one bit.
    """
    if source == target:
        return value
    factor = source / target
    inverse = round(target / source)
    if factor < 1.0 and inverse < 2**53 and 1.0 / inverse == factor:
        return value / inverse
    return value * (
        float(round(factor)) if abs(factor - round(factor)) < 1e-15 * factor else factor
    )


_SHAPE = re.compile(
    r"\s*(?P<number>[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)"
    r"\s*(?P<unit>(?:1\s*/)?\s*[(]?[A-Za-z%°µμΩ].*)"
)
_UNIT_END = re.compile(r"[A-Za-z0-9%°µμΩ)]\s*")
_EXPRESSION_WORDS = re.compile(
    r"(?:if|and|or|not|else|in)\b|%\s*[-+A-Za-z0-9(.]|[^<>=!,\[\]]*[<>=!,\[\]]"
)


@lru_cache(maxsize=8192)
def parse_quantity(text: str) -> Quantity | None:
    """Read `number unit`; None if the text has another shape, `UnitError` for an unknown unit."""
    match = _SHAPE.fullmatch(text) if len(text) <= LARGEST_TEXT else None
    if match is None or _EXPRESSION_WORDS.match(match["unit"]):
        return None
    if not _UNIT_END.fullmatch(match["unit"][-1:]):
        return None
    if "+" in match["unit"] or " -" in match["unit"]:
        raise UnitError(
            f"{text!r}: a number with a unit cannot be used in an expression; "
            "give it a name under `parameters`"
        )
    number = float(match["number"])
    if number in (np.inf, -np.inf):
        raise UnitError(f"{match['number'][:40]} is too large for a number; the largest is 1.8e308")
    return Quantity(number, parse_unit(match["unit"]), written(number))
