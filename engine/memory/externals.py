"""What the solver calls and the program supplies, by name.

Solver functions name these as if they were ordinary functions. Compiled, each name is a symbol that
the linker joins with the emitted code; interpreted, it is replaced by the interpreter's function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SIGNATURES: dict[str, tuple[str, str]] = {
    # name: arguments, result; d double, p pointer to doubles, i integer, v nothing
    "at": ("i", "i"),
    "rhs": ("dpii", "v"),
    "outputs": ("dpi", "v"),
    "guards": ("dpii", "v"),
    "tasks": ("dpi", "v"),
    "resets": ("dpi", "v"),
    "residual": ("idpiii", "v"),
    "step": ("ddp", "d"),
    "interpolate": ("dpi", "v"),
    "take_step": ("pd", "v"),
}


def _external(name: str) -> Callable[..., Any]:
    def missing(*_: Any) -> Any:
        raise RuntimeError(f"'{name}' is supplied by the program; it cannot be called directly")

    missing.__name__ = name
    return missing


at = _external("at")
rhs = _external("rhs")
outputs = _external("outputs")
guards = _external("guards")
tasks = _external("tasks")
resets = _external("resets")
residual = _external("residual")
step = _external("step")
interpolate = _external("interpolate")
take_step = _external("take_step")  # of `solvers.control`: compiled apart from the run loop
