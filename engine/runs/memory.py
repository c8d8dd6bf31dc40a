"""The memory of a run: its layout, and what it holds before the first step."""

from __future__ import annotations

import math

import numpy as np

from ..analysis.checking import Checked
from ..errors import DiagramError, Place
from ..memory import layout as slots
from ..memory.layout import Layout
from ..model.sizes import LARGEST_MEMORY
from ..schedule.ticks import ticks
from ..units.times import seconds

LOG_NUMBERS = 2_000_000  # in the log buffer, at most
ACTIONS = {"reset": 0.0, "stop": 1.0, "fail": 2.0}
DIRECTIONS = {"rising": 1.0, "falling": -1.0, "both": 0.0}
PER_GROUP = ("PERIOD", "NEXT", "HIT")
PER_GUARD = (
    *("G0", "G1", "G2", "MODE", "FIRED", "DIRECTION", "ACTION", "INITIAL", "RESETS_X"),
    *("LAST", "COUNT", "HOLD"),
)


def layout_of(checked: Checked) -> Layout:
    """Places of all sections for this diagram and method."""
    schedule, method = checked.schedule, checked.settings.solver
    n, guards, groups = schedule.sections["X"], len(schedule.guards), len(schedule.rates)
    columns = sum(len(signal.elements) for signal in checked.logged)
    sizes = dict(schedule.sections)
    sizes["K"] = max(method.workspace(n), 2 * n)
    sizes |= dict.fromkeys(PER_GROUP, groups) | dict.fromkeys(PER_GUARD, guards)
    sizes["COLUMNS"] = columns
    _refuse_large(checked, sizes)
    colours = len(pattern_of(checked)[0]) if method.stiff and n else 0
    sizes["PATTERN"] = n * colours
    _refuse_large(checked, sizes)
    return Layout.of(sizes, (n, guards, groups, columns, colours))


def _refuse_large(checked: Checked, sizes: dict[str, int]) -> None:
    """A run whose memory would be too large, most often for matrices of states, is an error."""
    total = sum(sizes.values())
    if total > LARGEST_MEMORY:
        n, loops = sizes["X"], sizes["LOOPS"]
        raise DiagramError(
            f"a run would need {8 * total >> 20} MiB for {n} states with {checked.settings.method} "
            f"and {loops} numbers of algebraic loops; expected at most {8 * LARGEST_MEMORY >> 20} "
            "MiB: make vectors smaller, or take ode45",
            Place(checked.model.file),
        )


def log_rows(layout: Layout) -> int:
    """Rows of the log buffer: fewer where they are long."""
    return max(64, min(4096, LOG_NUMBERS // (layout[slots.N_COLUMNS] + 1)))


def pattern_of(checked: Checked) -> list[list[int]]:
    return checked.schedule.jacobian_pattern()


def fill(w: np.ndarray, checked: Checked, layout: Layout) -> None:
    """Everything as before the first step."""
    schedule, settings = checked.schedule, checked.settings
    w[:] = 0.0

    def put(section: int, values: np.ndarray) -> None:
        w[layout[section] : layout[section] + len(values)] = values

    put(slots.P, schedule.places.parameter_values)
    put(slots.S, schedule.places.signal_start)
    put(slots.Z, schedule.places.discrete_start)
    put(slots.X, schedule.places.start)
    for loop in schedule.program.loops:
        place = layout[slots.LOOPS] + loop.place
        w[place : place + len(loop.start)] = loop.start
    put(slots.ATOL, tolerances(checked))
    w[slots.T] = w[slots.T_OLD] = w[slots.T_START] = settings.start
    w[slots.T_STOP] = settings.stop
    w[slots.RTOL] = settings.rtol
    w[slots.UNIT_ATOL] = settings.atol
    if settings.step is not None:
        step = seconds(settings.step)
        w[slots.H_FIXED] = settings.step
        w[slots.STEP_NUM], w[slots.STEP_DEN] = step.numerator, step.denominator
    w[slots.H_MAX] = settings.longest_step
    w[slots.H_MIN] = settings.min_step
    w[slots.ORDER] = settings.solver.estimate + 1.0
    w[slots.EDGE], w[slots.EDGE_ROW] = settings.solver.edge, settings.solver.edge_row
    w[slots.ERROR_OLD] = 1e-4
    w[slots.RESTART] = 1.0
    if settings.solver.stiff:
        w[slots.STICKY] = 1.0
        put(slots.PATTERN, np.array(pattern_of(checked), dtype=float).ravel())
    w[slots.RUN_SEED] = settings.seed
    w[slots.ROWS_MAX] = log_rows(layout)
    w[slots.LOG_SKIP] = w[slots.LOG_SINCE] = settings.decimate
    w[slots.ZENO_HOLD] = settings.dwell if settings.zeno == "hold" else 0.0
    put(slots.COLUMNS, np.array(_columns(checked), dtype=float))
    guards = [guard.equation for guard in schedule.guards]
    put(slots.DIRECTION, np.array([DIRECTIONS[g.direction] for g in guards]))
    put(slots.ACTION, np.array([ACTIONS[g.action] for g in guards]))
    put(slots.INITIAL, np.array([float(g.initial) for g in guards]))
    put(slots.RESETS_X, np.array([float(g.resets_states) for g in schedule.guards]))
    put(slots.LAST, np.full(len(guards), -math.inf))
    put(slots.HOLD, np.full(len(guards), -math.inf))
    start = seconds(settings.start)
    if schedule.rates:
        tick, periods, first = ticks(schedule.rates, start)
        put(slots.PERIOD, np.array(periods, dtype=float))
        put(slots.NEXT, np.array(first, dtype=float))
        w[slots.TICK] = min(first)
        w[slots.TICK_NUM], w[slots.TICK_DEN] = tick.numerator, tick.denominator
    if settings.every is not None:
        period = seconds(settings.every)
        w[slots.LOG_NUM], w[slots.LOG_DEN] = period.numerator, period.denominator
        w[slots.LOG_TICK] = math.ceil(start / period)


def tolerances(checked: Checked) -> np.ndarray:
    """The absolute tolerance of each continuous state."""
    return checked.settings.atol * checked.schedule.places.sizes


def _columns(checked: Checked) -> list[int]:
    """Places of the logged scalars, in the order of a row."""
    signals = checked.schedule.places.signals
    return [
        signals[signal.block, signal.port].offset + element
        for signal in checked.logged
        for element in signal.elements
    ]
