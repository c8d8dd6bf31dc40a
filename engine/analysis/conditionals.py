"""Subsystems that run while a condition holds: what is inside, what they show, what they keep."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..checks.wiring import find_port
from ..diagram.assignments import Assignment
from ..diagram.flatten import FlatDiagram
from ..errors import DiagramError, Problem
from ..model.model import Conditional, Instance, Port


def read_conditionals(
    flat: FlatDiagram, blocks: Mapping[str, Instance], problems: list[Problem]
) -> dict[str, Conditional]:
    """Each by the name of its condition; adds what is wrong to `problems`."""
    known = set(flat.blocks)
    conditionals = {}
    for name, condition in flat.conditions.items():
        found = (find_port(end, dict(blocks), known, "output", []) for end in condition.ports)
        ports = list({port.path: port for port in found if port is not None}.values())
        inside = tuple(
            block
            for block, instance in blocks.items()
            if instance.condition and block.startswith(f"{condition.subsystem}.")
        )
        shown = None
        if condition.shown is not None:
            shown = _shown_value(condition.subsystem, condition.shown, ports, problems)
        signals = tuple((port.block, port.name) for port in ports)
        conditionals[name] = Conditional(inside, signals, condition.resets, shown)
    return conditionals


def _shown_value(
    subsystem: str, shown: Assignment, ports: list[Port], problems: list[Problem]
) -> float | None:
    """The value of outputs while the subsystem does not run, in SI units."""
    try:
        quantity = shown.quantity()
    except DiagramError as error:
        problems.extend(error.problems)
        return None
    if np.ndim(quantity.value):
        message = f"outputs of {subsystem!r} are {quantity}; expected hold or one number"
        problems.append(Problem(shown.position, message))
        return None
    given = quantity.unit
    for port in ports:
        unit = port.unit
        if given is not None and unit is not None and not given.same_dimension(unit):
            message = f"outputs of {subsystem!r} are {quantity}, but {port.path} is in {unit}"
            expected = f"expected {unit.describe()}"
            problems.append(Problem(shown.position, f"{message}; {expected}"))
            return None
    return float(np.asarray(quantity.si().value))
