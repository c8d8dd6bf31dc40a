"""Limits on measures: `max(motor.i) < 10 A`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ..errors import DiagramError
from ..expressions.tree import Comparison, Operation, Tree
from ..model.signals import SignalTable
from .grammar import read_sides
from .measure import Measure, Measured, read

EXAMPLE = "max(motor.i) < 10 A"
_HOLDS: dict[str, Callable[[float], bool]] = {
    "<": lambda margin: margin > 0.0,
    ">": lambda margin: margin > 0.0,
    "<=": lambda margin: margin >= 0.0,
    ">=": lambda margin: margin >= 0.0,
    "==": lambda margin: margin == 0.0,
    "!=": lambda margin: margin > 0.0,
}


@dataclass(frozen=True, eq=False)
class Limit:
    """A relation that a run has to meet; either side may be any expression of measures."""

    text: str
    left: Measure
    relation: str
    right: Measure

    @property
    def signals(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.left.signals, *self.right.signals)))

    @cached_property
    def margin(self) -> Measure:
        """How far inside the limit a run is, as a measure; negative outside.

        For `==` it is 0 or negative, for `!=` 0 or positive.
        """
        left, right = self.left.tree, self.right.tree
        if self.relation in ("<", "<="):
            tree = _operation("-", right, left)
        else:
            tree = _operation("-", left, right)
        if self.relation in ("==", "!="):
            tree = _operation("abs", tree)
        if self.relation == "==":
            tree = _operation("neg", tree)
        return Measure(self.text, tree, self.left.parts)

    def unit(self, units: Mapping[str, str]) -> str:
        """The unit of both sides and of the margin; raises `DiagramError` where they differ."""
        return self.margin.unit(units)

    def holds(self, results: SignalTable) -> bool:
        """Whether a run meets it; it does not where a side has no value."""
        return self.met(self.margin.of(results))

    def met(self, margin: Measured) -> bool:
        """Whether a margin means that it holds."""
        return not math.isnan(margin.value) and _HOLDS[self.relation](margin.value)

    def __str__(self) -> str:
        return self.text


def parse_limits(text: str) -> tuple[Limit, ...]:
    """Reads `max(motor.i) < 10 A`, or a chain, as several limits; raises `DiagramError`."""
    whole = read(text)
    if not isinstance(whole.tree, Comparison):
        raise DiagramError(f"'{text}' is not a limit; expected for example {EXAMPLE}")
    if not whole.parts.calls:
        raise DiagramError(f"'{text}' measures no signal; expected for example {EXAMPLE}")
    texts = read_sides(whole.text)
    sides = [
        Measure(side, tree, whole.parts)
        for side, tree in zip(texts, whole.tree.operands, strict=True)
    ]
    return tuple(
        Limit(f"{left} {relation} {right}", left, relation, right)
        for left, relation, right in zip(sides, whole.tree.symbols, sides[1:], strict=False)
    )


def _operation(symbol: str, *operands: Tree) -> Operation:
    depth = 1 + max(operand.depth for operand in operands)
    return Operation(symbol, operands, operands[0].column, depth)
