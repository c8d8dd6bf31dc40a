"""The solvers by the names people know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from railblocks.engine.solvers.bogacki_shampine import ODE23
from railblocks.engine.solvers.dop853 import ROWS as ROWS_853
from railblocks.engine.solvers.dop853 import STAGES as STAGES_853
from railblocks.engine.solvers.dop853 import dop853_functions
from railblocks.engine.solvers.dormand_prince import ODE5, ODE45
from railblocks.engine.solvers.explicit import explicit_functions
from railblocks.engine.solvers.fixed import EULER, HEUN, RK4
from railblocks.engine.solvers.radau5 import interpolate as radau_interpolate
from railblocks.engine.solvers.radau5 import step as radau_step
from railblocks.engine.solvers.radau5 import workspace as radau_workspace
from railblocks.engine.solvers.scipy_oracles import scipy_functions
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
    stiff: bool = False
    python: bool = False  # the method itself is not compiled
    edge: float = 0.0  # step times largest eigenvalue at the edge of stability; 0: not looked at
    edge_row: int = 0  # the last stage but one

    @property
    def variable(self) -> bool:
        return self.estimate > 0


def _from_tableau(tableau: Tableau) -> Method:
    return Method(
        tableau.name,
        tableau.doc,
        tableau.order,
        tableau.estimate,
        lambda n: tableau.stages * n,
        lambda: explicit_functions(tableau),
        edge=tableau.edge,
        edge_row=tableau.stages - 2,
    )


ODE853 = Method(
    "ode853",
    "Dormand-Prince 8(5,3) with variable step: fewest evaluations at tolerances below 1e-8.",
    8,
    7,
    lambda n: ROWS_853 * n,
    dop853_functions,
    edge=6.1,
    edge_row=STAGES_853 - 2,
)

RADAU5 = Method(
    "radau5",
    "Radau IIA of fifth order, implicit, with variable step: for stiff diagrams, such as contacts, "
    "fast electrical parts and stiff springs. Costs more per step than ode45.",
    5,
    3,
    radau_workspace,
    lambda: (radau_step, radau_interpolate),
    stiff=True,
)


def _from_scipy(name: str) -> Method:
    return Method(
        name,
        f"SciPy's {name}, called in Python over the compiled diagram: slow, for comparison.",
        5,
        1,
        lambda n: 2 * n,
        lambda: scipy_functions(name),
        python=True,
    )


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        *map(_from_tableau, (ODE45, ODE23)),
        ODE853,
        RADAU5,
        *map(_from_tableau, (EULER, HEUN, RK4, ODE5)),
        *map(_from_scipy, ("Radau", "BDF", "LSODA")),
    )
}
