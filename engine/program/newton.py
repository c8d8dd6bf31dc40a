"""Algebraic loops: Newton's method inside the program.

The torn signals v solve r(v) = f(v) - v = 0. The first try takes differences over a unit step,
which is exact where the loop is linear; it ends there unless the residual grew beyond rounding.
Otherwise a damped Newton iteration with small differences follows, from the last solution, and a
last step polishes to rounding. A step goes no further than `FURTHEST` times the size of v, and is
halved while the residual grows or is not finite: beyond the edge of a root or a logarithm there is
nothing. Where the matrix is singular, or as near to it as its differences can tell, the loop does
not determine its signals, and fails.

The workspace at `v` holds v, r, a trial residual, the step, the pivots, v before a step and the
matrix.
"""

from __future__ import annotations

import math

from ..memory.externals import residual
from ..memory.layout import CULPRIT, FAILED, RESIDUAL, SINGULAR
from ..solvers.linear import factorise, solve

MAX_ITERATIONS = 50
TOLERANCE = 1e-12
ROUNDING = 1e-15
FURTHEST = 10.0
LEAST_PART = 1e-9
LEAST_PIVOT = 1e-10  # as a part of its terms: the solution would have six digits
NOISE = 2e-15  # of differences of residuals, over their width


def norm(w, offset, n):
    largest = 0.0
    for i in range(n):
        size = abs(w[offset + i])
        if not (size <= largest):
            largest = size if size == size else math.inf
    return largest


def scale(w, v, n):
    return 1.0 + norm(w, v, n)


def is_finite(w, offset, n):
    return norm(w, offset, n) < math.inf


def differences(k, n, v, t, w, x, width):
    """The matrix dr/dv, column by column, from residuals over `width` times the size of v.

    Where the residual is not finite on one side, the difference is taken on the other.
    """
    r, trial, matrix = v + n, v + 2 * n, v + 6 * n
    for j in range(n):
        held = w[v + j]
        step = width * (1.0 + abs(held))
        for _ in range(2):
            w[v + j] = held + step
            step = w[v + j] - held
            residual(k, t, w, x, v, trial)
            if is_finite(w, trial, n):
                break
            step = -step
        w[v + j] = held
        for i in range(n):
            w[matrix + i * n + j] = (w[trial + i] - w[r + i]) / step


def least_pivot(w, matrix, pivots, order, n):
    """The smallest pivot of a factorised dr/dv, as a part of the terms whose difference it is.

    A pivot is an element of df/dv - 1 less products of factors, so that this does not depend on the
    units of the signals. `order` is room for the order of the rows.
    """
    for i in range(n):
        w[order + i] = i
    for i in range(n):
        other = int(w[pivots + i])
        held = w[order + i]
        w[order + i] = w[order + other]
        w[order + other] = held
    least = 1.0
    for i in range(n):
        pivot = abs(w[matrix + i * n + i])
        terms = pivot + (1.0 if w[order + i] == i else 0.0)
        for k in range(i):
            terms += abs(w[matrix + i * n + k] * w[matrix + k * n + i])
        least = min(least, pivot / terms)
    return least


def newton_step(k, n, v, t, w, x, width):
    """The Newton step at v, in the workspace; False if the matrix is singular."""
    r, trial, step, pivots, matrix = v + n, v + 2 * n, v + 3 * n, v + 4 * n, v + 6 * n
    differences(k, n, v, t, w, x, width)
    if not factorise(w, matrix, pivots, n):
        return False
    if least_pivot(w, matrix, pivots, trial, n) < max(LEAST_PIVOT, NOISE / width):
        return False
    for i in range(n):
        w[step + i] = -w[r + i]
    solve(w, matrix, pivots, step, n)
    return True


def residual_after(k, n, v, t, w, x, part):
    """The size of the residual `part` of the step away from the point that is held."""
    r, step, held = v + n, v + 3 * n, v + 5 * n
    for i in range(n):
        w[v + i] = w[held + i] + part * w[step + i] if part > 0.0 else w[held + i]
    residual(k, t, w, x, v, r)
    return norm(w, r, n)


def hold(w, v, n):
    for i in range(n):
        w[v + 5 * n + i] = w[v + i]


def longest_part(w, v, n):
    """The part of the step that goes no further than `FURTHEST` times the size of v."""
    size, limit = norm(w, v + 3 * n, n), FURTHEST * scale(w, v, n)
    return limit / size if size > limit else 1.0


def solve_loop(k, n, v, t, w, x):
    """Solves loop k for its n torn signals; leaves all of the loop's signals in memory."""
    r = v + n
    residual(k, t, w, x, v, r)
    error = norm(w, r, n)
    hold(w, v, n)
    if newton_step(k, n, v, t, w, x, 1.0):
        trial = residual_after(k, n, v, t, w, x, 1.0)
        size = scale(w, v, n)
        if trial <= TOLERANCE * size and trial <= max(error, ROUNDING * size) < math.inf:
            return
    error = residual_after(k, n, v, t, w, x, 0.0)
    singular = False
    for _ in range(MAX_ITERATIONS):
        done = error <= TOLERANCE * scale(w, v, n)
        hold(w, v, n)
        if not newton_step(k, n, v, t, w, x, 1e-7):
            singular = True
            break
        part = longest_part(w, v, n)
        trial = residual_after(k, n, v, t, w, x, part)
        while not (trial < error) and part > LEAST_PART and not done:
            part *= 0.5
            trial = residual_after(k, n, v, t, w, x, part)
        if not (trial < math.inf):
            error = residual_after(k, n, v, t, w, x, 0.0)
            break
        error = trial
        if done:
            return
    if singular or not (error <= TOLERANCE * scale(w, v, n)):
        w[FAILED] = 1.0
        w[CULPRIT] = k
        w[RESIDUAL] = error
        w[SINGULAR] = 1.0 if singular else 0.0
