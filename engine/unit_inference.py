"""Units over the whole diagram: every wire is an equation between the units of its two ports.

Ports of generic blocks carry variables (a product's output is `?a*?b`). An equation with one
unknown variable gives it its unit, one without is checked. What no equation reaches stays open.
"""

from __future__ import annotations

from collections import deque
from fractions import Fraction

from .errors import Problem
from .model import Instance, Port
from .units import Unit, UnitPattern, parse_pattern, parse_unit
from .wiring import Link

Variable = tuple[str, str]
ONE = parse_unit("1")


class Equation:
    """`left = right` for a wire, with the variables that are still unknown."""

    __slots__ = ("left", "link", "right")

    def __init__(self, link: Link):
        self.link = link
        self.left = parse_pattern(link.source.item.unit)
        self.right = parse_pattern(link.target.item.unit)


def infer_units(blocks: dict[str, Instance], links: list[Link], problems: list[Problem]) -> None:
    """Finds the unit of every port it can, and tells where two do not fit."""
    known: dict[Variable, Unit] = {}
    for instance in blocks.values():
        _from_parameters(instance, known)
    waiting: dict[Variable, list[Equation]] = {}
    queue = deque(Equation(link) for link in links)
    while queue:
        equation = queue.popleft()
        unknown = _unknowns(equation, known)
        if len(unknown) > 1:
            for variable in unknown:
                waiting.setdefault(variable, []).append(equation)
        elif len(unknown) == 1:
            ((variable, power),) = unknown.items()
            if power == 0:
                continue
            left, right = _sides(equation, known)
            known[variable] = (right / left) ** (Fraction(1) / power)
            queue.extend(waiting.pop(variable, ()))
        else:
            _check(equation, known, problems)
    for instance in blocks.values():
        for port in (*instance.inputs.values(), *instance.outputs.values()):
            port.unit = _unit(port, known)


def _from_parameters(instance: Instance, known: dict[Variable, Unit]) -> None:
    for name, unit in instance.units.items():
        if unit is None:
            continue
        pattern = parse_pattern(instance.declaration.params[name].unit)
        open_variables = [(v, p) for v, p in pattern.powers if (instance.name, v) not in known]
        if len(open_variables) == 1:
            ((variable, power),) = open_variables
            rest = pattern.base
            for other, exponent in pattern.powers:
                if other != variable:
                    rest = rest * known[instance.name, other] ** exponent
            known[instance.name, variable] = (unit / rest) ** (Fraction(1) / power)


def _variables(port: Port, pattern: UnitPattern) -> list[tuple[Variable, Fraction]]:
    return [((port.block, name), power) for name, power in pattern.powers]


def _unknowns(equation: Equation, known: dict[Variable, Unit]) -> dict[Variable, Fraction]:
    """Unknown variables and their power on the left side less that on the right."""
    unknown: dict[Variable, Fraction] = {}
    for pattern, port, sign in (
        (equation.left, equation.link.source, 1),
        (equation.right, equation.link.target, -1),
    ):
        for variable, power in _variables(port, pattern):
            if variable not in known:
                unknown[variable] = unknown.get(variable, Fraction(0)) + sign * power
    return unknown


def _sides(equation: Equation, known: dict[Variable, Unit]) -> tuple[Unit, Unit]:
    sides = []
    for pattern, port in (
        (equation.left, equation.link.source),
        (equation.right, equation.link.target),
    ):
        unit = pattern.base
        for variable, power in _variables(port, pattern):
            if variable in known:
                unit = unit * known[variable] ** power
        sides.append(unit)
    return sides[0], sides[1]


def _check(equation: Equation, known: dict[Variable, Unit], problems: list[Problem]) -> None:
    left, right = _sides(equation, known)
    if left.same(right):
        return
    link = equation.link
    if left.same_dimension(right):
        cure = f"put routing.unit_converter (from: {left}, to: {right}) in between"
    else:
        cure = "change one of them or put a block in between"
    problems.append(
        Problem(
            link.place,
            f"{link.source.path} is in {left} but {link.target.path} takes "
            f"{right.describe()}; {cure}",
        )
    )


def _unit(port: Port, known: dict[Variable, Unit]) -> Unit | None:
    pattern = parse_pattern(port.item.unit)
    unit = pattern.base
    for variable, power in _variables(port, pattern):
        if variable not in known:
            return None
        unit = unit * known[variable] ** power
    return unit
