"""Scalars of YAML 1.2 (core schema): how plain text becomes a value, and a value text.

PyYAML follows YAML 1.1, where `1e-3` is text, `no` is false, `012` is ten and `1:30` is ninety.
A diagram means what its reader sees: `1e-3` is a number and everything else in that list
is text or a decimal number.
"""

from __future__ import annotations

import math
import re

ScalarValue = str | int | float | bool | None

LARGEST_INTEGER_DIGITS = 300

_WORDS: dict[str, ScalarValue] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **{sign + word: math.inf for sign in ("", "+") for word in (".inf", ".Inf", ".INF")},
    **{"-" + word: -math.inf for word in (".inf", ".Inf", ".INF")},
}
_WORD_LENGTH = max(map(len, _WORDS))
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_NUMBER_STARTS = frozenset("0123456789+-.")
PLAIN_STARTS = _NUMBER_STARTS | {word[0] for word in _WORDS if word}  # all others start text

# Text of these characters may stand unquoted; everything else is quoted to be safe.
_START = r"[A-Za-z0-9_.+\-/($]"
_INSIDE = r"A-Za-z0-9_.+\-*/^()<>=%$°·µμΩ ;'~|&!?@\\"
_PLAIN = {
    True: re.compile(rf"{_START}[{_INSIDE}]*"),
    False: re.compile(rf"{_START}[{_INSIDE}:,\[\]{{}}]*"),
}
_AMBIGUOUS = re.compile(r"-(?: |$)|.*(?::(?: |$)| $)|---|\.\.\.")


class NumberTooLarge(ValueError):
    """A number that no float64 can hold."""


def plain_value(text: str) -> ScalarValue:
    """The value of an unquoted scalar; raises `NumberTooLarge` beyond float64."""
    if len(text) <= _WORD_LENGTH and text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if _DECIMAL.fullmatch(text):
        if len(text) > LARGEST_INTEGER_DIGITS:
            raise NumberTooLarge
        return int(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if math.isinf(number):
            raise NumberTooLarge
        return number
    if _OTHER_BASE.fullmatch(text):
        if len(text) > LARGEST_INTEGER_DIGITS * 5 // 6:
            raise NumberTooLarge
        return int(text, 0)
    return text


def number_text(number: float | int | bool) -> str:
    """The shortest plain text that reads back as the same number: 2.0 is `2.0`, inf is `.inf`."""
    if isinstance(number, bool):
        return "true" if number else "false"
    if isinstance(number, int):
        return str(number)
    if math.isnan(number):
        return ".nan"
    if math.isinf(number):
        return ".inf" if number > 0 else "-.inf"
    return repr(number)


def is_plain(text: str, flow: bool = True) -> bool:
    """Whether text can stand unquoted, inside `{}` or `[]` (flow) or in a line of its own."""
    return _PLAIN[flow].fullmatch(text) is not None and _AMBIGUOUS.match(text) is None


def scalar_text(value: ScalarValue, text: str, flow: bool = True, quoted: bool = False) -> str:
    """A scalar as it is written: plain if that reads back as the same value, unless `quoted`."""
    if value is None:
        return "~"
    if not isinstance(value, str):
        return text
    if not quoted and is_plain(text, flow) and _reads_as_text(text):
        return text
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(character: str) -> str:
    if character in '\\"':
        return "\\" + character
    if character == "\n":
        return "\\n"
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def _reads_as_text(text: str) -> bool:
    try:
        return isinstance(plain_value(text), str)
    except NumberTooLarge:
        return False
