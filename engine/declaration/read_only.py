"""Functions of blocks may only read what they are given: inputs, parameters and states.

Vectors are not copied for each function, so one that changed its input would change the signal of
another block. What can be seen in the text of a function is refused when the block is declared; the
compiler refuses the rest, and interpreted functions get arrays that cannot be written.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Collection, Iterator
from typing import Any

import numpy as np

IN_PLACE = ("sort", "fill", "partition", "put", "itemset", "resize", "setfield", "setflags")


def changes_given(function: str, name: str = "") -> str:
    """The message about a function that changes the array `name`, or one that is not known."""
    what = f"'{name}'" if name else "an array that it may only read"
    return f"function '{function}' changes {what}; {advice(name or 'u')}"


def advice(name: str = "u") -> str:
    return (
        "inputs, parameters and states are read-only: "
        f"work on a copy, as in `{name.split('.')[-1]} = {name}.copy()`"
    )


def protected(array: np.ndarray) -> np.ndarray:
    """The array as functions get what they may only read: a view that cannot be written."""
    view = array.view()
    view.flags.writeable = False
    return view


def changed_name(function: Callable[..., Any], names: Collection[str]) -> str | None:
    """The first of these arrays that the function's text changes, if that can be seen."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return None
    augmented = {id(node.target) for node in ast.walk(tree) if isinstance(node, ast.AugAssign)}
    rebound = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Store)
        and id(node) not in augmented
    }
    changes = (name for name in _changes(tree) if name in names)
    return next((name for name in changes if name.split(".")[0] not in rebound), None)


def _changes(tree: ast.AST) -> Iterator[str]:
    """Names of what is assigned to, element by element or in place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            yield from _name(node)
        elif isinstance(node, ast.AugAssign):
            yield from _name(node.target)
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in IN_PLACE:
                yield from _name(node.func.value)
            for keyword in node.keywords:
                if keyword.arg == "out":
                    yield from _name(keyword.value)


def _name(node: ast.expr) -> Iterator[str]:
    """The name behind indices and attributes, as `u` behind `u[1:].T[0]`; `r.u` of a record."""
    attribute = ""
    while isinstance(node, ast.Subscript | ast.Attribute):
        attribute = node.attr if isinstance(node, ast.Attribute) else attribute
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
        yield f"{node.id}.{attribute}"
