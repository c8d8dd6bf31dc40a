"""Which measures there are, what each takes, and the unit that it has: all as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..units.unit import ONE, Unit, parse_pattern
from . import crossings, integrals, steps
from .curve import value_at

REQUIRED = object()


@dataclass(frozen=True)
class Option:
    """A value that a measure takes; `?u` in its unit is that of the signal."""

    name: str
    unit: str
    what: str
    default: object = None
    choices: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    def unit_for(self, signal: Unit) -> Unit:
        return _unit_for(self.unit, signal)


@dataclass(frozen=True)
class Kind:
    """A measure of a signal: a pure function of times and values, with its options and unit."""

    name: str
    function: Callable[..., float] = field(repr=False)
    unit: str
    what: str
    options: tuple[Option, ...] = ()

    def unit_for(self, signal: Unit) -> Unit:
        return _unit_for(self.unit, signal)


def _unit_for(text: str, signal: Unit) -> Unit:
    """A unit in which `?u` is that of a signal, written first."""
    pattern, unit = parse_pattern(text), ONE
    if not pattern.powers:
        return pattern.base
    for _, power in pattern.powers:
        unit = unit * signal**power
    return unit * pattern.base


FROM = Option("from", "s", "start of the window (default: the first row)")
TO = Option("to", "s", "end of the window (default: the last row)")
WINDOW = (FROM, TO)

_LEVEL = Option("level", "?u", "level (default: 0)", 0.0)
_MEAN_LEVEL = Option("level", "?u", "level (default: the mean)")
_NEEDED_LEVEL = Option("level", "?u", "level", REQUIRED)
_DIRECTION = Option("direction", "", "rising, falling or both", "both", crossings.DIRECTIONS)
_HYSTERESIS = Option("hysteresis", "?u", "what does not count around the level (default: 0)", 0.0)
_STEP = (
    Option("initial", "?u", "y_0 (default: the value at the start of the window)"),
    Option("final", "?u", "y_f (default: the value at the end of the window)"),
)

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("max", lambda _, y: float(y.max()), "?u", "largest value"),
        Kind("min", lambda _, y: float(y.min()), "?u", "smallest value"),
        Kind("range", lambda _, y: float(np.ptp(y)), "?u", "largest less smallest value"),
        Kind("first", lambda _, y: float(y[0]), "?u", "value at the start"),
        Kind("final", lambda _, y: float(y[-1]), "?u", "value at the end"),
        Kind("at", value_at, "?u", "value at a time", (Option("time", "s", "time", REQUIRED),)),
        Kind("mean", integrals.mean, "?u", "mean over time (1)"),
        Kind("rms", integrals.rms, "?u", "root of the mean square (2)"),
        Kind("std", integrals.std, "?u", "standard deviation (3)"),
        Kind("variation", integrals.variation, "?u", "total variation (4)"),
        Kind("integral", integrals.integral, "?u*s", "integral (5)"),
        Kind("iae", integrals.iae, "?u*s", "integral of the absolute value (6)"),
        Kind("ise", integrals.ise, "?u^2*s", "integral of the square (7)"),
        Kind("itae", integrals.itae, "?u*s^2", "integral of time and absolute value (8)"),
        Kind("itse", integrals.itse, "?u^2*s^2", "integral of time and square (9)"),
        Kind("overshoot", steps.overshoot, "1", "overshoot of a step (11)", _STEP),
        Kind("undershoot", steps.undershoot, "1", "undershoot of a step (12)", _STEP),
        Kind(
            "rise_time", steps.rise_time, "s", "rise time of a step (13)",
            (
                Option("low", "1", "first level (default: 10 %)", 0.1),
                Option("high", "1", "second level (default: 90 %)", 0.9),
                *_STEP,
            ),
        ),
        Kind("delay_time", steps.delay_time, "s", "time to half of a step (14)", _STEP),
        Kind("peak_time", steps.peak_time, "s", "time of the peak of a step (15)", _STEP),
        Kind(
            "settling_time", steps.settling_time, "s", "settling time of a step (16)",
            (
                Option("band", "1", "part of the step (default: 2 %)", 0.02),
                Option("within", "?u", "band in the unit of the signal, instead of a part"),
                *_STEP,
            ),
        ),
        Kind(
            "steady_error", steps.steady_error, "?u", "target less final value (17)",
            (Option("target", "?u", "target", REQUIRED),),
        ),
        Kind("time_above", integrals.time_above, "s", "time above a level", (_NEEDED_LEVEL,)),
        Kind("time_below", integrals.time_below, "s", "time below a level", (_NEEDED_LEVEL,)),
        Kind(
            "crossings", crossings.crossings, "1", "number of crossings of a level (18)",
            (_LEVEL, _DIRECTION, _HYSTERESIS),
        ),
        Kind(
            "crossing_time", crossings.crossing_time, "s", "time of the first crossing",
            (_LEVEL, _DIRECTION, _HYSTERESIS),
        ),
        Kind(
            "period", crossings.period, "s", "mean time between rising crossings (19)",
            (_MEAN_LEVEL, _HYSTERESIS),
        ),
        Kind(
            "frequency", crossings.frequency, "Hz", "1 / period",
            (_MEAN_LEVEL, _HYSTERESIS),
        ),
    )
}  # fmt: skip
"""All measures by name."""
