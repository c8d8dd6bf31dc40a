"""Signals of results, and what expressions make of them: `car.v - r*wheel.omega[0]`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ..errors import DiagramError, Position, suggestion
from ..expressions.expression import ExpressionError, parse_expression
from ..runs.results import Results
from ..units.quantity import Quantity
from ..units.unit import Unit, UnitError, parse_unit

MAX_LISTED = 30
_SIGNAL = re.compile(r"[\w.]+(?:\[[0-9, ]+\])?")


@dataclass(frozen=True)
class Series:
    """Numbers over time, straight between them; `held` ones keep their value until the next."""

    name: str
    time: np.ndarray
    values: np.ndarray
    unit: Unit | None = None
    held: bool = False
    file: str = ""

    def at(self, times: np.ndarray) -> np.ndarray:
        """The values at other times; the first and last are kept beyond them."""
        if not self.held:
            return np.interp(times, self.time, self.values)
        return self.values[np.clip(np.searchsorted(self.time, times, "right") - 1, 0, None)]

    def in_unit(self, unit: Unit | None) -> np.ndarray:
        """The values in a unit; those without one pass as they are. Raises `DiagramError`."""
        if unit is None or self.unit is None:
            return self.values
        if not self.unit.same_dimension(unit):
            raise DiagramError(
                f"'{self.name}' is {self.unit.describe()}; expected {unit.describe()}, as in the "
                "other file",
                Position(self.file),
            )
        return np.asarray(Quantity(self.values, self.unit).to(unit))


class SignalScope(Mapping[str, Quantity]):
    """What expressions over results may name: their signals, and values that a user gave.

    Rows are those that are needed between two times. A name with other characters than letters,
    digits, _ and dots is reached with _ for them: the column `Axle 1 speed` is Axle_1_speed.
    """

    def __init__(
        self,
        results: Results,
        given: Mapping[str, Quantity] | None = None,
        start: float = -np.inf,
        stop: float = np.inf,
    ):
        self.results, self.given = results, given or {}
        self.file = results.file or "results"
        self.elements = {name: (signal, column) for name, signal, column in results.elements()}
        short: dict[str, list[str]] = {}
        for name in self.elements:
            short.setdefault(squashed(name), []).append(name)
        self._short = {key: names[0] for key, names in short.items() if len(names) == 1}
        time = results.time
        self._first = max(int(np.searchsorted(time, start, "right")) - 1, 0)
        self._stop = int(np.searchsorted(time, stop, "left")) + 1
        self.time = time[self._first : self._stop]

    def series(self, text: str) -> Series:
        """A signal by its name, or the value of an expression at each time."""
        if self._element_name(text) in self.elements:
            quantity = self[text]
            held = self.elements[self._element_name(text)][0].type is not float
        else:
            quantity, held = self._evaluated(text), False
        values = np.broadcast_to(np.asarray(quantity.value, dtype=float), self.time.shape)
        return Series(text, self.time, values, quantity.unit, held, self.file)

    def _evaluated(self, text: str) -> Quantity:
        try:
            expression = parse_expression(text, True)
            for name in sorted(expression.names):
                if name not in self:
                    raise self._unknown(name)
            return expression.evaluate(self)
        except ExpressionError as error:
            raise DiagramError(f"in '{text}': {error.message}", Position(self.file)) from None

    def _element_name(self, name: str) -> str:
        """The full name of an element, from a name in an expression; other names stay."""
        if name in self.elements or not _SIGNAL.fullmatch(name):
            return name
        return self._short.get(squashed(name), name)

    def _unknown(self, name: str) -> DiagramError:
        position = Position(self.file)
        if name in self.results.signals:
            size = self.results.signals[name].size
            return DiagramError(f"'{name}' has {size} elements; name one, as {name}[0]", position)
        if reason := self.results.meta.get("left_out", {}).get(name):
            return DiagramError(f"'{name}' cannot be used: {reason}", position)
        known = list(self.elements)
        more = f" and {len(known) - MAX_LISTED} more" if len(known) > MAX_LISTED else ""
        return DiagramError(
            f"there is no signal '{name}'{suggestion(name, known)}; "
            f"there are {', '.join(known[:MAX_LISTED]) or 'none'}{more}",
            position,
        )

    def __getitem__(self, name: str) -> Quantity:
        if name in self.given:
            return self.given[name]
        signal, column = self.elements[self._element_name(name)]
        values = self.results.rows.read(column, 1, self._first, self._stop)[:, 0]
        wrong = np.flatnonzero(~np.isfinite(values))
        if len(wrong):
            raise DiagramError(
                f"'{name}' is {values[wrong[0]]:g} at t = {self.time[wrong[0]]:g} s and in "
                f"{len(wrong)} of {len(values)} rows; fill or remove them, or choose other times",
                Position(self.file),
            )
        try:
            return Quantity(values, parse_unit(signal.unit) if signal.unit else None)
        except UnitError as error:
            raise DiagramError(f"'{name}': {error}", Position(self.file)) from None

    def __contains__(self, name: object) -> bool:
        return name in self.given or (
            isinstance(name, str) and self._element_name(name) in self.elements
        )

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self.given, *self.elements]))

    def __len__(self) -> int:
        return len(self.given.keys() | self.elements.keys())


def squashed(name: str) -> str:
    """A name as it can be written in an expression."""
    return re.sub(r"\W+", "_", name).strip("_")
