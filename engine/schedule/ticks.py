"""Sample times as whole numbers of a common tick."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from .lowering import Rate

LARGEST_COUNT = 10**300  # a float holds it


def ticks(rates: Iterable[Rate], start: Fraction) -> tuple[Fraction, list[int], list[int]]:
    """A common tick, and in it each group's period and first hit from `start` on."""
    tick = Fraction(0)
    for rate in rates:
        for time in rate:
            tick = _common(tick, time)
    periods, first = [], []
    for period, offset in rates:
        missed = max(0, math.ceil((start - offset) / period))
        periods.append(int(period / tick))
        first.append(int((offset + missed * period) / tick))
    return tick, periods, first


def _common(a: Fraction, b: Fraction) -> Fraction:
    """The greatest common divisor of two rationals."""
    return Fraction(
        math.gcd(a.numerator * b.denominator, b.numerator * a.denominator),
        a.denominator * b.denominator,
    )


def has_tick(rates: Iterable[Rate], start: Fraction) -> bool:
    """Whether floats can hold the common tick of these rates and what is counted in it."""
    tick, periods, first = ticks(rates, start)
    return max(tick.numerator, tick.denominator, *map(abs, periods + first)) <= LARGEST_COUNT
