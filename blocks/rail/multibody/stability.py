"""Small motions about a steady one: their Jacobian, and where they begin to grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import numpy as np
from railblocks.blocks.rail.multibody.bodies import STATES

BODY = np.array([1e-7] * 3 + [1e-6] * 3 + [1e-5] * 3 + [1e-4] * 3)
"""Differences of a body's states: metres, radians and their rates, far below what bends profiles
and creep laws."""
INNER = 1e-7
"""Differences of dampers' states, in metres."""


def small_motions(
    rates: Callable[[np.ndarray], np.ndarray], q: np.ndarray, bodies: int, moving: Sequence[int]
) -> np.ndarray:
    """The Jacobian at q of the states that move, by central differences.

    States are those of bodies, then of dampers. A force that acts on one side only, as the damping
    of a contact, counts with the mean of both sides.
    """
    columns = []
    for i in moving:
        h = BODY[i % STATES] if i < bodies * STATES else INNER
        ahead, behind = q.copy(), q.copy()
        ahead[i] += h
        behind[i] -= h
        columns.append((rates(ahead) - rates(behind))[moving] / (2.0 * h))
    return np.array(columns).T


def steady_state(
    rates: Callable[[np.ndarray], np.ndarray], q: np.ndarray, bodies: int, moving: Sequence[int]
) -> np.ndarray | None:
    """The states near q whose rates vanish where they move, by Newton's method; None without."""
    q = q.copy()
    try:
        for _ in range(20):
            step = np.linalg.solve(small_motions(rates, q, bodies, moving), rates(q)[moving])
            q[moving] -= step
            if np.abs(step).max() < 1e-9:
                return q
    except np.linalg.LinAlgError:
        pass
    return None


def by_growth(matrix: np.ndarray) -> np.ndarray:
    """Eigenvalues, the least damped first."""
    found = np.linalg.eigvals(matrix)
    return found[np.argsort(-found.real)]


def first_growth(
    growth: Callable[[float], float], speeds: Iterable[float], precise: float = 1e-3
) -> float | None:
    """The lowest speed above which motions grow, None if there is none among the speeds.

    Speeds rise; the first change of sign between two of them is narrowed.
    """
    from scipy.optimize import brentq

    for slow, fast in pairwise(speeds):
        if growth(fast) > 0.0:
            return float(brentq(growth, slow, fast, xtol=precise)) if growth(slow) < 0.0 else slow
    return None
