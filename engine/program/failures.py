"""A block's function that raised an exception: which call, when, with what, and what it raised."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..declaration.read_only import advice
from ..functions.functions import interpreted
from ..schedule.calls import Call

LONGEST_SHOWN = 100


class BlockFailure(Exception):
    """Ends a run; `arguments` are what the function was given, in the order of its signature."""

    def __init__(self, call: Call, time: float, arguments: Sequence[Any], error: BaseException):
        super().__init__(f"{call.block}: {described(error)}")
        self.call = call
        self.time = time
        self.arguments = tuple(arguments)
        self.error = error

    @property
    def where(self) -> str:
        """File and line of the function at which the exception came out, if they are known."""
        file = self.call.kernel.function.__code__.co_filename
        frames = traceback.extract_tb(self.error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == file]
        return f"{os.path.basename(file)}:{lines[-1]}" if lines else os.path.basename(file)


class Unknown(Exception):
    """Stands for an exception of compiled code that the same function does not raise in Python."""


def described(error: BaseException) -> str:
    """Type and message of an exception, and what to do about an array that cannot be written."""
    text = f"{type(error).__name__}: {error}".rstrip(": ")
    refused = isinstance(error, ValueError) and "read-only" in text
    return f"{text}; {advice()}" if refused else text


def results_of(call: Call, result: Any) -> list[float]:
    """The scalar results of a call as numbers; TypeError if they are not as declared."""
    if not call.results:
        return []
    values = result if isinstance(result, tuple) else (result,)
    if len(values) != len(call.results):
        count = len(call.results)
        raise TypeError(f"{len(values)} values are returned where {count} are declared")
    return [number(value, ref.type) for value, ref in zip(values, call.results, strict=True)]


def number(value: Any, kind: type = float) -> float:
    """A result as compiled code stores it: a whole number is cut off, a truth value 0 or 1."""
    if isinstance(value, bool | int | float | np.number | np.bool_) and not np.iscomplexobj(value):
        return float(value) if kind is float else float(kind(value))
    text = repr(value)
    shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."
    raise TypeError(f"{shown} is returned, which is not a number")


def replayed(call: Call, time: float, arguments: Sequence[Any]) -> BlockFailure:
    """The exception that a compiled call raised, from the same function with the same arguments."""
    try:
        with np.errstate(all="ignore"):
            results_of(call, interpreted(call.kernel.function)(*arguments))
    except BaseException as error:
        return BlockFailure(call, time, arguments, error)
    message = "the compiled function failed, the same function in Python did not"
    return BlockFailure(call, time, arguments, Unknown(message))
