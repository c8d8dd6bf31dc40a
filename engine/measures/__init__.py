"""Measures of signals: one small documented set for limits, summaries, objectives and tests."""

from .curve import Curve, NoValue
from .limit import Limit, parse_limits
from .measure import Measure, Measured, parse_measure
from .table import KINDS

__all__ = [
    "KINDS", "Curve", "Limit", "Measure", "Measured", "NoValue", "parse_limits", "parse_measure",
]  # fmt: skip
