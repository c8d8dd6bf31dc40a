"""What carries a run forward: compiled code, or the same loop interpreted.

Both are called as `advance(budget)` over one memory and one log buffer.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..program import layout as at
from ..program.calls import Call, Kernel
from ..program.compiler import compile_program, kernels_of
from ..program.functions import interpreted
from ..program.interpreter import Interpreter
from ..program.layout import Layout
from ..program.store import Store
from ..solvers.loop import advance
from ..solvers.methods import Method

CALLBACK = ctypes.CFUNCTYPE(
    None, ctypes.c_int64, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double)
)


class InterpretedMachine:
    """Every function in Python; `model` may be compiled code, where only the solver is Python."""

    notices: tuple[str, ...] = ()
    error: str | None = None

    def __init__(self, method: Method, model: Any, w: np.ndarray, log: np.ndarray):
        self._w, self._log, self._model = w, log.reshape(-1), model
        names: dict[str, Any] = {
            name: getattr(model, name)
            for name in ("at", "rhs", "outputs", "guards", "tasks", "resets")
        }
        step, interpolate = method.functions()
        names["step"] = interpreted(step, names)
        names["interpolate"] = interpreted(interpolate, names)
        self._run = interpreted(advance, names)

    def prepare(self) -> None:
        """Nothing is kept outside of the memory."""

    def advance(self, budget: int) -> None:
        with np.errstate(all="ignore"):
            self._run(self._w, self._log, budget)


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
        self._w, self._log = w, log
        self._run: Any = compiled.library.functions.get("advance")
        refused = compiled.python_kernels
        calls = {call.kernel: call for call in _all_calls(interpreter)}
        self.notices = tuple(
            f"{calls[kernel].block}: '{kernel.function.__name__}' runs in Python, "
            f"since numba cannot compile it: {why}"
            for kernel, why in refused.items()
        )
        python = [kernel for kernel in kernels_of(program) if kernel in refused]
        self._callback = CALLBACK(_python_kernels(python, calls, self._fail)) if python else None
        self.prepare()

    def prepare(self) -> None:
        """Puts the callback's address into the memory."""
        if self._callback is not None:
            address = ctypes.cast(self._callback, ctypes.c_void_p).value or 0
            self._w[at.CALLBACK : at.CALLBACK + 1].view(np.int64)[0] = address

    def advance(self, budget: int) -> None:
        self._run(self._w.ctypes.data, self._log.ctypes.data, budget)

    def _fail(self, block: str, error: BaseException) -> None:
        self.error = self.error or f"{block}: {type(error).__name__}: {error}"
        self._w[at.FAILED] = 1.0


class CompiledModel:
    """The diagram's compiled functions, for a solver that runs in Python."""

    def __init__(self, machine: CompiledMachine, layout: Layout):
        self._machine = machine
        self.at = layout.__getitem__
        for name in ("rhs", "outputs", "guards", "tasks", "resets"):
            setattr(self, name, _bound(machine.library.functions[name]))


def _bound(function: Any) -> Callable[..., None]:
    return lambda t, w, *places: function(t, w.ctypes.data, *places)


def _all_calls(interpreter: Interpreter) -> list[Call]:
    program = interpreter.program
    steps = [*program.outputs, *program.rhs, *program.guards, *program.tasks, *program.resets]
    loops = [call for loop in program.loops for call in loop.calls]
    return [step for step in (*steps, *loops) if isinstance(step, Call)]


def _python_kernels(
    kernels: Sequence[Kernel], calls: dict[Kernel, Call], fail: Callable[[str, BaseException], None]
) -> Callable[..., None]:
    """One function for all: kernel number, packed arguments, place for results."""

    def shapes(call: Call) -> list[tuple[tuple[int, ...], type, bool]]:
        return [(a.shape, getattr(a, "type", float), a in call.fills) for a in call.arguments]

    table = [(k.function, shapes(calls[k]), len(k.results), calls[k].block) for k in kernels]

    def call(number: int, packed: Any, results: Any) -> None:
        function, arguments, scalars, block = table[number]
        place, values, filled = 0, [], []
        for shape, kind, fill in arguments:
            size = int(np.prod(shape)) if shape else 1
            if shape:
                value = np.array(packed[place : place + size]).reshape(shape)
                if fill:
                    filled.append(value)
            else:
                value = kind(packed[place])
            values.append(value)
            place += size
        try:
            result = function(*values)
            outputs = result if isinstance(result, tuple) else (result,)
            for i in range(scalars):
                results[i] = float(outputs[i])
            position = scalars
            for array in filled:
                for number_ in array.ravel():
                    results[position] = number_
                    position += 1
        except BaseException as error:
            fail(block, error)
            for i in range(scalars):
                results[i] = float("nan")

    return call
