"""Messages about runs that stopped: why, with block, port, time and inputs."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np

from ..analysis.checking import Checked
from ..memory import layout as sections
from ..memory.layout import Layout
from ..memory.references import Gather, Ref
from ..program.failures import BlockFailure
from ..program.interpreter import Interpreter
from ..program.newton import TOLERANCE
from ..schedule.calls import Call, Loop


class Diagnosis:
    """Looks at the memory of a stopped run, by interpreting it."""

    def __init__(self, checked: Checked, interpreter: Interpreter, layout: Layout, w: np.ndarray):
        self.checked = checked
        self.interpreter = interpreter
        self.layout = layout
        self.w = w

    def message(self) -> str:
        """One sentence or two: what happened, where, and what to do."""
        w = self.w
        status, time = int(w[sections.STATUS]), f"t = {w[sections.T]:.9g} s"
        if status == sections.NOT_FINITE and w[sections.T_FAILED] > w[sections.T_OLD]:
            time = f"t = {w[sections.T_FAILED]:.9g} s"
        if status == sections.ZENO:
            return f"{time}: {self._zeno()}"
        if status == sections.ASSERTED:
            guard = self.checked.schedule.guards[int(w[sections.CULPRIT])]
            return f"{time}: {guard.block}: {self._assertion(guard.block, guard.equation.message)}"
        if status == sections.NO_LOOP:
            return f"{time}: {self._loop()}"
        if status == sections.STALLED:
            return f"{time}: {self._stalled()}"
        message = self._not_finite()
        if message:
            return message
        return f"t = {w[sections.T_OLD]:.9g} s: {self._tiny_step()}"

    def failure(self, failure: BlockFailure) -> str:
        """The sentence about a block's function that raised an exception."""
        call = failure.call
        instance = self.checked.model.blocks[call.block]
        given = ", ".join(
            f"{name}={_text(value)}"
            for i, (name, value) in enumerate(zip(_names(call), failure.arguments, strict=True))
            if i not in call.kernel.fills and name not in instance.declaration.derived
        )
        inputs = f" with {given}" if given else ""
        return (
            f"t = {failure.time:.9g} s: {failure}; raised by '{call.equation}' "
            f"({failure.where}){inputs}"
        )

    def reason(self) -> str:
        """What ended a run that stopped as it should."""
        guard = self.checked.schedule.guards[int(self.w[sections.CULPRIT])]
        message = guard.equation.message
        why = f": {self._assertion(guard.block, message)}" if message else ""
        return f"{guard.block} at t = {self.w[sections.T]:.9g} s{why}"

    def _assertion(self, block: str, message: str) -> str:
        """The message with the block's parameters and outputs put in where it names them."""
        values = self.checked.model.blocks[block].values
        texts = {k: v for k, v in values.items() if isinstance(v, str | int | float)}
        return (message or "assertion failed").format(**self._outputs(block), **texts)

    def _outputs(self, block: str) -> dict[str, Any]:
        """What the block puts out at the end of the run."""
        memory, schedule = self.w.copy(), self.checked.schedule
        x = self.layout[sections.X]
        for step in schedule.everything():
            with contextlib.suppress(BlockFailure):
                self.interpreter.run(
                    [step], memory[sections.T], memory, x, dx=self.layout[sections.K]
                )
        return {
            port: memory[ref.offset : ref.offset + ref.size] if ref.shape else memory[ref.offset]
            for (name, port), ref in schedule.slots.signals.items()
            if name == block
        }

    def _zeno(self) -> str:
        guard = self.checked.schedule.guards[int(self.w[sections.CULPRIT])]
        return (
            f"guard '{guard.name}' of {guard.block} fires again and again (chattering or a Zeno "
            "point); give it hysteresis, or set `zeno: hold` with a `dwell` time in solver"
        )

    def _loop(self) -> str:
        loop = self.checked.schedule.program.loops[int(self.w[sections.CULPRIT])]
        chain = " -> ".join(loop.chain)
        residual, start = self.w[sections.RESIDUAL], loop.chain[0]
        if self.w[sections.SINGULAR] == 1.0:
            what = (
                f"any value of {start} solves it, or a whole line of values does"
                if residual <= TOLERANCE
                else f"it does not determine {start}: its gain around the loop is 1 within rounding"
            )
            return f"algebraic loop: {chain}: {what}; insert a delay or a lag, or take the loop out"
        if not np.isfinite(residual):
            return (
                f"algebraic loop: {chain}: it has no finite value where Newton starts; give "
                f"{start} a start value: `solver: {{guess: {{{start}: ...}}}}`"
            )
        return (
            f"algebraic loop: {chain}: Newton stopped at residual {residual:.1e}; give {start} a "
            f"start value (solver.guess), insert a delay or a lag, or check that it has a solution"
        )

    def _stalled(self) -> str:
        """The step, sample time or log period that is lost in the rounding of the time."""
        w, period = self.w, self.layout[sections.PERIOD]
        tick = w[sections.TICK_NUM] / w[sections.TICK_DEN] if w[sections.TICK_DEN] else math.inf
        periods = w[period : period + self.layout[sections.N_GROUPS]] * tick
        lengths = {
            "step": w[sections.H_FIXED] or w[sections.H_MAX],
            "sample time": min(periods, default=math.inf),
            "log period": w[sections.LOG_NUM] / w[sections.LOG_DEN]
            if w[sections.LOG_DEN]
            else math.inf,
        }
        name = min(lengths, key=lambda name: lengths[name])
        return (
            f"time no longer advances: a {name} of {lengths[name]:g} s is too short where "
            f"neighbouring times are {np.spacing(abs(w[sections.T])):g} s apart; start the run "
            f"nearer to 0 s (solver.start), or take a longer {name}"
        )

    # --- values that are not finite ------------------------------------------------------------
    def _not_finite(self) -> str | None:
        """The first block in data-flow order that makes nan or inf out of finite inputs."""
        w, n = self.w, self.layout[sections.N_X]
        x, x0, y = self.layout[sections.X], self.layout[sections.X0], self.layout[sections.Y]
        inside = (
            w[sections.STATUS] == sections.NOT_FINITE
            and w[sections.T_OLD] < w[sections.T_FAILED] < w[sections.T]
        )
        if inside:
            message = self._culprit(w[sections.T_FAILED], y)
            if message:
                return message
        if np.isfinite(w[x : x + n]).all():
            message = self._culprit(w[sections.T], x)
            if message:
                return message
        message = self._culprit(w[sections.T_OLD], x0)
        if message:
            return message
        slope = np.zeros(n)
        memory = w.copy()
        with contextlib.suppress(BlockFailure):
            self.interpreter.rhs(w[sections.T_OLD], memory, x0, y)
            slope[:] = memory[y : y + n]
        for h in np.geomspace(max(w[sections.H_DONE], 1e-15), max(w[sections.H_MAX], 1e-12), 60):
            w[y : y + n] = w[x0 : x0 + n] + h * slope
            message = self._culprit(w[sections.T_OLD] + h, y)
            if message:
                return message
        return None

    def _culprit(self, t: float, x: int) -> str | None:
        memory = self.w.copy()
        for step in self.checked.schedule.everything():
            with contextlib.suppress(BlockFailure):
                self.interpreter.run([step], t, memory, x, dx=self.layout[sections.K])
            calls = step.calls if isinstance(step, Loop) else (step,)
            for call in calls:
                if not isinstance(call, Call):
                    continue
                for ref in call.writes:
                    offset = ref.offset + (self.layout[sections.K] if ref.space == "dx" else 0)
                    values = memory[offset : offset + ref.size]
                    if not np.isfinite(values).all():
                        return self._sentence(call, ref, values, t, memory, x)
        return None

    def _sentence(
        self, call: Call, ref: Ref, values: np.ndarray, t: float, memory: np.ndarray, x: int
    ) -> str:
        bad = next(v for v in values if not math.isfinite(v))
        inputs = ", ".join(
            f"{name}={self._shown(argument, t, memory, x)}"
            for name, argument in self._named_arguments(call)
        )
        what = self._name_of(call, ref)
        kind = self.checked.model.blocks[call.block].declaration.id
        given = f" ({inputs})" if inputs else ""
        return f"t = {t:.9g} s: {what} became {bad}{given}; see `railblocks show {kind}`"

    def _named_arguments(self, call: Call):
        instance = self.checked.model.blocks[call.block]
        for i, (name, argument) in enumerate(zip(_names(call), call.arguments, strict=True)):
            if i not in call.kernel.fills and name not in instance.declaration.derived:
                yield name, argument

    def _shown(self, argument: Ref | Gather, t: float, memory: np.ndarray, x: int) -> str:
        if isinstance(argument, Gather):
            return f"[{', '.join(self._shown(p, t, memory, x) for p in argument.parts[:6])}]"
        if argument.space == "t":
            return f"{t:.6g}"
        return _text(self.interpreter.value(argument, memory, x))

    def _name_of(self, call: Call, ref: Ref) -> str:
        if ref.space == "dx":
            for (block, name), state in self.checked.schedule.slots.states.items():
                if block == call.block and state.offset <= ref.offset < state.offset + state.size:
                    return f"the derivative of {block}.{name}"
        for (block, name), signal in self.checked.schedule.slots.signals.items():
            if block == call.block and signal.offset <= ref.offset < signal.offset + signal.size:
                return f"{block}.{name}"
        return call.block

    def _tiny_step(self) -> str:
        w, n = self.w, self.layout[sections.N_X]
        memory = w.copy()
        x0, k = self.layout[sections.X0], self.layout[sections.K]
        with contextlib.suppress(BlockFailure):
            self.interpreter.rhs(w[sections.T_OLD], memory, x0, k)
        atol = w[self.layout[sections.ATOL] : self.layout[sections.ATOL] + n]
        weight = atol + w[sections.RTOL] * np.abs(w[x0 : x0 + n])
        fastest = int(np.argmax(np.abs(memory[k : k + n]) / weight)) if n else 0
        state = next(
            f"{block}.{name}"
            for (block, name), ref in self.checked.schedule.slots.states.items()
            if ref.offset <= fastest < ref.offset + ref.size
        )
        step = float(w[sections.H_DONE])
        fell = f"the step fell below {step:.1e} s; {state} changes fastest; the solution may"
        method = self.checked.settings.solver
        if method.stiff or method.python:
            return (
                f"{fell} be singular there, or jump without a guard; look at what drives {state}, "
                "or allow more with rtol and atol"
            )
        return (
            f"{fell} be singular there, or jump without a guard, or be stiff: try `method: radau5`"
        )


def _names(call: Call) -> tuple[str, ...]:
    """The names of a call's arguments."""
    code = call.kernel.function.__code__
    return code.co_varnames[: code.co_argcount]


def _text(value: Any) -> str:
    """A number, or the first numbers of an array."""
    if np.ndim(value):
        return f"[{', '.join(f'{v:.6g}' for v in np.ravel(value)[:6])}]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
