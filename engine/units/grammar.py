"""The grammar of units: `N*m/s^2` to symbols and powers, and back.

    term:    factor (('*' | '/') factor)*
    factor:  (symbol | '1' | '(' term ')') ['^' exponent]

A symbol is one of the table (`unit_table`), or a variable `?u` of a pattern.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from ..errors import RailblocksError, suggestion
from .table import OFFSET_UNITS, SPELLED_OUT, SYMBOLS, symbol_scale

LARGEST_TEXT = 200
LARGEST_POWER = 24

Factors = tuple[tuple[str, Fraction], ...]


class UnitError(RailblocksError):
    """A unit that cannot be read, or two that do not fit."""


@lru_cache(maxsize=4096)
def read_factors(text: str) -> Factors:
    """Symbols and their powers, each symbol once, in the order of the text."""
    if len(text) > LARGEST_TEXT:
        raise UnitError(f"unit {text[:40]!r}... is longer than {LARGEST_TEXT} characters")
    if not text.strip():
        raise UnitError("the unit is empty; expected a unit such as m, or 1 for a plain number")
    reader = _Reader(text)
    if len(reader.tokens) > LARGEST_TEXT // 2 or text.count("(") > 20:
        raise UnitError(f"unit {text[:40]!r}... is too complicated")
    factors = reader.term()
    if reader.position < len(reader.tokens):
        raise UnitError(f"unit {text!r} has a ')' without '('")
    return tuple((name, power) for name, power in factors.items() if power)


def factors_text(factors: Factors) -> str:
    """`N*m/s^2`: the text that reads back as these factors."""
    above = [_power(name, power) for name, power in factors if power > 0]
    below = ["/" + _power(name, -power) for name, power in factors if power < 0]
    return ("*".join(above) or "1") + "".join(below)


def _power(name: str, power: Fraction) -> str:
    if power == 1:
        return name
    return f"{name}^{power}" if power.denominator == 1 else f"{name}^({power})"


_TOKEN = re.compile(
    r"\s*(?:(?P<symbol>\??[A-Za-z_°µμΩ%][A-Za-z_µμ]*)(?P<digits>[0-9]+)?"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<operator>\*\*|[*·⋅/^()+-]))"
)


class _Reader:
    """Recursive descent; the number of parentheses, and so the depth, is bounded."""

    def __init__(self, text: str):
        self.text = text
        self.tokens: list[tuple[str, str]] = []
        position, end = 0, len(text.rstrip())
        while position < end:
            match = _TOKEN.match(text, position)
            if match is None:
                character = text[position:].lstrip()[0]
                raise UnitError(
                    f"unit {text!r} contains {character!r}; expected for example N*m/s^2"
                )
            if match["digits"]:
                name, power = match["symbol"], match["digits"]
                raise UnitError(f"unit {text!r}: write {name}^{power} instead of {name}{power}")
            kind = str(match.lastgroup)
            self.tokens.append((kind, match[kind]))
            position = match.end()
        self.position = 0

    def peek(self) -> str:
        return self.tokens[self.position][1] if self.position < len(self.tokens) else ""

    def take(self) -> tuple[str, str]:
        if self.position == len(self.tokens):
            raise UnitError(f"unit {self.text!r} ends too early; expected a symbol such as m")
        self.position += 1
        return self.tokens[self.position - 1]

    def term(self) -> dict[str, Fraction]:
        factors = self.factor()
        while True:
            operator = self.peek()
            if operator in ("*", "·", "⋅", "/"):
                self.take()
                sign = -1 if operator == "/" else 1
                for name, power in self.factor().items():
                    factors[name] = factors.get(name, Fraction(0)) + sign * power
            elif operator and operator != ")":
                raise UnitError(
                    f"unit {self.text!r} has {operator!r} without an operator before it; "
                    "write products with *, as in N*m"
                )
            else:
                return factors

    def factor(self) -> dict[str, Fraction]:
        kind, token = self.take()
        if token == "(":
            factors = self.term()
            self.expect(")")
        elif kind == "symbol":
            factors = {_canonical(token, self.text): Fraction(1)}
        elif token == "1":
            factors = {}
        else:
            raise UnitError(f"unit {self.text!r} has {token!r}; expected a symbol such as m, or 1")
        if self.peek() in ("^", "**"):
            self.take()
            power = self.exponent()
            if abs(power) > LARGEST_POWER:
                raise UnitError(f"unit {self.text!r} has an exponent beyond {LARGEST_POWER}")
            factors = {name: p * power for name, p in factors.items()}
        return factors

    def exponent(self) -> Fraction:
        sign = 1
        if self.peek() in ("+", "-"):
            sign = -1 if self.take()[1] == "-" else 1
        kind, token = self.take()
        if token == "(":
            power = self.exponent()
            if self.peek() == "/":
                self.take()
                divisor = self.exponent()
                if not divisor:
                    raise UnitError(f"unit {self.text!r} has a zero under its exponent")
                power /= divisor
            self.expect(")")
        elif kind == "number":
            power = Fraction(token)
        else:
            raise UnitError(f"unit {self.text!r} has exponent {token!r}; expected a number")
        return sign * power

    def expect(self, token: str) -> None:
        if self.peek() != token:
            raise UnitError(f"unit {self.text!r} has no closing {token!r}")
        self.take()


def _canonical(symbol: str, text: str) -> str:
    """The symbol itself if it is known or a variable; else an error that says what to write."""
    if symbol.startswith("?"):
        if len(symbol) > 1:
            return symbol
        raise UnitError(f"unit {text!r} has a '?' without a name; expected for example ?u")
    if symbol in OFFSET_UNITS:
        raise UnitError(
            f"unit {symbol!r} has an offset and cannot be scaled; "
            f"write temperatures and their differences in K, and put routing.unit_converter "
            f"where numbers in {symbol} come in or go out"
        )
    if symbol_scale(symbol) is None:
        raise UnitError(f"unit {symbol!r} is not known{_hint(symbol)}")
    return symbol


def _hint(symbol: str) -> str:
    if symbol.lower() in SPELLED_OUT:
        return f"; did you mean '{SPELLED_OUT[symbol.lower()]}'?"
    for cut in range(1, len(symbol)):
        left, right = symbol[:cut], symbol[cut:]
        if left in SYMBOLS and right in SYMBOLS:
            return f"; did you mean '{left}*{right}'?"
    return suggestion(symbol, SYMBOLS)
