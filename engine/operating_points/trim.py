"""Steady states: where all rates are zero, or as they are asked to be.

The equations are solved by Newton's method with damping (`newton`), which leaves a rolled angle
where it is. Where that stops short, SciPy's trust-region method within the bounds goes on from the
start. An equation closes where a relative change of the unknowns by 1e-8 could close it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..analysis.checking import Checked, check
from ..diagram.diagram import Diagram
from ..errors import DiagramError, SimulationError
from ..program.lowering_processes import Report, unreported
from ..runs.checkpoint import in_seconds
from .conditions import Conditions, read_conditions
from .newton import newton, row_sizes
from .point import OperatingPoint, identity_of, refuse_misfit
from .steady import SteadyEquations, parameter_text

MOST_SETTLINGS = 20
CLOSED = 1e-8
UNDETERMINED = 1e-6
"""Part of an unknown in a direction that no equation determines, from which it is named."""
MOST_NAMED = 12


@dataclass(frozen=True)
class Residual:
    """An equation and what is left of it."""

    name: str
    value: float
    unit: str
    closes: bool

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit not in ("", "1") else ""
        return f"{self.name} is off by {self.value:.4g}{unit}"


@dataclass(frozen=True)
class Steady:
    """A steady state, and how well it was found; `loose` are unknowns that nothing determines."""

    point: OperatingPoint
    steps: int
    residuals: tuple[Residual, ...]
    loose: tuple[str, ...]
    found: Mapping[str, float]
    remarks: tuple[str, ...] = ()

    @property
    def notes(self) -> list[str]:
        """What to know about the state."""
        if not self.loose:
            return [*self.remarks]
        named = ", ".join(self.loose[:MOST_NAMED])
        more = f" and {len(self.loose) - MOST_NAMED} more" if len(self.loose) > MOST_NAMED else ""
        loose = f"nothing determines {named}{more}; the nearest values to the start are taken"
        return [*self.remarks, loose]


def trim(
    diagram: Diagram | Checked,
    hold: Mapping[str, object] | Iterable[str] = (),
    free: Iterable[str] | str = (),
    rates: Mapping[str, object] | Iterable[str] = (),
    *,
    at: float | str | None = None,
    point: OperatingPoint | None = None,
    compiled: bool = True,
) -> OperatingPoint:
    """A steady state of a diagram: all rates are zero, and states of sampled blocks stay.

    `hold` are values of ports, `free` what is sought beside the states, as in
    `["motor.u", "load.k=2:0..10"]`, `rates` those that are not zero, or `"any"`. It begins at the
    start of a run, at a time of one, or at a point. Raises `SimulationError` with the equations
    that do not close.
    """
    checked = diagram if isinstance(diagram, Checked) else check(diagram)
    given = [free] if isinstance(free, str) else list(free)
    conditions = read_conditions(checked, _texts(hold), given, _texts(rates))
    return steady_state(checked, conditions, at, point, compiled).point


def steady_state(
    checked: Checked,
    conditions: Conditions,
    at: float | str | None = None,
    point: OperatingPoint | None = None,
    compiled: bool = True,
    report: Report = unreported,
) -> Steady:
    """A steady state with all that is known of it; raises `SimulationError` if there is none."""
    equations = SteadyEquations(checked, conditions, compiled, report)
    if point is not None:
        refuse_misfit(checked, point)
        equations.moment.put(point)
    elif at is not None:
        equations.moment.run_to(in_seconds(at))
    else:
        equations.moment.start()
    return solve(equations, identity_of(checked))


def solve(equations: SteadyEquations, identity: str) -> Steady:
    """The steady state near where the moment of the equations is."""
    equations.prepare()
    v = equations.start
    equations.refuse_undefined(v)
    steps = 0
    for _ in range(MOST_SETTLINGS):
        v, taken = _solved(equations, v)
        steps += taken
        equations.put(v)
        if not equations.moment.settle():
            break
        v = equations.present(v)
    residuals = _residuals(equations, v)
    counting = equations.counting(v)
    open_ones = [str(r) for r in residuals if not r.closes] + counting
    if open_ones:
        raise SimulationError(_no_rest(equations, open_ones))
    point = _point(equations, v, identity)
    found = dict(zip(equations.names, map(float, v), strict=True))
    remarks = tuple(equations.remarks())
    return Steady(point, steps, residuals, _loose(equations, v), found, remarks)


def _point(equations: SteadyEquations, v: np.ndarray, identity: str) -> OperatingPoint:
    point = equations.moment.point()
    conditions = equations.conditions
    numbers = dict(zip(equations.names, map(float, v), strict=True))
    ports = {name: numbers[name] for free in conditions.ports for name in free.at.names}
    values = {p.path: parameter_text(p.unit, numbers[p.path]) for p in conditions.parameters}
    units = {name: free.at.unit for free in conditions.ports for name in free.at.names}
    return replace(
        point, identity=identity, ports=ports, parameters=values, units={**point.units, **units}
    )


def _no_rest(equations: SteadyEquations, open_ones: list[str]) -> str:
    shown = open_ones[:MOST_NAMED]
    more = len(open_ones) - len(shown)
    lines = "".join(f"\n  {line}" for line in shown) + (f"\n  and {more} more" if more else "")
    return (
        f"no steady state was found; {len(open_ones)} of {len(equations.equations)} equations do "
        f"not close:{lines}\ngive a rate that is not zero (--rate), free a port or a parameter "
        "(--free), or begin elsewhere (--free STATE=START)"
    )


# --- solving ------------------------------------------------------------------------------------
def _solved(equations: SteadyEquations, v: np.ndarray) -> tuple[np.ndarray, int]:
    start = v
    v, steps = _newton(equations, v)
    if all(r.closes for r in _residuals(equations, v)) or not len(v):
        return v, steps
    other = _trust_region(equations, start)
    other, more = _newton(equations, other)
    if _error(equations, other) < _error(equations, v):
        v = other
    return v, steps + more


def _newton(equations: SteadyEquations, v: np.ndarray) -> tuple[np.ndarray, int]:
    return newton(
        equations,
        lambda x: equations.jacobian(x).matrix,
        v,
        equations.sizes,
        equations.low,
        equations.high,
    )


def _trust_region(equations: SteadyEquations, v: np.ndarray) -> np.ndarray:
    from scipy.optimize import least_squares

    sizes = equations.sizes(v)
    rows = row_sizes(equations.jacobian(v).matrix * sizes)

    def residuals(z: np.ndarray) -> np.ndarray:
        F = equations(z * sizes) / rows
        return np.where(np.isfinite(F), F, 1e150)

    def jacobian(z: np.ndarray) -> np.ndarray:
        J = equations.jacobian(z * sizes).matrix * sizes / rows[:, None]
        return np.where(np.isfinite(J), J, 0.0)

    low, high = equations.low / sizes, equations.high / sizes
    inside = np.clip(v / sizes, np.nextafter(low, np.inf), np.nextafter(high, -np.inf))
    try:
        found = least_squares(
            residuals, inside, jacobian, bounds=(low, high), xtol=1e-15, ftol=1e-15, gtol=1e-15,
            max_nfev=200,
        )  # fmt: skip
    except (ValueError, np.linalg.LinAlgError):
        return v
    return found.x * sizes


def _error(equations: SteadyEquations, v: np.ndarray) -> float:
    J = equations.jacobian(v).matrix * equations.sizes(v)
    error = float(np.linalg.norm(equations(v) / row_sizes(J)))
    return error if np.isfinite(error) else np.inf


def _residuals(equations: SteadyEquations, v: np.ndarray) -> tuple[Residual, ...]:
    F = equations(v)
    reach = np.abs(equations.jacobian(v).matrix) @ equations.sizes(v)
    closes: Callable[[float, float], bool] = lambda f, r: bool(abs(f) <= CLOSED * r)  # noqa: E731
    return tuple(
        Residual(e.name, float(f), e.unit, closes(f, r))
        for e, f, r in zip(equations.equations, F, reach, strict=True)
    )


def _loose(equations: SteadyEquations, v: np.ndarray) -> tuple[str, ...]:
    """Unknowns that may change without any equation noticing."""
    J = equations.jacobian(v).matrix * equations.sizes(v)
    if not J.size or not np.all(np.isfinite(J)):
        return ()
    _, values, basis = np.linalg.svd(J / row_sizes(J)[:, None])
    rank = int(np.sum(values > 1e-10 * values.max(initial=0.0)))
    parts = np.abs(basis[rank:]).max(axis=0, initial=0.0)
    return tuple(n for n, part in zip(equations.names, parts, strict=True) if part > UNDETERMINED)


def _texts(given: Mapping[str, object] | Iterable[str]) -> list[str]:
    if isinstance(given, Mapping):
        return [f"{name}={value}" for name, value in given.items()]
    if isinstance(given, str):
        raise DiagramError("values are given as a mapping, as in {'motor.omega': '100 rad/s'}")
    return list(given)
