"""Names and units of states, element by element."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from ..diagram.endpoints import index_text
from ..model.model import Instance
from ..units.unit import Unit, parse_pattern


def names_of(block: str, name: str, shape: tuple[int, ...]) -> list[str]:
    """`motor.i`, or `car.q[0]`, `car.q[1]` of a vector."""
    return [f"{block}.{name}{index_text(index or None)}" for index in np.ndindex(*shape)]


def unit_of(instance: Instance, name: str) -> str:
    """The unit of a state, as far as ports and parameters tell it; else nothing."""
    declared = instance.declaration.items[name].unit
    for port in (*instance.inputs.values(), *instance.outputs.values()):
        if port.item.unit == declared and port.unit is not None:
            return str(port.unit)
    pattern = parse_pattern(declared)
    known = dict(_variables(instance))
    unit = pattern.base
    for variable, power in pattern.powers:
        if variable not in known:
            return ""
        unit = unit * known[variable] ** power
    return str(unit)


def _variables(instance: Instance) -> Iterator[tuple[str, Unit]]:
    """What the variables in declared units stand for."""
    found = [(p.item.unit, p.unit) for p in (*instance.inputs.values(), *instance.outputs.values())]
    params = instance.declaration.params
    found += [(params[n].unit, unit) for n, unit in instance.units.items() if n in params]
    for declared, unit in found:
        pattern = parse_pattern(declared)
        if unit is not None and len(pattern.powers) == 1:
            ((variable, power),) = pattern.powers
            yield variable, (unit / pattern.base) ** (Fraction(1) / power)
