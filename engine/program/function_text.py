"""The text of one emitted function, as it grows.

Scalars that were computed or loaded stay values (`%v7`); conditional regions, for sampled calls and
fired guards, see the values from outside and keep their own to themselves.

A call that raises an exception leaves its number, the time and what it was given in memory, with
the status `RAISED`, and the function returns; from then on no function does anything. Only programs
with calls that can raise pay for that, and only at these calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..memory.layout import (
    CALLBACK,
    CARRIED,
    CULPRIT,
    CURRENT,
    FIRED,
    G0,
    HIT,
    LOOPS,
    MODE,
    RAISED,
    STATUS,
    T_FAILED,
)
from ..memory.references import Argument, Gather, Ref, is_carried, size_of
from ..numba_bridge.convention import LLVM_TYPES, array_parts, result_type
from ..schedule.calls import Call, Copy, Loop, Step
from .parts import symbol
from .symbols import Symbols

Conditions = tuple[tuple[int, int], ...]
"""Flags that must all be set, by section and number."""
LARGEST_ON_STACK = 4096  # doubles of a copied array


class Body:
    """The text of one function; `stored` are the slots to keep in memory, None means all."""

    def __init__(self, symbols: Symbols, stored: set[int] | None):
        self.symbols = symbols
        self.stored = stored
        self.entry: list[str] = []
        self.lines: list[str] = []
        self.values: dict[tuple[str, int, type], str] = {}
        self.count = 0
        self.conditions: Conditions = ()
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
        self._branch(())
        head = (
            f"define internal void @{name}(double %t, ptr noalias %w, ptr noalias %px, "
            f"ptr noalias %po, i64 %x) {'' if inline else 'noinline '}{{"
        )
        before = _unless_raised("before") if self.symbols.can_raise else []
        return "\n".join([head, *self.entry, *before, *self.lines, "  ret void\n}"])

    # --- steps ---------------------------------------------------------------------------------
    def steps(self, steps: Sequence[Step]) -> None:
        self._rest(steps)
        for step in steps:
            conditions: Conditions = ()
            if step.condition is not None:
                conditions = ((MODE, step.condition),)
            if isinstance(step, Loop):
                self._branch(conditions)
                self._solve(step)
                continue
            if step.group is not None:
                conditions = (*conditions, (HIT, step.group))
            elif step.guard is not None:
                conditions = (*conditions, (FIRED, step.guard))
            self._branch(conditions)
            if isinstance(step, Copy):
                self._copy(step)
            elif self.symbols.kernels[step.kernel].refusal:
                self._call_python(step)
            else:
                self._call(step)

    def _rest(self, steps: Iterable[Step]) -> None:
        """What calls leave that do not run: derivatives are 0, guards keep their values."""
        for step in steps:
            if not isinstance(step, Call) or step.condition is None:
                continue
            for ref in step.writes:
                for element in range(ref.offset, ref.offset + ref.size):
                    if ref.space == "dx":
                        value = "0.0"
                    elif ref.space == "g":
                        value = self._load(Ref("w", self.symbols.layout[G0] + element))
                    else:
                        continue
                    address = self._address(Ref(ref.space, element))
                    self.lines.append(f"  store double {value}, ptr {address}")

    def _branch(self, conditions: Conditions) -> None:
        """Closes the open conditional region, and opens the one asked for."""
        if conditions == self.conditions:
            return
        if self.conditions:
            self.lines += [f"  br label %end{self.region}", f"end{self.region}:"]
            self.values = self.outside
        self.conditions = conditions
        if not conditions:
            return
        self.count += 1
        self.region = self.count
        test = ""
        for section, index in conditions:
            flag = self._load(Ref("w", self.symbols.layout[section] + index))
            holds = self.put(f"fcmp une double {flag}, 0.0")
            test = self.put(f"and i1 {test}, {holds}") if test else holds
        self.outside, self.values = self.values, dict(self.values)
        self.lines += [
            f"  br i1 {test}, label %in{self.region}, label %end{self.region}",
            f"in{self.region}:",
        ]

    def _solve(self, loop: Loop) -> None:
        self.put(
            f"call i32 @{self.symbols.solve_loop}(ptr {self._slot('ptr')}, "
            f"ptr {self._slot('exception')}, i64 {loop.number}, i64 {len(loop.torn)}, "
            f"i64 {self.symbols.layout[LOOPS] + loop.offset}, double %t, ptr %w, i64 %x)"
        )
        if self.symbols.can_raise:
            self.count += 1
            self.lines += _unless_raised(f"loop{self.count}")

    def _copy(self, copy: Copy) -> None:
        source, target = self._address(copy.source), self._address(copy.target)
        self._memcpy(target, source, copy.target.size)

    def _call(self, call: Call) -> None:
        kernel = call.kernel
        name, traits = symbol(kernel.key), self.symbols.kernels[kernel]
        self.symbols.used.setdefault(name, kernel)
        freed: list[str] = []
        data = [
            "" if _is_scalar(argument) else self._array_for(argument, i in traits.copied, freed)
            for i, argument in enumerate(call.arguments)
        ]
        passed = [
            text
            for argument, pointer in zip(call.arguments, data, strict=True)
            for text in self._pass(argument, pointer)
        ]
        kinds = [LLVM_TYPES[kind] for kind in kernel.results]
        struct = result_type(kernel.results)
        slot = self._slot(struct)
        passed = [f"ptr {slot}", f"ptr {self._slot('exception')}", *passed]
        if kernel.can_hang:
            self._store(f"{self.symbols.number(call) + 1}.0", CURRENT, "volatile ")
        status = self.put(f"call i32 @{name}({', '.join(passed)})")
        if kernel.can_hang:
            self._store("0.0", CURRENT, "volatile ")
        self.lines += [f"  call void @free(ptr {pointer})" for pointer in freed]
        if traits.raises:
            self._look_at(status, call, data)
        for i, (ref, kind) in enumerate(zip(call.results, kinds, strict=True)):
            pointer = slot
            if len(kinds) > 1:
                pointer = self.put(f"getelementptr {struct}, ptr {slot}, i32 0, i32 {i}")
            self._result(ref, self.put(f"load {kind}, ptr {pointer}"))
        self._forget(call.fills)

    def _look_at(self, status: str, call: Call, data: Sequence[str]) -> None:
        """Returns if the call raised an exception; `data` are the addresses of its vectors."""
        self.count += 1
        region = self.count
        failed = self.put(f"icmp ne i32 {status}, 0")
        self.lines += [
            f"  br i1 {failed}, label %raised{region}, label %done{region}",
            f"raised{region}:",
        ]
        offset = self.symbols.layout[CARRIED]
        for i, argument in enumerate(call.arguments):
            if i in call.kernel.fills or not is_carried(argument):
                continue
            if isinstance(argument, Ref) and not argument.shape:
                self._store(self._as_double(argument), offset)
            else:
                target = self.put(f"getelementptr double, ptr %w, i64 {offset}")
                self._memcpy(target, data[i], size_of(argument))
            offset += size_of(argument)
        self._store("%t", T_FAILED)
        self._store(f"{self.symbols.number(call)}.0", CULPRIT)
        self._store(f"{RAISED}.0", STATUS)
        self.lines += ["  ret void", f"done{region}:"]

    def _store(self, double: str, offset: int, how: str = "") -> None:
        """Stores a number; `volatile ` for what another thread looks at."""
        target = self.put(f"getelementptr double, ptr %w, i64 {offset}")
        self.lines.append(f"  store {how}double {double}, ptr {target}")

    def _forget(self, filled: Iterable[Ref]) -> None:
        """Elements of vectors that were just filled in are in memory, not in values."""
        for ref in filled:
            for offset in range(ref.offset, ref.offset + ref.size):
                for kind in (float, int, bool):
                    self.values.pop((ref.space, offset, kind), None)
                    if self.conditions:
                        self.outside.pop((ref.space, offset, kind), None)

    def _call_python(self, call: Call) -> None:
        """A block that numba refused: arguments and results as doubles, through a callback."""
        sizes = [size_of(argument) for argument in call.arguments]
        inputs = self._array(sum(sizes) or 1)
        results = len(call.results)
        outputs = self._array(results + sum(ref.size for ref in call.fills) or 1)
        offset = 0
        data: list[str] = []
        for argument, size in zip(call.arguments, sizes, strict=True):
            target = self.put(f"getelementptr double, ptr {inputs}, i64 {offset}")
            data.append(target)
            if isinstance(argument, Ref) and not argument.shape:
                self.lines.append(f"  store double {self._as_double(argument)}, ptr {target}")
            else:
                source = self._gathered(argument)
                self._memcpy(target, source, size)
            offset += size
        index = self.symbols.number(call)
        slot = self.put(f"getelementptr double, ptr %w, i64 {CALLBACK}")
        address = self.put(f"load ptr, ptr {slot}")
        status = self.put(f"call i32 {address}(i64 {index}, ptr {inputs}, ptr {outputs})")
        self._look_at(status, call, data)
        for i, ref in enumerate(call.results):
            source = self.put(f"getelementptr double, ptr {outputs}, i64 {i}")
            value = self.put(f"load double, ptr {source}")
            self._result(ref, self._from_double(value, ref.type))
        offset = results
        for ref in call.fills:
            source = self.put(f"getelementptr double, ptr {outputs}, i64 {offset}")
            self._memcpy(self._address(ref), source, ref.size)
            offset += ref.size
        self._forget(call.fills)

    def load_torn(self, loop: Loop) -> None:
        """Inside a loop's function the guesses stand for the torn signals."""
        for i, torn in enumerate(loop.torn):
            pointer = self.put(f"getelementptr double, ptr %po, i64 {i}")
            self._result(torn, self.put(f"load double, ptr {pointer}"))

    def store_residual(self, loop: Loop) -> None:
        self._branch(())
        for i, torn in enumerate(loop.torn):
            value = self._load(torn)
            pointer = self.put(f"getelementptr double, ptr %po, i64 {i}")
            guess = self.put(f"load double, ptr {pointer}")
            rest = self.put(f"fsub double {value}, {guess}")
            shifted = self.put(f"add i64 %x, {i}")
            target = self.put(f"getelementptr double, ptr %w, i64 {shifted}")
            self.lines.append(f"  store double {rest}, ptr {target}")

    # --- values --------------------------------------------------------------------------------
    def _address(self, ref: Ref) -> str:
        base = {"w": "%w", "x": "%px", "dx": "%po", "g": "%po", "mode": "%w"}[ref.space]
        offset = ref.offset + (self.symbols.layout[MODE] if ref.space == "mode" else 0)
        if offset == 0:
            return base
        return self.put(f"getelementptr double, ptr {base}, i64 {offset}")

    def _load(self, ref: Ref) -> str:
        """The scalar as a value of its own type."""
        if ref.space == "t":
            return "%t"
        key = (ref.space, ref.offset, ref.type)
        value = self.values.get(key)
        if value is None:
            raw = self.put(f"load double, ptr {self._address(ref)}")
            value = self.values[key] = self._from_double(raw, ref.type)
        return value

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
        if ref.space == "w" and not self.conditions:
            self.values[ref.space, ref.offset, ref.type] = value
        elif ref.space == "w":
            for values in (self.values, self.outside):
                values.pop((ref.space, ref.offset, ref.type), None)
        if ref.space != "w" or self.stored is None or ref.offset in self.stored:
            double = self._to_double(value, ref.type)
            self.lines.append(f"  store double {double}, ptr {self._address(ref)}")

    def _pass(self, argument: Argument, data: str) -> list[str]:
        """The argument in numba's convention; `data` is the address of a vector."""
        if isinstance(argument, Ref) and not argument.shape:
            return [f"{LLVM_TYPES[argument.type]} {self._load(argument)}"]
        return array_parts(data, argument.shape)

    def _array_for(self, argument: Argument, copied: bool, freed: list[str]) -> str:
        """The address of a vector to pass; a copy where the kernel might change it."""
        data = self._gathered(argument)
        if not copied or isinstance(argument, Gather):
            return data
        if argument.size <= LARGEST_ON_STACK:
            array = self._array(argument.size)
        else:
            array = self.put(f"call ptr @malloc(i64 {8 * argument.size})")
            freed.append(array)
        self._memcpy(array, data, argument.size)
        return array

    def _gathered(self, argument: Argument) -> str:
        """The address of a vector, after it was put together if need be."""
        if isinstance(argument, Ref):
            return self._address(argument)
        array = self._array(size_of(argument))
        offset = 0
        for ref in argument.parts:
            target = self.put(f"getelementptr double, ptr {array}, i64 {offset}")
            if ref.shape:
                self._memcpy(target, self._address(ref), ref.size)
            else:
                self.lines.append(f"  store double {self._as_double(ref)}, ptr {target}")
            offset += ref.size
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


def _is_scalar(argument: Argument) -> bool:
    return isinstance(argument, Ref) and not argument.shape


def _unless_raised(name: str) -> list[str]:
    """Lines that return if a call has raised an exception."""
    return [
        f"  %{name}_at = getelementptr double, ptr %w, i64 {STATUS}",
        f"  %{name}_is = load double, ptr %{name}_at",
        f"  %{name}_raised = fcmp oeq double %{name}_is, {RAISED}.0",
        f"  br i1 %{name}_raised, label %{name}_stop, label %{name}_go",
        f"{name}_stop:",
        "  ret void",
        f"{name}_go:",
    ]
