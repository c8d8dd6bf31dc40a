"""Distributions of parameters for Monte Carlo studies, as quantile functions.

    normal(mean, deviation)       uniform(low, high)
    lognormal(median, factor)     ln x is normal around ln(median) with deviation ln(factor)
    table(x1, p1, x2, p2, ...)    straight between points of the distribution function,
                                  p from 0 to 1

All but the probabilities, and the factor of `lognormal`, are values with or without a unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import DiagramError, Position


@dataclass(frozen=True)
class Distribution:
    """A distribution of numbers in one unit; `quantile` maps 0..1 to values."""

    name: str
    arguments: tuple[float, ...]

    def quantile(self, u: np.ndarray) -> np.ndarray:
        return DISTRIBUTIONS[self.name].quantile(u, self.arguments)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{x:.12g}' for x in self.arguments)})"


def _normal(u: np.ndarray, arguments: Sequence[float]) -> np.ndarray:
    from scipy.special import ndtri

    mean, deviation = arguments
    return np.asarray(mean + deviation * ndtri(u))


def _uniform(u: np.ndarray, arguments: Sequence[float]) -> np.ndarray:
    low, high = arguments
    return low + (high - low) * u


def _lognormal(u: np.ndarray, arguments: Sequence[float]) -> np.ndarray:
    from scipy.special import ndtri

    median, factor = arguments
    return np.asarray(median * np.exp(math.log(factor) * ndtri(u)))


def _table(u: np.ndarray, arguments: Sequence[float]) -> np.ndarray:
    return np.interp(u, arguments[1::2], arguments[0::2])


def _refuse_normal(arguments: Sequence[float]) -> str:
    return "" if arguments[1] > 0.0 else "expected a deviation above 0"


def _refuse_uniform(arguments: Sequence[float]) -> str:
    return "" if arguments[0] < arguments[1] else "expected low < high"


def _refuse_lognormal(arguments: Sequence[float]) -> str:
    return "" if arguments[0] > 0 and arguments[1] > 1 else "expected a median > 0 and a factor > 1"


def _refuse_table(arguments: Sequence[float]) -> str:
    values, chances = arguments[0::2], arguments[1::2]
    rising = all(np.diff(values) > 0) and all(np.diff(chances) >= 0)
    whole = chances[0] == 0.0 and chances[-1] == 1.0
    return "" if rising and whole else "expected rising values, with probabilities from 0 to 1"


@dataclass(frozen=True)
class Kind:
    """A kind of distribution: its form, the arguments that are pure numbers, and what it maps."""

    form: str
    pure: Callable[[int], bool]
    counts: Callable[[int], bool]
    refuse: Callable[[Sequence[float]], str]
    quantile: Callable[[np.ndarray, Sequence[float]], np.ndarray]


DISTRIBUTIONS = {
    "normal": Kind(
        "normal(mean, deviation)", lambda i: False, lambda n: n == 2, _refuse_normal, _normal
    ),
    "uniform": Kind(
        "uniform(low, high)", lambda i: False, lambda n: n == 2, _refuse_uniform, _uniform
    ),
    "lognormal": Kind(
        "lognormal(median, factor)",
        lambda i: i == 1,
        lambda n: n == 2,
        _refuse_lognormal,
        _lognormal,
    ),
    "table": Kind(
        "table(x1, 0, x2, p2, ..., xn, 1)",
        lambda i: i % 2 == 1,
        lambda n: n >= 4 and n % 2 == 0,
        _refuse_table,
        _table,
    ),
}


def distribution(name: str, arguments: Sequence[float], position: Position) -> Distribution:
    """A distribution; raises DiagramError for arguments that it does not have."""
    kind = DISTRIBUTIONS[name]
    reason = f"has {len(arguments)} arguments" if not kind.counts(len(arguments)) else ""
    reason = reason or kind.refuse(arguments)
    if reason:
        shown = ", ".join(f"{x:.6g}" for x in arguments)
        raise DiagramError(f"{name}({shown}): {reason}, as in {kind.form}", position)
    return Distribution(name, tuple(map(float, arguments)))
