"""A test bench for one block: its kernels over given signals, interpreted or compiled."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from railblocks.engine import standard_blocks
from railblocks.engine.declaration import Equation, Item, filled
from railblocks.engine.declaration.read_only import protected
from railblocks.engine.functions import functions
from railblocks.engine.model.streams import stream_number
from railblocks.engine.program.alone import Call
from railblocks.engine.program.parts import Part
from railblocks.engine.schedule.calls import Kernel
from railblocks.engine.shipping.driven import instance_of, size_in


@cache
def interpreted(kernel: Kernel) -> Any:
    """The kernel in Python, which also looks at indices."""
    return functions.interpreted(kernel.function)


@cache
def compiled(kernel: Kernel) -> Call:
    """The kernel as programs have it: of the same types and the same text."""
    return Call(Part.of_kernel(kernel))


class Bench:
    """A block with parameter values; what is not given is its example or its default."""

    def __init__(self, block: str, **values: Any):
        self.instance = instance_of(block, {**standard_blocks().get(block).example, **values})
        self.values, self.declaration = self.instance.values, self.instance.declaration
        self.states = {
            name: self._start(item)
            for name, item in (self.declaration.states | self.declaration.discretes).items()
        }

    def size(self, text: str | int) -> int:
        """A declared dimension; 3 where connected signals would decide."""
        return size_in(self.instance, text)

    def shape(self, item: Item) -> tuple[int, ...]:
        return tuple(map(self.size, item.dims))

    def ports(self, name: str) -> int | None:
        """How many ports an input stands for, or None for one that is not `many`."""
        many = getattr(self.declaration.items[name], "many", None)
        if many is None:
            return None
        value = self.values[many]
        return value if isinstance(value, int) else len(value)

    def _start(self, item: Any) -> Any:
        start = self.values[item.start] if isinstance(item.start, str) else item.start
        if item.dims:
            return np.array(np.broadcast_to(start, self.shape(item)), dtype=float)
        return item.type(start)

    def call(self, equation: Equation, how: Any = interpreted, **signals: Any) -> dict[str, Any]:
        """What one equation computes, by name; a guard's value under the guard's name."""
        stream = stream_number(self.declaration.id, self.instance.name)
        scope = {"t": 0.0, "run_seed": 0, "stream_number": stream}
        scope |= {n: i.default for n, i in self.declaration.inputs.items() if i.default is not None}
        scope |= {**self.values, **self.states, **signals}
        for guard in self.declaration.of_kind("guard"):
            if guard.guard in equation.arguments and guard.guard not in scope:
                scope[guard.guard] = bool(self.call(guard, how, **signals)[guard.guard] >= 0.0)
        for other in self.declaration.of_kind("out"):
            wanted = set(other.targets) & set(equation.arguments) - set(equation.targets)
            if wanted - scope.keys():
                scope |= self.call(other, how, **signals)
        items, fills = self.declaration.items, {}
        for name in equation.targets:
            if items[name].dims:
                fills[filled(equation.kind, name)] = np.full(self.shape(items[name]), np.nan)
        scope |= fills
        arguments = [
            scope[a] if a in fills else _argument(items.get(a), scope[a])
            for a in equation.arguments
        ]
        numbers = tuple(i for i, name in enumerate(equation.arguments) if name in fills)
        kinds = [items[name].type for name in equation.targets if not items[name].dims]
        results = (float,) if equation.kind == "guard" else tuple(kinds)
        with np.errstate(all="ignore"):
            result = how(_kernel(equation, arguments, results, numbers))(*arguments)
        names = [n for n in equation.targets if not items[n].dims] or [equation.guard]
        if equation.targets and not any(not items[n].dims for n in equation.targets):
            names = []
        numbers_of = dict(
            zip(names, result if isinstance(result, tuple) else (result,), strict=False)
        )
        for name in equation.targets:
            if items[name].dims:
                numbers_of[name] = fills[filled(equation.kind, name)]
        return numbers_of

    def run(self, kind: str, how: Any = interpreted, **signals: Any) -> dict[str, Any]:
        """All equations of a kind together; those of resets as `reset:guard`."""
        kind, _, guard = kind.partition(":")
        results: dict[str, Any] = {}
        for equation in self.declaration.of_kind(kind):
            if not guard or equation.guard == guard:
                results |= self.call(equation, how, **signals)
        return results

    def out(self, **signals: Any) -> dict[str, Any]:
        return self.run("out", **signals)

    def y(self, **signals: Any) -> Any:
        return self.run("out", **signals)["y"]

    def fire(self, guard: str, **signals: Any) -> None:
        """Lets a guard's resets change the states."""
        self.states |= self.run(f"reset:{guard}", **signals)

    def begin(self, **signals: Any) -> Bench:
        """Lets the guards fire that do so at the start of a run."""
        for equation in self.declaration.of_kind("guard"):
            if equation.initial and self.call(equation, **signals)[equation.guard] >= 0.0:
                self.fire(equation.guard, **signals)
        return self

    def sampled(self, **inputs: Any) -> np.ndarray:
        """Outputs `y` at sample hits for sequences of inputs: outputs first, then updates."""
        outputs = []
        for k in range(len(next(iter(inputs.values())))):
            present = {name: values[k] for name, values in inputs.items()}
            outputs.append(self.y(**present))
            self.states |= self.run("update", **present)
        return np.array(outputs)

    def response(self, s: np.ndarray) -> np.ndarray:
        """y/u of a linear block with scalar u and vector state x, at values of s or z."""
        kind = "der" if self.declaration.states else "update"
        n = len(self.states["x"])
        zero = np.zeros(n)
        units = [zero, *np.eye(n)]
        moves = np.array([self.run(kind, x=x, u=0.0)["x"] for x in units])
        A, B = (moves[1:] - moves[0]).T, self.run(kind, x=zero, u=1.0)["x"]
        C = np.array([self.y(x=x, u=0.0) for x in units[1:]])
        D = self.y(x=zero, u=1.0)
        return np.array([C @ np.linalg.solve(z * np.eye(n) - A, B) + D for z in s])


def _kernel(
    equation: Equation, arguments: list[Any], results: tuple[type, ...], fills: tuple[int, ...]
) -> Kernel:
    """The equation's function with the types that a program gives it."""
    types = [
        float if isinstance(value, np.ndarray | np.float64) else type(value) for value in arguments
    ]
    ranks = tuple(np.ndim(value) for value in arguments)
    return Kernel(equation.function, ranks, tuple(types), results, fills)


def _argument(item: Item | None, value: Any) -> Any:
    """As the engine passes it: doubles, whole numbers, truth values, or read-only arrays."""
    if np.ndim(value):
        return protected(np.ascontiguousarray(value, dtype=float))
    kind = float if item is None and isinstance(value, float) else getattr(item, "type", int)
    return np.float64(value) if kind is float else kind(value)


def blocks_and_choices() -> list[tuple[str, dict[str, str]]]:
    """Every block, once for each value of each parameter with choices."""
    cases = []
    for kind in standard_blocks():
        cases.append((kind.declaration.id, {}))
        for name, param in kind.declaration.params.items():
            cases += [(kind.declaration.id, {name: c}) for c in param.choices if c != param.default]
    return cases
