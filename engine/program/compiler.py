"""Compiles a program: kernels once a type, the schedule emitted, all linked into one library."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ..solvers.control import take_step
from ..solvers.loop import advance
from ..solvers.methods import Method
from .ahead import SHARE, Ahead
from .calls import Call, Kernel, Loop, Program, Step
from .emitter import emit
from .kernels import NotCompilable, kernel_code, solver_code, solver_symbol, symbol
from .layout import Layout
from .linker import Library, link, program_key
from .newton import solve_loop
from .store import Store

SOLVER_SIGNATURES = {
    "advance": ("ppi", "v"),
    "take_step": ("pd", "v"),
    "step": ("ddp", "d"),
    "interpolate": ("dpi", "v"),
    "solve_loop": ("iiidpi", "v"),
}


class Compiled:
    """A loaded program: its library, the calls left to Python, and why, by kernel."""

    def __init__(self, library: Library, python_calls: list[Call], reasons: dict[Kernel, str]):
        self.library = library
        self.python_calls = python_calls
        self.reasons = reasons


def kernels_of(program: Program) -> list[Kernel]:
    """Every kernel once, in the order of first use."""
    found: dict[Kernel, None] = {}

    def visit(steps: Iterable[Step]) -> None:
        for step in steps:
            if isinstance(step, Loop):
                visit(step.calls)
            elif isinstance(step, Call):
                found.setdefault(step.kernel)

    for steps in (program.rhs, program.outputs, program.guards, program.tasks, program.resets):
        visit(steps)
    return list(found)


def solver_parts(method: Method) -> dict[str, Any]:
    """The functions of the run loop and of the method, by name; none where it stays in Python."""
    if method.python:
        return {}
    step, interpolate = method.functions()
    return {
        "step": step,
        "interpolate": interpolate,
        "take_step": take_step,
        "advance": advance,
    }


def compile_program(program: Program, layout: Layout, method: Method, store: Store) -> Compiled:
    """The program as machine code, from the store if it was compiled before.

    A method in Python gets the diagram's functions without the run loop.
    """
    kernels = kernels_of(program)
    names = {kernel: symbol(kernel.key) for kernel in kernels}
    parts = solver_parts(method)
    if program.loops:
        parts["solve_loop"] = solve_loop
    solver = {name: solver_symbol(part, *SOLVER_SIGNATURES[name]) for name, part in parts.items()}
    while True:
        python = {k: r for k in kernels if (r := store.find(f"{names[k]}.python")) is not None}
        symbols = {kernel: None if kernel in python else names[kernel] for kernel in kernels}
        text, python_calls = emit(program, layout, symbols, solver)
        codes: dict[str, Callable[[], str]] = {
            names[kernel]: _kernel_text(kernel, store) for kernel in kernels if kernel not in python
        }
        for name, part in parts.items():
            codes[solver[name]] = _solver_text(part, *SOLVER_SIGNATURES[name], store)
        known = store.find(f"{program_key(text, list(codes))}.o") is not None
        if not known:
            with _half_elsewhere(method, solver, store):
                refused = _compile_kernels(kernels, python, names, store)
                for name in solver.keys() - set(SHARE):
                    codes[solver[name]]()
            if refused:
                continue
        reasons = {kernel: reason.decode() for kernel, reason in python.items()}
        return Compiled(link(text, codes, store), python_calls, reasons)


@contextmanager
def _half_elsewhere(method: Method, solver: dict[str, str], store: Store) -> Iterator[None]:
    """A second process compiles its share of the solver in the meantime, if it is missing."""
    shared = [solver[name] for name in SHARE if name in solver]
    missing = any(store.find(f"{name}.ll") is None for name in shared)
    ahead = Ahead(method.name, store) if missing else None
    try:
        yield
    finally:
        if ahead is not None:
            ahead.wait()


def _compile_kernels(
    kernels: Iterable[Kernel], python: dict[Kernel, bytes], names: dict[Kernel, str], store: Store
) -> bool:
    """Compiles what is missing; True if numba refused a kernel, which is remembered."""
    refused = False
    for kernel in kernels:
        if kernel in python:
            continue
        try:
            kernel_code(kernel, store)
        except NotCompilable as error:
            store.keep(f"{names[kernel]}.python", str(error))
            refused = True
    return refused


def _kernel_text(kernel: Kernel, store: Store) -> Callable[[], str]:
    return lambda: kernel_code(kernel, store)[1]


def _solver_text(part: Any, arguments: str, result: str, store: Store) -> Callable[[], str]:
    return lambda: solver_code(part, arguments, result, store)[1]
