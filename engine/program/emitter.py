"""A program as LLVM text: straight-line calls of kernels, scalars as values, vectors in memory.

Every function is split into pieces of at most `PIECE` calls, since the optimiser's time grows
faster than a function's length; a scalar that is needed in another piece, or as part of a vector,
is stored. Kernels follow numba's calling convention, see `numba_bridge.convention`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..memory.layout import Layout
from ..memory.references import parts_of
from ..numba_bridge.convention import LLVM_TYPES, argument_types, c_wrapper, declaration
from ..schedule.calls import Call, Kernel, Loop, Program, Step
from .function_text import Body
from .solver_functions import SOLVER_SIGNATURES
from .symbols import Symbols
from .traits import Traits

PIECE = 300
METHOD = ("step", "interpolate", "take_step")


def emit(
    program: Program,
    layout: Layout,
    kernels: Mapping[Kernel, Traits],
    solver: Mapping[str, str],
) -> tuple[str, list[Call]]:
    """The module's text, and the calls that it knows by number.

    These are the calls in Python, those that can raise an exception and those that may never end.
    `solver` has the method's names.
    """
    offsets = ", ".join(f"i64 {offset}" for offset in layout.offsets)
    count = len(layout.offsets)
    parts = [
        f"@layout = internal constant [{count} x i64] [{offsets}]",
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        "declare ptr @malloc(i64)",
        "declare void @free(ptr)",
        "define i64 @rb_at(i64 %i) {",
        f"  %p = getelementptr [{count} x i64], ptr @layout, i64 0, i64 %i",
        "  %v = load i64, ptr %p\n  ret i64 %v\n}",
    ]
    symbols = Symbols(layout, kernels, solver.get("solve_loop", ""))
    emitter = Emitter(symbols)
    parts += emitter.function("rb_rhs", program.rhs, "%o", keep=False)
    parts += emitter.function("rb_outputs", program.outputs, "", keep=True)
    parts += emitter.function("rb_guards", program.guards, "%o", keep=False)
    parts += emitter.function("rb_tasks", program.tasks, "", keep=True)
    parts += emitter.function("rb_resets", program.resets, "", keep=True)
    parts += emitter.residuals(program.loops)
    for name in (*METHOD, "advance"):
        if name in solver:
            parts.append(c_wrapper(f"rb_{name}", solver[name], *SOLVER_SIGNATURES[name]))
    if "solve_loop" in solver:
        arguments = [LLVM_TYPES[letter] for letter in SOLVER_SIGNATURES["solve_loop"][0]]
        parts.append(declaration(solver["solve_loop"], arguments))
    parts += emitter.declarations()
    return "\n".join(parts), symbols.numbered


class Emitter:
    """Writes functions from lists of steps."""

    def __init__(self, symbols: Symbols):
        self.symbols = symbols

    def declarations(self) -> list[str]:
        return [
            declaration(name, argument_types(kernel.types, kernel.ranks))
            for name, kernel in self.symbols.used.items()
        ]

    def function(self, name: str, steps: Sequence[Step], target: str, keep: bool) -> list[str]:
        """A function of the program, and the pieces it is made of.

        With `keep` every scalar result is stored, for logging, tasks and resets to read.
        """
        pieces = [steps[i : i + PIECE] for i in range(0, len(steps), PIECE)]
        stored = None if keep else _needed_in_memory(pieces)
        text, calls = [], []
        for i, piece in enumerate(pieces):
            body = Body(self.symbols, stored)
            body.steps(piece)
            text.append(body.finish(f"{name}_{i}", inline=len(pieces) == 1))
            calls.append(f"  call void @{name}_{i}(double %t, ptr %w, ptr %px, ptr %po, i64 %x)")
        extra = ", i64 %o" if target else ""
        offset = "%o" if target else "0"
        head = [
            f"define void @{name}(double %t, ptr %w, i64 %x{extra}) {{",
            "  %px = getelementptr double, ptr %w, i64 %x",
            f"  %po = getelementptr double, ptr %w, i64 {offset}",
        ]
        return [*text, "\n".join([*head, *calls, "  ret void\n}"])]

    def residuals(self, loops: Sequence[Loop]) -> list[str]:
        """One function a loop, and `rb_residual` that chooses."""
        text, cases, labels = [], [], []
        for loop in loops:
            body = Body(self.symbols, None)
            body.load_torn(loop)
            body.steps(loop.calls)
            body.store_residual(loop)
            text.append(body.finish(f"rb_loop_{loop.number}"))
            cases.append(f"i64 {loop.number}, label %l{loop.number}")
            labels.append(
                f"l{loop.number}:\n  call void @rb_loop_{loop.number}"
                "(double %t, ptr %w, ptr %px, ptr %pv, i64 %r)\n  br label %end"
            )
        switch = f"  switch i64 %k, label %end [ {' '.join(cases)} ]"
        text.append(
            "define void @rb_residual(i64 %k, double %t, ptr %w, i64 %x, i64 %v, i64 %r) {\n"
            "  %px = getelementptr double, ptr %w, i64 %x\n"
            "  %pv = getelementptr double, ptr %w, i64 %v\n"
            f"{switch}\n" + "\n".join(labels) + "\nend:\n  ret void\n}"
        )
        return text


def _needed_in_memory(pieces: Sequence[Sequence[Step]]) -> set[int]:
    """Slots that are read as vectors, by loops, or in another piece than they are written.

    What a condition decides on is kept too, since it holds its value.
    """
    needed: set[int] = set()
    writer: dict[int, int] = {}
    for number, piece in enumerate(pieces):
        for step in piece:
            if isinstance(step, Loop):
                for call in step.calls:
                    for ref in (r for argument in call.arguments for r in parts_of(argument)):
                        needed.update(range(ref.offset, ref.offset + ref.size))
            if not isinstance(step, Call):
                continue
            for argument in step.arguments:
                for ref in parts_of(argument):
                    if ref.space != "w":
                        continue
                    if ref.shape:
                        needed.update(range(ref.offset, ref.offset + ref.size))
                    elif writer.get(ref.offset, number) != number:
                        needed.add(ref.offset)
            for ref in step.results:
                writer[ref.offset] = number
                if step.condition is not None:
                    needed.add(ref.offset)
    return needed
