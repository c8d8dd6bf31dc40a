"""Runs a program in plain Python: the oracle for compiled code, and the debugger.

Scalars are NumPy doubles under C's rules (division by zero gives inf), so that every operation
has the bits that compiled code has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..declaration.read_only import protected
from ..functions.functions import interpreted
from ..memory.layout import CARRIED, FIRED, G0, HIT, LOOPS, MODE, Layout
from ..memory.references import Argument, Gather, Ref, is_carried, size_of
from ..schedule.calls import Call, Copy, Loop, Program, Step
from .failures import BlockFailure, results_of
from .newton import solve_loop

Memory = Any


class Interpreter:
    """The functions that the solver calls, over the array `w`."""

    def __init__(self, program: Program, layout: Layout):
        self.program, self.layout = program, layout
        self.at = layout.__getitem__
        self.current: Call | None = None
        self._functions: dict[Any, Callable[..., Any]] = {}
        self._solve_loop = interpreted(solve_loop, {"residual": self.residual})

    def rhs(self, t: float, w: Memory, x: int, dx: int) -> None:
        self.run(self.program.rhs, t, w, x, dx=dx)

    def outputs(self, t: float, w: Memory, x: int) -> None:
        self.run(self.program.outputs, t, w, x)

    def guards(self, t: float, w: Memory, x: int, g: int) -> None:
        self.run(self.program.guards, t, w, x, g=g)

    def tasks(self, t: float, w: Memory, x: int) -> None:
        self.run(self.program.tasks, t, w, x)

    def resets(self, t: float, w: Memory, x: int) -> None:
        self.run(self.program.resets, t, w, x)

    def residual(self, k: int, t: float, w: Memory, x: int, v: int, r: int) -> None:
        """What the loop's calls make of the guesses at v, less the guesses."""
        loop = self.program.loops[k]
        for i, torn in enumerate(loop.torn):
            w[torn.offset] = w[v + i]
        for call in loop.calls:
            self.call(call, t, w, x, 0, 0)
        for i, torn in enumerate(loop.torn):
            w[r + i] = w[torn.offset] - w[v + i]

    def run(
        self, steps: Iterable[Step], t: float, w: Memory, x: int, dx: int = 0, g: int = 0
    ) -> None:
        hit, fired, mode = self.at(HIT), self.at(FIRED), self.at(MODE)
        for step in steps:
            if step.condition is not None and not w[mode + step.condition]:
                if isinstance(step, Call):
                    self._rest(step, w, dx, g)
                continue
            if isinstance(step, Loop):
                offset = self.at(LOOPS) + step.offset
                self._solve_loop(step.number, len(step.torn), offset, t, w, x)
                continue
            if step.group is not None and not w[hit + step.group]:
                continue
            if step.guard is not None and not w[fired + step.guard]:
                continue
            if isinstance(step, Copy):
                target = step.target.offset + (x if step.target.space == "x" else 0)
                w[target : target + step.target.size] = w[
                    step.source.offset : step.source.offset + step.target.size
                ]
            else:
                self.call(step, t, w, x, dx, g)

    def _rest(self, call: Call, w: Memory, dx: int, g: int) -> None:
        """What a call leaves that does not run: derivatives are 0, guards keep their values."""
        for ref in call.writes:
            if ref.space == "dx":
                w[dx + ref.offset : dx + ref.offset + ref.size] = 0.0
            elif ref.space == "g":
                w[g + ref.offset] = w[self.at(G0) + ref.offset]

    def call(self, call: Call, t: float, w: Memory, x: int, dx: int, g: int) -> None:
        bases = {"w": 0, "x": x, "dx": dx, "g": g, "mode": self.at(MODE)}
        function = self._function(call)
        fills = call.kernel.fills
        arguments = [
            self._read(argument, t, w, bases, i in fills)
            for i, argument in enumerate(call.arguments)
        ]
        self.current = call
        try:
            with np.errstate(all="ignore"):
                values = results_of(call, function(*arguments))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also SystemExit, which must not end the whole program
            raise BlockFailure(call, t, arguments, error) from error
        self.current = None
        for ref, value in zip(call.results, values, strict=True):
            w[bases[ref.space] + ref.offset] = value

    def _function(self, call: Call) -> Callable[..., Any]:
        function = self._functions.get(call.kernel)
        if function is None:
            function = self._functions[call.kernel] = interpreted(call.kernel.function)
        return function

    def arguments_of(self, call: Call, t: float, w: Memory, x: int) -> list[Any]:
        """Copies of what a call is given now; empty vectors where it fills some."""
        bases = {"w": 0, "x": x, "dx": 0, "g": 0, "mode": self.at(MODE)}
        return [
            np.zeros(a.shape) if i in call.kernel.fills else _copied(self._read(a, t, w, bases))
            for i, a in enumerate(call.arguments)
        ]

    def numbers_of(self, call: Call, arguments: list[Any]) -> np.ndarray:
        """All results of a call for arguments of one's own, in a row; nan where it fails."""
        fills = call.kernel.fills
        own = [np.zeros(np.shape(a)) if i in fills else a for i, a in enumerate(arguments)]
        try:
            with np.errstate(all="ignore"):
                scalars = results_of(call, self._function(call)(*own))
        except Exception:
            return np.full(sum(ref.size for ref in call.writes), np.nan)
        return np.concatenate([np.asarray(scalars, float), *(own[i].ravel() for i in fills)])

    def carried_arguments(self, call: Call, t: float, w: Memory) -> list[Any]:
        """What a compiled call was given that raised an exception, as it lies in memory."""
        offset, values = self.at(CARRIED), []
        for i, argument in enumerate(call.arguments):
            if i in call.kernel.fills:
                values.append(np.zeros(argument.shape))
            elif is_carried(argument):
                kind = argument.type if isinstance(argument, Ref) else float
                kept = Ref("w", offset, argument.shape, kind)
                values.append(self._read(kept, t, w, {"w": 0}))
                offset += size_of(argument)
            else:
                values.append(self._read(argument, t, w, {"w": 0}))
        return values

    @staticmethod
    def _read(
        argument: Argument, t: float, w: Memory, bases: dict[str, int], writable: bool = False
    ) -> Any:
        if isinstance(argument, Gather):
            parts = [
                w[bases[p.space] + p.offset : bases[p.space] + p.offset + p.size]
                for p in argument.parts
            ]
            return protected(np.concatenate(parts).reshape(argument.shape))
        if argument.space == "t":
            return np.float64(t)
        offset = bases[argument.space] + argument.offset
        if argument.shape:
            array = w[offset : offset + argument.size].reshape(argument.shape)
            return array if writable else protected(array)
        value = w[offset]
        return value if argument.type is float else argument.type(value)

    def value(self, ref: Ref, w: Memory, x: int) -> Any:
        return self._read(ref, 0.0, w, {"w": 0, "x": x, "mode": self.at(MODE)})


def _copied(value: Any) -> Any:
    return protected(value.copy()) if isinstance(value, np.ndarray) else value
