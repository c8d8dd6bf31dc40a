"""The rates of a diagram's continuous states, for equilibria and eigenvalues.

Compiled as in a run: the same code at the same numbers gives the same bits.
"""

from __future__ import annotations

import numpy as np

from ..analysis.checking import Checked
from ..errors import SimulationError
from ..memory import layout as sections
from ..program.compiler import compile_program
from ..program.failures import BlockFailure
from ..program.interpreter import Interpreter
from ..program.store import Store
from ..runs.machine import CompiledMachine
from ..runs.memory import fill, layout_of
from ..schedule.sparsity import colours, dependencies
from .differences import MOST_STEPS, derivatives


class Rates:
    """x' = f(t, x) of a checked diagram; what is sampled stays as at the start."""

    def __init__(self, checked: Checked, store: Store | None = None):
        self.checked, self._layout = checked, layout_of(checked)
        self._w = np.zeros(self._layout.size)
        fill(self._w, checked, self._layout)
        interpreter = Interpreter(checked.schedule.program, self._layout)
        method = checked.settings.solver
        log = np.zeros((1, 1))
        compiled = compile_program(interpreter.program, self._layout, method, store or Store())
        self._machine = CompiledMachine(interpreter, self._layout, compiled, self._w, log)
        self._rhs = self._machine.model.rhs

    @property
    def start(self) -> np.ndarray:
        """All states at the start of a run."""
        return self.checked.schedule.slots.start.copy()

    def slice_of(self, block: str, state: str) -> slice:
        """Where a block's state lies among all."""
        ref = self.checked.schedule.slots.states[block, state]
        return slice(ref.offset, ref.offset + ref.size)

    def parameter(self, block: str, name: str) -> np.ndarray:
        """The numbers of a parameter, or of what is derived from some, as the code reads them.

        Writing to them changes what it computes.
        """
        ref = self.checked.schedule.slots.parameters[block, name]
        return self._w[ref.offset : ref.offset + ref.size].reshape(ref.shape)

    def discrete(self, block: str, name: str) -> np.ndarray:
        """A discrete state, which may be changed as parameters may."""
        ref = self.checked.schedule.slots.discretes[block, name]
        return self._w[ref.offset : ref.offset + ref.size].reshape(ref.shape)

    def __call__(self, x: np.ndarray, t: float = 0.0) -> np.ndarray:
        y, k, n = self._layout[sections.Y], self._layout[sections.K], self._layout[sections.N_X]
        self._w[y : y + n] = x
        self._w[sections.STATUS] = sections.RUNNING
        try:
            self._rhs(t, self._w, y, k)
        except BlockFailure as failure:
            raise SimulationError(f"t = {t:.9g} s: {failure}") from failure
        return self._w[k : k + n].copy()

    def jacobian(
        self, x: np.ndarray, sizes: np.ndarray | float = 1.0, most: int = MOST_STEPS
    ) -> np.ndarray:
        """df/dx by extrapolated differences; only what depends on each other is looked at.

        `sizes` of the states, or one for all: differences begin at a hundredth of them, and go on
        to smaller ones, at `most` so many. With two, a force that acts on one side only counts with
        the mean of both sides, also where the point is a little beside its edge.
        """
        n = len(x)
        rows = dependencies(self.checked.schedule.program.rhs, n)
        own = np.broadcast_to(np.asarray(sizes, dtype=float), x.shape)
        return derivatives(self, x, own, rows, colours(rows, n), most).matrix
