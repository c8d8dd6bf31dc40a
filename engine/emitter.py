"""A program as LLVM text: straight-line calls of kernels, scalars as values, vectors in memory.

Every function is split into pieces of at most `PIECE` calls, since the optimiser's time grows
faster than a function's length; a scalar that is needed in another piece, or as part of a vector,
is stored. Kernels follow numba's calling convention: `i32 f(result*, exception**, arguments...)`,
an array being (null, null, size, 8, data, shape..., strides...).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .calls import Argument, Call, Copy, Gather, Kernel, Loop, Program, Ref, Step
from .externals import SIGNATURES
from .layout import CALLBACK, FIRED, HIT, LOOPS, Layout

PIECE = 150
LLVM = {float: "double", int: "i64", bool: "i8", "d": "double", "i": "i64", "p": "ptr", "v": "void"}


def emit(
    program: Program,
    layout: Layout,
    symbols: Mapping[Kernel, str | None],
    solver: Mapping[str, str],
) -> str:
    """The module; `symbols` has None for kernels that stay in Python, `solver` the method's."""
    places = ", ".join(f"i64 {place}" for place in layout.places)
    count = len(layout.places)
    parts = [
        f"@layout = internal constant [{count} x i64] [{places}]",
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        "define i64 @rb_at(i64 %i) {",
        f"  %p = getelementptr [{count} x i64], ptr @layout, i64 0, i64 %i",
        "  %v = load i64, ptr %p\n  ret i64 %v\n}",
    ]
    emitter = Emitter(layout, symbols, solver)
    parts += emitter.function("rb_rhs", program.rhs, "%o", keep=False)
    parts += emitter.function("rb_outputs", program.outputs, "", keep=True)
    parts += emitter.function("rb_guards", program.guards, "%o", keep=False)
    parts += emitter.function("rb_tasks", program.tasks, "", keep=True)
    parts += emitter.function("rb_resets", program.resets, "", keep=True)
    parts += emitter.residuals(program.loops)
    parts += [_bridge(name, solver[name]) for name in ("step", "interpolate") if name in solver]
    if "advance" in solver:
        parts.append(_bridge("advance", solver["advance"], "ppi", "v"))
    if "solve_loop" in solver:
        parts.append(
            f"declare i32 @{solver['solve_loop']}(ptr, ptr, i64, i64, i64, double, ptr, i64)"
        )
    parts += emitter.declarations()
    return "\n".join(parts)


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

    def __init__(
        self,
        layout: Layout,
        symbols: Mapping[Kernel, str | None],
        solver: Mapping[str, str],
    ):
        self.layout = layout
        self.symbols = symbols
        self.solver = solver
        self.used: dict[str, Kernel] = {}
        self.python_kernels = [kernel for kernel, name in symbols.items() if name is None]

    def declarations(self) -> list[str]:
        return [
            f"declare i32 @{name}(ptr, ptr{''.join(', ' + t for t in _argument_types(kernel))})"
            for name, kernel in self.used.items()
        ]

    def function(self, name: str, steps: Sequence[Step], target: str, keep: bool) -> list[str]:
        """A function of the program, and the pieces it is made of.

        With `keep` every scalar result is stored, for logging, tasks and resets to read.
        """
        pieces = [steps[i : i + PIECE] for i in range(0, len(steps), PIECE)]
        stored = None if keep else _needed_in_memory(pieces)
        text, calls = [], []
        for i, piece in enumerate(pieces):
            body = Body(self, stored)
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
            body = Body(self, None)
            body.load_torn(loop)
            body.steps(loop.calls)
            body.store_residual(loop)
            text.append(body.finish(f"rb_loop_{loop.index}"))
            cases.append(f"i64 {loop.index}, label %l{loop.index}")
            labels.append(
                f"l{loop.index}:\n  call void @rb_loop_{loop.index}"
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
    """Slots of `w` that are read as vectors, by loops, or in another piece than they are written."""
    needed: set[int] = set()
    writer: dict[int, int] = {}
    for number, piece in enumerate(pieces):
        for step in piece:
            if isinstance(step, Loop):
                for call in step.calls:
                    for ref in (r for argument in call.arguments for r in _parts(argument)):
                        needed.update(range(ref.offset, ref.offset + ref.size))
            if not isinstance(step, Call):
                continue
            for argument in step.arguments:
                for ref in _parts(argument):
                    if ref.space != "w":
                        continue
                    if ref.shape:
                        needed.update(range(ref.offset, ref.offset + ref.size))
                    elif writer.get(ref.offset, number) != number:
                        needed.add(ref.offset)
            for ref in step.results:
                writer[ref.offset] = number
    return needed


def _parts(argument: Argument) -> Iterable[Ref]:
    return argument.parts if isinstance(argument, Gather) else (argument,)


class Body:
    """The text of one function, as it grows."""

    def __init__(self, emitter: Emitter, stored: set[int] | None):
        self.emitter = emitter
        self.stored = stored
        self.entry: list[str] = []
        self.lines: list[str] = []
        self.values: dict[tuple[str, int, type], str] = {}
        self.count = 0
        self.condition: tuple[int, int] | None = None
        self.outside: dict[tuple[str, int, type], str] = {}
        self.slots: dict[str, str] = {}
        self.region = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def put(self, text: str) -> str:
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def finish(self, name: str, inline: bool = True) -> str:
        """The whole text; pieces of a long function must stay apart."""
        self._branch(None)
        head = (
            f"define internal void @{name}(double %t, ptr noalias %w, ptr noalias %px, "
            f"ptr noalias %po, i64 %x) {'' if inline else 'noinline '}{{"
        )
        return "\n".join([head, *self.entry, *self.lines, "  ret void\n}"])

    # --- steps ---------------------------------------------------------------------------------
    def steps(self, steps: Iterable[Step]) -> None:
        for step in steps:
            if isinstance(step, Loop):
                self._branch(None)
                self._solve(step)
                continue
            if step.group is not None:
                self._branch((HIT, step.group))
            elif step.guard is not None:
                self._branch((FIRED, step.guard))
            else:
                self._branch(None)
            if isinstance(step, Copy):
                self._copy(step)
            elif self.emitter.symbols[step.kernel] is None:
                self._call_python(step)
            else:
                self._call(step)

    def _branch(self, condition: tuple[int, int] | None) -> None:
        """Closes the open conditional region, and opens the one asked for."""
        if condition == self.condition:
            return
        if self.condition is not None:
            self.lines += [f"  br label %end{self.region}", f"end{self.region}:"]
            self.values = self.outside
        self.condition = condition
        if condition is None:
            return
        self.count += 1
        self.region = self.count
        self.outside, self.values = self.values, dict(self.values)
        section, index = condition
        flag = self._load(Ref("w", self.emitter.layout[section] + index))
        test = self.put(f"fcmp une double {flag}, 0.0")
        self.lines += [
            f"  br i1 {test}, label %in{self.region}, label %end{self.region}",
            f"in{self.region}:",
        ]

    def _solve(self, loop: Loop) -> None:
        self.put(
            f"call i32 @{self.emitter.solver['solve_loop']}(ptr {self._slot('ptr')}, "
            f"ptr {self._slot('exception')}, i64 {loop.index}, i64 {len(loop.torn)}, "
            f"i64 {self.emitter.layout[LOOPS] + loop.place}, double %t, ptr %w, i64 %x)"
        )

    def _copy(self, copy: Copy) -> None:
        source, target = self._address(copy.source), self._address(copy.target)
        self._memcpy(target, source, copy.target.size)

    def _call(self, call: Call) -> None:
        kernel = call.kernel
        name = self.emitter.symbols[kernel]
        assert name is not None
        self.emitter.used.setdefault(name, kernel)
        arguments = [text for argument in call.arguments for text in self._pass(argument)]
        kinds = [LLVM[kind] for kind in kernel.results]
        struct = kinds[0] if len(kinds) == 1 else "{" + ", ".join(kinds) + "}" if kinds else "ptr"
        slot = self._slot(struct)
        passed = ", ".join([f"ptr {slot}", f"ptr {self._slot('exception')}", *arguments])
        self.put(f"call i32 @{name}({passed})")
        for i, (ref, kind) in enumerate(zip(call.results, kinds, strict=True)):
            place = slot
            if len(kinds) > 1:
                place = self.put(f"getelementptr {struct}, ptr {slot}, i32 0, i32 {i}")
            self._result(ref, self.put(f"load {kind}, ptr {place}"))

    def _call_python(self, call: Call) -> None:
        """A block that numba refused: arguments and results as doubles, through a callback."""
        sizes = [_size(argument) for argument in call.arguments]
        inputs = self._array(sum(sizes) or 1)
        results = len(call.results)
        outputs = self._array(results + sum(ref.size for ref in call.fills) or 1)
        place = 0
        for argument, size in zip(call.arguments, sizes, strict=True):
            target = self.put(f"getelementptr double, ptr {inputs}, i64 {place}")
            if isinstance(argument, Ref) and not argument.shape:
                self.lines.append(f"  store double {self._as_double(argument)}, ptr {target}")
            else:
                source = self._gathered(argument)
                self._memcpy(target, source, size)
            place += size
        index = self.emitter.python_kernels.index(call.kernel)
        slot = self.put(f"getelementptr double, ptr %w, i64 {CALLBACK}")
        address = self.put(f"load ptr, ptr {slot}")
        self.lines.append(f"  call void {address}(i64 {index}, ptr {inputs}, ptr {outputs})")
        for i, ref in enumerate(call.results):
            source = self.put(f"getelementptr double, ptr {outputs}, i64 {i}")
            value = self.put(f"load double, ptr {source}")
            self._result(ref, self._from_double(value, ref.type))
        place = results
        for ref in call.fills:
            source = self.put(f"getelementptr double, ptr {outputs}, i64 {place}")
            self._memcpy(self._address(ref), source, ref.size)
            place += ref.size

    def load_torn(self, loop: Loop) -> None:
        """Inside a loop's function the guesses stand for the torn signals."""
        for i, torn in enumerate(loop.torn):
            place = self.put(f"getelementptr double, ptr %po, i64 {i}")
            self._result(torn, self.put(f"load double, ptr {place}"))

    def store_residual(self, loop: Loop) -> None:
        for i, torn in enumerate(loop.torn):
            value = self._load(torn)
            place = self.put(f"getelementptr double, ptr %po, i64 {i}")
            guess = self.put(f"load double, ptr {place}")
            rest = self.put(f"fsub double {value}, {guess}")
            shifted = self.put(f"add i64 %x, {i}")
            target = self.put(f"getelementptr double, ptr %w, i64 {shifted}")
            self.lines.append(f"  store double {rest}, ptr {target}")

    # --- values --------------------------------------------------------------------------------
    def _address(self, ref: Ref) -> str:
        base = {"w": "%w", "x": "%px", "dx": "%po", "g": "%po"}[ref.space]
        if ref.offset == 0:
            return base
        return self.put(f"getelementptr double, ptr {base}, i64 {ref.offset}")

    def _load(self, ref: Ref) -> str:
        """The scalar as a value of its own type."""
        if ref.space == "t":
            return "%t"
        key = (ref.space, ref.offset, ref.type)
        found = self.values.get(key)
        if found is None:
            raw = self.put(f"load double, ptr {self._address(ref)}")
            found = self.values[key] = self._from_double(raw, ref.type)
        return found

    def _from_double(self, value: str, kind: type) -> str:
        if kind is int:
            return self.put(f"fptosi double {value} to i64")
        if kind is bool:
            return self.put(f"zext i1 {self.put(f'fcmp une double {value}, 0.0')} to i8")
        return value

    def _to_double(self, value: str, kind: type) -> str:
        if kind is int:
            return self.put(f"sitofp i64 {value} to double")
        if kind is bool:
            return self.put(f"uitofp i8 {value} to double")
        return value

    def _as_double(self, ref: Ref) -> str:
        return self._to_double(self._load(ref), ref.type)

    def _result(self, ref: Ref, value: str) -> None:
        if ref.space == "w" and self.condition is None:
            self.values[ref.space, ref.offset, ref.type] = value
        if ref.space != "w" or self.stored is None or ref.offset in self.stored:
            double = self._to_double(value, ref.type)
            self.lines.append(f"  store double {double}, ptr {self._address(ref)}")

    def _pass(self, argument: Argument) -> list[str]:
        if isinstance(argument, Ref) and not argument.shape:
            return [f"{LLVM[argument.type]} {self._load(argument)}"]
        shape = argument.shape
        data = self._gathered(argument)
        strides: list[int] = []
        stride = 8
        for n in reversed(shape):
            strides.insert(0, stride)
            stride *= n
        numbers = [f"i64 {n}" for n in (*shape, *strides)]
        return ["ptr null", "ptr null", f"i64 {stride // 8}", "i64 8", f"ptr {data}", *numbers]

    def _gathered(self, argument: Argument) -> str:
        """The address of a vector, after it was put together if need be."""
        if isinstance(argument, Ref):
            return self._address(argument)
        array = self._array(_size(argument))
        place = 0
        for ref in argument.parts:
            target = self.put(f"getelementptr double, ptr {array}, i64 {place}")
            if ref.shape:
                self._memcpy(target, self._address(ref), ref.size)
            else:
                self.lines.append(f"  store double {self._as_double(ref)}, ptr {target}")
            place += ref.size
        return array

    def _memcpy(self, target: str, source: str, count: int) -> None:
        self.lines.append(
            f"  call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, "
            f"i64 {8 * count}, i1 false)"
        )

    def _array(self, size: int) -> str:
        name = self.name()
        self.entry.append(f"  {name} = alloca [{size} x double]")
        return name

    def _slot(self, kind: str) -> str:
        """Scratch memory for results, one a type; the optimiser removes it."""
        if kind not in self.slots:
            name = self.slots[kind] = self.name()
            self.entry.append(f"  {name} = alloca {'ptr' if kind == 'exception' else kind}")
        return self.slots[kind]


def _size(argument: Argument) -> int:
    if isinstance(argument, Ref):
        return argument.size
    return sum(ref.size for ref in argument.parts)
