"""A simulation: a checked diagram with its memory, compiled or interpreted, run in chunks."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from . import layout as at
from .calls import Kernel
from .checking import Checked
from .compiler import compile_program
from .functions import interpreted
from .interpreter import Interpreter
from .layout import Layout
from .solvers.loop import advance
from .store import Store

ROWS_MAX = 4096
CALLBACK = ctypes.CFUNCTYPE(
    None, ctypes.c_int64, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double)
)
ACTIONS = {"reset": 0.0, "stop": 1.0, "fail": 2.0}
DIRECTIONS = {"rising": 1.0, "falling": -1.0, "both": 0.0}


@dataclass
class Machine:
    """What runs: `advance(budget)` over the memory `w` and the log buffer."""

    advance: Callable[[int], None]
    notices: tuple[str, ...] = ()


class Simulation:
    """One diagram ready to run; `w` holds its whole state."""

    def __init__(self, checked: Checked, compiled: bool = True, store: Store | None = None):
        self.checked = checked
        schedule, settings = checked.schedule, checked.settings
        self.method = settings.solver
        n = schedule.sections["X"]
        columns = sum(schedule.signals[key].size for key in checked.logged)
        guards, groups = len(schedule.guards), len(schedule.groups)
        sizes = dict(schedule.sections)
        sizes["K"] = max(self.method.workspace(n), 2 * n)
        for name in ("PERIOD", "NEXT", "HIT"):
            sizes[name] = groups
        for name in ("G0", "G1", "G2", "FIRED", "DIRECTION", "ACTION", "RESETS_X", "LAST"):
            sizes[name] = guards
        sizes["COUNT"] = sizes["HOLD"] = guards
        sizes["COLUMNS"] = columns
        self.layout = Layout.of(sizes, (n, guards, groups, columns, 0))
        self.interpreter = Interpreter(schedule.program, self.layout)
        self.columns = columns
        self.w = np.zeros(self.layout.size)
        self.log = np.zeros((ROWS_MAX, columns + 1))
        self.reset()
        self.machine = self._compiled(store or Store()) if compiled else self._interpreted()

    # --- memory --------------------------------------------------------------------------------
    def reset(self) -> None:
        """Everything as before the first step."""
        w, schedule, settings = self.w, self.checked.schedule, self.checked.settings
        places = self.layout
        w[:] = 0.0
        self._fill(at.P, schedule.parameters)
        self._fill(at.Z, schedule.discrete_start)
        self._fill(at.X, schedule.start)
        self._fill(at.ATOL, np.full(places[at.N_X], settings.atol))
        span = settings.stop - settings.start
        w[at.T] = w[at.T_OLD] = w[at.T_START] = settings.start
        w[at.T_STOP] = settings.stop
        w[at.RTOL] = settings.rtol
        w[at.H_FIXED] = settings.step or 0.0
        w[at.H_MAX] = settings.max_step or span / 50.0
        w[at.H_MIN] = settings.min_step
        w[at.ORDER] = self.method.estimate + 1.0
        w[at.ERROR_OLD] = 1e-4
        w[at.RESTART] = 1.0
        w[at.RUN_SEED] = settings.seed
        w[at.ROWS_MAX] = ROWS_MAX
        w[at.LOG_SKIP] = settings.decimate
        w[at.LOG_SINCE] = settings.decimate
        w[at.ZENO_HOLD] = settings.dwell if settings.zeno == "hold" else 0.0
        self._fill_ticks()
        self._fill_log_ticks()
        self._fill_guards()
        slots = [
            ref.offset + i
            for key in self.checked.logged
            for ref in [schedule.signals[key]]
            for i in range(ref.size)
        ]
        self._fill(at.COLUMNS, np.array(slots, dtype=float))

    def _fill(self, section: int, values: np.ndarray) -> None:
        place = self.layout[section]
        self.w[place : place + len(values)] = values

    def _fill_ticks(self) -> None:
        """Periods and first hits as whole numbers of a common tick."""
        groups = self.checked.schedule.groups
        if not groups:
            return
        tick = Fraction(0)
        for rate in groups:
            for time in rate:
                tick = _common(tick, time)
        start = Fraction(repr(float(self.checked.settings.start)))
        periods = [int(period / tick) for period, _ in groups]
        first = []
        for (period, offset), ticks in zip(groups, periods, strict=True):
            missed = max(0, math.ceil((start - offset) / period))
            first.append(int(offset / tick) + missed * ticks)
        self._fill(at.PERIOD, np.array(periods, dtype=float))
        self._fill(at.NEXT, np.array(first, dtype=float))
        self.w[at.TICK] = min(first)
        self.w[at.TICK_NUM], self.w[at.TICK_DEN] = tick.numerator, tick.denominator

    def _fill_log_ticks(self) -> None:
        every = self.checked.settings.every
        if every is None:
            return
        from .schedule import seconds

        period = seconds(every)
        self.w[at.LOG_NUM], self.w[at.LOG_DEN] = period.numerator, period.denominator
        self.w[at.LOG_TICK] = math.ceil(seconds(self.checked.settings.start) / period)

    def _fill_guards(self) -> None:
        guards = self.checked.schedule.guards
        self._fill(at.DIRECTION, np.array([DIRECTIONS[g.equation.direction] for g in guards]))
        self._fill(at.ACTION, np.array([ACTIONS[g.equation.action] for g in guards]))
        self._fill(at.RESETS_X, np.array([float(g.resets_states) for g in guards]))
        self._fill(at.LAST, np.full(len(guards), -math.inf))
        self._fill(at.HOLD, np.full(len(guards), -math.inf))

    # --- machines ------------------------------------------------------------------------------
    def _interpreted(self) -> Machine:
        step, interpolate = self.method.functions()
        model = self.interpreter
        names: dict[str, Any] = {
            name: getattr(model, name)
            for name in ("at", "rhs", "outputs", "guards", "tasks", "resets", "residual")
        }
        names["step"] = interpreted(step, names)
        names["interpolate"] = interpreted(interpolate, names)
        run = interpreted(advance, names)
        flat = self.log.reshape(-1)

        def go(budget: int) -> None:
            with np.errstate(all="ignore"):
                run(self.w, flat, budget)

        return Machine(go)

    def _compiled(self, store: Store) -> Machine:
        program = self.checked.schedule.program
        compiled = compile_program(program, self.layout, self.method, store)
        run = compiled.library.functions["advance"]
        python = list(compiled.python_kernels)
        notices = tuple(
            f"block function '{k.function.__name__}' runs in Python, since numba refused it: {why}"
            for k, why in compiled.python_kernels.items()
        )
        self._library = compiled.library
        if python:
            self._callback = CALLBACK(self._python_call(python))
            address = ctypes.cast(self._callback, ctypes.c_void_p).value or 0
            self.w[at.CALLBACK : at.CALLBACK + 1].view(np.int64)[0] = address
            self._callback_address = address
        pointer, log = self.w.ctypes.data, self.log.ctypes.data

        def go(budget: int) -> None:
            run(pointer, log, budget)

        return Machine(go, notices)

    def _python_call(self, kernels: list[Kernel]) -> Callable[..., None]:
        """Calls kernel number k with packed doubles; a failure ends the run."""

        def call(k: int, inputs: Any, outputs: Any) -> None:
            raise NotImplementedError

        return call


def _common(a: Fraction, b: Fraction) -> Fraction:
    """The greatest common divisor of two rationals."""
    return Fraction(
        math.gcd(a.numerator * b.denominator, b.numerator * a.denominator),
        a.denominator * b.denominator,
    )
