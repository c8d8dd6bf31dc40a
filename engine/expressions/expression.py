"""Expressions in diagrams: arithmetic over named values, with units, and nothing else.

    parse_expression("phi_l^5").evaluate({"phi_l": Quantity(5.0)})          # 3125
    parse_expression("k * max(u, 0)").function(("u", "k"))                  # a plain function

An expression is read by its own grammar (`expression_grammar`): there is no attribute,
subscript, text, assignment or call of anything but the functions listed there. A name in scope
hides the constant of the same name (`e`, `pi`, `inf`).
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from ..units.quantity import Quantity
from .code import Assembler
from .evaluation import evaluate
from .grammar import read_expression
from .kernels import kernel_lines, small_exponent
from .tree import (
    Comparison,
    ExpressionError,
    Name,
    Number,
    Operation,
    Tree,
    UnknownName,
    Vector,
    is_truth,
    walk,
)

__all__ = ["CONSTANTS", "Expression", "ExpressionError", "parse_expression"]

CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf}

_COMPARE: dict[str, type[ast.cmpop]] = {
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
    "==": ast.Eq,
    "!=": ast.NotEq,
}


@dataclass(frozen=True)
class Expression:
    """A parsed expression; immutable, compared by its text."""

    text: str
    tree: Tree

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that must be given; constants are not among them."""
        return self.all_names - CONSTANTS.keys()

    @cached_property
    def all_names(self) -> frozenset[str]:
        """All names, those of constants included."""
        return frozenset(node.name for node in walk(self.tree) if isinstance(node, Name))

    def evaluate(self, scope: Mapping[str, Quantity]) -> Quantity:
        """The value with its unit; raises `ExpressionError`."""
        return evaluate(self.tree, _WithConstants(scope))

    def function(self, arguments: tuple[str, ...]) -> Callable[..., Any]:
        """A function of floats, for the interpreter and for numba alike; lists are refused."""
        return _Coder(arguments).function(self.tree)


@lru_cache(maxsize=8192)
def parse_expression(text: str, signals: bool = False) -> Expression:
    """Read an expression, of values or of signals; raises `ExpressionError` with the column."""
    return Expression(text, read_expression(text, signals))


class _WithConstants:
    """Looks a name up in the scope first, then among the constants."""

    def __init__(self, scope: Mapping[str, Quantity]):
        self.scope = scope

    def __call__(self, node: Name) -> Quantity:
        if node.name in self.scope:
            return self.scope[node.name]
        if node.name in CONSTANTS:
            return Quantity(CONSTANTS[node.name])
        raise UnknownName(node.name, node.column, self.scope)


class _Coder:
    """Walks a tree and leaves its statements in an assembler.

    Comparisons and logic are truth values, everything else floats; each is turned into the
    other where it is used as such (a truth value is 1.0 or 0.0, a number holds if it is not 0).
    """

    def __init__(self, arguments: tuple[str, ...]):
        self.assembler = Assembler(arguments)

    def function(self, tree: Tree) -> Callable[..., Any]:
        return self.assembler.function(self.code(tree))

    def code(self, node: Tree) -> ast.expr:
        if isinstance(node, Number):
            return ast.Constant(node.value)
        if isinstance(node, Name):
            return self.name(node)
        if isinstance(node, Vector):
            raise ExpressionError("a list cannot be used in a function of signals", node.column)
        if isinstance(node, Comparison):
            first, *others = [self.number(operand) for operand in node.operands]
            symbols = [_COMPARE[symbol]() for symbol in node.symbols]
            return self.assembler.bind(ast.Compare(first, symbols, others))
        return self.operation(node)

    def name(self, node: Name) -> ast.expr:
        if node.name in self.assembler.arguments:
            return ast.Name(node.name, ast.Load())
        if node.name in CONSTANTS:
            return ast.Constant(CONSTANTS[node.name])
        raise UnknownName(node.name, node.column, self.assembler.arguments)

    def operation(self, node: Operation) -> ast.expr:
        operands, branch = node.operands, self.assembler.branch
        if node.symbol == "not":
            return self.assembler.bind(ast.UnaryOp(ast.Not(), self.truth(operands[0])))
        if node.symbol == "and":
            left = self.truth(operands[0])
            return branch(left, lambda: self.truth(operands[1]), lambda: ast.Constant(False))
        if node.symbol == "or":
            left = self.truth(operands[0])
            return branch(left, lambda: ast.Constant(True), lambda: self.truth(operands[1]))
        if node.symbol == "if":
            as_kind = self.truth if is_truth(node) else self.number
            test = self.truth(operands[0])
            return branch(test, lambda: as_kind(operands[1]), lambda: as_kind(operands[2]))
        exponent = small_exponent(node)
        used = operands if exponent is None else operands[:1]
        values = [self.number(operand) for operand in used]
        return self.assembler.inline(kernel_lines(node.symbol, exponent), values)

    def number(self, node: Tree) -> ast.expr:
        value = self.code(node)
        if not is_truth(node):
            return value
        return self.assembler.bind(ast.IfExp(value, ast.Constant(1.0), ast.Constant(0.0)))

    def truth(self, node: Tree) -> ast.expr:
        value = self.code(node)
        if is_truth(node):
            return value
        return self.assembler.bind(ast.Compare(value, [ast.NotEq()], [ast.Constant(0.0)]))
