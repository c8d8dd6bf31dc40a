"""Functions made from syntax trees, the only way in railblocks to turn data into code.

A tree may hold arithmetic, conditions, loops, elements of arrays and calls of what the scope has;
names must be identifiers and known. There is no text that runs, no attribute but those of `math`,
no import and no builtin beyond a few: names that come from files can never become anything else.
"""

from __future__ import annotations

import ast
import builtins
import math
import types
from collections.abc import Callable, Mapping, Sequence, Set
from keyword import iskeyword
from typing import Any, NamedTuple

BUILTINS = {name: getattr(builtins, name) for name in ("abs", "len", "max", "min", "range")}
ALLOWED = (
    ast.Assign, ast.AugAssign, ast.If, ast.For, ast.Return, ast.Expr,
    ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call,
    ast.Subscript, ast.Tuple, ast.Attribute,
    ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context,
)  # fmt: skip


class UnsafeTree(ValueError):
    """A tree or a name that the maker refuses."""


class Origin(NamedTuple):
    """Where a function counts as written: its module, and the file and line in messages."""

    module: str
    file: str
    line: int = 1


def make_function(
    name: str,
    arguments: Sequence[str],
    body: Sequence[ast.stmt],
    scope: Mapping[str, Any],
    origin: Origin,
) -> Callable[..., Any]:
    """The function of these arguments that runs the statements over the names of the scope.

    Raises `UnsafeTree` for anything that is not on the list.
    """
    for given in (name, *arguments, *scope):
        checked_name(given)
    if len(set(arguments)) < len(arguments):
        raise UnsafeTree(f"an argument of {name} appears twice")
    used = _check(body, arguments, scope)
    parameters = ast.arguments([], [ast.arg(a) for a in arguments], None, [], [], None, [])
    definition = ast.FunctionDef(name, parameters, list(body), [], None)
    module = ast.fix_missing_locations(ast.Module([definition], []))
    ast.increment_lineno(module, origin.line - 1)
    compiled = compile(module, origin.file, "exec")
    code = next(c for c in compiled.co_consts if isinstance(c, types.CodeType))
    function = types.FunctionType(code, {**scope, "__builtins__": used}, name)
    function.__module__ = origin.module
    return function


def checked_name(name: str) -> str:
    """The name, if it can be one of a variable and is not one of Python's own."""
    if not isinstance(name, str) or not name.isidentifier() or iskeyword(name):
        raise UnsafeTree(f"{name!r} is not a name")
    if name.startswith("__") and name.endswith("__"):
        raise UnsafeTree(f"{name!r} is a name of Python itself")
    return name


# --- parts of trees ----------------------------------------------------------------------------
def read(name: str) -> ast.expr:
    """The value of a name."""
    return ast.Name(checked_name(name), ast.Load())


def call(function: str, arguments: Sequence[ast.expr]) -> ast.expr:
    """A call of a function of the scope."""
    return ast.Call(read(function), list(arguments), [])


def assign(name: str, value: ast.expr) -> ast.stmt:
    """`name = value`."""
    return ast.Assign([ast.Name(checked_name(name), ast.Store())], value)


def element(name: str, *indices: ast.expr) -> ast.expr:
    """An element of an array."""
    index = indices[0] if len(indices) == 1 else ast.Tuple(list(indices), ast.Load())
    return ast.Subscript(read(name), index, ast.Load())


# --- checks ------------------------------------------------------------------------------------
def _check(
    body: Sequence[ast.stmt], arguments: Sequence[str], scope: Mapping[str, Any]
) -> dict[str, Any]:
    """The builtins that the statements use; raises `UnsafeTree`."""
    nodes = [node for statement in body for node in ast.walk(statement)]
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    local = {*arguments, *stored}
    if hidden := sorted(local & scope.keys()):
        raise UnsafeTree(f"{hidden[0]!r} is in the scope; it cannot be a variable too")
    for node in nodes:
        if not isinstance(node, ALLOWED):
            raise UnsafeTree(f"{type(node).__name__} is not allowed")
        if isinstance(node, ast.Name):
            if checked_name(node.id) not in local | scope.keys() | BUILTINS.keys():
                raise UnsafeTree(f"{node.id!r} is not an argument and not in the scope")
        elif isinstance(node, ast.Constant):
            if type(node.value) not in (float, int, bool):
                raise UnsafeTree(f"{node.value!r} is not a number")
        elif isinstance(node, ast.Attribute):
            _check_attribute(node, scope)
        elif isinstance(node, ast.Call):
            _check_call(node, (scope.keys() | BUILTINS.keys()) - local)
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return {name: BUILTINS[name] for name in sorted((names & BUILTINS.keys()) - local)}


def _check_attribute(node: ast.Attribute, scope: Mapping[str, Any]) -> None:
    """Only public names of `math` are read."""
    owner = node.value
    if not isinstance(owner, ast.Name) or scope.get(owner.id) is not math:
        raise UnsafeTree(f"the attribute {node.attr!r} is not one of math")
    if not isinstance(node.ctx, ast.Load) or node.attr.startswith("_"):
        raise UnsafeTree(f"math.{node.attr} cannot be used")
    if not hasattr(math, node.attr):
        raise UnsafeTree(f"math has no {node.attr!r}")


def _check_call(node: ast.Call, callable_names: Set[str]) -> None:
    """Only functions of the scope, of `math` and the few builtins are called."""
    if node.keywords:
        raise UnsafeTree("a call has keywords")
    function = node.func
    named = isinstance(function, ast.Name) and function.id in callable_names
    if not named and not isinstance(function, ast.Attribute):
        raise UnsafeTree("only functions of the scope can be called")
