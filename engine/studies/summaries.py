"""Summaries of runs: measures of signals, evaluated over the rows of a run as soon as it ends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import DiagramError, Position, RailblocksError
from ..expressions.tree import ExpressionError
from ..measures import Curve, Measure, NoValue, parse_measure
from ..measures.meaning import value_of
from ..model.signals import LoggedSignal
from ..units.unit import ONE, Unit, parse_unit
from .logged import Column, column_of


def read_summaries(
    given: Iterable[str] | Mapping[str, str], option: str = "--summary"
) -> tuple[Measure, ...]:
    """Measures from `peak = max(motor.i)`, or by name; raises DiagramError."""
    texts = (
        [f"{name} = {text}" for name, text in given.items()]
        if isinstance(given, Mapping)
        else list(given)
    )
    measures = tuple(_read(text, option) for text in texts)
    names = [name_of(measure) for measure in measures]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DiagramError(f"two summaries are named '{twice[0]}'", Position(option))
    return measures


def _read(text: str, option: str) -> Measure:
    try:
        return parse_measure(text)
    except DiagramError as error:
        raise DiagramError(str(error), Position(option)) from None


def name_of(measure: Measure) -> str:
    """The name that was given, or the text."""
    return measure.name or measure.text


@dataclass(frozen=True)
class Summaries:
    """Measures over rows with certain columns; made once for a structure."""

    measures: tuple[Measure, ...]
    columns: Mapping[str, Column]
    units: Mapping[str, Unit]

    @classmethod
    def over(cls, measures: Sequence[Measure], signals: Sequence[LoggedSignal]) -> Summaries:
        """Raises DiagramError for signals that are not logged, or units that do not fit."""
        names = dict.fromkeys(name for measure in measures for name in measure.signals)
        columns = {name: column_of(signals, name) for name in names}
        units = {name: column.unit for name, column in columns.items()}
        for measure in measures:
            measure.unit(units)
        parsed = {name: parse_unit(unit) if unit else ONE for name, unit in units.items()}
        return cls(tuple(measures), columns, parsed)

    @property
    def signal_units(self) -> dict[str, str]:
        return {name: column.unit for name, column in self.columns.items()}

    def of(self, rows: np.ndarray) -> tuple[list[float], str]:
        """The values for the rows of a run; nan where there is none, and why."""
        time = rows[:, 0]
        curves = {
            name: Curve(time, rows[:, column.index], self.units[name], column.held)
            for name, column in self.columns.items()
        }
        values, reason = [], ""
        for measure in self.measures:
            try:
                values.append(float(value_of(measure.tree, measure.parts, curves).value))
            except (ExpressionError, NoValue) as error:
                values.append(math.nan)
                reason = reason or f"{name_of(measure)}: {error}"
            except RailblocksError as error:
                values.append(math.nan)
                reason = reason or f"{name_of(measure)}: {error}"
        return values, reason
