"""The `solver` and `log` sections of a diagram: what may stand there, and what holds otherwise.

Declared like block parameters, so that they are checked and documented in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..declaration import Param
from ..diagram.flatten import Assignment
from ..errors import DiagramError, Place, Problem, suggestion
from ..solvers.methods import METHODS, Method
from .guesses import GUESS
from .resolve import read_value

SOLVER = (
    Param("", "solver", name="method", type=str, default="ode45", choices=tuple(METHODS)),
    Param("s", "start time", name="start", default=0.0),
    Param("s", "stop time", name="stop", default=10.0),
    Param("1", "relative tolerance", name="rtol", default=1e-6, gt=0, lt=1),
    Param("1", "absolute tolerance of every state", name="atol", default=1e-9, gt=0),
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


@dataclass(frozen=True)
class Settings:
    """How a run is to be done."""

    method: str = "ode45"
    start: float = 0.0
    stop: float = 10.0
    rtol: float = 1e-6
    atol: float = 1e-9
    step: float | None = None
    max_step: float | None = None
    min_step: float = 0.0
    seed: int = 0
    zeno: str = "stop"
    dwell: float = 1e-3
    every: float | None = None
    decimate: int = 1

    @property
    def solver(self) -> Method:
        return METHODS[self.method]


def read_settings(
    solver: Mapping[str, Assignment], log: Mapping[str, Assignment], place: Place
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
                    Problem(assignment.place, f"'{name}' is not a setting of {section}{near}")
                )
                continue
            if name == GUESS:
                continue
            try:
                values[name], _ = read_value(section, params[name], assignment)
            except DiagramError as error:
                problems.extend(
                    Problem(p.place or assignment.place, p.message) for p in error.problems
                )
    if problems:
        raise DiagramError(problems)
    settings = Settings(**values)
    where = solver.get("stop") or solver.get("start") or solver.get("method")
    spot = where.place if where else place
    if not math.isfinite(settings.stop - settings.start):
        problems.append(
            Problem(spot, f"solver.stop = {settings.stop:g} s has no end; expected a finite time")
        )
    elif not settings.stop > settings.start:
        problems.append(
            Problem(
                spot, f"solver.stop = {settings.stop:g} s is not after start = {settings.start:g} s"
            )
        )
    if not settings.solver.variable and settings.step is None:
        problems.append(
            Problem(spot, f"solver.method = {settings.method} has a fixed step; give `step: ...`")
        )
    if settings.solver.variable and settings.step is not None:
        problems.append(
            Problem(
                solver["step"].place,
                f"solver.step has no meaning for {settings.method}, which chooses its steps; "
                "use max_step, rtol and atol, or a fixed-step method (euler, heun, rk4, ode5)",
            )
        )
    if problems:
        raise DiagramError(problems)
    return settings
