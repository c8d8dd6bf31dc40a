"""Algebraic loops: Newton's method inside the program.

The torn signals v solve r(v) = f(v) - v = 0. The first try takes differences over a unit step,
which is exact where the loop is linear and so ends there; otherwise a damped Newton iteration with
small differences follows, from the last solution, and a last step polishes to rounding.

The workspace at `v` holds v, r, a trial residual, the step, the pivots and the matrix.
"""

from __future__ import annotations

import math

from .externals import residual
from .layout import CULPRIT, FAILED, RESIDUAL
from .linear import factorise, solve

MAX_ITERATIONS = 50
TOLERANCE = 1e-12


def norm(w, place, n):
    largest = 0.0
    for i in range(n):
        size = abs(w[place + i])
        if not (size <= largest):
            largest = size if size == size else math.inf
    return largest


def scale(w, v, n):
    return 1.0 + norm(w, v, n)


def differences(k, n, v, t, w, x, width):
    """The matrix dr/dv, column by column, from residuals over `width` times the size of v."""
    r, trial, matrix = v + n, v + 2 * n, v + 5 * n
    for j in range(n):
        held = w[v + j]
        step = width * (1.0 + abs(held))
        w[v + j] = held + step
        step = w[v + j] - held
        residual(k, t, w, x, v, trial)
        w[v + j] = held
        for i in range(n):
            w[matrix + i * n + j] = (w[trial + i] - w[r + i]) / step


def newton_step(k, n, v, t, w, x, width):
    """The Newton step at v, in the workspace; False if the matrix is singular."""
    r, step, pivots, matrix = v + n, v + 3 * n, v + 4 * n, v + 5 * n
    differences(k, n, v, t, w, x, width)
    if not factorise(w, matrix, pivots, n):
        return False
    for i in range(n):
        w[step + i] = -w[r + i]
    solve(w, matrix, pivots, step, n)
    return True


def solve_loop(k, n, v, t, w, x):
    """Solves loop k for its n torn signals; leaves all of the loop's signals in memory."""
    r, step = v + n, v + 3 * n
    residual(k, t, w, x, v, r)
    if newton_step(k, n, v, t, w, x, 1.0):
        for i in range(n):
            w[v + i] += w[step + i]
        residual(k, t, w, x, v, r)
        if norm(w, r, n) <= TOLERANCE * scale(w, v, n):
            return
        for i in range(n):
            w[v + i] -= w[step + i]
        residual(k, t, w, x, v, r)
    error = norm(w, r, n)
    for _ in range(MAX_ITERATIONS):
        done = error <= TOLERANCE * scale(w, v, n)
        if not newton_step(k, n, v, t, w, x, 1e-7):
            break
        damping = 1.0
        for i in range(n):
            w[v + i] += w[step + i]
        residual(k, t, w, x, v, r)
        trial = norm(w, r, n)
        while not (trial < error) and damping > 1e-4 and not done:
            damping *= 0.5
            for i in range(n):
                w[v + i] -= damping * w[step + i]
            residual(k, t, w, x, v, r)
            trial = norm(w, r, n)
        error = trial
        if done:
            return
    if not (error <= TOLERANCE * scale(w, v, n)):
        w[FAILED] = 1.0
        w[CULPRIT] = k
        w[RESIDUAL] = error
