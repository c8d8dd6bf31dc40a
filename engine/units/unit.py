"""Units as exponents of the seven SI base units and a scale.

    [q] = scale * m^a kg^b s^c A^d K^e mol^f cd^g

Angles are plain numbers (rad = 1, deg = pi/180), as in the SI. Temperatures with an offset
(degC, degF) are refused, since a difference of 5 degC and a temperature of 5 degC
are not the same number. A pattern is a unit with variables (`?u*s`), for ports that take
any unit but relate it to that of another port.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from .grammar import LARGEST_POWER, Factors, UnitError, factors_text, read_factors
from .table import KINDS, counts_cycles, measures_angle, symbol_dimensions, symbol_scale

__all__ = ["ONE", "Unit", "UnitError", "UnitPattern", "parse_pattern", "parse_unit"]


@dataclass(frozen=True)
class Unit:
    """Exponents of (m, kg, s, A, K, mol, cd), the factor to SI, and the text as written.

    `ratio` is the factor as a fraction; None where it is none, as for angles in degrees.
    """

    dims: tuple[Fraction, ...]
    scale: float
    text: str = field(compare=False)
    ratio: Fraction | None = field(default=None, compare=False)

    def __mul__(self, other: Unit) -> Unit:
        return _combined(self, other, Fraction(1))

    def __truediv__(self, other: Unit) -> Unit:
        return _combined(self, other, Fraction(-1))

    def __pow__(self, power: int | float | Fraction) -> Unit:
        if not -LARGEST_POWER <= power <= LARGEST_POWER:
            raise UnitError(f"{self} to the power {float(power):g} goes beyond {LARGEST_POWER}")
        exponent = Fraction(power).limit_denominator(1000)
        return _unit(tuple((name, p * exponent) for name, p in read_factors(self.text)))

    def same(self, other: Unit) -> bool:
        """Equal dimensions, and scales equal to 1e-12."""
        return self.dims == other.dims and math.isclose(self.scale, other.scale, rel_tol=1e-12)

    def same_dimension(self, other: Unit) -> bool:
        return self.dims == other.dims

    @property
    def is_dimensionless(self) -> bool:
        return not any(self.dims)

    @property
    def in_cycles(self) -> bool:
        """Whether hertz are among its symbols."""
        return any(counts_cycles(name) for name, _ in read_factors(self.text))

    @property
    def in_angles(self) -> bool:
        """Whether angles or angular speeds are among its symbols."""
        return any(measures_angle(name) for name, _ in read_factors(self.text))

    def si(self) -> Unit:
        """The unit of scale 1 with the same dimensions."""
        return self if self.scale == 1.0 else _si(self.dims)

    def describe(self) -> str:
        """`a length (m)`; for a dimension without a name `a value in N*m/s`."""
        kind = KINDS.get(self.dims)
        return f"{kind} ({self.text})" if kind else f"a value in {self.text}"

    def __str__(self) -> str:
        return self.text


def mixes_cycles_and_angles(one: Unit, other: Unit) -> bool:
    """Whether one counts cycles and the other angles: 2 pi is between them, which rad = 1 hides."""
    return (one.in_cycles and other.in_angles) or (one.in_angles and other.in_cycles)


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
        return factors_text((*read_factors(self.base.text), *variables))


@lru_cache(maxsize=4096)
def parse_unit(text: str) -> Unit:
    """Read `N*m/s^2`, `km/h`, `1/(s*K)`, `m^(1/2)`; raises `UnitError`."""
    factors = read_factors(text)
    for name, _ in factors:
        if name.startswith("?"):
            raise UnitError(f"unit {text!r} has a variable {name}; expected a plain unit")
    return _unit(factors, text.strip())


@lru_cache(maxsize=4096)
def parse_pattern(text: str) -> UnitPattern:
    """Read a unit that may contain variables: `?u`, `?u*s`, `1/?u`."""
    factors = read_factors(text)
    plain = tuple(factor for factor in factors if not factor[0].startswith("?"))
    variables = tuple((name[1:], power) for name, power in factors if name.startswith("?"))
    base = _unit(plain, None if variables else text.strip())
    return UnitPattern(base, variables)


def _combined(left: Unit, right: Unit, sign: Fraction) -> Unit:
    factors = dict(read_factors(left.text))
    for name, power in read_factors(right.text):
        factors[name] = factors.get(name, Fraction(0)) + sign * power
    left_over = tuple((name, power) for name, power in factors.items() if power)
    plain = _unit(left_over)
    telling = all(any(symbol_dimensions(name)) for name, _ in left_over)
    return _unit(left_over, COHERENT.get(plain.dims)) if telling and plain.scale == 1.0 else plain


@lru_cache(maxsize=4096)
def _unit(factors: Factors, text: str | None = None) -> Unit:
    dims = [Fraction(0)] * 7
    over, under = 1.0, 1.0
    ratio: Fraction | None = Fraction(1)
    for name, power in sorted(factors):
        if abs(power) > LARGEST_POWER:
            raise UnitError(
                f"unit {text or factors_text(factors)!r} has an exponent beyond {LARGEST_POWER}"
            )
        for index, exponent in enumerate(symbol_dimensions(name)):
            dims[index] += power * exponent
        scale = symbol_scale(name)
        assert scale is not None
        numerator, denominator = scale
        high, low = (numerator, denominator) if power > 0 else (denominator, numerator)
        over *= _raised(high, abs(power))
        under *= _raised(low, abs(power))
        ratio = _raised_fraction(ratio, numerator, denominator, power)
    if not (0 < over < math.inf and 0 < under < math.inf and 0 < over / under < math.inf):
        raise UnitError(f"unit {text or factors_text(factors)!r} is too large or too small")
    return Unit(tuple(dims), over / under, text or factors_text(factors), ratio)


def _raised(base: float, power: Fraction) -> float:
    try:
        return float(base ** float(power))
    except OverflowError:
        return math.inf


def _raised_fraction(
    ratio: Fraction | None, numerator: float, denominator: float, power: Fraction
) -> Fraction | None:
    """ratio (numerator / denominator)^power, if that is a fraction."""
    whole = power.denominator == 1 and float(numerator).is_integer()
    if ratio is None or not whole:
        return None
    return ratio * Fraction(int(numerator), int(denominator)) ** int(power)


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
