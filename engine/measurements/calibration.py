"""Fitting parameters of a diagram so that its run comes nearest to a measurement.

Least squares by SciPy. The standard error of a parameter follows from the Jacobian J at the best,

    cov(z) = H J^T S J H,  H = (J^T J)^-1                                  (1)
    S = diag(s_k^2),  s_k^2 = mean(r^2 of signal k) n / (n - p)            (2)

for n residuals and p parameters. It holds for noise that is independent from sample to sample, and
says nothing about what the diagram leaves out. For one signal (1) is s^2 (J^T J)^-1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import DiagramError
from ..runs.results import Results
from .comparison import Compared, SignalPair, compare
from .misfit import Misfit
from .trials import EnoughRuns
from .tunables import Tunable

SINGULAR = 1e-7  # of the largest singular value
UNEXPLAINED = 0.5
"""Root mean square of the best residuals of a signal, in its standard deviations, from which on its
fit is doubtful."""


@dataclass(frozen=True)
class Fitted:
    """A fitted parameter; `note` says why it has no standard error."""

    tunable: Tunable
    value: float
    error: float | None
    note: str = ""


@dataclass(frozen=True)
class Calibration:
    """The result of a calibration; `outcome` is done, most runs, or interrupted.

    `unexplained` are signals that the best run comes nowhere near.
    """

    parameters: tuple[Fitted, ...]
    before: tuple[Compared, ...]
    after: tuple[Compared, ...]
    runs: int
    failed: int
    outcome: str
    unexplained: tuple[SignalPair, ...] = ()

    @property
    def values(self) -> dict[str, str]:
        """The parameters for `with_values`."""
        return {f.tunable.path: f.tunable.text(f.value) for f in self.parameters}


def calibrate(misfit: Misfit, measured: Results, method: str, most: int) -> Calibration:
    """Seeks the best parameters; Ctrl-C ends it with the best so far."""
    _refuse(method, misfit.tunables)
    before = _judged(misfit, misfit.first(), measured)
    misfit.most = most
    errors, outcome = _none(misfit.best, "not computed"), "done"
    try:
        METHODS[method](misfit, misfit.best.copy())
        misfit.most = None
        errors = _standard_errors(misfit, misfit.best.copy())
    except EnoughRuns:
        outcome = "most runs"
    except KeyboardInterrupt:
        outcome = "interrupted"
    fitted = zip(misfit.tunables, misfit.values(misfit.best), errors, strict=True)
    return Calibration(
        tuple(Fitted(p, float(x), *error) for p, x, error in fitted),
        before,
        _judged(misfit, misfit.best_run or misfit.first(), measured),
        misfit.runs,
        misfit.failed,
        outcome,
        _unexplained(misfit),
    )


def _unexplained(misfit: Misfit) -> tuple[SignalPair, ...]:
    residuals = misfit.compared(misfit.best_run or misfit.first()).reshape(len(misfit.pairs), -1)
    sizes = np.sqrt(np.mean(residuals * residuals, axis=1))
    return tuple(p for p, size in zip(misfit.pairs, sizes, strict=True) if size > UNEXPLAINED)


def _judged(misfit: Misfit, results: Results, measured: Results) -> tuple[Compared, ...]:
    window = misfit.window
    stop = min(window.stop, float(results.time[-1]))
    return compare(results, measured, misfit.pairs, misfit.given, window.start, stop)


Errors = list[tuple[float | None, str]]


def _standard_errors(misfit: Misfit, z: np.ndarray) -> Errors:
    """The roots of (1), in the units of the parameters; or why there are none."""
    J, r = misfit.jacobian(z), misfit.residuals(z)
    n, p = J.shape
    singular = np.linalg.svd(J, compute_uv=False)
    if n <= p or not np.all(singular > SINGULAR * singular[0]):
        return _none(z, "the signals do not determine it")
    squares = (r * r).reshape(len(misfit.pairs), -1)
    variances = np.repeat(squares.mean(axis=1), squares.shape[1]) * (n / (n - p))  # (2)
    H = np.linalg.inv(J.T @ J)
    covariance = H @ (J.T * variances) @ J @ H  # (1)
    errors: Errors = []
    for k, (parameter, x) in enumerate(zip(misfit.tunables, misfit.values(z), strict=True)):
        edge = min(abs(x - parameter.low), abs(x - parameter.high)) <= 1e-6 * parameter.size
        error = float(np.sqrt(covariance[k, k])) * abs(parameter.slope(float(x)))
        errors.append((None, "at its bound") if edge else (error, ""))
    return errors


def _none(z: np.ndarray, why: str) -> Errors:
    return [(None, why)] * len(z)


# --- methods -----------------------------------------------------------------------------------
def _least_squares(misfit: Misfit, z: np.ndarray) -> Any:
    from scipy.optimize import least_squares

    return least_squares(
        misfit.residuals, z, misfit.jacobian, bounds=misfit.bounds, xtol=1e-7, ftol=1e-9
    )


def _bounded(misfit: Misfit, z: np.ndarray) -> Any:
    from scipy.optimize import minimize_scalar

    low, high = (float(bound[0]) for bound in misfit.bounds)
    width = {"xatol": 1e-6 * (high - low)}
    return minimize_scalar(misfit.square, bounds=(low, high), method="bounded", options=width)


def _differential_evolution(misfit: Misfit, z: np.ndarray) -> Any:
    from scipy.optimize import Bounds, differential_evolution

    return differential_evolution(
        misfit.square, Bounds(*misfit.bounds), seed=1, popsize=8, tol=1e-4, x0=z, polish=False
    )


METHODS: dict[str, Callable[[Misfit, np.ndarray], Any]] = {
    "least_squares": _least_squares,
    "bounded": _bounded,
    "differential_evolution": _differential_evolution,
}


def _refuse(method: str, tunables: Sequence[Tunable]) -> None:
    """Refuses options that a method cannot take."""
    if method == "least_squares":
        return
    if method == "bounded" and len(tunables) != 1:
        raise DiagramError(
            f"--method bounded fits one parameter, not {len(tunables)}; use least_squares or "
            "differential_evolution"
        )
    for parameter in tunables:
        if not np.all(
            np.isfinite([parameter.sought(parameter.low), parameter.sought(parameter.high)])
        ):
            raise DiagramError(
                f"--method {method} needs bounds of {parameter.path}, as in {parameter.path}:1..10"
            )
