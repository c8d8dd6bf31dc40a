"""A program as LLVM text: straight-line calls of kernels, scalars as values, vectors in memory.

Every function is split into pieces of at most `PIECE` calls, since the optimiser's time grows
faster than a function's length; a scalar that is needed in another piece, or as part of a vector,
is stored. Kernels follow numba's calling convention: `i32 f(result*, exception**, arguments...)`,
an array being (null, null, size, 8, data, shape..., strides...).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..memory.externals import SIGNATURES
from ..memory.layout import Layout
from ..memory.references import parts_of
from ..schedule.calls import Call, Kernel, Loop, Program, Step
from .function_text import LLVM, Body, Symbols
from .kernels import Traits

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
    places = ", ".join(f"i64 {place}" for place in layout.places)
    count = len(layout.places)
    parts = [
        f"@layout = internal constant [{count} x i64] [{places}]",
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
    parts += [_bridge(name, solver[name]) for name in METHOD if name in solver]
    if "advance" in solver:
        parts.append(_bridge("advance", solver["advance"], "ppi", "v"))
    if "solve_loop" in solver:
        parts.append(
            f"declare i32 @{solver['solve_loop']}(ptr, ptr, i64, i64, i64, double, ptr, i64)"
        )
    parts += emitter.declarations()
    return "\n".join(parts), symbols.numbered


def _bridge(name: str, target: str, arguments: str = "", result: str = "") -> str:
    """A function of C's convention around one of numba's."""
    arguments, result = (arguments, result) if arguments else SIGNATURES[name]
    typed = [f"{LLVM[a]} %a{i}" for i, a in enumerate(arguments)]
    slot = "double" if result == "d" else "ptr"
    ending = "  %v = load double, ptr %r\n  ret double %v" if result == "d" else "  ret void"
    passed = ", ".join(["ptr %r", "ptr %e", *typed])
    declared = ", ".join(["ptr", "ptr", *[LLVM[a] for a in arguments]])
    return (
        f"declare i32 @{target}({declared})\n"
        f"define {LLVM[result]} @rb_{name}({', '.join(typed)}) {{\n"
        f"  %r = alloca {slot}\n  %e = alloca ptr\n"
        f"  %s = call i32 @{target}({passed})\n{ending}\n}}"
    )


class Emitter:
    """Writes functions from lists of steps."""

    def __init__(self, symbols: Symbols):
        self.symbols = symbols

    def declarations(self) -> list[str]:
        return [
            f"declare i32 @{name}(ptr, ptr{''.join(', ' + t for t in _argument_types(kernel))})"
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
        place = "%o" if target else "0"
        head = [
            f"define void @{name}(double %t, ptr %w, i64 %x{extra}) {{",
            "  %px = getelementptr double, ptr %w, i64 %x",
            f"  %po = getelementptr double, ptr %w, i64 {place}",
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


def _argument_types(kernel: Kernel) -> list[str]:
    types = []
    for kind, rank in zip(kernel.types, kernel.ranks, strict=True):
        if rank:
            types += ["ptr", "ptr", "i64", "i64", "ptr", *["i64"] * (2 * rank)]
        else:
            types.append(LLVM[kind])
    return types


def _needed_in_memory(pieces: Sequence[Sequence[Step]]) -> set[int]:
    """Slots that are read as vectors, by loops, or in another piece than they are written."""
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
    return needed
