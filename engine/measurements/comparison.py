"""A run beside a measurement: which signals belong together, between which times, how far apart."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import DiagramError, Position
from ..runs.results import Results
from ..units.quantity import Quantity
from .error_curve import ErrorCurve, ErrorStatistics, error_curve, statistics
from .series import SignalScope

_EQUALS = re.compile(r"(?<![<>=!])=(?!=)")


@dataclass(frozen=True)
class SignalPair:
    """A signal of a run and one of a measurement, each a name or an expression."""

    run: str
    measured: str


@dataclass(frozen=True)
class Window:
    """The times that are compared, in seconds."""

    start: float
    stop: float


@dataclass(frozen=True)
class Compared:
    """A pair with its error; `unit` is that of the run's signal."""

    pair: SignalPair
    unit: str
    curve: ErrorCurve
    statistics: ErrorStatistics


def read_pair(text: str) -> SignalPair:
    """`run = measured`, or one expression for both; raises `DiagramError`."""
    sides = [side.strip() for side in _EQUALS.split(text)]
    if len(sides) == 1:
        sides *= 2
    if len(sides) != 2 or not all(sides):
        raise DiagramError(
            f"{text!r} is not a pair; expected RUN=MEASURED, as in car.v=speed",
            Position("--signal"),
        )
    return SignalPair(*sides)


def same_names(run: Results, measured: Results) -> tuple[SignalPair, ...]:
    """Pairs of signals that have one name in both; raises `DiagramError` if there are none."""
    scope = SignalScope(measured)
    pairs = tuple(SignalPair(name, name) for name, _, _ in run.elements() if name in scope)
    if not pairs:
        ours, theirs = ", ".join(run.names[:10]), ", ".join(measured.names[:10])
        raise DiagramError(
            f"no signal ({theirs}) is named as one of the run ({ours}); name pairs, as in "
            "--signal car.v=speed",
            Position(measured.file),
        )
    return pairs


def compare(
    run: Results,
    measured: Results,
    pairs: Sequence[SignalPair] = (),
    given: Mapping[str, Quantity] | None = None,
    start: float | None = None,
    stop: float | None = None,
) -> tuple[Compared, ...]:
    """Errors of all pairs, or of signals with the same name; `given` are values by name."""
    window = overlap({named(r): covered(r) for r in (run, measured)}, start, stop)
    compared = pairs or same_names(run, measured)
    ours, theirs = (SignalScope(r, given, window.start, window.stop) for r in (run, measured))
    return tuple(_compared(pair, ours, theirs, window) for pair in compared)


def _compared(pair: SignalPair, ours: SignalScope, theirs: SignalScope, window: Window) -> Compared:
    left, right = ours.series(pair.run), theirs.series(pair.measured)
    curve = error_curve(left, right, window.start, window.stop)
    unit = left.unit or right.unit
    return Compared(pair, str(unit) if unit is not None else "", curve, statistics(curve))


def overlap(
    ranges: Mapping[str, Window], start: float | None = None, stop: float | None = None
) -> Window:
    """The times that all series cover, cut to those asked for; raises `DiagramError`."""
    first = max(window.start for window in ranges.values())
    last = min(window.stop for window in ranges.values())
    covered_times = ", ".join(
        f"{name} from {w.start:g} s to {w.stop:g} s" for name, w in ranges.items()
    )
    if not first < last:
        raise DiagramError(f"the times do not overlap: {covered_times}; shift one of them")
    asked = Window(first if start is None else start, last if stop is None else stop)
    if not first <= asked.start < asked.stop <= last:
        raise DiagramError(
            f"the data do not cover all times from {asked.start:g} s to {asked.stop:g} s: "
            f"{covered_times}; choose other times with --from and --to"
        )
    return asked


def named(results: Results) -> str:
    """A name for results in messages: their file, or what they are."""
    return results.file or "the run"


def covered(results: Results) -> Window:
    """The window from the first to the last time; times may not fall, equal ones are a jump."""
    time, position = results.time, Position(named(results))
    if len(time) < 2:
        raise DiagramError(f"has {len(time)} times; expected at least two", position)
    wrong = np.flatnonzero(~(np.diff(time) >= 0))
    if len(wrong):
        k = int(wrong[0])
        raise DiagramError(
            f"time goes from {time[k]:g} s to {time[k + 1]:g} s at row {k + 2}; expected times "
            "that rise",
            position,
        )
    return Window(float(time[0]), float(time[-1]))
