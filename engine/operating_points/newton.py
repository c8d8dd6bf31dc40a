"""Newton's method with damping, for equations that may not determine all of their unknowns.

    J S dv = -F,  v += a S dv,  a = 1, 1/2, 1/4, ...                        (1)

with sizes S of the unknowns, the least dv where J does not determine all, and a as large as the
residuals, each over its row of |J| S, become smaller.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

MOST_STEPS, MOST_HALVINGS = 60, 30
ROUNDING = 1e-14
"""Step over the size of an unknown at which there is nothing left to gain."""

Function = Callable[[np.ndarray], np.ndarray]


def newton(
    f: Function,
    jacobian: Function,
    v: np.ndarray,
    sizes: Function,
    low: np.ndarray | float = -np.inf,
    high: np.ndarray | float = np.inf,
    least: float = ROUNDING,
) -> tuple[np.ndarray, int]:
    """Unknowns from which no damped step (1) comes nearer, and the number of steps.

    A step below `least` sizes of the unknowns is the last one.
    """
    F = f(v)
    for step in range(MOST_STEPS):
        S = sizes(v)
        J = jacobian(v) * S
        if not (np.all(np.isfinite(J)) and np.all(np.isfinite(F))) or not J.size:
            return v, step
        rows = row_sizes(J)
        change = least_step(J / rows[:, None], F / rows)
        error, part = float(np.linalg.norm(F / rows)), 1.0
        if error == 0.0 or np.abs(change).max(initial=0.0) < ROUNDING:
            return v, step
        for _ in range(MOST_HALVINGS):
            trial = np.clip(v + part * S * change, low, high)
            F_trial = f(trial)
            if np.linalg.norm(F_trial / rows) < error:
                break
            part *= 0.5
        else:
            return v, step
        v, F = trial, F_trial
        if np.abs(change).max(initial=0.0) < least:
            return v, step + 1
    return v, MOST_STEPS


def least_step(J: np.ndarray, F: np.ndarray) -> np.ndarray:
    """The shortest step that comes nearest; directions that J hardly knows are left alone."""
    return np.linalg.lstsq(J, -F, rcond=1e-10)[0]


def row_sizes(J: np.ndarray) -> np.ndarray:
    """What each residual changes by where all unknowns change by their sizes, or 1."""
    rows = np.abs(J).sum(axis=1)
    rows[~np.isfinite(rows) | (rows == 0.0)] = 1.0
    return rows
