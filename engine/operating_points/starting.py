"""Runs that start at an operating point."""

from __future__ import annotations

from dataclasses import replace

from ..analysis.checking import Checked
from ..errors import DiagramError, Position
from ..memory import layout as sections
from ..memory.slots import Slots
from .point import OperatingPoint, refuse_misfit
from .signals import replaced_by


def starting_at(checked: Checked, point: OperatingPoint) -> Checked:
    """The diagram with a run that starts where a point is, at its time."""
    refuse_misfit(checked, point)
    settings = checked.settings
    if not point.time < settings.stop:
        raise DiagramError(
            f"the point is at t = {point.time:g} s, where the run is over ({settings.stop:g} s); "
            "give a later --stop",
            Position(point.file),
        )
    checked = replaced_by(checked, point.ports)
    slots = checked.schedule.slots
    started = replace(
        slots,
        start=slots.start.copy(),
        discrete_start=slots.discrete_start.copy(),
        signal_start=slots.signal_start.copy(),
    )
    first_signal, first_discrete = _first_slots(slots)
    for values, refs, target, first in (
        (point.states, slots.states, started.start, 0),
        (point.discretes, slots.discretes, started.discrete_start, first_discrete),
        (point.held, slots.signals, started.signal_start, first_signal),
    ):
        for key, numbers in values.items():
            offset = refs[key].offset - first
            target[offset : offset + refs[key].size] = numbers
    plan = replace(checked.schedule, slots=started)
    return replace(checked, schedule=plan, settings=replace(settings, start=point.time))


def _first_slots(slots: Slots) -> tuple[int, int]:
    """Where signals and where discrete states begin."""
    sizes = slots.sections
    signals = sections.HEADER + sizes["P"]
    return signals, signals + sizes["S"]
