"""Compiles a program: kernels once a type, the schedule emitted, all linked into one library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..declaration.read_only import changes_given
from ..errors import DiagramError, Position
from ..memory.layout import Layout
from ..schedule.calls import Call, Kernel, Loop, Program
from ..solvers.methods import Method
from .ahead import SHARE, Ahead
from .emitter import emit
from .kernels import (
    Traits,
    kernel_code,
    kernel_traits,
    known_traits,
    solver_code,
    solver_symbol,
    symbol,
)
from .linker import Library, link, program_key
from .newton import solve_loop
from .solver_parts import SOLVER_SIGNATURES, solver_parts
from .store import Store


class Compiled:
    """A loaded program: its library, the calls that it knows by number, and its kernels' traits."""

    def __init__(self, library: Library, calls: list[Call], traits: dict[Kernel, Traits]):
        self.library = library
        self.calls = calls
        self.traits = traits


def calls_of(program: Program) -> Iterator[Call]:
    """Every call of the program."""
    functions = (program.rhs, program.outputs, program.guards, program.tasks, program.resets)
    for step in (step for steps in functions for step in steps):
        yield from step.calls if isinstance(step, Loop) else ()
        if isinstance(step, Call):
            yield step


def kernels_of(program: Program) -> list[Kernel]:
    """Every kernel once, in the order of first use."""
    return list(dict.fromkeys(call.kernel for call in calls_of(program)))


def compile_program(program: Program, layout: Layout, method: Method, store: Store) -> Compiled:
    """The program as machine code, from the store if it was compiled before.

    A method in Python gets the diagram's functions without the run loop.
    """
    kernels = kernels_of(program)
    parts = solver_parts(method)
    if program.loops:
        parts["solve_loop"] = solve_loop
    solver = {name: solver_symbol(part, *SOLVER_SIGNATURES[name]) for name, part in parts.items()}
    known = {kernel: known_traits(kernel, store) for kernel in kernels}
    traits = {kernel: of for kernel, of in known.items() if of is not None}
    emitted = emit(program, layout, traits, solver) if len(traits) == len(kernels) else None
    if emitted is None or not _is_stored(emitted[0], traits, solver, store):
        with _half_elsewhere(method, solver, store):
            traits = {kernel: kernel_traits(kernel, store) for kernel in kernels}
            for name in solver.keys() - set(SHARE):
                solver_code(parts[name], *SOLVER_SIGNATURES[name], store)
    _refuse_changes(program, traits)
    text, calls = emitted or emit(program, layout, traits, solver)
    codes: dict[str, Callable[[], str]] = {
        symbol(kernel.key): _kernel_text(kernel, store)
        for kernel in kernels
        if not traits[kernel].refusal
    }
    for name, part in parts.items():
        codes[solver[name]] = _solver_text(part, *SOLVER_SIGNATURES[name], store)
    return Compiled(link(text, codes, store), calls, traits)


def _is_stored(
    text: str, traits: dict[Kernel, Traits], solver: dict[str, str], store: Store
) -> bool:
    """Whether the whole program is in the store."""
    names = [symbol(kernel.key) for kernel, of in traits.items() if not of.refusal]
    return store.find(f"{program_key(text, [*names, *solver.values()])}.o") is not None


def _refuse_changes(program: Program, traits: dict[Kernel, Traits]) -> None:
    for call in calls_of(program):
        if traits[call.kernel].changes:
            code = call.kernel.function.__code__
            raise DiagramError(
                f"{call.block}: {changes_given(call.equation)}",
                Position(code.co_filename, code.co_firstlineno),
            )


@contextmanager
def _half_elsewhere(method: Method, solver: dict[str, str], store: Store) -> Iterator[None]:
    """A second process compiles its share of the solver in the meantime, if it is missing."""
    shared = [solver[name] for name in SHARE if name in solver]
    missing = any(store.find(f"{name}.ll") is None for name in shared)
    if not missing or not store.usable:
        yield
        return
    ahead = Ahead(method.name, store)
    try:
        yield
        ahead.wait()
    finally:
        ahead.end()


def _kernel_text(kernel: Kernel, store: Store) -> Callable[[], str]:
    return lambda: kernel_code(kernel, store)[1]


def _solver_text(part: Any, arguments: str, result: str, store: Store) -> Callable[[], str]:
    return lambda: solver_code(part, arguments, result, store)[1]
