"""The block that a condition becomes: it knows whether a subsystem runs, and when that changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from string import ascii_lowercase
from typing import Literal

from ..declaration import Block, In, Out, Param, guard, out
from ..expressions.expression import CONSTANTS, Expression, parse_expression
from ..expressions.tree import Comparison, ExpressionError, Name, Operation, Tree, walk
from .margin import margin, truths

ID = "structure.condition"
GUARD = "running"
OUTER = "outer"
ON = "on"
Direction = Literal["rising", "falling", "both"]


@dataclass(frozen=True)
class Condition:
    """A condition as it is written: its text, and its names in their order."""

    text: str
    names: tuple[str, ...]

    def arguments(self, parameters: frozenset[str]) -> dict[str, str]:
        """The names of ports (`u1`) and parameters (`p1`) that the block has for its names."""
        return _arguments(self.names, parameters)


def read_condition(text: str) -> Condition:
    """A condition over parameters and signals; raises `ExpressionError`."""
    expression = parse_expression(text, signals=True)
    _block(text, frozenset(), False, "both")  # finds what is not a condition
    return Condition(text, tuple(_names(expression)))


def _names(expression: Expression) -> list[str]:
    nodes = [node for node in walk(expression.tree) if isinstance(node, Name)]
    ordered = sorted(nodes, key=lambda node: node.column)
    return list(dict.fromkeys(n.name for n in ordered if n.name not in CONSTANTS))


def _arguments(names: Sequence[str], parameters: frozenset[str]) -> dict[str, str]:
    signals = [name for name in names if name not in parameters]
    given = [name for name in names if name in parameters]
    numbered = {name: f"u{i}" for i, name in enumerate(signals, 1)}
    return numbered | {name: f"p{i}" for i, name in enumerate(given, 1)}


def condition_block(
    condition: Condition,
    parameters: frozenset[str],
    nested: bool = False,
    direction: Direction = "both",
) -> type[Block]:
    """The block type of a condition; `nested` ones hold only while that around them does.

    Its guard fires where the condition begins to hold (rising), where it ends, or at both.
    """
    return _block(condition.text, parameters, nested, direction)


@lru_cache(maxsize=1024)
def _block(
    text: str, parameters: frozenset[str], nested: bool, direction: Direction
) -> type[Block]:
    expression = parse_expression(text, signals=True)
    tree = margin(expression.tree)
    names = _arguments(_names(expression), parameters)
    truth = truths(expression.tree)
    _refuse_mixed(expression.tree, truth)
    units = _units(expression.tree, names)
    members: dict[str, object] = {
        "id": ID,
        "__doc__": f"Whether a subsystem runs: {text}.",
        ON: Out("1", "whether the subsystem runs", type=bool),
        "shown": out(ON)(_shown),
    }
    for name, own in names.items():
        doc = f"'{name}' of the condition"
        if name in parameters:
            members[own] = Param(units[name], doc, type=bool if name in truth else float)
        else:
            members[own] = In(units[name], doc, type=bool if name in truth else object)
    if nested:
        members[OUTER] = In("1", "whether the subsystem around it runs", type=bool)
        tree = Operation("min", (tree, margin(Name(OUTER, 1))), 1, tree.depth + 2)
    arguments = (*names.values(), *((OUTER,) if nested else ()))
    function = Expression(text, _renamed(tree, names)).function(arguments)
    members["watched"] = guard(GUARD, direction)(function)
    return type("Condition", (Block,), members)


def _shown(running):
    return running


def _refuse_mixed(tree: Tree, truth: set[str]) -> None:
    """Refuses names that are a truth value in one place and a number in another."""
    for node in walk(tree):
        operands = node.operands if isinstance(node, Comparison) else ()
        for name in (n for operand in operands for n in walk(operand) if isinstance(n, Name)):
            if name.name in truth:
                message = f"{name.name!r} is a truth value and a number in one condition"
                raise ExpressionError(message, name.column)


def _units(tree: Tree, names: dict[str, str]) -> dict[str, str]:
    """Unit variables: names that are compared with each other have one unit."""
    units = {name: _variable(i) for i, name in enumerate(names)}
    for node in walk(tree):
        if not isinstance(node, Comparison):
            continue
        compared = [n.name for n in node.operands if isinstance(n, Name) and n.name in units]
        for one, other in pairwise(compared):
            old, new = units[other], units[one]
            units = {name: new if unit == old else unit for name, unit in units.items()}
    truth = truths(tree)
    return {name: "1" if name in truth else unit for name, unit in units.items()}


def _variable(index: int) -> str:
    """The unit variable of that number: ?a, ?b, ... ?z, ?az, ..."""
    turns, letter = divmod(index, 26)
    return f"?{ascii_lowercase[letter]}{'z' * turns}"


def _renamed(tree: Tree, names: dict[str, str]) -> Tree:
    if isinstance(tree, Name):
        return replace(tree, name=names.get(tree.name, tree.name))
    if isinstance(tree, Operation | Comparison):
        return replace(tree, operands=tuple(_renamed(o, names) for o in tree.operands))
    return tree
