"""The units that are known: symbols, prefixes and the names of dimensions, as data."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

# symbol: (exponents of m kg s A K mol cd, numerator and denominator of the factor to SI)
_RAD = (0, 0, 0, 0, 0, 0, 0)
_TABLE: dict[str, tuple[tuple[int, ...], float, float]] = {
    "m": ((1, 0, 0, 0, 0, 0, 0), 1, 1),
    "g": ((0, 1, 0, 0, 0, 0, 0), 1, 1000),
    "s": ((0, 0, 1, 0, 0, 0, 0), 1, 1),
    "A": ((0, 0, 0, 1, 0, 0, 0), 1, 1),
    "K": ((0, 0, 0, 0, 1, 0, 0), 1, 1),
    "mol": ((0, 0, 0, 0, 0, 1, 0), 1, 1),
    "cd": ((0, 0, 0, 0, 0, 0, 1), 1, 1),
    "Hz": ((0, 0, -1, 0, 0, 0, 0), 1, 1),
    "N": ((1, 1, -2, 0, 0, 0, 0), 1, 1),
    "Pa": ((-1, 1, -2, 0, 0, 0, 0), 1, 1),
    "bar": ((-1, 1, -2, 0, 0, 0, 0), 100_000, 1),
    "J": ((2, 1, -2, 0, 0, 0, 0), 1, 1),
    "W": ((2, 1, -3, 0, 0, 0, 0), 1, 1),
    "V": ((2, 1, -3, -1, 0, 0, 0), 1, 1),
    "ohm": ((2, 1, -3, -2, 0, 0, 0), 1, 1),
    "Ω": ((2, 1, -3, -2, 0, 0, 0), 1, 1),
    "S": ((-2, -1, 3, 2, 0, 0, 0), 1, 1),
    "H": ((2, 1, -2, -2, 0, 0, 0), 1, 1),
    "F": ((-2, -1, 4, 2, 0, 0, 0), 1, 1),
    "C": ((0, 0, 1, 1, 0, 0, 0), 1, 1),
    "T": ((0, 1, -2, -1, 0, 0, 0), 1, 1),
    "Wb": ((2, 1, -2, -1, 0, 0, 0), 1, 1),
    "rad": (_RAD, 1, 1),
    "L": ((3, 0, 0, 0, 0, 0, 0), 1, 1000),
}
_PREFIXABLE = frozenset(_TABLE)
_TABLE |= {
    "kg": ((0, 1, 0, 0, 0, 0, 0), 1, 1),
    "t": ((0, 1, 0, 0, 0, 0, 0), 1000, 1),
    "min": ((0, 0, 1, 0, 0, 0, 0), 60, 1),
    "h": ((0, 0, 1, 0, 0, 0, 0), 3600, 1),
    "day": ((0, 0, 1, 0, 0, 0, 0), 86400, 1),
    "deg": (_RAD, math.pi, 180),
    "°": (_RAD, math.pi, 180),
    "rev": (_RAD, 2 * math.pi, 1),
    "rpm": ((0, 0, -1, 0, 0, 0, 0), 2 * math.pi, 60),
    "%": (_RAD, 1, 100),
}
_PREFIXES: dict[str, tuple[float, float]] = {
    "f": (1, 1e15),
    "p": (1, 1e12),
    "n": (1, 1e9),
    "u": (1, 1e6),
    "µ": (1, 1e6),
    "μ": (1, 1e6),
    "m": (1, 1e3),
    "c": (1, 1e2),
    "d": (1, 1e1),
    "h": (1e2, 1),
    "k": (1e3, 1),
    "M": (1e6, 1),
    "G": (1e9, 1),
    "T": (1e12, 1),
}

SYMBOLS: tuple[str, ...] = (
    *_TABLE,
    *("km", "cm", "mm", "um", "nm", "ms", "us", "ns", "mg", "kN", "MN", "kPa", "MPa", "GPa"),
    *("mbar", "kJ", "MJ", "kW", "MW", "mW", "kV", "mV", "mA", "kohm", "mH", "uF", "kHz", "MHz"),
    *("mrad", "mT"),
)

SPELLED_OUT = {
    **dict.fromkeys(("sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("minute", "minutes"), "min"),
    **dict.fromkeys(("hr", "hour", "hours"), "h"),
    **dict.fromkeys(("meter", "meters", "metre", "metres"), "m"),
    **dict.fromkeys(("gram", "grams"), "g"),
    **dict.fromkeys(("ton", "tons", "tonne", "tonnes"), "t"),
    **dict.fromkeys(("degree", "degrees"), "deg"),
    **dict.fromkeys(("radian", "radians"), "rad"),
    **dict.fromkeys(("newton", "newtons"), "N"),
    **dict.fromkeys(("percent", "pct"), "%"),
    **dict.fromkeys(("kmh", "kph"), "km/h"),
    "ohms": "ohm",
    "amp": "A",
    "volt": "V",
    "watt": "W",
    "joule": "J",
    "pascal": "Pa",
    "hertz": "Hz",
    "litre": "L",
    "liter": "L",
    "micron": "um",
}

ANGLES = frozenset({"rad", "deg", "°", "rev", "rpm"})
_CELSIUS = Fraction(1), Fraction("273.15")
_FAHRENHEIT = Fraction(5, 9), Fraction("459.67")
OFFSET_UNITS = {
    **dict.fromkeys(("degC", "°C", "celsius"), _CELSIUS),
    **dict.fromkeys(("degF", "°F", "fahrenheit"), _FAHRENHEIT),
}
"""Scale and offset of temperatures: (number + offset) scale is that of kelvins."""


@lru_cache(maxsize=1024)
def _lookup(symbol: str) -> tuple[tuple[int, ...], float, float] | None:
    if symbol in _TABLE:
        return _TABLE[symbol]
    prefix, rest = symbol[:1], symbol[1:]
    if prefix in _PREFIXES and rest in _PREFIXABLE:
        dims, numerator, denominator = _TABLE[rest]
        over, under = _PREFIXES[prefix]
        return dims, numerator * over, denominator * under
    return None


def symbol_scale(symbol: str) -> tuple[float, float] | None:
    """Numerator and denominator of the factor to SI (mm: 1, 1000), or None if unknown."""
    entry = _lookup(symbol)
    return (entry[1], entry[2]) if entry else None


def symbol_dimensions(symbol: str) -> tuple[int, ...]:
    entry = _lookup(symbol)
    assert entry is not None, symbol
    return entry[0]


def counts_cycles(symbol: str) -> bool:
    """Whether a symbol is hertz, with or without a prefix."""
    return symbol == "Hz" or (symbol[:1] in _PREFIXES and symbol[1:] == "Hz")


def measures_angle(symbol: str) -> bool:
    """Whether a symbol is an angle or an angular speed."""
    return symbol in ANGLES or (symbol[:1] in _PREFIXES and symbol[1:] == "rad")


def _dims(*exponents: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(e) for e in exponents)


KINDS: dict[tuple[Fraction, ...], str] = {
    _dims(0, 0, 0, 0, 0, 0, 0): "a plain number",
    _dims(1, 0, 0, 0, 0, 0, 0): "a length",
    _dims(0, 1, 0, 0, 0, 0, 0): "a mass",
    _dims(0, 0, 1, 0, 0, 0, 0): "a time",
    _dims(0, 0, 0, 1, 0, 0, 0): "a current",
    _dims(0, 0, 0, 0, 1, 0, 0): "a temperature",
    _dims(0, 0, 0, 0, 0, 1, 0): "an amount of substance",
    _dims(0, 0, 0, 0, 0, 0, 1): "a luminous intensity",
    _dims(2, 0, 0, 0, 0, 0, 0): "an area",
    _dims(3, 0, 0, 0, 0, 0, 0): "a volume",
    _dims(-1, 0, 0, 0, 0, 0, 0): "a curvature",
    _dims(0, 0, -1, 0, 0, 0, 0): "an angular speed or a frequency",
    _dims(0, 0, -2, 0, 0, 0, 0): "an angular acceleration",
    _dims(1, 0, -1, 0, 0, 0, 0): "a speed",
    _dims(1, 0, -2, 0, 0, 0, 0): "an acceleration",
    _dims(1, 1, -2, 0, 0, 0, 0): "a force",
    _dims(2, 1, -2, 0, 0, 0, 0): "a torque or an energy",
    _dims(2, 1, -3, 0, 0, 0, 0): "a power",
    _dims(-1, 1, -2, 0, 0, 0, 0): "a pressure",
    _dims(-3, 1, 0, 0, 0, 0, 0): "a density",
    _dims(2, 1, 0, 0, 0, 0, 0): "a moment of inertia",
    _dims(0, 1, -2, 0, 0, 0, 0): "a stiffness",
    _dims(0, 1, -1, 0, 0, 0, 0): "a damping",
    _dims(2, 1, -1, 0, 0, 0, 0): "a rotational damping",
    _dims(2, 1, -3, -1, 0, 0, 0): "a voltage",
    _dims(2, 1, -3, -2, 0, 0, 0): "a resistance",
    _dims(2, 1, -2, -2, 0, 0, 0): "an inductance",
    _dims(-2, -1, 4, 2, 0, 0, 0): "a capacitance",
    _dims(0, 0, 1, 1, 0, 0, 0): "a charge",
    _dims(0, 1, -2, -1, 0, 0, 0): "a magnetic flux density",
    _dims(2, 1, -2, -1, 0, 0, 0): "a magnetic flux",
}
