"""Times that a run counts by: sample times and offsets, fixed and largest steps and log periods.

A run counts hits, steps and rows in whole numbers, which are exact up to 2^53; from time 0 on, in
floats, where a run that starts late ends as soon as its times cannot be told apart. The rows of a
log have a lower limit, so that a mistyped period does not fill the disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..diagram.flatten import Assignment, FlatDiagram
from ..errors import DiagramError, Position, Problem
from ..model.model import Instance
from ..model.sizes import LARGEST_WHOLE
from ..schedule.lowering import Rate
from ..schedule.ticks import LARGEST_COUNT, has_tick
from ..units.times import seconds, time_text
from .settings import Settings

LARGEST_ROWS = 10**12


class Counted(NamedTuple):
    """A time by which a run counts, the span that it covers, and what is counted."""

    path: str
    seconds: float
    position: Position
    span: float
    largest: int
    counted: str


def refuse_uncountable(
    flat: FlatDiagram,
    blocks: Mapping[str, Instance],
    settings: Settings,
    problems: list[Problem],
) -> None:
    """Adds a problem for each time that is too short to be counted by until the end of the run."""
    for time in _counted(flat, blocks, settings):
        if not time.span / time.seconds <= time.largest:
            problems.append(
                Problem(
                    time.position,
                    f"{time.path} = {time.seconds:g} s makes {time.span / time.seconds:.2g} "
                    f"{time.counted} in {time.span:g} s; expected at most {time.largest:.2g}",
                )
            )


def refuse_odd_rates(rates: Sequence[Rate], settings: Settings, position: Position) -> None:
    """Sample times that have no common tick within the range of a float are an error."""
    if rates and not has_tick(rates, seconds(settings.start)):
        shown = ", ".join(time_text(period) for period, _ in rates[:5])
        raise DiagramError(
            f"the sample times {shown} and their offsets have no common divisor that a run could "
            "count by; expected times that are multiples of one",
            position,
        )


def _counted(
    flat: FlatDiagram, blocks: Mapping[str, Instance], settings: Settings
) -> Iterator[Counted]:
    run = settings.stop - settings.start
    clock = max(abs(settings.start), abs(settings.stop))
    file = Position(flat.file)
    if settings.step is not None:
        position = _position(flat.solver, "step", file)
        yield Counted("solver.step", settings.step, position, run, LARGEST_WHOLE, "steps")
    if settings.max_step is not None:
        position = _position(flat.solver, "max_step", file)
        yield Counted("solver.max_step", settings.max_step, position, run, LARGEST_WHOLE, "steps")
    if settings.every is not None:
        position = _position(flat.log, "every", file)
        yield Counted("log.every", settings.every, position, run, LARGEST_ROWS, "rows")
        yield Counted("log.every", settings.every, position, clock, LARGEST_COUNT, "periods")
    for instance in blocks.values():
        name = instance.declaration.sampled
        if name is not None:
            given = flat.blocks[instance.name].values
            path, period = f"{instance.name}.{name}", instance.values[name]
            position = _position(given, name, instance.position)
            yield Counted(path, period, position, run, LARGEST_WHOLE, "samples")
            yield Counted(path, period, position, clock, LARGEST_COUNT, "samples")
            offset = instance.values["offset"]
            position = _position(given, "offset", position)
            yield Counted(
                path, period, position, offset, LARGEST_WHOLE, "samples before the offset"
            )


def _position(given: Mapping[str, Assignment], name: str, otherwise: Position) -> Position:
    return given[name].position if name in given else otherwise
