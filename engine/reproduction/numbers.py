"""Values of a comparison as text: enough digits to compare, and no more."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from .result import Row, Value

FEWEST_DIGITS, MOST_DIGITS = 4, 8
SMALLEST, LARGEST = 1e-4, 1e7
COLUMNS = ("quantity", "paper", "reference", "ours", "band", "unit", "met", "source", "note")
TO_COMPARE = ("paper", "reference", "ours", "band")
"""Columns of values."""
VERDICTS = {None: "", True: "yes", False: "NO"}


def cells(row: Row) -> dict[str, str]:
    """Texts of a row by column: values to compare with as they are printed, ours a digit longer."""
    digits = FEWEST_DIGITS
    for value in (row.paper, row.reference):
        if isinstance(value, float):
            digits = min(max(digits, _digits(value) + 1), MOST_DIGITS)
    return {
        "quantity": row.quantity,
        "paper": number(row.paper, 12),
        "reference": number(row.reference, 12),
        "ours": number(row.ours, digits),
        "band": "" if row.band is None else " to ".join(number(v) for v in row.band),
        "unit": row.unit,
        "met": VERDICTS[None if row.met is None else bool(row.met)],
        "source": row.source,
        "note": row.note,
    }


def columns(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Names of the columns in which any of the rows has a text."""
    return [name for name in COLUMNS if any(row[name] for row in rows)]


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


def summary(rows: Sequence[Row]) -> str:
    """`9 of 10 of the paper met, 2 of 2 others`, and how many were not compared."""
    compared = [row for row in rows if row.met is not None]
    if not compared:
        return "nothing to compare with"
    printed = [row for row in compared if row.reference is None]
    others = [row for row in compared if row.reference is not None]
    parts = []
    if printed:
        parts.append(f"{_met(printed)} of the paper met")
    if others:
        parts.append(f"{_met(others)} {'other references' if printed else 'references met'}")
    if len(rows) > len(compared):
        parts.append(f"{len(rows) - len(compared)} without a value to meet")
    return ", ".join(parts)


def _met(rows: Sequence[Row]) -> str:
    return f"{sum(bool(row.met) for row in rows)} of {len(rows)}"


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
