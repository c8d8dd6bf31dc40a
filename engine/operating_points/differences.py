"""Derivatives of functions that are only known by their values, as exact as these allow.

Central differences over steps that shrink by 4 are extrapolated to step 0 (Richardson):

    D_k = (f(x + h_k) - f(x - h_k)) / (2 h_k),  h_k = h_0 4^-k                      (1)
    T_k,0 = D_k,  T_k,j = T_k,j-1 + (T_k,j-1 - T_k-1,j-1) / (16^j - 1)              (2)

The error of T_k,j is taken as the larger of its distances to T_k,j-1 and T_k-1,j-1 (Ridders 1982),
and each derivative is that with the least error. Where the first steps are small enough, few
evaluations do; where the function bends sooner, steps go on shrinking; where rounding is what is
left, larger ones are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

FIRST, RATIO = 2.0**-7, 4.0
"""The first step, over the size of a variable, and what each step is over the next."""
COARSE = 2.0**7
"""The largest step that is tried where rounding hides the derivative."""
MOST_STEPS, MOST_ORDERS = 13, 4
CHANCE = 100.0
"""What the error of an extrapolation from two steps only counts: they may agree by chance."""
ENOUGH = 1e-11
"""Relative error at which no further step is taken."""
EPSILON = 2.220446049250313e-16

Function = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Derivatives:
    """A Jacobian with an estimate of the error of each of its elements."""

    matrix: np.ndarray
    errors: np.ndarray

    @property
    def relative_error(self) -> float:
        """The largest error, over the largest element of its row."""
        if not self.matrix.size:
            return 0.0
        sizes = np.abs(self.matrix).max(axis=1, keepdims=True)
        parts = np.divide(self.errors, sizes, out=np.zeros_like(self.errors), where=sizes > 0.0)
        return float(parts.max(initial=0.0))


def derivatives(
    f: Function,
    x: np.ndarray,
    sizes: np.ndarray,
    rows: Sequence[int],
    colours: Sequence[int],
    most: int = MOST_STEPS,
) -> Derivatives:
    """df/dx at x; `sizes` are those of the variables, `rows` the variables of each row as bits.

    Variables of one colour share no row. Elements that cannot be known are nan. At `most` so many
    steps are tried in a row.
    """
    matrix = np.zeros((len(rows), len(x)))
    errors = np.zeros_like(matrix)
    for colour in range(max(colours, default=-1) + 1):
        columns = [j for j, of in enumerate(colours) if of == colour]
        column_of = np.full(len(rows), -1)
        for j in columns:
            for i, bits in enumerate(rows):
                if bits >> j & 1:
                    column_of[i] = j
        touched = np.flatnonzero(column_of >= 0)
        if len(touched):
            own = column_of[touched]
            direction = np.zeros(len(x))
            direction[columns] = sizes[columns]
            values, left = _along(f, x, direction, touched, most)
            matrix[touched, own] = values / sizes[own]
            errors[touched, own] = left / sizes[own]
    return Derivatives(matrix, errors)


def quick_jacobian(f: Function, x: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """df/dx by one central difference for each variable, for Newton's method."""
    columns = []
    for i, h in enumerate(FIRST * sizes):
        ahead, behind = x.copy(), x.copy()
        ahead[i] += h
        behind[i] -= h
        columns.append((f(ahead) - f(behind)) / (2.0 * h))
    return np.array(columns).reshape(len(x), -1).T


def whole_jacobian(
    f: Function, x: np.ndarray, sizes: np.ndarray, most: int = MOST_STEPS
) -> np.ndarray:
    """df/dx where every row may depend on every variable."""
    rows = [(1 << len(x)) - 1] * len(f(x))
    return derivatives(f, x, sizes, rows, range(len(x)), most).matrix


def _along(
    f: Function, x: np.ndarray, direction: np.ndarray, rows: np.ndarray, most: int
) -> tuple[np.ndarray, np.ndarray]:
    """The derivative of some rows of f along a direction, and its error."""
    search = _Search(f, x, direction, rows)
    step = FIRST
    for _ in range(most):
        search.take(step)
        if search.is_over():
            break
        step /= RATIO
    if most == MOST_STEPS and not search.enough() and search.coarsest_is_best():
        search.start_again()
        step = COARSE
        while step > FIRST and not search.enough():
            search.take(step)
            step /= RATIO
    return search.best, search.error


class _Search:
    """The extrapolations so far, and the best of each row."""

    def __init__(self, f: Function, x: np.ndarray, direction: np.ndarray, rows: np.ndarray):
        self.f, self.x, self.direction, self.rows = f, x, direction, rows
        self.best = np.full(len(rows), np.nan)
        self.error = np.full(len(rows), np.inf)
        self.found_at = np.zeros(len(rows))
        self.rounding = np.zeros(len(rows))
        self.taken = 0
        self.start_again()

    def start_again(self) -> None:
        self.table: list[np.ndarray] = []

    def take(self, step: float) -> None:
        """One more step of (1), and its extrapolations (2)."""
        self.taken += 1
        ahead = self.f(self.x + step * self.direction)[self.rows]
        behind = self.f(self.x - step * self.direction)[self.rows]
        with np.errstate(all="ignore"):
            row = [(ahead - behind) / (2.0 * step)]
            noise = EPSILON * np.maximum(np.abs(ahead), np.abs(behind)) / step
            for j, before in enumerate(self.table[:MOST_ORDERS]):
                value = row[j] + (row[j] - before) / (RATIO ** (2.0 * (j + 1)) - 1.0)
                error = np.maximum(np.abs(value - row[j]), np.abs(value - before))
                row.append(value)
                if j == 0:
                    error = CHANCE * error
                better = np.isfinite(error) & (error < self.error)
                self.best[better], self.error[better] = value[better], error[better]
                self.found_at[better], self.rounding[better] = self.taken, noise[better]
        self.table = row

    def enough(self) -> bool:
        return bool(np.all(self.error <= np.maximum(ENOUGH * np.abs(self.best), self.rounding)))

    def is_over(self) -> bool:
        """Whether all rows are known well enough, or have not come nearer for three steps."""
        return self.taken >= 3 and (
            self.enough() or bool(np.all((self.found_at <= self.taken - 3) & (self.found_at > 0)))
        )

    def coarsest_is_best(self) -> bool:
        """Whether a row is known best at the first steps, so that rounding hides it."""
        known = self.error <= np.maximum(ENOUGH * np.abs(self.best), self.rounding)
        return bool(np.any(~known & (self.found_at <= 3)))
