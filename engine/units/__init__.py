"""Units, and values that carry them."""

from .quantity import Quantity, parse_quantity
from .unit import Unit, UnitError, UnitPattern, parse_pattern, parse_unit

__all__ = [
    "Quantity", "Unit", "UnitError", "UnitPattern", "parse_pattern", "parse_quantity", "parse_unit",
]  # fmt: skip
