"""Root loci: the eigenvalues of a diagram over one of its parameters.

Eigenvalues of neighbouring values are joined where they are nearest to what the last two values let
expect. Where the real part of a line changes its sign, the value is narrowed by Brent's method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis.checking import Checked, check
from ..declaration.registry import Registry
from ..diagram.assignments import read_quantity
from ..diagram.diagram import Diagram
from ..errors import DiagramError, Position, SimulationError
from ..operating_points.conditions import Conditions
from ..operating_points.point import OperatingPoint
from ..operating_points.trim import steady_state
from ..units.unit import Unit, UnitError
from .linearise import Ends, Linearisation
from .model import LinearModel, as_rates, pairs

VALUES = 61
MOST_VALUES = 100_000
STILL = 1e-7
"""Real part, over the largest eigenvalue, below which a motion neither grows nor decays."""
PRECISION = 1e-11

ModelAt = Callable[[float], LinearModel]


@dataclass(frozen=True)
class Over:
    """Values of a parameter, in the unit that they are written in."""

    path: str
    values: np.ndarray
    unit: Unit | None = None

    def text(self, value: float) -> str:
        """A value as a diagram writes it."""
        return repr(float(value)) if self.unit is None else f"{float(value)!r} {self.unit}"

    def shown(self, value: float) -> str:
        return f"{value:.8g}" if self.unit is None else f"{value:.8g} {self.unit}"


@dataclass(frozen=True)
class Critical:
    """A value at which a motion begins to grow, or to decay, with its eigenvalue there."""

    value: float
    rate: complex
    grows: bool


@dataclass(frozen=True)
class RootLocus:
    """Eigenvalues in 1/s over a parameter: a row for each value, a column for each motion."""

    over: Over
    rates: np.ndarray
    criticals: tuple[Critical, ...]
    model: LinearModel
    warnings: tuple[str, ...] = ()

    @property
    def values(self) -> np.ndarray:
        return self.over.values

    @property
    def critical(self) -> float | None:
        """The lowest value at which a motion begins to grow; None if there is none."""
        return min((c.value for c in self.criticals if c.grows), default=None)

    @property
    def growth(self) -> np.ndarray:
        """The largest real part at each value."""
        return self.rates.real.max(axis=1, initial=-np.inf)

    @property
    def grows(self) -> np.ndarray:
        """At which values some motion grows, beyond what may be rounding."""
        return self.growth > _still(self.rates)

    def data(self) -> dict[str, Any]:
        return {
            "over": self.over.path,
            "unit": str(self.over.unit) if self.over.unit is not None else "",
            "values": self.values.tolist(),
            "eigenvalues": [pairs(row) for row in self.rates],
            "states": list(self.model.states),
            "sample_time": self.model.sample_time,
            "critical": self.critical,
            "criticals": [
                {"value": c.value, "rate": [c.rate.real, c.rate.imag], "grows": c.grows}
                for c in self.criticals
            ],
            "warnings": list(self.warnings),
        }


def read_over(text: str) -> Over:
    """PATH=A..B[:N], as in `speed.value=10..80:36` or `v='36 km/h'..'100 km/h'`."""
    place = Position(f"--over {text}")
    path, equals, span = (part.strip() for part in text.partition("="))
    low, dots, rest = span.partition("..")
    high, colon, number = rest.partition(":")
    if not (equals and dots and path and low.strip() and high.strip()):
        raise DiagramError(f"{text!r} is not a range; expected PATH=A..B or PATH=A..B:N", place)
    count = VALUES
    if colon:
        known = number.strip().isascii() and number.strip().isdigit() and len(number.strip()) < 10
        count = int(number) if known else 0
        if not 2 <= count <= MOST_VALUES:
            raise DiagramError(
                f"{number!r} is not a number of values; expected 2 to {MOST_VALUES}", place
            )
    ends = [read_quantity(part, place) for part in (low, high)]
    unit = next((q.unit for q in reversed(ends) if q.unit is not None), None)
    try:
        numbers = [float(q.to(unit) if unit is not None else q.value) for q in ends]
    except (UnitError, TypeError, ValueError) as error:
        raise DiagramError(str(error), place) from None
    if not all(map(np.isfinite, numbers)) or not numbers[0] < numbers[1]:
        raise DiagramError(f"{span} does not rise; expected A below B", place)
    return Over(path, np.linspace(numbers[0], numbers[1], count), unit)


class ModelsOver:
    """The linear model of a diagram at any value of a parameter.

    With `conditions` it is that of the steady state at this value, sought from the last one; else
    of the start of a run, or of a time of it.
    """

    def __init__(
        self,
        diagram: Diagram,
        over: Over,
        ends: Ends | None = None,
        registry: Registry | None = None,
        at: float | str | None = None,
        conditions: Callable[[Checked], Conditions] | None = None,
        compiled: bool = True,
    ):
        self._diagram, self._over, self._registry = diagram, over, registry
        self._ends, self._at = ends or Ends(), at
        self._conditions, self._compiled = conditions, compiled
        self._checked: Checked | None = None
        self._point: OperatingPoint | None = None
        self._made: Linearisation | None = None

    def __call__(self, value: float) -> LinearModel:
        before = self._checked.analysis if self._checked is not None else None
        text = self._over.text(value)
        checked = check(self._diagram.with_values({self._over.path: text}), self._registry, before)
        self._checked = checked
        try:
            if self._conditions is not None:
                self._point = self._steady(checked)
            self._made = self._renewed(checked)
            return self._made.model()
        except SimulationError as error:
            raise SimulationError(f"{self._over.path} = {text}: {error}") from None

    def _steady(self, checked: Checked) -> OperatingPoint:
        assert self._conditions is not None
        conditions = self._conditions(checked)
        return steady_state(checked, conditions, self._at, self._point, self._compiled).point

    def _renewed(self, checked: Checked) -> Linearisation:
        at = self._at if self._point is None else None
        if self._made is not None:
            try:
                self._made.use(checked, self._point)
                return self._made
            except DiagramError:
                pass  # the value changes the structure
        return Linearisation(checked, self._ends, self._point, at, self._compiled)


def root_locus(
    model_at: ModelAt, over: Over, tell: Callable[[int, int], None] = lambda done, total: None
) -> RootLocus:
    """Eigenvalues over a parameter, joined to lines, and where they begin to grow."""
    rows: list[np.ndarray] = []
    warnings: dict[str, None] = {}
    model: LinearModel | None = None
    for k, value in enumerate(over.values):
        model = model_at(float(value))
        rates = as_rates(model.poles, model.sample_time)
        warnings |= dict.fromkeys(model.warnings)
        if rows and len(rates) != len(rows[-1]):
            raise SimulationError(
                f"{over.path} = {over.text(value)}: there are {len(rates)} states, and "
                f"{len(rows[-1])} at the value before"
            )
        rows.append(_joined(rows, rates))
        tell(k + 1, len(over.values))
    assert model is not None
    lines = np.array(rows)
    found = _criticals(model_at, over, lines)
    return RootLocus(over, lines, tuple(found), model, tuple(warnings))


def _joined(rows: Sequence[np.ndarray], rates: np.ndarray) -> np.ndarray:
    """Eigenvalues in the order of the lines that they go on."""
    from scipy.optimize import linear_sum_assignment

    if not rows:
        return rates
    expected = rows[-1] if len(rows) < 2 else 2.0 * rows[-1] - rows[-2]
    far = np.abs(expected[:, None] - rates[None, :])
    _, order = linear_sum_assignment(np.where(np.isfinite(far), far, 1e300))
    return rates[order]


def _criticals(model_at: ModelAt, over: Over, lines: np.ndarray) -> Iterable[Critical]:
    found: list[Critical] = []
    values = over.values
    still = _still(lines)
    for k in range(len(values) - 1):
        least = max(still[k], still[k + 1])
        for j in range(lines.shape[1]):
            a, b = lines[k, j], lines[k + 1, j]
            if not (a.real * b.real < 0.0 and min(abs(a.real), abs(b.real)) > least):
                continue
            if min(a.imag, b.imag) < 0.0 and max(a.imag, b.imag) <= 0.0:
                continue  # the other one of a pair
            found.append(_narrowed(model_at, (float(values[k]), a), (float(values[k + 1]), b)))
    return sorted(found, key=lambda c: c.value)


def _still(lines: np.ndarray) -> np.ndarray:
    """What counts as neither growing nor decaying, at each value."""
    return STILL * np.abs(np.where(np.isfinite(lines), lines, 0.0)).max(axis=1, initial=0.0)


def _narrowed(
    model_at: ModelAt, low: tuple[float, complex], high: tuple[float, complex]
) -> Critical:
    from scipy.optimize import brentq

    (v_0, a), (v_1, b) = low, high

    def rate(value: float) -> complex:
        model = model_at(value)
        rates = as_rates(model.poles, model.sample_time)
        part = (value - v_0) / (v_1 - v_0)
        return complex(rates[np.argmin(np.abs(rates - (a + part * (b - a))))])

    def growth(value: float) -> float:
        known = {v_0: a, v_1: b}
        return (known[value] if value in known else rate(value)).real

    value = float(brentq(growth, v_0, v_1, xtol=PRECISION * max(abs(v_0), abs(v_1)), rtol=1e-13))
    return Critical(value, rate(value), bool(b.real > 0.0))
