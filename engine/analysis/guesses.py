"""Start values of algebraic loops: `solver: {guess: {root.y: 1.5}}`.

Newton's method begins there, at the first evaluation of the run; afterwards it begins at the last
solution. A loop is cut at a signal that has a start value, if it can be.
"""

from __future__ import annotations

from collections.abc import Mapping as Map
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..diagram.assignments import Assignment
from ..errors import DiagramError, Position, Problem, suggestion
from ..memory.references import Ref
from ..model.model import Instance, Port
from ..schedule.calls import Loop
from ..text.nodes import Mapping
from ..units.quantity import Quantity
from ..units.unit import UnitError

GUESS = "guess"
Guesses = dict[tuple[str, str], np.ndarray]


def read_guesses(
    assignment: Assignment | None, blocks: Map[str, Instance], problems: list[Problem]
) -> Guesses:
    """Start values by block and output, an element for each of the signal's."""
    if assignment is None:
        return {}
    node = assignment.node
    if not isinstance(node, Mapping):
        message = "solver.guess is not a mapping; expected signals with values: {root.y: 1.5}"
        problems.append(Problem(assignment.position, message))
        return {}
    guesses: Guesses = {}
    outputs = {p.path: p for block in blocks.values() for p in block.outputs.values()}
    for name, entry in node.entries.items():
        port = outputs.get(name)
        if port is None:
            near = suggestion(name, outputs)
            message = f"solver.guess: '{name}' is not an output of the diagram{near}"
            problems.append(Problem(entry.node.position, message))
            continue
        quantity = Assignment(entry.node, assignment.scope, entry.node.position)
        try:
            value = _in_unit_of(name, port, quantity.quantity())
        except DiagramError as error:
            problems.extend(
                Problem(p.position or entry.node.position, p.message) for p in error.problems
            )
            continue
        numbers = np.ravel(np.asarray(value, dtype=float))
        if numbers.size not in (1, port.size) or not np.isfinite(numbers).all():
            message = (
                f"solver.guess: {name} has {port.size} elements and a start value {value}; "
                "expected one finite number, or one for each"
            )
            problems.append(Problem(entry.node.position, message))
            continue
        guesses[port.block, port.name] = np.broadcast_to(numbers, (port.size,))
    return guesses


def _in_unit_of(name: str, port: Port, quantity: Quantity) -> Any:
    """The number of a start value in the unit of its signal."""
    if isinstance(quantity.value, bool | np.bool_):
        raise DiagramError(f"solver.guess: {name} is a truth value; expected a number")
    if quantity.unit is None or port.unit is None:
        return quantity.si().value
    try:
        return quantity.to(port.unit)
    except UnitError:
        raise DiagramError(
            f"solver.guess: {name} = {quantity} has unit {quantity.unit}; "
            f"expected {port.unit.describe()}"
        ) from None


def refuse_idle_guesses(
    guesses: Guesses,
    signals: Map[tuple[str, str], Ref],
    loops: Sequence[Loop],
    position: Position | None,
) -> None:
    """A start value for a signal that Newton's method does not solve for is a mistake."""
    looped = {call.block for loop in loops for call in loop.calls}
    solved = {slot.offset for loop in loops for slot in loop.torn}
    for block, port in guesses:
        name = f"solver.guess: {block}.{port}"
        if block not in looped:
            raise DiagramError(
                f"{name} is in no algebraic loop; `railblocks check` lists the loops, after this "
                "entry is taken out",
                position,
            )
        if signals[block, port].offset not in solved:
            raise DiagramError(
                f"{name} has no effect: its loop is cut elsewhere, and {port} follows from there; "
                "take this entry out",
                position,
            )
