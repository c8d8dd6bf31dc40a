"""A test of a diagram as it is written: values, and limits, a baseline, or a message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import Position
from ..measures.limit import Limit
from ..text.nodes import Node
from ..units.quantity import Quantity

ENDING = ".test.yaml"


ZERO = Quantity(0.0)


@dataclass(frozen=True)
class Tolerance:
    """How far a run may be from its baseline, in value and in time.

    `absolute` is in the unit of the signal, `leading` and `lagging` are in seconds.
    """

    absolute: Quantity = ZERO
    relative: float = 0.0
    leading: float = 0.0
    lagging: float = 0.0


@dataclass(frozen=True)
class Baseline:
    """A file that holds how signals were, with a tolerance for each."""

    path: str
    position: Position
    signals: Mapping[str, Tolerance]


@dataclass(frozen=True)
class Case:
    """One test: a diagram with values, and all that its run must meet."""

    name: str
    position: Position
    diagram: str
    values: Mapping[str, Node]
    limits: tuple[tuple[Position, Limit], ...] = ()
    baseline: Baseline | None = None
    fails: str = ""

    @property
    def signals(self) -> tuple[str, ...]:
        """The signals that its checks need."""
        named = [name for _, limit in self.limits for name in limit.signals]
        return tuple(dict.fromkeys([*named, *(self.baseline.signals if self.baseline else ())]))


@dataclass(frozen=True)
class CaseFile:
    """All tests of one file."""

    path: str
    cases: tuple[Case, ...]
