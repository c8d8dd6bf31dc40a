"""What reproducing a paper gives: a row per quantity, and figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Value = float | str | None


@dataclass(frozen=True)
class Row:
    """One quantity; `met` is None where the paper gives nothing to compare with."""

    quantity: str
    paper: Value
    ours: Value
    unit: str = ""
    met: bool | None = None
    note: str = ""

    @classmethod
    def not_compared(cls, quantity: str, ours: Value, unit: str = "", note: str = "") -> Row:
        """A quantity for which the paper has no value."""
        return cls(quantity, None, ours, unit, None, note)

    @classmethod
    def at_most(
        cls, quantity: str, paper: float, ours: float, unit: str = "", note: str = ""
    ) -> Row:
        """A quantity that may be as large as the paper's and not larger."""
        return cls(quantity, paper, ours, unit, ours <= paper, note)

    @classmethod
    def near(
        cls, quantity: str, paper: float, ours: float, within: float, unit: str, note: str = ""
    ) -> Row:
        """A quantity that may differ by `within`."""
        return cls(quantity, paper, ours, unit, abs(ours - paper) <= within, note)

    @classmethod
    def goal(
        cls, quantity: str, goal: float, ours: float, unit: str, note: str, least: bool = False
    ) -> Row:
        """A goal of this project, not of the paper: the most that is wanted, or the least."""
        met = ours >= goal if least else ours <= goal
        return cls(quantity, f"goal {goal:g}", ours, unit, met, note)


@dataclass(frozen=True)
class Figure:
    """A figure of the report; `draw` gets an empty matplotlib figure."""

    name: str
    caption: str
    draw: Callable[[Any], None]
    size: tuple[float, float] = (8.0, 5.0)


@dataclass(frozen=True)
class Reproduction:
    """A paper's table "paper / ours" and the figures beside it."""

    title: str
    source: str
    rows: tuple[Row, ...]
    figures: tuple[Figure, ...] = ()
