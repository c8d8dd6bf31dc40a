"""The memory of a run: its layout, and what it holds before the first step."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..analysis.checking import Checked
from ..analysis.settings import Settings
from ..errors import DiagramError, Position
from ..memory import layout as sections
from ..memory.layout import Layout
from ..model.sizes import LARGEST_MEMORY
from ..schedule.lowering import Rate
from ..schedule.sparsity import reads_states
from ..schedule.ticks import ticks
from ..units.times import seconds

LOG_NUMBERS = 2_000_000  # in the log buffer, at most
ACTIONS = {"reset": 0.0, "stop": 1.0, "fail": 2.0}
DIRECTIONS = {"rising": 1.0, "falling": -1.0, "both": 0.0}
PER_GROUP = ("PERIOD", "NEXT", "HIT", "PAUSED")
PER_GUARD = (
    *("G0", "G1", "G2", "MODE", "FIRED", "DIRECTION", "ACTION", "INITIAL", "TRIGGERED", "RESETS_X"),
    *("LAST", "COUNT", "HOLD"),
)


def layout_of(checked: Checked) -> Layout:
    """Offsets of all sections for this diagram and method."""
    schedule, method = checked.schedule, checked.settings.solver
    n, guards, groups = schedule.sections["X"], len(schedule.guards), schedule.groups
    columns = sum(len(signal.elements) for signal in checked.logged)
    sizes = dict(schedule.sections)
    sizes["K"] = max(method.workspace(n), 2 * n)
    sizes |= dict.fromkeys(PER_GROUP, groups) | dict.fromkeys(PER_GUARD, guards)
    sizes["COLUMNS"] = columns
    _refuse_large(checked, sizes)
    colours = len(pattern_of(checked)[0]) if method.stiff and n else 0
    sizes["PATTERN"] = n * colours
    _refuse_large(checked, sizes)
    counts = (n, guards, groups, columns, colours, int(reads_states(schedule.program.guards)))
    return Layout.of(sizes, counts)


def _refuse_large(checked: Checked, sizes: dict[str, int]) -> None:
    """A run whose memory would be too large, most often for matrices of states, is an error."""
    total = sum(sizes.values())
    if total > LARGEST_MEMORY:
        n, loops = sizes["X"], sizes["LOOPS"]
        raise DiagramError(
            f"a run would need {8 * total >> 20} MiB for {n} states with {checked.settings.method} "
            f"and {loops} numbers of algebraic loops; expected at most {8 * LARGEST_MEMORY >> 20} "
            "MiB: make vectors smaller, or take ode45",
            Position(checked.model.file),
        )


def log_rows(layout: Layout) -> int:
    """Rows of the log buffer: fewer where they are long."""
    return max(64, min(4096, LOG_NUMBERS // (layout[sections.N_COLUMNS] + 1)))


def pattern_of(checked: Checked) -> list[list[int]]:
    return checked.schedule.jacobian_pattern()


def fill(w: np.ndarray, checked: Checked, layout: Layout) -> None:
    """Fills the memory with what it holds before the first step."""
    schedule, settings = checked.schedule, checked.settings
    w[:] = 0.0

    def put(section: int, values: np.ndarray) -> None:
        w[layout[section] : layout[section] + len(values)] = values

    put(sections.P, schedule.slots.parameter_values)
    put(sections.S, schedule.slots.signal_start)
    put(sections.Z, schedule.slots.discrete_start)
    put(sections.X, schedule.slots.start)
    for loop in schedule.program.loops:
        offset = layout[sections.LOOPS] + loop.offset
        w[offset : offset + len(loop.start)] = loop.start
    put(sections.ATOL, tolerances(checked))
    put_settings(w, settings, schedule.rates, layout)
    if settings.solver.stiff:
        put(sections.PATTERN, np.array(pattern_of(checked), dtype=float).ravel())
    w[sections.ROWS_MAX] = log_rows(layout)
    put(sections.COLUMNS, np.array(_columns(checked), dtype=float))
    guards = [guard.equation for guard in schedule.guards]
    put(sections.DIRECTION, np.array([DIRECTIONS[g.direction] for g in guards]))
    put(sections.ACTION, np.array([ACTIONS[g.action] for g in guards]))
    put(sections.INITIAL, np.array([float(g.initial) for g in guards]))
    groups = [0.0 if g.group is None else g.group + 1.0 for g in schedule.guards]
    put(sections.TRIGGERED, np.array(groups))
    put(sections.RESETS_X, np.array([float(g.resets_states) for g in schedule.guards]))
    put(sections.LAST, np.full(len(guards), -math.inf))
    put(sections.HOLD, np.full(len(guards), -math.inf))


def put_settings(w: np.ndarray, settings: Settings, rates: Sequence[Rate], layout: Layout) -> None:
    """Puts times, tolerances, seed and rates into a memory that is as before the first step."""
    w[sections.T] = w[sections.T_OLD] = w[sections.T_START] = settings.start
    w[sections.T_STOP] = settings.stop
    w[sections.RTOL] = settings.rtol
    w[sections.UNIT_ATOL] = settings.atol
    if settings.step is not None:
        step = seconds(settings.step)
        w[sections.H_FIXED] = settings.step
        w[sections.STEP_NUM], w[sections.STEP_DEN] = step.numerator, step.denominator
    w[sections.H_MAX] = settings.longest_step
    w[sections.H_MIN] = settings.min_step
    w[sections.ORDER] = settings.solver.estimate + 1.0
    w[sections.EDGE], w[sections.EDGE_ROW] = settings.solver.edge, settings.solver.edge_row
    w[sections.ERROR_OLD] = 1e-4
    w[sections.RESTART] = 1.0
    w[sections.STICKY] = 1.0 if settings.solver.stiff else 0.0
    w[sections.RUN_SEED] = settings.seed
    w[sections.LOG_SKIP] = w[sections.LOG_SINCE] = settings.decimate
    w[sections.ZENO_HOLD] = settings.dwell if settings.zeno == "hold" else 0.0
    start = seconds(settings.start)
    if rates:
        tick, periods, first = ticks(rates, start)
        for section, numbers in ((sections.PERIOD, periods), (sections.NEXT, first)):
            w[layout[section] : layout[section] + len(rates)] = numbers
        w[sections.TICK] = min(first)
        w[sections.TICK_NUM], w[sections.TICK_DEN] = tick.numerator, tick.denominator
        w[sections.TICK_TIME] = w[sections.TICK] * w[sections.TICK_NUM] / w[sections.TICK_DEN]
    triggered = slice(layout[sections.NEXT] + len(rates), layout[sections.NEXT + 1])
    w[triggered] = math.inf
    if not rates:
        w[sections.TICK] = w[sections.TICK_TIME] = math.inf
        w[sections.TICK_NUM] = w[sections.TICK_DEN] = 1.0
    w[sections.LOG_NUM] = w[sections.LOG_DEN] = w[sections.LOG_TICK] = w[sections.LOG_TIME] = 0.0
    if settings.every is not None:
        period = seconds(settings.every)
        w[sections.LOG_NUM], w[sections.LOG_DEN] = period.numerator, period.denominator
        w[sections.LOG_TICK] = math.ceil(start / period)
        w[sections.LOG_TIME] = w[sections.LOG_TICK] * w[sections.LOG_NUM] / w[sections.LOG_DEN]


def tolerances(checked: Checked) -> np.ndarray:
    """The absolute tolerance of each continuous state."""
    return checked.settings.atol * checked.schedule.slots.sizes


def _columns(checked: Checked) -> list[int]:
    """Offsets of the logged scalars, in the order of a row."""
    signals = checked.schedule.slots.signals
    return [
        signals[signal.block, signal.port].offset + element
        for signal in checked.logged
        for element in signal.elements
    ]
