"""Radau, BDF and LSODA of SciPy, as independent oracles for our own methods.

One step of the run loop is a whole `solve_ivp` over that interval; its error control is SciPy's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from railblocks.engine.memory.externals import at, rhs
from railblocks.engine.memory.layout import (
    ATOL,
    EVALUATIONS,
    H_DONE,
    JACOBIANS,
    N_X,
    RTOL,
    T_OLD,
    X0,
    K,
    X,
    Y,
)


def scipy_functions(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`step` and `interpolate` that remember the last interval's solution."""
    from scipy.integrate import solve_ivp

    last: dict[str, Any] = {}

    def step(t, h, w):
        n, x, y, k = at(N_X), at(X0), at(Y), at(K)

        def derivative(time, state):
            w[y : y + n] = state
            rhs(time, w, y, k)
            return np.array(w[k : k + n])

        atol = np.array(w[at(ATOL) : at(ATOL) + n])
        rtol = max(w[RTOL], 3e-14)
        solution = solve_ivp(
            derivative, (t, t + h), np.array(w[x : x + n]), name, None, True, rtol=rtol, atol=atol
        )
        w[EVALUATIONS] += solution.nfev
        w[JACOBIANS] += solution.njev
        if not solution.success:
            return math.inf
        w[at(X) : at(X) + n] = solution.y[:, -1]
        last["solution"] = solution.sol
        return 0.0

    def interpolate(theta, w, y):
        if at(N_X) > 0:
            w[y : y + at(N_X)] = last["solution"](w[T_OLD] + theta * w[H_DONE])

    return step, interpolate
