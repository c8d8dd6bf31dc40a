"""Parameters of a diagram that make a measure of its run as small as can be, by SciPy.

| method | when |
| --- | --- |
| `nelder_mead` | the default: needs no derivatives, bears noise of the solver; no limits |
| `cobyla` | the default with limits; no derivatives either |
| `slsqp` | smooth objectives, by differences: few runs |
| `differential_evolution` | several minima: global, with limits, many runs |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import DiagramError
from ..measures import Measured
from .objective import Judged, Objective
from .trials import EnoughRuns

FIRST_STEP = 0.1  # of each range, for methods without derivatives
PRECISION = 1e-4  # of each range
DIFFERENCE = 1e-3  # of each range, for derivatives


@dataclass(frozen=True)
class Optimum:
    """The best that was found; `outcome` is done, most runs, or interrupted."""

    values: dict[str, str]
    numbers: tuple[float, ...]
    before: Measured
    after: Measured
    limits_before: tuple[Measured, ...]
    limits_after: tuple[Measured, ...]
    met: tuple[bool, ...]
    runs: int
    failed: int
    outcome: str


def optimise(objective: Objective, method: str, most: int) -> Optimum:
    """Seeks the best parameters; Ctrl-C ends it with the best so far."""
    if objective.limits and method == "nelder_mead":
        raise DiagramError(
            "--method nelder_mead takes no limits; use cobyla, slsqp or differential_evolution"
        )
    first = objective.begin()
    objective.most = most
    outcome = "done"
    try:
        METHODS[method](objective, objective.first_point)
    except EnoughRuns:
        outcome = "most runs"
    except KeyboardInterrupt:
        outcome = "interrupted"
    best = objective.best_judged
    return Optimum(
        objective.texts(objective.best),
        tuple(map(float, objective.values(objective.best))),
        _measured(objective, first),
        _measured(objective, best),
        _margins(objective, first),
        _margins(objective, best),
        tuple(
            limit.met(margin)
            for limit, margin in zip(objective.limits, _margins(objective, best), strict=True)
        ),
        objective.runs,
        objective.failed,
        outcome,
    )


def _measured(objective: Objective, judged: Judged) -> Measured:
    assert objective.best_run is not None
    unit = objective.measure.of(objective.best_run).unit
    return Measured(judged.value * objective.sign, unit)


def _margins(objective: Objective, judged: Judged) -> tuple[Measured, ...]:
    assert objective.best_run is not None
    units = [limit.margin.of(objective.best_run).unit for limit in objective.limits]
    return tuple(Measured(m, u) for m, u in zip(judged.margins, units, strict=True))


# --- methods -----------------------------------------------------------------------------------
def _bounds(objective: Objective) -> Any:
    from scipy.optimize import Bounds

    return Bounds(np.zeros(objective.count), np.ones(objective.count))


def _nelder_mead(objective: Objective, u: np.ndarray) -> Any:
    from scipy.optimize import minimize

    steps = np.where(u + FIRST_STEP <= 1.0, FIRST_STEP, -FIRST_STEP)
    simplex = np.vstack([u, u + np.diag(steps)])
    options = {"initial_simplex": simplex, "xatol": PRECISION, "fatol": 1e-8, "maxfev": 10**9}
    return minimize(
        objective.value, u, method="Nelder-Mead", bounds=_bounds(objective), options=options
    )


def _cobyla(objective: Objective, u: np.ndarray) -> Any:
    from scipy.optimize import minimize

    inside = [
        {"type": "ineq", "fun": lambda u: np.concatenate([u, 1.0 - u])},
        *([{"type": "ineq", "fun": objective.margins}] if objective.limits else []),
    ]
    options = {"rhobeg": FIRST_STEP, "maxiter": 10**9}
    return minimize(
        objective.value, u, method="COBYLA", constraints=inside, tol=PRECISION, options=options
    )


def _slsqp(objective: Objective, u: np.ndarray) -> Any:
    from scipy.optimize import minimize

    limits = [{"type": "ineq", "fun": objective.margins}] if objective.limits else ()
    options = {"eps": DIFFERENCE, "maxiter": 10**6, "ftol": 1e-8}
    return minimize(
        objective.value, u, method="SLSQP", bounds=_bounds(objective), constraints=limits,
        options=options,
    )  # fmt: skip


def _differential_evolution(objective: Objective, u: np.ndarray) -> Any:
    from scipy.optimize import NonlinearConstraint, differential_evolution

    limits = (NonlinearConstraint(objective.margins, 0.0, np.inf),) if objective.limits else ()
    return differential_evolution(
        objective.value, _bounds(objective), seed=1, popsize=8, tol=1e-4, x0=u,
        constraints=limits, polish=False, maxiter=10**6,
    )  # fmt: skip


METHODS: dict[str, Callable[[Objective, np.ndarray], Any]] = {
    "nelder_mead": _nelder_mead,
    "cobyla": _cobyla,
    "slsqp": _slsqp,
    "differential_evolution": _differential_evolution,
}
