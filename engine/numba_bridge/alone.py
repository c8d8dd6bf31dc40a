"""Kernels outside of diagrams: a pure function, compiled, called from Python."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..functions.functions import plain, rebound
from .lowering import by_numba


def compiled(function: Any) -> Any:
    """The function with everything that it calls, compiled by numba for C's arithmetic.

    It is compiled at its first call with given types and releases the interpreter lock.
    """
    return _compiled(plain(function))


@cache
def _compiled(function: Any) -> Any:
    import types

    def replace(_: str, value: Any) -> Any:
        return _compiled(value) if isinstance(value, types.FunctionType) else value

    return rebound(function, replace, by_numba(error_model="numpy", nogil=True))
