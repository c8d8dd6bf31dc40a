"""Measures of signals as text: `peak = max(motor.i)`, `iae(error.y, from=1 s) / 2`.

measure = parse_measure("peak = max(motor.i)")
measure.signals                     # ("motor.i",): what a run has to log
measure.unit({"motor.i": "A"})      # "A"
measure.value(results)              # a float in that unit; nan where there is none
measure.of(results).reason          # why there is none
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import DiagramError
from ..expressions.tree import ExpressionError, Name, Tree, is_truth, walk
from ..model.signals import SignalTable
from ..units.unit import ONE, Unit, UnitError, parse_unit
from .curve import Curve, NoValue
from .grammar import Parts, read_measures
from .meaning import unit_of, value_of

_NAMED = re.compile(r"\s*(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*=(?!=)(?P<rest>.*)", re.DOTALL)
EXAMPLE = "max(motor.i)"


@dataclass(frozen=True)
class Measured:
    """The value of a measure, and its unit; where it is nan, `reason` says why."""

    value: float
    unit: str
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.value:.6g}" + (f" {self.unit}" if self.unit != "1" else "")


@dataclass(frozen=True, eq=False)
class Measure:
    """An expression of measures of signals; `name` is empty if none was given."""

    text: str
    tree: Tree
    parts: Parts
    name: str = ""

    @cached_property
    def signals(self) -> tuple[str, ...]:
        """The signals that it needs, as they are written: `error.y[0]`."""
        return tuple(dict.fromkeys(_signals(self.tree, self.parts)))

    def unit(self, units: Mapping[str, str]) -> str:
        """Its unit, from those of the signals; raises `DiagramError` where units do not fit."""
        return str(self._unit({name: unit_named(text) for name, text in units.items()}))

    def value(self, results: SignalTable) -> float:
        """Its value in the unit that `unit` says; nan where there is none."""
        return self.of(results).value

    def of(self, results: SignalTable) -> Measured:
        """Its value with unit, or why there is none; raises `DiagramError` for unknown signals."""
        return self.of_curves({name: curve_of(results, name) for name in self.signals})

    def of_curves(self, curves: Mapping[str, Curve]) -> Measured:
        """Its value for signals by name, all with the same times."""
        unit = self._unit({name: curve.unit for name, curve in curves.items()})
        try:
            value = value_of(self.tree, self.parts, curves).value
        except (ExpressionError, NoValue) as error:
            return Measured(math.nan, str(unit), str(error))
        return Measured(float(value), str(unit))

    def _unit(self, units: Mapping[str, Unit]) -> Unit:
        try:
            return unit_of(self.tree, self.parts, units).unit or ONE
        except (ExpressionError, UnitError) as error:
            raise DiagramError(f"in '{self.text}': {error}") from None

    def __str__(self) -> str:
        return f"{self.name} = {self.text}" if self.name else self.text


def parse_measure(text: str) -> Measure:
    """Reads `max(motor.i)` or `peak = max(motor.i)`; raises `DiagramError`."""
    named = _NAMED.fullmatch(text)
    measure = read(named["rest"] if named else text, named["name"] if named else "")
    if is_truth(measure.tree):
        raise DiagramError(f"'{text}' is true or false; expected a number, as in {EXAMPLE}")
    if not measure.parts.calls:
        raise DiagramError(f"'{text}' measures no signal; expected for example {EXAMPLE}")
    return measure


def read(text: str, name: str = "") -> Measure:
    """Any expression of measures; raises `DiagramError` with the column."""
    text = text.strip()
    try:
        tree, parts = read_measures(text)
    except ExpressionError as error:
        raise DiagramError(f"in '{text}', column {error.column}: {error.message}") from None
    return Measure(text, tree, parts, name)


def curve_of(results: SignalTable, name: str) -> Curve:
    """A scalar signal of results by its name; raises `DiagramError`."""
    signal, _ = results.find(name)
    values = results[name]
    if values.ndim != 1:
        raise DiagramError(
            f"'{name}' has {math.prod(values.shape[1:])} elements; name one, as {signal.name}[0]"
        )
    return Curve(
        results.time,
        np.asarray(values, dtype=float),
        unit_named(signal.unit),
        held=signal.type is not float,
    )


def unit_named(text: str) -> Unit:
    """A unit of a signal; one without is a plain number."""
    try:
        return parse_unit(text) if text else ONE
    except UnitError as error:
        raise DiagramError(str(error)) from None


def _signals(tree: Tree, parts: Parts) -> list[str]:
    names = []
    for node in walk(tree):
        if isinstance(node, Name) and node.name in parts.signals:
            names.append(node.name)
        elif isinstance(node, Name) and node.name in parts.calls:
            call = parts.calls[node.name]
            inside = (call.signal, *(o for o in call.options.values() if not isinstance(o, str)))
            names.extend(name for part in inside for name in _signals(part, parts))
    return names
