"""Start values of algebraic loops: `solver: {guess: {root.y: 1.5}}`.

Newton's method begins there, at the first evaluation of the run; afterwards it begins at the last
solution. A loop is cut at a signal that has a start value, if it can be.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as Map

import numpy as np

from ..diagram.assignments import Assignment
from ..errors import DiagramError, Place, Problem, suggestion
from ..program.calls import Loop
from ..text.nodes import Mapping
from .model import Instance

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
        problems.append(Problem(assignment.place, message))
        return {}
    found: Guesses = {}
    outputs = {p.path: p for block in blocks.values() for p in block.outputs.values()}
    for name, entry in node.entries.items():
        port = outputs.get(name)
        if port is None:
            near = suggestion(name, outputs)
            message = f"solver.guess: '{name}' is not an output of the diagram{near}"
            problems.append(Problem(entry.node.place, message))
            continue
        try:
            value = Assignment(entry.node, assignment.scope, entry.node.place).quantity().si().value
        except DiagramError as error:
            problems.extend(error.problems)
            continue
        numbers = np.ravel(np.asarray(value, dtype=float))
        if numbers.size not in (1, port.size) or not np.isfinite(numbers).all():
            message = (
                f"solver.guess: {name} has {port.size} elements and a start value {value}; "
                "expected one finite number, or one for each"
            )
            problems.append(Problem(entry.node.place, message))
            continue
        found[port.block, port.name] = np.broadcast_to(numbers, (port.size,))
    return found


def refuse_idle_guesses(guesses: Guesses, loops: Iterable[Loop], place: Place | None) -> None:
    """A start value for a signal that no loop computes has no effect, and is a mistake."""
    looped = {call.block for loop in loops for call in loop.calls}
    for block, port in guesses:
        if block not in looped:
            raise DiagramError(
                f"solver.guess: {block}.{port} is in no algebraic loop; `railblocks check` lists "
                "the loops, after this entry is taken out",
                place,
            )
