"""Parameter values as written, and the scopes in which their expressions are evaluated.

A scope is a set of parameters that may refer to each other and, in an inline subsystem, to those
of the diagram around it. Parameters are evaluated in the order of their dependencies,
without recursion; circles and failures are reported once, where they arise.
"""

from __future__ import annotations

import contextlib
from collections.abc import Container, Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import DiagramError, Position, Problem
from ..expressions.evaluation import stacked
from ..expressions.expression import CONSTANTS, Expression, ExpressionError, parse_expression
from ..expressions.tree import Name, UnknownName
from ..text.nodes import Mapping, Node, Scalar, Sequence, describe
from ..units.quantity import Quantity, parse_quantity
from ..units.times import written
from ..units.unit import UnitError
from .endpoints import shifted
from .values import plain_data, text_node

MOST_DEFINITIONS = 3  # of names, in a message
MOST_NAMES = 32  # that stand for each other


@dataclass(frozen=True)
class Assignment:
    """One parameter value as it was written, evaluated on demand.

    `included` tells that it came from a parameter set, which may hold more than a block needs;
    `folder` is where paths start that are written there. With a `share`, the value has an element
    for each copy of a subsystem, and the one of this copy is meant.
    """

    node: Node
    scope: Map[str, Quantity] = field(repr=False)
    position: Position = field(compare=False)
    included: bool = False
    folder: str = ""
    share: tuple[int, int] | None = None

    def quantity(self) -> Quantity:
        """A number, `number unit`, list, matrix or expression; raises `DiagramError`."""
        whole = _quantity(self.node, self.scope)
        return whole if self.share is None else self._shared_out(whole, *self.share)

    def _shared_out(self, whole: Quantity, number: int, count: int) -> Quantity:
        if not isinstance(whole.value, np.ndarray) or len(whole.value) != count:
            message = f"{describe(self.node)} is {whole}; expected a list of {count}, one a copy"
            raise DiagramError(message, self.node.position)
        part = whole.value[number]
        return Quantity(part if np.ndim(part) else float(part), whole.unit)

    def text(self) -> str:
        """Text as written; a name whose parameter is itself text gives that text."""
        node = self.written().node
        if not isinstance(node, Scalar):
            raise DiagramError(f"the value is {describe(node)}; expected text", node.position)
        return node.text

    def written(self) -> Assignment:
        """Where the text stands: here, or in the parameter that is named here and is text."""
        node = self.node
        if isinstance(node, Scalar) and not node.quoted and isinstance(self.scope, ParameterScope):
            return self.scope.text_behind(node.text) or self
        return self

    def origins(self) -> str:
        """`; L = 6 s is defined in line 3`, for the names that the value uses, or nothing."""
        return definitions(self.node, self.scope)

    def data(self) -> Any:
        """The value as nested Python data: dict, list, text, float, bool."""
        return plain_data(self.node)


def definitions(node: Node, scope: Map[str, Quantity]) -> str:
    """Where the names in a value are defined, and what they are: few of them, in file order."""
    shown = []
    for name in used_names(node):
        definition = scope.definition(name) if isinstance(scope, ParameterScope) else None
        if definition is None:
            continue
        position = definition.node.position
        where = f"line {position.line}" if position.file == node.position.file else str(position)
        with contextlib.suppress(DiagramError):
            shown.append(f"{name} = {definition.quantity()} is defined in {where}")
    return f"; {', '.join(shown[:MOST_DEFINITIONS])}" if shown else ""


def read_quantity(text: str, position: Position) -> Quantity:
    """A value as a diagram may write it, outside any diagram: no names but constants."""
    return _quantity(text_node(text.strip(), position), {})


class ParameterScope(Map[str, Quantity]):
    """Named parameters over those of an outer scope; `problems` holds what failed.

    `own` may still be filled while nothing was asked for; an assignment of another scope in it
    is a value given from outside. `hidden` are names that a user may expect here in vain.
    """

    def __init__(
        self,
        own: dict[str, Assignment],
        outer: Map[str, Quantity] | None = None,
        hidden: Container[str] = (),
    ):
        self.own = own
        self.outer: Map[str, Quantity] = {} if outer is None else outer
        self.hidden = hidden
        self.problems: list[Problem] = []
        self._values: dict[str, Quantity] = {}
        self._failed: dict[str, tuple[Problem, ...]] = {}

    def __getitem__(self, name: str) -> Quantity:
        if name not in self.own:
            return self.outer[name]
        if name not in self._values and name not in self._failed:
            self._evaluate(name)
        if name in self._failed:
            raise DiagramError(self._failed[name])
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        return name in self.own or name in self.outer

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self.outer, *self.own]))

    def __len__(self) -> int:
        return len(self.outer.keys() | self.own.keys())

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def evaluate_all(self) -> None:
        """Evaluate every parameter but text, and collect the problems."""
        for name, assignment in self.own.items():
            known = name in self._values or name in self._failed
            if not known and not self._is_text(assignment):
                self._evaluate(name)

    def text_behind(self, name: str) -> Assignment | None:
        """Where the text of a parameter stands that is text, else None."""
        if name in self.own:
            return self.own[name].written() if self._is_text(self.own[name]) else None
        return self.outer.text_behind(name) if isinstance(self.outer, ParameterScope) else None

    def _is_text(self, assignment: Assignment) -> bool:
        """Whether a parameter is text, or was given from outside as the name of one that is."""
        given = assignment.scope is not self and assignment.written() is not assignment
        return given or is_text(assignment)

    def definition(self, name: str) -> Assignment | None:
        """The value that a name stands for, behind all that are only another name for it."""
        scope: Map[str, Quantity] = self
        assignment = None
        for _ in range(MOST_NAMES):
            while isinstance(scope, ParameterScope) and name not in scope.own:
                scope = scope.outer
            if not isinstance(scope, ParameterScope):
                return assignment
            assignment = scope.own[name]
            text = assignment.node.text if isinstance(assignment.node, Scalar) else ""
            if used_names(assignment.node) != [text]:
                return assignment
            scope, name = assignment.scope, text
        return assignment

    def hint(self, name: str) -> str:
        """What to do about an unknown name that the diagram outside has."""
        if name not in self.hidden:
            return ""
        return (
            "; a subsystem from a file sees only its own parameters: add it to its "
            "`parameters` and pass it"
        )

    def _evaluate(self, name: str) -> None:
        """Depth first over dependencies with an explicit stack."""
        path: dict[str, None] = {}
        stack = [name]
        while stack:
            current = stack[-1]
            if current in self._values or current in self._failed:
                path.pop(stack.pop(), None)
                continue
            waiting = [] if current in path else self._dependencies(current)
            path[current] = None
            circle = next((other for other in waiting if other in path), None)
            if circle is not None:
                self._circle([*list(path)[list(path).index(circle) :], circle])
            elif waiting:
                stack.extend(waiting)
            else:
                self._finish(current)

    def _dependencies(self, name: str) -> list[str]:
        assignment = self.own[name]
        if assignment.scope is not self:
            return []
        names = used_names(assignment.node)
        return [
            n for n in names if n in self.own and n not in self._values and n not in self._failed
        ]

    def _finish(self, name: str) -> None:
        assignment = self.own[name]
        used = used_names(assignment.node) if assignment.scope is self else ()
        broken = [problem for other in used for problem in self._failed.get(other, ())]
        if broken:
            self._failed[name] = tuple(broken)
            return
        try:
            self._values[name] = assignment.quantity()
        except DiagramError as error:
            self._failed[name] = error.problems
            self.problems.extend(error.problems)

    def _circle(self, names: list[str]) -> None:
        position = self.own[names[0]].node.position
        shown = names if len(names) < 12 else [*names[:5], "...", *names[-5:]]
        problem = Problem(
            position, f"parameters depend on each other: {' -> '.join(shown)}; break the circle"
        )
        self.problems.append(problem)
        for name in names:
            self._failed[name] = (problem,)


def used_names(node: Node) -> list[str]:
    """The names in the expressions of a value, constants included, in file order."""
    names: dict[str, None] = {}
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Sequence):
            waiting.extend(reversed(current.items))
        elif isinstance(current, Scalar) and isinstance(current.value, str):
            expression = _expression(current.text)
            if expression is not None:
                names.update(dict.fromkeys(sorted(expression.all_names)))
    return list(names)


def is_text(assignment: Assignment) -> bool:
    """Whether a parameter is text: quoted, and a lone unknown word or no expression at all."""
    node = assignment.node
    if isinstance(node, Mapping):
        return True
    if not isinstance(node, Scalar) or not node.quoted:
        return False
    try:
        if parse_quantity(node.text) is not None:
            return False
        tree = parse_expression(node.text).tree
    except (UnitError, ExpressionError):
        return True
    known = isinstance(tree, Name) and (tree.name in assignment.scope or tree.name in CONSTANTS)
    return isinstance(tree, Name) and not known


def _expression(text: str) -> Expression | None:
    try:
        return None if parse_quantity(text) is not None else parse_expression(text)
    except (UnitError, ExpressionError):
        return None


def _quantity(node: Node, scope: Map[str, Quantity]) -> Quantity:
    if isinstance(node, Sequence):
        return _list(node, scope)
    if isinstance(node, Mapping):
        raise DiagramError("the value is a mapping; expected a number or a list", node.position)
    value = node.value
    if isinstance(value, bool):
        return Quantity(value)
    if isinstance(value, int | float):
        return Quantity(float(value), exact=written(float(value)))
    if value is None:
        raise DiagramError("the value is empty; expected a number", node.position)
    try:
        return parse_quantity(node.text) or parse_expression(node.text).evaluate(scope)
    except UnitError as error:
        raise DiagramError(f"{describe(node)}: {error}", node.position) from None
    except ExpressionError as error:
        position = shifted(node.position, error.column - 1 + node.quoted)
        hint = definitions(node, scope) if not isinstance(error, UnknownName) else ""
        if isinstance(error, UnknownName) and isinstance(scope, ParameterScope):
            hint = scope.hint(error.name)
        raise DiagramError(f"in {describe(node)}: {error.message}{hint}", position) from None


def _list(node: Sequence, scope: Map[str, Quantity]) -> Quantity:
    items = [item.value if isinstance(item, Scalar) else None for item in node.items]
    if items and all(type(item) is float or type(item) is int for item in items):
        return Quantity(np.array(items, dtype=np.float64))
    try:
        return stacked([_quantity(item, scope) for item in node.items])
    except ExpressionError as error:
        raise DiagramError(error.message, node.position) from None
