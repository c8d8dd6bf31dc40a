"""A checkpoint: a run as it was at one time, with the values that were in force then."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..analysis.checking import Checked
from ..errors import DiagramError
from ..memory import layout as sections
from ..units import UnitError, parse_quantity, parse_unit

VALUES = ("present", "checkpoint")
"""Whose parameters are in force after going back."""


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """Memory, parameters and computing time (s) of a run; random streams lie in the memory.

    `rows` says how many log rows the run has returned by then.
    """

    memory: np.ndarray
    checked: Checked
    wall: float = 0.0
    rows: int = 0

    @property
    def time(self) -> float:
        return float(self.memory[sections.T])

    @property
    def knows_stop(self) -> bool:
        """Whether the end of the run has bounded a step."""
        return bool(self.memory[sections.NEAR_STOP] != 0.0)


def in_seconds(time: float | str) -> float:
    """A time as a number of seconds, or as text with a unit, such as `500 ms`."""
    second = parse_unit("s")
    try:
        quantity = parse_quantity(time) if isinstance(time, str) else None
        if quantity is not None:
            quantity.to(second)  # refuses another dimension
        number = float(time) if quantity is None else quantity.nearest(second)
    except (UnitError, ValueError) as error:
        raise DiagramError(f"the time {time!r} cannot be read: {error}") from None
    if not math.isfinite(number):
        raise DiagramError(f"the time {time!r} is not finite; expected a time of the run")
    return float(number)
