"""Units over the whole diagram: wires and parameters are equations between units.

Ports of generic blocks carry variables (a product's output is `?a*?b`), so a wire says that two
products of variables are equal, and a parameter given with a unit that one has this value. An
equation with one unknown gives it its unit, one without is checked. What no equation reaches
stays open.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from collections.abc import Mapping as Map
from fractions import Fraction
from functools import lru_cache

from ..diagram.flatten import FlatBlock
from ..errors import Problem
from ..model.model import Instance, Port
from ..units.unit import Unit, parse_pattern
from .wiring import Link

Variable = tuple[str, str]  # block and name
Power = int | Fraction
Known = dict[Variable, Unit]


class WrittenUnit:
    """A parameter whose unit was written: one side of an equation without variables."""

    __slots__ = ("instance", "name", "unit")

    def __init__(self, instance: Instance, name: str, unit: Unit):
        self.instance = instance
        self.name = name
        self.unit = unit

    @property
    def declared(self) -> str:
        return self.instance.declaration.params[self.name].unit


Equation = Link | WrittenUnit


def infer_units(
    blocks: dict[str, Instance],
    links: list[Link],
    written: Map[str, FlatBlock],
    problems: list[Problem],
) -> None:
    """Finds the unit of every port it can; adds a problem where two units do not fit."""
    known: Known = {}
    waiting: dict[Variable, list[Equation]] = {}
    queue: deque[Equation] = deque(_written_units(blocks.values()))
    queue.extend(links)
    while queue:
        equation = queue.popleft()
        unknown = _unknowns(equation, known)
        if len(unknown) > 1:
            for variable in unknown:
                waiting.setdefault(variable, []).append(equation)
        elif unknown:
            ((variable, power),) = unknown.items()
            if power != 0:
                left, right = _sides(equation, known)
                known[variable] = (right / left) ** (Fraction(1) / power)
                queue.extend(waiting.pop(variable, ()))
        else:
            _check(equation, known, written, problems)
    for instance in blocks.values():
        for port in (*instance.inputs.values(), *instance.outputs.values()):
            port.unit = _complete(port.block, port.item.unit, known)


def _written_units(blocks: Iterable[Instance]) -> Iterable[WrittenUnit]:
    for instance in blocks:
        for name, unit in instance.units.items():
            if unit is not None:
                yield WrittenUnit(instance, name, unit)


@lru_cache(maxsize=1024)
def _powers(unit: str) -> tuple[tuple[str, Power], ...]:
    """Variables and powers of a declared unit, whole numbers as int."""
    powers = parse_pattern(unit).powers
    return tuple((n, p.numerator if p.denominator == 1 else p) for n, p in powers)


def _unknowns(equation: Equation, known: Known) -> dict[Variable, Power]:
    """Unknown variables and their power on the left side less that on the right."""
    unknown: dict[Variable, Power] = {}
    if isinstance(equation, WrittenUnit):
        block = equation.instance.name
        for name, power in _powers(equation.declared):
            if (block, name) not in known:
                unknown[block, name] = power
        return unknown
    for port, sign in ((equation.source, 1), (equation.target, -1)):
        for name, power in _powers(port.item.unit):
            variable = (port.block, name)
            if variable not in known:
                unknown[variable] = unknown.get(variable, 0) + sign * power
    return unknown


def _sides(equation: Equation, known: Known) -> tuple[Unit, Unit]:
    """Both sides without the variables that are unknown."""
    if isinstance(equation, WrittenUnit):
        return _partial(equation.instance.name, equation.declared, known), equation.unit
    source, target = equation.source, equation.target
    left = _partial(source.block, source.item.unit, known)
    return left, _partial(target.block, target.item.unit, known)


def _partial(block: str, declared: str, known: Known) -> Unit:
    unit = parse_pattern(declared).base
    for name, power in _powers(declared):
        if (block, name) in known:
            unit = unit * known[block, name] ** power
    return unit


def _complete(block: str, declared: str, known: Known) -> Unit | None:
    if any((block, name) not in known for name, _ in _powers(declared)):
        return None
    return _partial(block, declared, known)


def _check(
    equation: Equation, known: Known, written: Map[str, FlatBlock], problems: list[Problem]
) -> None:
    left, right = _sides(equation, known)
    if left.same(right):
        return
    if isinstance(equation, WrittenUnit):
        given = written[equation.instance.name].values[equation.name]
        path, need = f"{equation.instance.name}.{equation.name}", left.describe()
        message = f"{path} is given in {right}, but its wires need {need}{given.origins()}"
        problems.append(Problem(given.position, message))
        return
    source, target = equation.source, equation.target
    problems.append(
        Problem(
            equation.position,
            f"{source.path} is in {left} but {target.path} takes {right.describe()}; "
            f"{_cure(source, left, right)}",
        )
    )


def _cure(source: Port, left: Unit, right: Unit) -> str:
    if left.same_dimension(right):
        return (
            f"put routing.unit_converter (from_unit: {left}, to_unit: {right}) behind {source.path}"
        )
    return "change one of them or put a block in between"
