"""ode853: Hairer's DOP853, the method of order 8(5,3) by Dormand and Prince with dense output.

Coefficients as SciPy publishes them (Hairer, Norsett & Wanner, II.5 and II.6). The error is
|e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2) in units of the tolerance; three more stages make the
interpolant of order 7, and only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from railblocks.engine.solvers.explicit import function_from_source
from railblocks.engine.solvers.tableau import combination

STAGES = 13
EXTRA = 3
ROWS = STAGES + EXTRA + 7  # workspace: stages, extra stages, interpolant


def step_source(a: Any, b: Any, c: Any, e3: Any, e5: Any) -> str:
    lines = [
        "def step(t, h, w):",
        "    n, x, x1, y, k = at(N_X), at(X0), at(X), at(Y), at(K)",
        "    if w[FRESH] == 2.0:",
        "        for i in range(n):",
        "            w[k + i] = w[k + 12 * n + i]",
        "    elif w[FRESH] == 0.0:",
        "        rhs(t, w, x, k)",
        "        w[EVALUATIONS] += 1.0",
        "    w[FRESH] = 1.0",
        "    w[DENSE] = 0.0",
    ]
    for stage in range(1, 12):
        lines += [
            "    for i in range(n):",
            f"        w[y + i] = w[x + i] + h * ({combination(list(a[stage][:stage]), 'k')})",
            f"    rhs(t + {float(c[stage])!r} * h, w, y, k + {stage} * n)",
        ]
    lines += [
        "    for i in range(n):",
        f"        w[x1 + i] = w[x + i] + h * ({combination(list(b), 'k')})",
        "    rhs(t + h, w, x1, k + 12 * n)",
        "    w[EVALUATIONS] += 12.0",
        "    worst = 0.0",
        "    for i in range(n):",
        "        scale = w[at(ATOL) + i] + w[RTOL] * max(abs(w[x + i]), abs(w[x1 + i]))",
        f"        e5 = ({combination(list(e5), 'k')}) / scale",
        f"        e3 = ({combination(list(e3), 'k')}) / scale",
        "        both = e5 * e5 + 0.01 * (e3 * e3)",
        "        size = h * (e5 * e5) / math.sqrt(both) if both != 0.0 else 0.0",
        "        if not (size <= worst):",
        "            worst = size if size == size else math.inf",
        "    return worst",
    ]
    return "\n".join(lines)


def interpolate_source(a_extra: Any, c_extra: Any, d: Any) -> str:
    lines = [
        "def interpolate(theta, w, y):",
        "    n, x, x1, k = at(N_X), at(X0), at(X), at(K)",
        "    f = k + 16 * n",
        "    h, t = w[H_DONE], w[T_OLD]",
        "    if w[DENSE] == 0.0:",
        "        w[DENSE] = 1.0",
    ]
    for extra in range(EXTRA):
        stage = STAGES + extra
        lines += [
            "        for i in range(n):",
            "            w[y + i] = w[x + i] + h * "
            f"({combination(list(a_extra[extra][:stage]), 'k')})",
            f"        rhs(t + {float(c_extra[extra])!r} * h, w, y, k + {stage} * n)",
        ]
    lines += [
        "        w[EVALUATIONS] += 3.0",
        "        for i in range(n):",
        "            rise = w[x1 + i] - w[x + i]",
        "            w[f + i] = rise",
        "            w[f + n + i] = h * w[k + i] - rise",
        "            w[f + 2 * n + i] = 2.0 * rise - h * (w[k + 12 * n + i] + w[k + i])",
    ]
    for j in range(4):
        lines.append(f"            w[f + {3 + j} * n + i] = h * ({combination(list(d[j]), 'k')})")
    lines += [
        "    back = 1.0 - theta",
        "    for i in range(n):",
        "        value = w[f + 5 * n + i] + theta * w[f + 6 * n + i]",
        "        value = w[f + 4 * n + i] + back * value",
        "        value = w[f + 3 * n + i] + theta * value",
        "        value = w[f + 2 * n + i] + back * value",
        "        value = w[f + n + i] + theta * value",
        "        value = w[f + i] + back * value",
        "        w[y + i] = w[x + i] + theta * value",
    ]
    return "\n".join(lines)


@lru_cache
def dop853_functions() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`step(t, h, w) -> error` and `interpolate(theta, w, y)`."""
    from scipy.integrate import DOP853 as m

    return (
        function_from_source(step_source(m.A, m.B, m.C, m.E3, m.E5), "ode853 step"),
        function_from_source(interpolate_source(m.A_EXTRA, m.C_EXTRA, m.D), "ode853 interpolate"),
    )
