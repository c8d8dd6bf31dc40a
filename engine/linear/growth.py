"""Growth of small motions: the eigenvalues that decay least, and where they begin to grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np


def by_growth(matrix: np.ndarray) -> np.ndarray:
    """Eigenvalues, the least damped first."""
    values = np.linalg.eigvals(matrix)
    return values[np.argsort(-values.real)]


def first_growth(
    growth: Callable[[float], float], values: Iterable[float], precise: float = 1e-3
) -> float | None:
    """The lowest value above which motions grow, None if there is none among the values.

    Values rise; the first change of sign between two of them is narrowed.
    """
    from scipy.optimize import brentq

    for low, high in pairwise(values):
        if growth(high) > 0.0:
            return float(brentq(growth, low, high, xtol=precise)) if growth(low) < 0.0 else low
    return None
