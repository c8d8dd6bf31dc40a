"""The settings of a run: what the sections `solver` and `log` of a diagram may say.

They are declared like block parameters, with their defaults, so that they are checked and
documented in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..checks.resolve import read_value
from ..declaration import Param
from ..diagram.flatten import Assignment
from ..errors import DiagramError, Position, Problem, suggestion
from ..solvers.methods import METHODS, Method
from ..solvers.other_names import solver_hint
from .guesses import GUESS

SOLVER = (
    Param(
        "", "solver", name="method", type=str, default="ode45", choices=tuple(METHODS),
        hint=solver_hint,
    ),
    Param("s", "start time", name="start", default=0.0),
    Param("s", "stop time", name="stop", default=10.0),
    Param("1", "relative tolerance", name="rtol", default=1e-6, gt=0, lt=1),
    Param("1", "absolute tolerance of every state", name="atol", default=1e-9, gt=0, lt=math.inf),
    Param("s", "step of fixed-step methods", name="step", default=None, gt=0),
    Param("s", "largest step; else a fiftieth of the run", name="max_step", default=None, gt=0),
    Param("s", "smallest step before the run gives up", name="min_step", default=0.0, ge=0),
    Param("1", "seed of all random sources", name="seed", type=int, default=0, ge=0, lt=2**32),
    Param(
        "", "at chattering and Zeno points", name="zeno", type=str, default="stop",
        choices=("stop", "hold"),
    ),
    Param("s", "time for which `zeno: hold` holds a guard", name="dwell", default=1e-3, gt=0),
    Param("", "start values of algebraic loops, by signal", name=GUESS, type=object, default=None),
)  # fmt: skip
LOG = (
    Param("s", "log period; every step if not given", name="every", default=None, gt=0),
    Param("1", "a row every so many steps", name="decimate", type=int, default=1, ge=1),
)


_DEFAULTS: dict[str, Any] = {param.name: param.default for param in (*SOLVER, *LOG)}


@dataclass(frozen=True)
class Settings:
    """How a run is done: method, times, tolerances and steps of the solver, rows of the log."""

    method: str = _DEFAULTS["method"]
    start: float = _DEFAULTS["start"]
    stop: float = _DEFAULTS["stop"]
    rtol: float = _DEFAULTS["rtol"]
    atol: float = _DEFAULTS["atol"]
    step: float | None = _DEFAULTS["step"]
    max_step: float | None = _DEFAULTS["max_step"]
    min_step: float = _DEFAULTS["min_step"]
    seed: int = _DEFAULTS["seed"]
    zeno: str = _DEFAULTS["zeno"]
    dwell: float = _DEFAULTS["dwell"]
    every: float | None = _DEFAULTS["every"]
    decimate: int = _DEFAULTS["decimate"]

    @property
    def solver(self) -> Method:
        return METHODS[self.method]

    @property
    def longest_step(self) -> float:
        """`max_step`, or a fiftieth of the run."""
        return self.max_step or (self.stop - self.start) / 50.0


def read_settings(
    solver: Mapping[str, Assignment], log: Mapping[str, Assignment], position: Position
) -> Settings:
    """Settings from a diagram's sections; all problems at once."""
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    for section, declared, given in (("solver", SOLVER, solver), ("log", LOG, log)):
        params = {param.name: param for param in declared}
        for name, assignment in given.items():
            if name not in params:
                near = suggestion(name, params) or f"; known: {', '.join(params)}"
                problems.append(
                    Problem(assignment.position, f"'{name}' is not a setting of {section}{near}")
                )
                continue
            if name == GUESS:
                continue
            try:
                values[name], _ = read_value(section, params[name], assignment)
            except DiagramError as error:
                problems.extend(
                    Problem(p.position or assignment.position, p.message) for p in error.problems
                )
    if problems:
        raise DiagramError(problems)
    settings = Settings(**values)
    problems.extend(_contradictions(settings, solver, position))
    if problems:
        raise DiagramError(problems)
    return settings


def _contradictions(
    settings: Settings, solver: Mapping[str, Assignment], position: Position
) -> Iterator[Problem]:
    """What is wrong with settings together, where each of them is right."""

    def where(*names: str) -> Position:
        return next((solver[name].position for name in names if name in solver), position)

    start, stop = settings.start, settings.stop
    if not math.isfinite(stop - start):
        message = f"solver.start = {start:g} s and stop = {stop:g} s are too far apart"
        yield Problem(where("stop", "start"), f"{message}; expected less than 1.8e308 s")
    elif not stop > start:
        message = f"solver.stop = {stop:g} s is not after start = {start:g} s"
        yield Problem(where("stop", "start", "method"), message)
    if not settings.solver.variable and settings.step is None:
        message = f"solver.method = {settings.method} has a fixed step; give `step: ...`"
        yield Problem(where("method"), message)
    if settings.solver.variable and settings.step is not None:
        yield Problem(
            where("step"),
            f"solver.step has no meaning for {settings.method}, which chooses its steps; "
            "use max_step, rtol and atol, or a fixed-step method (euler, heun, rk4, ode5)",
        )
    if settings.solver.variable and settings.min_step > max(settings.longest_step, 0.0):
        given = "max_step" if settings.max_step is not None else "max_step, a fiftieth of the run,"
        yield Problem(
            where("min_step"),
            f"solver.min_step = {settings.min_step:g} s is above {given} = "
            f"{settings.longest_step:g} s; expected at most that, or 0 to leave it out",
        )
