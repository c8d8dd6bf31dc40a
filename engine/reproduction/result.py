"""What reproducing a paper gives: a row per quantity, and figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any

Value = float | str | None
GOAL = "goal of this project"


Band = tuple[float, float]


@dataclass(frozen=True)
class Row:
    """One quantity of a table "paper / ours".

    `paper` is what the paper prints or says, `reference` what comes from elsewhere: a closed form,
    other code, a goal of this project. `source` tells where that number stands. `band` holds the
    least and the largest of ours over plausible values of what the paper leaves open, and `met` is
    None where there is nothing to compare with.
    """

    quantity: str
    paper: Value
    ours: Value
    unit: str = ""
    met: bool | None = None
    note: str = ""
    _: KW_ONLY
    reference: Value = None
    band: Band | None = None
    source: str = ""

    @classmethod
    def not_compared(
        cls, quantity: str, ours: Value, unit: str = "", note: str = "", **more: Any
    ) -> Row:
        """A quantity for which the paper has no value."""
        return cls(quantity, None, ours, unit, None, note, **more)

    @classmethod
    def at_most(
        cls, quantity: str, paper: float, ours: float, unit: str = "", note: str = "", **more: Any
    ) -> Row:
        """A quantity that may be as large as the paper's and not larger."""
        return cls(quantity, paper, ours, unit, ours <= paper, note, **more)

    @classmethod
    def near(
        cls, quantity: str, paper: float, ours: float, within: float, unit: str, note: str = "",
        **more: Any,
    ) -> Row:  # fmt: skip
        """A quantity that may differ from the paper's by `within`."""
        return cls(quantity, paper, ours, unit, abs(ours - paper) <= within, note, **more)

    @classmethod
    def matching(
        cls, quantity: str, reference: float, ours: float, within: float, unit: str, note: str = "",
        **more: Any,
    ) -> Row:  # fmt: skip
        """A quantity that may differ by `within` from a value that is not the paper's."""
        met = abs(ours - reference) <= within
        return cls(quantity, None, ours, unit, met, note, reference=reference, **more)

    @classmethod
    def goal(
        cls, quantity: str, goal: float, ours: float, unit: str, note: str, least: bool = False
    ) -> Row:
        """A goal of this project: the most that is wanted, or the least."""
        met = ours >= goal if least else ours <= goal
        words = f"at {'least' if least else 'most'} {goal:g}"
        return cls(quantity, None, ours, unit, met, note, reference=words, source=GOAL)


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
