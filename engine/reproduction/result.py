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
