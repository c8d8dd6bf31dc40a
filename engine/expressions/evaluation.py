"""Evaluating expressions over quantities: values by the kernels, units by their own rules.

Sums, comparisons, min and max need equal dimensions; a bare number has none, so that only 0 and
inf may meet a length there. Functions take plain numbers (angles in rad); sqrt halves and
powers multiply the exponents of a unit. Vectors and matrices go element by element.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from ..units.quantity import Quantity, Value
from ..units.times import carried, written
from ..units.unit import ONE, Unit, UnitError
from .kernels import kernel, small_exponent
from .tree import (
    Comparison,
    ExpressionError,
    Name,
    Number,
    Operation,
    Tree,
    Vector,
)

Lookup = Callable[[Name], Quantity]

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_WORDS = {"+": "added", "-": "subtracted", "%": "divided with remainder"}


def evaluate(node: Tree, lookup: Lookup) -> Quantity:
    """The value of a tree in SI units; a bare name gives its quantity as it is."""
    if isinstance(node, Number):
        return Quantity(node.value, exact=written(float(node.value)))
    if isinstance(node, Name):
        return lookup(node)
    if isinstance(node, Vector):
        return stacked([evaluate(item, lookup) for item in node.items], node.column)
    if isinstance(node, Comparison):
        return _comparison(node, lookup)
    if node.symbol in ("and", "or", "not", "if"):
        return _logic(node, lookup)
    operands = [evaluate(operand, lookup).si() for operand in node.operands]
    try:
        unit = _unit(node, operands)
    except UnitError as error:
        raise ExpressionError(str(error), node.column) from None
    exponent = small_exponent(node)
    used = operands if exponent is None else operands[:1]
    value = _elementwise(kernel(node.symbol, exponent), [q.value for q in used], node.column)
    _refuse_overflow(node, operands, value)
    return Quantity(value, unit, _exact(node, operands))


@dataclass(frozen=True, eq=False)
class Unknown(Quantity):
    """A quantity of which only the unit is known; `text` stands for it in messages."""

    text: str = "the value"

    @classmethod
    def of(cls, unit: Unit | None, text: str = "the value") -> Unknown:
        return cls(math.nan, unit, None, text)

    def si(self) -> Unknown:
        return Unknown.of(None if self.unit is None else self.unit.si(), self.text)

    def __str__(self) -> str:
        return self.text


def evaluate_unit(node: Tree, lookup: Lookup) -> Quantity:
    """A quantity with the unit of a tree, where names may be `Unknown`.

    Raises `ExpressionError` where units do not fit, whatever the values will be.
    """
    if isinstance(node, Number | Name):
        return evaluate(node, lookup)
    if isinstance(node, Vector):
        return stacked([evaluate_unit(item, lookup) for item in node.items], node.column)
    operands = [evaluate_unit(operand, lookup).si() for operand in node.operands]
    if isinstance(node, Comparison):
        for left, right in pairwise(operands):
            _common(node.column, "compared", [left, right])
        return Unknown.of(None)
    if node.symbol in ("and", "or", "not"):
        return Unknown.of(None)
    if node.symbol == "if":
        return Unknown.of(_common(node.column, "chosen from", operands[1:]))
    try:
        unit = _unit(node, operands)
    except UnitError as error:
        raise ExpressionError(str(error), node.column) from None
    if any(isinstance(operand, Unknown) for operand in operands):
        return Unknown.of(unit)
    return evaluate(node, lookup)


_FRACTIONS: dict[str, Callable[..., Fraction]] = {
    "neg": operator.neg,
    "abs": operator.abs,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "min": min,
    "max": max,
}


def _exact(node: Operation, operands: list[Quantity]) -> Fraction | None:
    """The result as a fraction, where the operands are fractions and the operation keeps them."""
    fractions = [quantity.exact for quantity in operands]
    known = [fraction for fraction in fractions if fraction is not None]
    if len(known) < len(fractions):
        return None
    exponent = small_exponent(node)
    if exponent is not None:
        return carried(known[0] ** exponent)
    function = _FRACTIONS.get(node.symbol)
    return None if function is None else carried(function(*known))


def stacked(items: list[Quantity], column: int = 1) -> Quantity:
    """A vector of numbers, or a matrix of equal rows; all of one dimension."""
    if not items:
        raise ExpressionError("the list is empty; expected at least one number", column)
    unit = next((item.unit for item in items if item.unit is not None), None)
    values = []
    for item in items:
        if unit is None or _fits_any_unit(item):
            values.append(item.nearest())
        elif item.unit is None or not item.unit.same_dimension(unit):
            raise ExpressionError(f"the list mixes {_kind(item)} with {unit.describe()}", column)
        else:
            values.append(item.nearest(unit))
    if len({np.shape(value) for value in values}) > 1:
        raise ExpressionError("the rows of the matrix have different lengths", column)
    array = np.array(values, dtype=np.float64)
    if array.ndim > 2:
        raise ExpressionError("lists are nested deeper than a matrix", column)
    return Quantity(array, unit)


def _comparison(node: Comparison, lookup: Lookup) -> Quantity:
    operands = [evaluate(operand, lookup).si() for operand in node.operands]
    holds: Value = True
    for symbol, left, right in zip(node.symbols, operands, operands[1:], strict=False):
        _common(node.column, "compared", [left, right])
        test = _COMPARE[symbol]
        value = _elementwise(
            lambda a, b, t=test: float(t(a, b)), [left.value, right.value], node.column
        )
        holds = _elementwise(lambda a, b: float(a and b), [holds, value], node.column)
    return Quantity(holds if isinstance(holds, np.ndarray) else bool(holds))


def _logic(node: Operation, lookup: Lookup) -> Quantity:
    first = _truth(node, evaluate(node.operands[0], lookup))
    if node.symbol == "not":
        return Quantity(not first)
    if node.symbol == "if":
        return evaluate(node.operands[1 if first else 2], lookup)
    if first == (node.symbol == "or"):
        return Quantity(first)
    return Quantity(_truth(node, evaluate(node.operands[1], lookup)))


def _truth(node: Operation, quantity: Quantity) -> bool:
    if isinstance(quantity.value, np.ndarray):
        raise ExpressionError(
            f"'{node.symbol}' has a list of {quantity.value.size}; expected one truth value",
            node.column,
        )
    return bool(quantity.value != 0)


def _unit(node: Operation, operands: list[Quantity]) -> Unit | None:
    symbol = node.symbol
    units = [q.unit for q in operands]
    bare = all(unit is None for unit in units)
    if symbol in ("neg", "abs"):
        return units[0]
    if symbol == "*":
        return None if bare else (units[0] or ONE) * (units[1] or ONE)
    if symbol == "/":
        return None if bare else (units[0] or ONE) / (units[1] or ONE)
    if symbol in ("+", "-", "%", "min", "max", "hypot"):
        return _common(node.column, _WORDS.get(symbol, f"put into {symbol}"), operands)
    if symbol == "atan2":
        _common(node.column, "put into atan2", operands)
        return None if bare else ONE
    if symbol == "sign":
        return None if bare else ONE
    if symbol == "sqrt":
        return None if units[0] is None else units[0] ** Fraction(1, 2)
    if symbol == "^":
        return _power(node, *operands)
    if units[0] is not None and not units[0].is_dimensionless:
        raise ExpressionError(
            f"{symbol} of {operands[0]}, {units[0].describe()}; expected a plain number",
            node.column,
        )
    return None if bare else ONE


def _power(node: Operation, base: Quantity, exponent: Quantity) -> Unit | None:
    if exponent.unit is not None and not exponent.unit.is_dimensionless:
        raise ExpressionError(
            f"the exponent {exponent} is {exponent.unit.describe()}; expected a plain number",
            node.column,
        )
    if base.unit is None:
        return None
    if base.unit.is_dimensionless:
        return ONE
    if isinstance(exponent.value, np.ndarray):
        raise ExpressionError(f"{base} to a list of powers has no one unit", node.column)
    if not math.isfinite(exponent.value):
        raise ExpressionError(f"{base} to the power {exponent} has no unit", node.column)
    return base.unit ** float(exponent.value)


def _common(column: int, action: str, operands: list[Quantity]) -> Unit | None:
    """The one dimension of all operands; bare 0 and inf fit any."""
    unit = next((q.unit for q in operands if q.unit is not None), None)
    if unit is None:
        return None
    for operand in operands:
        other = ONE if operand.unit is None else operand.unit
        if not other.same_dimension(unit) and not _fits_any_unit(operand):
            unit_of = next(q for q in operands if q.unit is unit)
            raise ExpressionError(
                f"{unit_of} and {operand} cannot be {action}: "
                f"one is {unit.describe()}, the other {_kind(operand)}",
                column,
            )
    return unit


def _fits_any_unit(quantity: Quantity) -> bool:
    if quantity.unit is not None:
        return False
    value = np.asarray(quantity.value)
    return bool(np.all((value == 0) | np.isinf(value)))


def _kind(quantity: Quantity) -> str:
    return "a number without unit" if quantity.unit is None else quantity.unit.describe()


def _elementwise(function: Callable[..., float], values: list[Value], column: int) -> Value:
    arrays = [value for value in values if isinstance(value, np.ndarray)]
    if not arrays:
        return function(*(float(value) for value in values))
    shape = arrays[0].shape
    if any(array.shape != shape for array in arrays):
        sizes = " and ".join("x".join(map(str, array.shape)) for array in arrays)
        raise ExpressionError(f"lists of sizes {sizes} do not fit", column)
    columns = [np.broadcast_to(value, shape).ravel().tolist() for value in values]
    results = [function(*map(float, row)) for row in zip(*columns, strict=True)]
    return np.array(results, dtype=np.float64).reshape(shape)


def _refuse_overflow(node: Operation, operands: list[Quantity], value: Value) -> None:
    if np.all(np.isfinite(value)):
        return
    if np.any(np.isnan(value)) or all(np.all(np.isfinite(q.value)) for q in operands):
        words = [str(Quantity(q.value)) for q in operands]
        shown = f" {node.symbol} ".join(words) if len(words) == 2 else f"{node.symbol}({words[0]})"
        reason = "is a division by zero" if node.symbol in "/%" else "is not a finite number"
        raise ExpressionError(f"{shown} {reason}", node.column)
