"""Functions from lines of arithmetic, without eval and exec.

Assignments, conditionals and calls of `math` are put together as a syntax tree, which becomes a
function whose globals hold `math` and nothing else. What comes out is an ordinary Python function
that numba compiles as well.
"""

from __future__ import annotations

import ast
import copy
import math
import textwrap
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from ..functions.maker import Origin, make_function

_CONSTANTS = {"inf": math.inf, "nan": math.nan}
_MATH = frozenset(
    name for name in vars(math) if not name.startswith("_") and callable(getattr(math, name))
)


class Assembler:
    """Collects statements; `block` is where the next one goes."""

    def __init__(self, arguments: Sequence[str]):
        self.arguments = tuple(arguments)
        self.prefix = "_"
        while any(argument.startswith(self.prefix) for argument in arguments):
            self.prefix += "_"
        self.block: list[ast.stmt] = []
        self._count = 0

    def argument(self, name: str) -> ast.expr:
        return ast.Name(name, ast.Load())

    def bind(self, value: ast.expr, name: str | None = None) -> ast.expr:
        """Give a value a name, unless it has one or is a constant."""
        if name is None and isinstance(value, ast.Name | ast.Constant):
            return value
        name = name or self.fresh()
        self.block.append(ast.Assign([ast.Name(name, ast.Store())], value))
        return ast.Name(name, ast.Load())

    def fresh(self) -> str:
        self._count += 1
        return f"{self.prefix}{self._count}"

    def inline(self, lines: str, operands: Sequence[ast.expr]) -> ast.expr:
        """Put the lines of a kernel here, its `a` and `b` replaced; the value of `result`."""
        bound: dict[str, ast.expr] = {
            name: self.bind(operand) for name, operand in zip("ab", operands, strict=False)
        }
        renaming = _Renaming(bound, self)
        statements = [renaming.visit(copy.deepcopy(line)) for line in _parsed(lines)]
        last = statements[-1]
        if len(statements) == 1 and isinstance(last, ast.Assign):
            return self.bind(last.value)
        self.block.extend(statements)
        return renaming.bound["result"]

    def branch(
        self, test: ast.expr, yes: Callable[[], ast.expr], no: Callable[[], ast.expr]
    ) -> ast.expr:
        """`yes` if test holds, else `no`; only the chosen side is computed."""
        outside, name = self.block, self.fresh()
        sides = []
        for side in (yes, no):
            self.block = []
            self.bind(side(), name)
            sides.append(self.block)
        self.block = outside
        self.block.append(ast.If(test, *sides))
        return ast.Name(name, ast.Load())

    def function(self, result: ast.expr, name: str = "expression") -> Callable[..., Any]:
        """The function of `arguments` that runs the statements and returns the result."""
        body = [*self.block, ast.Return(result)]
        scope = {self.prefix + "math": math}
        return make_function(name, self.arguments, body, scope, Origin(__name__, "<expression>"))


class _Renaming(ast.NodeTransformer):
    """Kernel names to operands, `math` functions and fresh local names."""

    def __init__(self, bound: dict[str, ast.expr], assembler: Assembler):
        self.bound = bound
        self.assembler = assembler

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in _CONSTANTS:
            return ast.Constant(_CONSTANTS[node.id])
        if node.id in _MATH:
            module = ast.Name(self.assembler.prefix + "math", ast.Load())
            return ast.Attribute(module, node.id, ast.Load())
        if node.id not in self.bound:
            self.bound[node.id] = ast.Name(self.assembler.fresh(), ast.Load())
        operand = self.bound[node.id]
        if isinstance(node.ctx, ast.Store):
            assert isinstance(operand, ast.Name)
            return ast.Name(operand.id, ast.Store())
        return operand


@lru_cache(maxsize=256)
def _parsed(lines: str) -> tuple[ast.stmt, ...]:
    return tuple(ast.parse(textwrap.dedent(lines)).body)
