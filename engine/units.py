"""Units as exponents of the seven SI base units and a scale.

    [q] = scale * m^a kg^b s^c A^d K^e mol^f cd^g

Angles are plain numbers (rad = 1, deg = pi/180), as in the SI. Temperatures with an offset
(degC, degF) are refused, since a difference of 5 degC and a temperature of 5 degC
are not the same number. A pattern is a unit with variables (`?u*s`), for ports that take
any unit but relate it to that of another port.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from .errors import RailblocksError, suggestion
from .unit_table import KINDS, OFFSET_UNITS, SPELLED_OUT, SYMBOLS, symbol_dimensions, symbol_scale

LARGEST_TEXT = 200
LARGEST_POWER = 24

Factors = tuple[tuple[str, Fraction], ...]


class UnitError(RailblocksError):
    """A unit that cannot be read, or two that do not fit."""


@dataclass(frozen=True)
class Unit:
    """Exponents of (m, kg, s, A, K, mol, cd), the factor to SI, and the text as written."""

    dims: tuple[Fraction, ...]
    scale: float
    text: str = field(compare=False)

    def __mul__(self, other: Unit) -> Unit:
        return _combined(self, other, Fraction(1))

    def __truediv__(self, other: Unit) -> Unit:
        return _combined(self, other, Fraction(-1))

    def __pow__(self, power: int | float | Fraction) -> Unit:
        if not -LARGEST_POWER <= power <= LARGEST_POWER:
            raise UnitError(f"{self} to the power {float(power):g} goes beyond {LARGEST_POWER}")
        exponent = Fraction(power).limit_denominator(1000)
        return _unit(tuple((name, p * exponent) for name, p in _factors(self.text)))

    def same(self, other: Unit) -> bool:
        """Equal dimensions, and scales equal to 1e-12."""
        return self.dims == other.dims and math.isclose(self.scale, other.scale, rel_tol=1e-12)

    def same_dimension(self, other: Unit) -> bool:
        return self.dims == other.dims

    @property
    def is_dimensionless(self) -> bool:
        return not any(self.dims)

    def si(self) -> Unit:
        """The unit of scale 1 with the same dimensions."""
        return self if self.scale == 1.0 else _si(self.dims)

    def describe(self) -> str:
        """`a length (m)`; for a dimension without a name `a value in N*m/s`."""
        kind = KINDS.get(self.dims)
        return f"{kind} ({self.text})" if kind else f"a value in {self.text}"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class UnitPattern:
    """`base * ?name^power * ...`; a plain unit is a pattern without variables."""

    base: Unit
    powers: tuple[tuple[str, Fraction], ...] = ()

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.powers)

    def unit(self, bindings: Mapping[str, Unit]) -> Unit | None:
        """The unit once all variables are bound, else None."""
        unit = self.base
        for name, power in self.powers:
            if name not in bindings:
                return None
            unit = unit * bindings[name] ** power
        return unit

    def __str__(self) -> str:
        variables = tuple(("?" + name, power) for name, power in self.powers)
        return _text((*_factors(self.base.text), *variables))


@lru_cache(maxsize=4096)
def parse_unit(text: str) -> Unit:
    """Read `N*m/s^2`, `km/h`, `1/(s*K)`, `m^(1/2)`; raises `UnitError`."""
    factors = _read(text)
    for name, _ in factors:
        if name.startswith("?"):
            raise UnitError(f"unit {text!r} has a variable {name}; expected a plain unit")
    return _unit(factors, text.strip())


@lru_cache(maxsize=4096)
def parse_pattern(text: str) -> UnitPattern:
    """Read a unit that may contain variables: `?u`, `?u*s`, `1/?u`."""
    factors = _read(text)
    plain = tuple(factor for factor in factors if not factor[0].startswith("?"))
    variables = tuple((name[1:], power) for name, power in factors if name.startswith("?"))
    base = _unit(plain, None if variables else text.strip())
    return UnitPattern(base, variables)


_TOKEN = re.compile(
    r"\s*(?:(?P<symbol>\??[A-Za-z_°µμΩ%][A-Za-z_µμ]*)(?P<digits>[0-9]+)?"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<operator>\*\*|[*·⋅/^()+-]))"
)


class _Reader:
    """Recursive descent over `term: factor ((* | /) factor)*; factor: atom (^ exponent)?`."""

    def __init__(self, text: str):
        self.text = text
        self.tokens: list[tuple[str, str]] = []
        position, end = 0, len(text.rstrip())
        while position < end:
            found = _TOKEN.match(text, position)
            if found is None:
                character = text[position:].lstrip()[0]
                raise UnitError(
                    f"unit {text!r} contains {character!r}; expected for example N*m/s^2"
                )
            if found["digits"]:
                name, power = found["symbol"], found["digits"]
                raise UnitError(f"unit {text!r}: write {name}^{power} instead of {name}{power}")
            kind = str(found.lastgroup)
            self.tokens.append((kind, found[kind]))
            position = found.end()
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


def _read(text: str) -> Factors:
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


def _canonical(symbol: str, text: str) -> str:
    """The symbol itself if it is known or a variable; else an error that says what to write."""
    if symbol.startswith("?"):
        if len(symbol) > 1:
            return symbol
        raise UnitError(f"unit {text!r} has a '?' without a name; expected for example ?u")
    if symbol in OFFSET_UNITS:
        raise UnitError(
            f"unit {symbol!r} has an offset and cannot be scaled; "
            f"write temperatures and their differences in K"
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


def _combined(left: Unit, right: Unit, sign: Fraction) -> Unit:
    factors = dict(_factors(left.text))
    for name, power in _factors(right.text):
        factors[name] = factors.get(name, Fraction(0)) + sign * power
    return _unit(tuple((name, power) for name, power in factors.items() if power))


@lru_cache(maxsize=4096)
def _factors(text: str) -> Factors:
    return _read(text)


@lru_cache(maxsize=4096)
def _unit(factors: Factors, text: str | None = None) -> Unit:
    dims = [Fraction(0)] * 7
    over, under = 1.0, 1.0
    for name, power in factors:
        if abs(power) > LARGEST_POWER:
            raise UnitError(
                f"unit {text or _text(factors)!r} has an exponent beyond {LARGEST_POWER}"
            )
        for index, exponent in enumerate(symbol_dimensions(name)):
            dims[index] += power * exponent
        scale = symbol_scale(name)
        assert scale is not None
        numerator, denominator = scale
        high, low = (numerator, denominator) if power > 0 else (denominator, numerator)
        over *= high ** float(abs(power))
        under *= low ** float(abs(power))
    if not (0 < over < math.inf and 0 < under < math.inf and 0 < over / under < math.inf):
        raise UnitError(f"unit {text or _text(factors)!r} is too large or too small")
    return Unit(tuple(dims), over / under, text or _text(factors))


def _text(factors: Factors) -> str:
    above = [_power(name, power) for name, power in factors if power > 0]
    below = ["/" + _power(name, -power) for name, power in factors if power < 0]
    return ("*".join(above) or "1") + "".join(below)


def _power(name: str, power: Fraction) -> str:
    if power == 1:
        return name
    return f"{name}^{power}" if power.denominator == 1 else f"{name}^({power})"


@lru_cache(maxsize=1024)
def _si(dims: tuple[Fraction, ...]) -> Unit:
    base = ("m", "kg", "s", "A", "K", "mol", "cd")
    order = sorted(range(7), key=lambda i: (i != 1, i))
    return _unit(tuple((base[i], dims[i]) for i in order if dims[i]), COHERENT.get(dims))


COHERENT = {
    parse_unit(text).dims: text
    for text in (
        *("1", "m", "kg", "s", "A", "K", "mol", "cd", "m/s", "m/s^2", "1/s", "N", "N*m", "Pa"),
        *("W", "V", "ohm", "H", "F", "C", "T", "Wb", "N/m", "N*s/m", "kg*m^2", "N*m*s"),
    )
}
ONE = parse_unit("1")
