"""Parameters that are fitted: their start, bounds and unit, and the scale on which they are sought.

    z = x / |x_start|, or z = ln(x / x_start) for one sought by its logarithm      (1)

so that steps in all z are of one size, whatever the size of x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..declaration import Param
from ..declaration.registry import Registry
from ..diagram.assignments import read_quantity
from ..diagram.diagram import Diagram, written_value
from ..errors import DiagramError, Position, Problem
from ..text.nodes import Node, Scalar
from ..units.quantity import Quantity, parse_quantity
from ..units.unit import Unit, UnitError, parse_pattern

DIGITS = 9
LARGEST_EXPONENT = 700.0


@dataclass(frozen=True)
class Tunable:
    """A parameter by its path; numbers are in `unit`, or in `declared` where none is written."""

    path: str
    start: float
    low: float = -math.inf
    high: float = math.inf
    unit: Unit | None = None
    declared: str = ""
    log: bool = False

    @property
    def size(self) -> float:
        span = self.high - self.low
        return abs(self.start) or (span if math.isfinite(span) else 1.0)

    def sought(self, x: float) -> float:
        """The number that the search changes, for a value x: (1)."""
        if not self.log:
            return x / self.size
        return -math.inf if x == 0.0 else math.log(x / self.start) if x < math.inf else math.inf

    def value(self, z: float) -> float:
        """The value for a number z of the search, rounded as it is written, inside the bounds."""
        x = self.start * math.exp(min(z, LARGEST_EXPONENT)) if self.log else z * self.size
        return min(max(float(f"{x:.{DIGITS}g}"), self.low), self.high)

    def slope(self, x: float) -> float:
        """dx/dz."""
        return x if self.log else self.size

    def text(self, x: float) -> str:
        """A value as a diagram writes it."""
        return f"{x:.{DIGITS}g}" if self.unit is None else f"{x:.{DIGITS}g} {self.unit}"


def read_tunable(
    text: str, diagram: Diagram, registry: Registry, log: bool = False, option: str = ""
) -> Tunable:
    """NAME[=START][:LOW..HIGH]; raises `DiagramError`.

    Numbers without unit are in the unit that the diagram writes for this value.
    """
    option = option or f"--parameter {text}"
    named, colon, bounds = text.partition(":")
    path, equals, start_text = (part.strip() for part in named.partition("="))
    param = _declaration(path, diagram, registry, option)
    node, _ = written_value(diagram, path)
    known = _as_written(node, param)
    start = _number(start_text, option) if equals else known
    if start is None:
        raise DiagramError(
            f"{path} is not a single number with or without unit in the diagram; give a start, "
            f"as in {path}=1",
            Position(option),
        )
    written = known.unit if known else None
    _in_unit(start, written, option)
    unit = start.unit or written
    low, high = _declared_bounds(param, unit)
    if colon:
        texts = bounds.partition("..")
        if not texts[1]:
            raise DiagramError(f"{bounds!r} are not bounds; expected LOW..HIGH", Position(option))
        low, high = (_in_unit(_number(t, option), unit, option) for t in texts[::2])
    x = _in_unit(start, unit, option)
    if not (low < high and low <= x <= high):
        message = f"the start {x:g} is not between {low:g} and {high:g}"
        expected = "; expected LOW <= START <= HIGH"
        if not low < high:
            raise DiagramError(
                f"the range from {low:g} to {high:g} is empty; expected LOW < HIGH",
                Position(option),
            )
        raise StartOutside(message + expected, Position(option), low, high, str(unit or ""))
    if log and not (x > 0.0 and high > 0.0):
        raise DiagramError(
            f"the start {x:g} is not positive; --log {path} needs one that is", Position(option)
        )
    declared = param.unit if param is not None and "?" not in param.unit else ""
    return Tunable(path, x, max(low, 0.0) if log else low, high, unit, declared, log)


def read_range(text: str, diagram: Diagram, registry: Registry, option: str = "--over") -> Tunable:
    """NAME=[START:]LOW..HIGH[:log]; raises `DiagramError`.

    The search begins at START, else at the diagram's value if it lies inside, else in the middle.
    """
    where = Position(f"{option} {text}")
    path, equals, rest = (part.strip() for part in text.partition("="))
    *parts, last = (part.strip() for part in rest.split(":"))
    log = last == "log"
    parts = parts if log else [*parts, last]
    if not equals or len(parts) not in (1, 2) or parts[-1].count("..") != 1:
        raise DiagramError(
            f"{text!r} is not a range; expected PATH=LOW..HIGH, or PATH=START:LOW..HIGH:log", where
        )
    given = f"{path}={parts[0]}" if len(parts) == 2 else path
    try:
        return read_tunable(f"{given}:{parts[-1]}", diagram, registry, log, str(where))
    except StartOutside as outside:
        if len(parts) == 2:
            raise
        low, high, unit = outside.low, outside.high, outside.unit
    middle = math.sqrt(low * high) if log and low > 0.0 else 0.5 * (low + high)
    given = f"{path}={middle:.{DIGITS}g} {unit}".rstrip()
    return read_tunable(f"{given}:{parts[-1]}", diagram, registry, log, str(where))


class StartOutside(DiagramError):
    """The start of a search does not lie between its bounds, which are in `unit`."""

    def __init__(self, message: str, position: Position, low: float, high: float, unit: str):
        super().__init__(message, position)
        self.low, self.high, self.unit = low, high, unit


def _declaration(path: str, diagram: Diagram, registry: Registry, option: str) -> Param | None:
    """What the block declares, a real number; None for parameters of diagrams."""
    try:
        diagram.with_values({path: 1.0})
    except DiagramError as error:
        raise DiagramError([Problem(Position(option), p.message) for p in error.problems]) from None
    first, dot, _ = path.partition(".")
    if dot and first not in diagram.blocks:
        raise DiagramError(f"{path} is a setting; only parameters can be fitted", Position(option))
    block = registry.get(written_value(diagram, path)[1])
    param = block.declaration.params.get(path.rpartition(".")[2]) if block else None
    if param is not None and param.type is not float:
        raise DiagramError(
            f"{path} is not a real number; only those can be fitted", Position(option)
        )
    return param


def _as_written(node: Node | None, param: Param | None) -> Quantity | None:
    """The number in the diagram, or the default of the block; None for anything else."""
    if node is None:
        default = None if param is None or param.required else param.default
        return Quantity(float(default)) if isinstance(default, int | float) else None
    if not isinstance(node, Scalar) or isinstance(node.value, bool):
        return None
    if isinstance(node.value, int | float):
        return Quantity(float(node.value))
    try:
        return parse_quantity(node.text)
    except UnitError:
        return None


def _number(text: str, option: str) -> Quantity:
    quantity = read_quantity(text, Position(option))
    if np.ndim(quantity.value) or not np.isfinite(quantity.value):
        raise DiagramError(f"{text.strip()!r} is not a finite number", Position(option))
    return quantity


def _in_unit(quantity: Quantity, unit: Unit | None, option: str) -> float:
    try:
        return float(quantity.to(unit) if unit is not None else quantity.value)
    except UnitError as error:
        raise DiagramError(str(error), Position(option)) from None


def _declared_bounds(param: Param | None, unit: Unit | None) -> tuple[float, float]:
    """What the block allows, in `unit`."""
    if param is None or parse_pattern(param.unit).powers:
        return -math.inf, math.inf
    declared, bounds = parse_pattern(param.unit).base, param.bounds
    lows = [b for b in (bounds.gt, bounds.ge) if b is not None]
    highs = [b for b in (bounds.lt, bounds.le) if b is not None]
    low, high = max(lows, default=-math.inf), min(highs, default=math.inf)
    if unit is None or not unit.same_dimension(declared):
        return low, high
    return float(Quantity(low, declared).to(unit)), float(Quantity(high, declared).to(unit))
