"""An explicit Runge-Kutta method, written out from its tableau.

`step` and `interpolate` are plain Python functions, made by writing the tableau's sums as source
without the zeros, so that the compiler sees every coefficient as a constant.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from railblocks.engine.functions.maker import Origin, make_function
from railblocks.engine.memory import layout
from railblocks.engine.memory.externals import at, rhs
from railblocks.engine.solvers.tableau import Tableau, combination


def scaled_error(worst, error, old, new, atol, rtol):
    """The larger of `worst` and |error| in units of the tolerance; inf where it is not finite."""
    size = abs(error) / (atol + rtol * max(abs(old), abs(new)))
    if not (size <= worst):
        return size if size == size else math.inf
    return worst


SCOPE: dict[str, Any] = {
    "at": at,
    "rhs": rhs,
    "scaled_error": scaled_error,
    "math": math,
    **{name: getattr(layout, name) for name in ("X", "X0", "K", "Y", "ATOL", "N_X")},
    **{
        name: getattr(layout, name)
        for name in ("FRESH", "RTOL", "EVALUATIONS", "H_DONE", "DENSE", "T_OLD")
    },
}


def function_from_source(source: str, name: str) -> Callable[..., Any]:
    """The one function that the lines of a method define, over this module's scope."""
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.FunctionDef)
    arguments = [argument.arg for argument in definition.args.args]
    origin = Origin(__name__, f"<{name}>")
    return make_function(definition.name, arguments, definition.body, SCOPE, origin)


def step_source(tableau: Tableau) -> str:
    last = tableau.stages - 1
    lines = [
        "def step(t, h, w):",
        "    n, x, x1, y, k = at(N_X), at(X0), at(X), at(Y), at(K)",
        "    if w[FRESH] == 2.0:",
        "        for i in range(n):",
        f"            w[k + i] = w[k + {last} * n + i]",
        "    elif w[FRESH] == 0.0:",
        "        rhs(t, w, x, k)",
        "        w[EVALUATIONS] += 1.0",
        "    w[FRESH] = 1.0",
    ]
    for stage in range(1, tableau.stages):
        vector = "x1" if stage == last else "y"
        c = tableau.c[stage]
        time = "t + h" if c == 1.0 else f"t + {c!r} * h"
        lines += [
            "    for i in range(n):",
            f"        w[{vector} + i] = w[x + i] + h * ({combination(tableau.a[stage - 1], 'k')})",
            f"    rhs({time}, w, {vector}, k + {stage} * n)",
        ]
    lines += [f"    w[EVALUATIONS] += {float(last)}", "    worst = 0.0", "    for i in range(n):"]
    if tableau.variable:
        lines += [
            f"        error = h * ({combination(tableau.e, 'k')})",
            "        worst = scaled_error(",
            "            worst, error, w[x + i], w[x1 + i], w[at(ATOL) + i], w[RTOL]",
            "        )",
        ]
    else:
        lines += ["        worst = worst + (w[x1 + i] - w[x1 + i])"]
    return "\n".join([*lines, "    return worst"])


def interpolate_source(tableau: Tableau) -> str:
    weights, names = [], []
    for j, powers in enumerate(tableau.dense()):
        if any(powers):
            horner = "0.0"
            for value in reversed(powers):
                horner = f"({value!r} + theta * {horner})" if horner != "0.0" else repr(value)
            weights.append(f"    p{j} = theta * {horner}")
            names.append(f"p{j} * w[k + {j} * n + i]")
    lines = [
        "def interpolate(theta, w, y):",
        "    n, x, k = at(N_X), at(X0), at(K)",
        "    h = w[H_DONE]",
        *weights,
        "    for i in range(n):",
        f"        w[y + i] = w[x + i] + h * ({' + '.join(names)})",
    ]
    return "\n".join(lines)


@lru_cache
def explicit_functions(tableau: Tableau) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """`step(t, h, w) -> error` and `interpolate(theta, w, y)`."""
    return (
        function_from_source(step_source(tableau), f"{tableau.name} step"),
        function_from_source(interpolate_source(tableau), f"{tableau.name} interpolate"),
    )
