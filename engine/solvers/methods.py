"""The solvers by the names people know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from railblocks.engine.solvers.bogacki_shampine import ODE23
from railblocks.engine.solvers.dop853 import ROWS as ROWS_853
from railblocks.engine.solvers.dop853 import dop853_functions
from railblocks.engine.solvers.dormand_prince import ODE5, ODE45
from railblocks.engine.solvers.explicit import explicit_functions
from railblocks.engine.solvers.fixed import EULER, HEUN, RK4
from railblocks.engine.solvers.tableau import Tableau

Functions = tuple[Callable[..., Any], Callable[..., Any]]


@dataclass(frozen=True)
class Method:
    """How to integrate: `functions` gives step and interpolate, `workspace` their memory."""

    name: str
    doc: str
    order: int
    estimate: int  # order of the error estimate; 0 for a fixed step
    workspace: Callable[[int], int]
    functions: Callable[[], Functions]
    scipy: bool = False

    @property
    def variable(self) -> bool:
        return self.estimate > 0 or self.scipy


def _from_tableau(tableau: Tableau) -> Method:
    return Method(
        tableau.name,
        tableau.doc,
        tableau.order,
        tableau.estimate,
        lambda n: tableau.stages * n,
        lambda: explicit_functions(tableau),
    )


ODE853 = Method(
    "ode853",
    "Dormand-Prince 8(5,3) with variable step: fewest evaluations at tolerances below 1e-8.",
    8,
    7,
    lambda n: ROWS_853 * n,
    dop853_functions,
)

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        *map(_from_tableau, (ODE45, ODE23)),
        ODE853,
        *map(_from_tableau, (EULER, HEUN, RK4, ODE5)),
    )
}
