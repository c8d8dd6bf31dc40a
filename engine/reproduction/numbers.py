"""Values of a comparison as text: enough digits to compare, and no more."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .result import Row, Value

FEWEST_DIGITS, MOST_DIGITS = 4, 8
SMALLEST, LARGEST = 1e-4, 1e7


def texts(row: Row) -> tuple[str, str]:
    """The paper's value as it was printed there, and ours with one digit more."""
    digits = FEWEST_DIGITS
    if isinstance(row.paper, float):
        digits = min(max(FEWEST_DIGITS, _digits(row.paper) + 1), MOST_DIGITS)
    return number(row.paper, 12), number(row.ours, digits)


def number(value: Value, digits: int = FEWEST_DIGITS) -> str:
    """A value with some significant digits; an exponent only if it is very small or large."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return str(value)
    if not math.isfinite(value) or value == 0.0:
        return f"{value + 0.0:g}"  # -0 is 0
    if not SMALLEST <= abs(value) < LARGEST:
        mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{power}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def verdict(met: bool | None) -> str:
    """The column `met` of a row."""
    return "" if met is None else "yes" if met else "NO"


def summary(rows: Sequence[Row]) -> str:
    """`9 of 10 met`, and how many were not compared."""
    compared = [row for row in rows if row.met is not None]
    met = sum(bool(row.met) for row in compared)
    open_rows = len(rows) - len(compared)
    text = f"{met} of {len(compared)} met" if compared else "nothing to compare with"
    return f"{text}, {open_rows} without a value to meet" if compared and open_rows else text


def aligned(values: Sequence[str]) -> list[str]:
    """Texts of one column, numbers with their decimal points below each other."""
    before = [_before_point(value) for value in values]
    width = max(before, default=0)
    return [" " * (width - n) + v if n else v for n, v in zip(before, values, strict=True)]


def _before_point(text: str) -> int:
    """Number of characters before the decimal point; 0 if the text is not a number."""
    try:
        float(text)
    except ValueError:
        return 0
    return len(text.partition("e")[0].partition(".")[0])


def _digits(value: float) -> int:
    """Number of significant digits of a number as it is written shortest."""
    mantissa = f"{value:.11e}".partition("e")[0]
    return len(mantissa.lstrip("-").replace(".", "").rstrip("0"))
