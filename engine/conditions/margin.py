"""The margin of a condition: a number that is not negative where the condition holds.

    m(a >= b) = a - b,   m(a > b) = a - b, or -1 where that is 0            (1)
    m(a == b) = 1 or -1,   m(p) = 1 or -1 for a truth value p               (2)
    m(p and q) = min(m(p), m(q)),   m(p or q) = max(m(p), m(q))             (3)

Negations go inwards by De Morgan's rules, so that a condition and its negation never hold
together, not even where both sides are equal. Where a margin changes sign, the solver finds the
time, as it does for every guard.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise

from ..expressions.tree import Comparison, ExpressionError, Name, Number, Operation, Tree

NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def margin(condition: Tree, holds: bool = True) -> Tree:
    """The margin of a condition, or of its negation; raises `ExpressionError`."""
    if isinstance(condition, Comparison):
        parts = [
            _compared(symbol if holds else NEGATED[symbol], left, right)
            for symbol, (left, right) in zip(
                condition.symbols, pairwise(condition.operands), strict=True
            )
        ]
        return _together("min" if holds else "max", parts)
    if isinstance(condition, Operation) and condition.symbol == "not":
        return margin(condition.operands[0], not holds)
    if isinstance(condition, Operation) and condition.symbol in ("and", "or"):
        least = (condition.symbol == "and") == holds
        parts = [margin(operand, holds) for operand in condition.operands]
        return _together("min" if least else "max", parts)
    if isinstance(condition, Name):
        return _chosen(condition, holds)
    if isinstance(condition, Number) and isinstance(condition.value, bool):
        return _number(1.0 if condition.value == holds else -1.0, condition.column)
    raise ExpressionError(
        "this is a number; expected a condition, such as `tank.h > h_max and pump.on`",
        condition.column,
    )


def truths(condition: Tree) -> set[str]:
    """The names that stand for truth values in a condition."""
    if isinstance(condition, Name):
        return {condition.name}
    if isinstance(condition, Operation) and condition.symbol in ("and", "or", "not"):
        return set().union(*map(truths, condition.operands))
    return set()


def _compared(symbol: str, left: Tree, right: Tree) -> Tree:
    if symbol in ("<", "<="):
        left, right = right, left
    difference = _operation("-", left, right)
    zero = _number(0.0, difference.column)
    if symbol in (">=", "<="):
        return difference
    unequal = Comparison(("!=",), (difference, zero), difference.column, difference.depth + 1)
    if symbol in ("==", "!="):
        return _chosen(unequal, symbol == "!=")
    minus_one = _number(-1.0, difference.column)
    return _operation("if", unequal, difference, minus_one)


def _chosen(test: Tree, holds: bool) -> Tree:
    yes, no = (1.0, -1.0) if holds else (-1.0, 1.0)
    return _operation("if", test, _number(yes, test.column), _number(no, test.column))


def _together(symbol: str, parts: list[Tree]) -> Tree:
    return reduce(lambda left, right: _operation(symbol, left, right), parts)


def _operation(symbol: str, *operands: Tree) -> Operation:
    depth = 1 + max(operand.depth for operand in operands)
    return Operation(symbol, operands, operands[0].column, depth)


def _number(value: float, column: int) -> Number:
    return Number(value, column)
