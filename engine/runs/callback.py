"""Block functions that numba refused: compiled code calls them back, one at a time.

Arguments and results travel as packed doubles. An exception is kept, and the compiled code is told
to end the run.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..declaration.read_only import protected
from ..functions.functions import interpreted
from ..memory.references import size_of
from ..program.failures import results_of
from ..schedule.calls import Call

PROTOTYPE = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_int64, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double)
)


class Callback:
    """One C function for all calls in Python, which knows them by their numbers.

    `error` is the exception that the last call raised, `current` the call at work.
    """

    def __init__(self, calls: Sequence[Call]):
        self._calls = calls
        self._functions: dict[int, Any] = {}
        self._function = PROTOTYPE(self._run)
        self.error: BaseException | None = None
        self.current: Call | None = None

    @property
    def address(self) -> int:
        return ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def _run(self, number: int, packed: Any, results: Any) -> int:
        call = self.current = self._calls[number]
        try:
            if number not in self._functions:
                self._functions[number] = interpreted(call.kernel.function)
            values, filled = _unpacked(call, packed)
            with np.errstate(all="ignore"):
                numbers = results_of(call, self._functions[number](*values))
            for array in filled:
                numbers.extend(array.ravel())
        except BaseException as error:
            self.error = error
            return 1
        for i, value in enumerate(numbers):
            results[i] = value
        self.current = None
        return 0


def _unpacked(call: Call, packed: Any) -> tuple[list[Any], list[np.ndarray]]:
    """Arguments as the interpreter passes them, and the arrays that are to be filled."""
    values: list[Any] = []
    filled: list[np.ndarray] = []
    offset = 0
    for i, argument in enumerate(call.arguments):
        size = size_of(argument)
        if argument.shape:
            array = np.array(packed[offset : offset + size]).reshape(argument.shape)
            if i in call.kernel.fills:
                filled.append(array)
            else:
                array = protected(array)
            values.append(array)
        else:
            kind = getattr(argument, "type", float)
            values.append(np.float64(packed[offset]) if kind is float else kind(packed[offset]))
        offset += size
    return values, filled
