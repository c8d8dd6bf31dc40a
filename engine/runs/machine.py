"""Machines that advance a run: compiled code, or the same loop interpreted.

Both are called as `advance(budget)` over one memory and one log buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

import numpy as np

from ..functions.functions import interpreted
from ..memory import layout as sections
from ..memory.layout import Layout
from ..program.compiler import Compiled
from ..program.failures import BlockFailure, replayed
from ..program.interpreter import Interpreter
from ..schedule.calls import Call, Kernel
from ..solvers.control import take_step
from ..solvers.loop import advance
from ..solvers.methods import Method
from .callback import Callback


class InterpretedMachine:
    """Every function in Python; `model` may be compiled code, where only the solver is Python."""

    notices: tuple[str, ...] = ()

    def __init__(self, method: Method, model: Any, w: np.ndarray, log: np.ndarray):
        self._w, self._log, self._model, self._method = w, log.reshape(-1), model, method
        self.failure: BlockFailure | None = None
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

    def over(self, w: np.ndarray, log: np.ndarray) -> InterpretedMachine:
        """The same machine over another memory and log buffer."""
        model = self._model
        if isinstance(model, CompiledModel):
            model = model.machine.over(w, log).model
        else:
            model = Interpreter(model.program, model.layout)
        return InterpretedMachine(self._method, model, w, log)

    @property
    def current(self) -> Call | None:
        """The block's function that is at work."""
        return self._model.current

    def advance(self, budget: int) -> None:
        self.failure = None
        if isinstance(self._model, CompiledModel):
            self._model.machine.connect()
        try:
            with np.errstate(all="ignore"):
                self._run(self._w, self._log, budget)
        except BlockFailure as failure:
            self.failure = failure
            self._w[sections.STATUS] = sections.RAISED


class CompiledMachine:
    """The diagram's own machine code; block functions that numba refused are called back."""

    def __init__(
        self,
        interpreter: Interpreter,
        layout: Layout,
        compiled: Compiled,
        w: np.ndarray,
        log: np.ndarray,
    ):
        self.library = compiled.library
        self.failure: BlockFailure | None = None
        self._w, self._log, self._layout = w, log, layout
        self._interpreter, self._calls = interpreter, compiled.calls
        self._run: Any = compiled.library.functions.get("advance")
        refused = {k: of.refusal for k, of in compiled.traits.items() if of.refusal}
        self.notices = compiled.notices + tuple(
            f"{_first(compiled.calls, kernel).block}: '{kernel.function.__name__}' runs in "
            f"Python, since numba cannot compile it: {why}"
            for kernel, why in refused.items()
        )
        self._callback = Callback(compiled.calls) if refused else None

    @property
    def model(self) -> CompiledModel:
        """The diagram's functions, to be called over any memory."""
        return CompiledModel(self, self._layout)

    def over(self, w: np.ndarray, log: np.ndarray) -> CompiledMachine:
        """The same machine over another memory and log buffer."""
        other = copy(self)
        other._w, other._log = w, log
        other._callback = Callback(self._calls) if self._callback is not None else None
        return other

    @property
    def current(self) -> Call | None:
        """The block's function that is at work, if it may never end."""
        if self._callback is not None and self._callback.current is not None:
            return self._callback.current
        number = int(self._w[sections.CURRENT])
        return self._calls[number - 1] if number else None

    def advance(self, budget: int) -> None:
        self.failure = None
        self.connect()
        self._run(self._w.ctypes.data, self._log.ctypes.data, budget)
        if self._w[sections.STATUS] == sections.RAISED:
            self.failure = self.failure_in(self._w)

    def connect(self) -> None:
        """Puts the callback's address into the memory, which may be a copy from elsewhere."""
        if self._callback is not None:
            self._callback.error = self._callback.current = None
            self._w[sections.CALLBACK : sections.CALLBACK + 1].view(np.int64)[0] = (
                self._callback.address
            )

    def failure_in(self, w: np.ndarray) -> BlockFailure:
        """Which call ended a run, from its memory; an interruption in a callback goes on here."""
        call, time = self._calls[int(w[sections.CULPRIT])], float(w[sections.T_FAILED])
        arguments = self._interpreter.carried_arguments(call, time, w)
        error = self._callback.error if self._callback is not None else None
        if error is None:
            return replayed(call, time, arguments)
        if isinstance(error, KeyboardInterrupt):
            raise error
        return BlockFailure(call, time, arguments, error)


def _first(calls: Sequence[Call], kernel: Kernel) -> Call:
    return next(call for call in calls if call.kernel == kernel)


class CompiledModel:
    """The diagram's compiled functions, for a solver that runs in Python."""

    rhs: Callable[..., None]
    outputs: Callable[..., None]
    guards: Callable[..., None]
    tasks: Callable[..., None]
    resets: Callable[..., None]

    def __init__(self, machine: CompiledMachine, layout: Layout):
        self.machine = machine
        machine.connect()
        self.at = layout.__getitem__
        for name in ("rhs", "outputs", "guards", "tasks", "resets"):
            setattr(self, name, self._bound(machine.library.functions[name]))

    @property
    def current(self) -> Call | None:
        return self.machine.current

    def _bound(self, function: Any) -> Callable[..., None]:
        def call(t: float, w: np.ndarray, *offsets: int) -> None:
            function(t, w.ctypes.data, *offsets)
            if w[sections.STATUS] == sections.RAISED:
                raise self.machine.failure_in(w)

        return call
