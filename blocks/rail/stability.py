"""Where small motions begin to grow, for anything that has a growth rate at each speed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise


def first_growth(
    growth: Callable[[float], float], speeds: Sequence[float], precise: float = 1e-3
) -> float | None:
    """The lowest speed above which motions grow, None if there is none among the speeds.

    Speeds rise; the first change of sign between two of them is narrowed.
    """
    from scipy.optimize import brentq

    for slow, fast in pairwise(speeds):
        if growth(fast) > 0.0:
            return float(brentq(growth, slow, fast, xtol=precise)) if growth(slow) < 0.0 else slow
    return None
