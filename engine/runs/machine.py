"""What carries a run forward: compiled code, or the same loop interpreted.

Both are called as `advance(budget)` over one memory and one log buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..program import layout as at
from ..program.calls import Call, Kernel
from ..program.compiler import compile_program
from ..program.functions import interpreted
from ..program.interpreter import BlockFailure, Interpreter
from ..program.layout import Layout
from ..program.store import Store
from ..solvers.control import take_step
from ..solvers.loop import advance
from ..solvers.methods import Method
from .callback import Callback


class InterpretedMachine:
    """Every function in Python; `model` may be compiled code, where only the solver is Python."""

    notices: tuple[str, ...] = ()

    def __init__(self, method: Method, model: Any, w: np.ndarray, log: np.ndarray):
        self._w, self._log, self._model = w, log.reshape(-1), model
        self._error: str | None = None
        names: dict[str, Any] = {
            name: getattr(model, name)
            for name in ("at", "rhs", "outputs", "guards", "tasks", "resets")
        }
        step, interpolate = method.functions()
        names["step"] = interpreted(step, names)
        names["interpolate"] = interpreted(interpolate, names)
        names["take_step"] = interpreted(take_step, names)
        self._run = interpreted(advance, names)

    @property
    def model(self) -> Any:
        """The diagram's functions, to be called over any memory."""
        return self._model

    @property
    def error(self) -> str | None:
        if isinstance(self._model, CompiledModel):
            return self._model.machine.error
        return self._error

    def prepare(self) -> None:
        """Before a run from the start."""
        self._error = None
        if isinstance(self._model, CompiledModel):
            self._model.machine.prepare()

    def advance(self, budget: int) -> None:
        if isinstance(self._model, CompiledModel):
            self._model.machine.connect()
        try:
            with np.errstate(all="ignore"):
                self._run(self._w, self._log, budget)
        except BlockFailure as failure:
            self._error = str(failure)


class CompiledMachine:
    """The diagram's own machine code; block functions that numba refused are called back."""

    def __init__(
        self,
        interpreter: Interpreter,
        layout: Layout,
        method: Method,
        store: Store,
        w: np.ndarray,
        log: np.ndarray,
    ):
        program = interpreter.program
        compiled = compile_program(program, layout, method, store)
        self.library = compiled.library
        self.error: str | None = None
        self._w, self._log, self._layout = w, log, layout
        self._run: Any = compiled.library.functions.get("advance")
        self.notices = tuple(
            f"{_first(compiled.python_calls, kernel).block}: '{kernel.function.__name__}' runs in "
            f"Python, since numba cannot compile it: {why}"
            for kernel, why in compiled.reasons.items()
        )
        calls = compiled.python_calls
        self._callback = Callback(calls, self._fail) if calls else None

    @property
    def model(self) -> CompiledModel:
        """The diagram's functions, to be called over any memory."""
        return CompiledModel(self, self._layout)

    def prepare(self) -> None:
        """Before a run from the start."""
        self.error = None

    def advance(self, budget: int) -> None:
        self.connect()
        self._run(self._w.ctypes.data, self._log.ctypes.data, budget)

    def connect(self) -> None:
        """Puts the callback's address into the memory, which may be a copy from elsewhere."""
        if self._callback is not None:
            self._w[at.CALLBACK : at.CALLBACK + 1].view(np.int64)[0] = self._callback.address

    def _fail(self, block: str, error: BaseException) -> None:
        self.error = self.error or f"{block}: {type(error).__name__}: {error}"
        self._w[at.FAILED] = 1.0


def _first(calls: Sequence[Call], kernel: Kernel) -> Call:
    return next(call for call in calls if call.kernel == kernel)


class CompiledModel:
    """The diagram's compiled functions, for a solver that runs in Python."""

    def __init__(self, machine: CompiledMachine, layout: Layout):
        self.machine = machine
        machine.connect()
        self.at = layout.__getitem__
        for name in ("rhs", "outputs", "guards", "tasks", "resets"):
            setattr(self, name, _bound(machine.library.functions[name]))


def _bound(function: Any) -> Callable[..., None]:
    return lambda t, w, *places: function(t, w.ctypes.data, *places)
