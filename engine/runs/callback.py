"""Block functions that numba refused: compiled code calls them back, one at a time.

Arguments and results travel as packed doubles. An exception is kept with the block's name, and the
results become nan, so that the run ends where it happened.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..program.calls import Call, size_of
from ..program.functions import interpreted

PROTOTYPE = ctypes.CFUNCTYPE(
    None, ctypes.c_int64, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double)
)


class Callback:
    """One C function for all calls in Python, told apart by their numbers."""

    def __init__(self, calls: Sequence[Call], fail: Callable[[str, BaseException], None]):
        self._calls = [(call, interpreted(call.kernel.function)) for call in calls]
        self._fail = fail
        self._function = PROTOTYPE(self._run)

    @property
    def address(self) -> int:
        return ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def _run(self, number: int, packed: Any, results: Any) -> None:
        call, function = self._calls[number]
        try:
            values, filled = _unpacked(call, packed)
            with np.errstate(all="ignore"):
                result = function(*values)
            numbers = result if isinstance(result, tuple) else (result,)
            found = [float(number) for number in numbers[: len(call.results)]]
            for array in filled:
                found.extend(array.ravel())
        except BaseException as error:
            self._fail(call.block, error)
            found = [float("nan")] * sum(ref.size for ref in call.writes)
        for i, value in enumerate(found):
            results[i] = value


def _unpacked(call: Call, packed: Any) -> tuple[list[Any], list[np.ndarray]]:
    """Arguments as the interpreter passes them, and the arrays that are to be filled."""
    values: list[Any] = []
    filled: list[np.ndarray] = []
    place = 0
    for argument in call.arguments:
        size = size_of(argument)
        if argument.shape:
            array = np.array(packed[place : place + size]).reshape(argument.shape)
            values.append(array)
            if argument in call.fills:
                filled.append(array)
        else:
            kind = getattr(argument, "type", float)
            values.append(np.float64(packed[place]) if kind is float else kind(packed[place]))
        place += size
    return values, filled
