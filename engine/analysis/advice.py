"""Warnings about a diagram: what it may mean but probably does not; it runs nevertheless.

- A parameter in rad/s given in hertz, or one in hertz given in rpm: the units fit, since rad = 1,
  but a cycle is 2 pi rad and nothing multiplies by that.
- Blocks that wait for crossings in a diagram without continuous states: no error estimate makes
  steps short enough to see them all.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..declaration import Param
from ..diagram.flatten import Assignment, FlatBlock
from ..errors import Problem
from ..model.model import Instance
from ..schedule.schedule import Schedule
from ..units.quantity import Quantity
from ..units.unit import mixes_cycles_and_angles, parse_pattern
from .settings import Settings

QUARTERS = 4  # of a step, in which guards are looked at


def warnings_of(
    written: Mapping[str, FlatBlock], blocks: Mapping[str, Instance]
) -> tuple[Problem, ...]:
    """Warnings about the values of a diagram without problems."""
    warnings = []
    for name, instance in blocks.items():
        params = instance.declaration.params
        for parameter, assignment in written[name].values.items():
            if parameter in params:
                warnings += _about_cycles(f"{name}.{parameter}", params[parameter], assignment)
    return tuple(warnings)


def _about_cycles(path: str, param: Param, assignment: Assignment) -> list[Problem]:
    pattern = parse_pattern(param.unit) if param.type is float else None
    if pattern is None or pattern.powers or not (pattern.base.in_cycles or pattern.base.in_angles):
        return []
    quantity, unit = assignment.quantity(), pattern.base
    if quantity.unit is None or not mixes_cycles_and_angles(quantity.unit, unit):
        return []
    remedy, name = ("n / (2 * pi)", "n") if unit.in_cycles else ("2 * pi * f", "f")
    return [
        Problem(
            assignment.position,
            f"{path} = {quantity} is taken as {Quantity(quantity.to(unit), unit)}, without a "
            f"factor 2 pi, since rad = 1 and Hz = 1/s; if a cycle was meant as 2 pi rad, write "
            f"{remedy} with {name}: {quantity} under `parameters`",
        )
    ]


def crossings_seen(plan: Schedule, settings: Settings) -> tuple[float, list[str]] | None:
    """The interval at which guards are evaluated, and their blocks, without continuous states.

    Guards of times (`t` among their arguments) count their events and are not among them.
    """
    guards = [guard for guard in plan.guards if "t" not in guard.equation.arguments]
    if plan.sections["X"] or not guards:
        return None
    longest = settings.step or settings.longest_step
    return longest / QUARTERS, list(dict.fromkeys(guard.block for guard in guards))
