"""The functions of the run loop and of the methods that are compiled apart, and their types."""

from __future__ import annotations

from typing import Any

from ..solvers.control import take_step
from ..solvers.loop import advance
from ..solvers.methods import Method

SOLVER_SIGNATURES = {
    "advance": ("ppi", "v"),
    "take_step": ("pd", "v"),
    "step": ("ddp", "d"),
    "interpolate": ("dpi", "v"),
    "solve_loop": ("iiidpi", "v"),
}
"""Letters of arguments and result, as in `externals.SIGNATURES`."""


def solver_functions(method: Method) -> dict[str, Any]:
    """The functions by name; none where the method stays in Python."""
    if method.python:
        return {}
    step, interpolate = method.functions()
    return {
        "step": step,
        "interpolate": interpolate,
        "take_step": take_step,
        "advance": advance,
    }
