"""Times in seconds as the fractions that were meant.

A float is a fraction with a power of two below; a tenth of a second is none of these. What was
meant is found in two ways:

- A number of at most 15 digits is the decimal that was written: no two of them share a float.
  Sums, products and quotients of such numbers are fractions too and are carried along
  (`Quantity.exact`), so that 10 s - 9.9 s is a tenth.
- A number without such a history (a result of floats, 0.30000000000000004 in a file) is the
  simplest fraction or decimal within `MAX_ULPS` units in its last digit, if there is a simple one.
  One number in a thousand has one by chance; it moves by less than a part in 10^15.

A `Time` is the float nearest to its fraction, so that a time that is compared with the clock and a
sample hit at the same fraction are the same float.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

MAX_ULPS = 4
WRITTEN_DIGITS = 15  # decimals of so many digits are all different floats
SIMPLE_DIGITS = 12
MAX_DECIMALS = 15  # of decimals that are written out
SIMPLE_FRACTION = 10**12  # numerator times denominator
SINGLY_RECOVERED = 1000  # elements of an array that are looked at one by one
LARGEST_WHOLE = 2**53


class Time(float):
    """A time in seconds: the float nearest to `fraction`."""

    fraction: Fraction

    def __new__(cls, value: float | Fraction) -> Time:
        fraction = seconds(value)
        time = super().__new__(cls, float(fraction))
        time.fraction = fraction
        return time


def seconds(value: Any) -> Fraction:
    """The fraction of seconds that a finite number stands for."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, Time):
        return value.fraction
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"a time of {number} s; expected a finite one")
    exact = written(number)
    return recovered(number) if exact is None else exact


def written(number: float) -> Fraction | None:
    """The decimal that a number was written as; None if no text of 15 digits gives it."""
    if not math.isfinite(number):
        return None
    short = f"{number:.{WRITTEN_DIGITS - 1}e}"
    return carried(Fraction(short)) if float(short) == number else None


def carried(fraction: Fraction) -> Fraction | None:
    """The fraction, if floats hold its numerator and denominator exactly."""
    largest = max(abs(fraction.numerator), fraction.denominator)
    return fraction if largest <= LARGEST_WHOLE else None


def recovered(number: float) -> Fraction:
    """The simplest fraction or decimal around a number, or its shortest decimal."""
    if number < 0.0:
        return -recovered(-number)
    middle, width = Fraction(number), MAX_ULPS * Fraction(math.ulp(number))
    low, high = middle - width, middle + width
    if low <= 0:
        return Fraction(repr(number))
    candidates = []
    simple = simplest_between(low, high)
    if simple.numerator * simple.denominator <= SIMPLE_FRACTION:
        candidates.append(simple)
    decimals = (Fraction(f"{number:.{digits}e}") for digits in range(SIMPLE_DIGITS))
    candidates += [decimal for decimal in decimals if low <= decimal <= high][:1]
    return min(
        candidates, key=lambda f: f.numerator * f.denominator, default=Fraction(repr(number))
    )  # fmt: skip


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction with the smallest denominator in [low, high], 0 < low, by continued fractions.

    It is the next whole number, or n + 1 / s with s the simplest between 1 / (high - n) and
    1 / (low - n), where n is the whole part of both.
    """
    whole = low.numerator // low.denominator
    if low == whole:
        return low
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))


def nearest_times(values: np.ndarray) -> np.ndarray:
    """Each time as the float nearest to the fraction that was meant; decimals all at once."""
    times = np.array(values, dtype=float)
    flat = times.ravel()
    left = np.flatnonzero(np.abs(flat) < 10.0**SIMPLE_DIGITS)
    for decimals in range(SIMPLE_DIGITS + 1):
        scale = 10.0**decimals
        whole = np.rint(flat[left] * scale)
        near = np.abs(whole / scale - flat[left]) <= MAX_ULPS * np.spacing(np.abs(flat[left]))
        near &= (np.abs(whole) < 10**SIMPLE_DIGITS) & ((whole != 0.0) | (flat[left] == 0.0))
        flat[left[near]] = whole[near] / scale
        left = left[~near]
    if left.size <= SINGLY_RECOVERED:
        flat[left] = [float(seconds(flat[i])) for i in left]
    return times


def time_text(fraction: Fraction) -> str:
    """A time without rounding: `0.0021 s`, or `1/3 s` where no decimal ends, or `1e-300 s`."""
    if fraction < 0:
        return f"-{time_text(-fraction)}"
    rest = fraction.denominator
    twos = fives = 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return f"{fraction} s"
    decimals = max(twos, fives)
    if decimals > MAX_DECIMALS:
        return f"{float(fraction)!r} s"
    digits = f"{fraction.numerator * 10**decimals // fraction.denominator:0{decimals + 1}d}"
    point = len(digits) - decimals
    return f"{digits[:point]}.{digits[point:]}".rstrip(".") + " s"
