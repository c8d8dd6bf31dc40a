"""Compiles a program: kernels once a type, the schedule emitted, all linked into one library."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..declaration.read_only import changes_given
from ..errors import DiagramError, Position
from ..memory.layout import Layout
from ..schedule.calls import Call, Kernel, Loop, Program
from ..solvers.methods import Method
from .emitter import emit
from .linker import Library, link, program_key
from .lowering_processes import Report, lower_all, unreported
from .newton import solve_loop
from .parts import Part
from .solver_functions import SOLVER_SIGNATURES, solver_functions
from .store import Store
from .traits import Traits


class Compiled:
    """A loaded program: its library, the calls that it knows by number, and its kernels' traits.

    `notices` say what of the cache, or of what came with the package, could not be used.
    """

    def __init__(
        self,
        library: Library,
        calls: list[Call],
        traits: dict[Kernel, Traits],
        notices: tuple[str, ...],
    ):
        self.library = library
        self.calls = calls
        self.traits = traits
        self.notices = notices


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


def parts_of(program: Program, method: Method) -> tuple[dict[Kernel, Part], dict[str, Part]]:
    """All that is lowered for a program: its kernels, and the solver's functions by name."""
    functions = solver_functions(method)
    if program.loops:
        functions["solve_loop"] = solve_loop
    solver = {
        name: Part.of_solver(function, *SOLVER_SIGNATURES[name])
        for name, function in functions.items()
    }
    return {kernel: Part.of_kernel(kernel) for kernel in kernels_of(program)}, solver


def compile_program(
    program: Program, layout: Layout, method: Method, store: Store, report: Report = unreported
) -> Compiled:
    """The program as machine code, from the store if it was compiled before.

    A method in Python gets the diagram's functions without the run loop. `report` is called while
    something is lowered, with the number of parts that are there and of all.
    """
    kernels, solver = parts_of(program, method)
    symbols = {name: part.symbol for name, part in solver.items()}
    known = {kernel: part.known_traits(store) for kernel, part in kernels.items()}
    traits = {kernel: of for kernel, of in known.items() if of is not None}
    emitted = emit(program, layout, traits, symbols) if len(traits) == len(kernels) else None
    if emitted is None or not _is_stored(emitted[0], kernels, traits, symbols, store):
        lower_all([*kernels.values(), *solver.values()], store, report)
        traits = {kernel: part.traits(store) for kernel, part in kernels.items()}
    _refuse_changes(program, traits)
    text, calls = emitted or emit(program, layout, traits, symbols)
    linked = [part for kernel, part in kernels.items() if not traits[kernel].refusal]
    codes = {part.symbol: _code_of(part, store) for part in (*linked, *solver.values())}
    return Compiled(link(text, codes, store), calls, traits, store.notices)


def _is_stored(
    text: str,
    kernels: dict[Kernel, Part],
    traits: dict[Kernel, Traits],
    solver: dict[str, str],
    store: Store,
) -> bool:
    """Whether the whole program is in the store."""
    names = [part.symbol for kernel, part in kernels.items() if not traits[kernel].refusal]
    return store.find(f"{program_key(text, [*names, *solver.values()])}.o") is not None


def _code_of(part: Part, store: Store) -> Callable[[], str]:
    return lambda: part.code(store)


def _refuse_changes(program: Program, traits: dict[Kernel, Traits]) -> None:
    for call in calls_of(program):
        if traits[call.kernel].changes:
            code = call.kernel.function.__code__
            raise DiagramError(
                f"{call.block}: {changes_given(call.equation)}",
                Position(code.co_filename, code.co_firstlineno),
            )
