"""Notices about states that stay below their tolerance while signals depend on them.

A solver does not control the error of a state whose largest size over the run, peak_i, is below its
absolute tolerance. That matters where the state makes up a part of a signal y_j:

    c_ji = |dy_j/dx_i| peak_i                                              (1)
    c_ji >= MIN_PART max(|y_j|, c_jk for every k)                              (2)
    c_ji >= MIN_PART_OF_ALL max(|y|, c) over all signals                             (3)

Derivatives are differences about the last state of the run, for all signals that it computes. A
state that is zero all along is exact, a signal that other states or inputs make up hardly feels it
(2), and what is tiny beside everything else in the diagram is rounding (3).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..analysis.checking import Checked
from ..diagram.endpoints import index_text
from ..memory import layout as sections
from ..memory.layout import Layout
from ..program.failures import BlockFailure

MIN_PART, MIN_PART_OF_ALL = 0.1, 1e-12
PROBE_FRACTION = 1e-4  # of its peak: how far other states are moved for their derivatives
MAX_MESSAGES = 5  # messages


def small_states(checked: Checked, layout: Layout, w: np.ndarray, model: Any) -> list[str]:
    """A message for each such state of a run that has ended; `model` has its rhs and outputs."""
    x, n = layout[sections.X], layout[sections.N_X]
    if n == 0 or not checked.settings.solver.variable:
        return []
    atol = w[layout[sections.ATOL] : layout[sections.ATOL] + n]
    peaks = np.maximum(w[layout[sections.PEAK] : layout[sections.PEAK] + n], np.abs(w[x : x + n]))
    suspects = np.flatnonzero((peaks > 0.0) & (peaks < atol))
    if not len(suspects):
        return []
    signals, parts = _parts(checked, layout, w, model, peaks, atol)
    largest = np.maximum(np.abs(signals), parts.max(axis=0))
    needed = np.maximum(MIN_PART * largest, MIN_PART_OF_ALL * largest.max())
    by_state: dict[tuple[str, str], str] = {}
    for i in suspects[np.argsort(peaks[suspects] / atol[suspects])]:
        felt = np.flatnonzero((parts[i] > 0.0) & (parts[i] >= needed))
        if len(felt):
            block, state, index = _state_at(checked, int(i))
            signal = _signal_among(checked, layout[sections.S] + felt[np.argsort(-parts[i][felt])])
            text = _message(f"{block}.{state}{index}", signal, peaks[i], atol[i], checked)
            by_state.setdefault((block, state), text)
    messages = list(by_state.values())
    if len(messages) > MAX_MESSAGES:
        rest = ", ".join(f"{block}.{state}" for block, state in list(by_state)[MAX_MESSAGES:])
        messages = [*messages[:MAX_MESSAGES], f"the same holds for {rest}"]
    return messages


def _parts(
    checked: Checked, layout: Layout, w: np.ndarray, model: Any, peaks: np.ndarray, atol: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """All signals, and by (1) the part that each state has in them, one row a state."""
    x, k, s = layout[sections.X], layout[sections.K], layout[sections.S]
    size = checked.schedule.sections["S"]

    def evaluated(state: np.ndarray) -> np.ndarray:
        memory = w.copy()
        memory[x : x + len(state)] = state
        try:
            model.rhs(memory[sections.T], memory, x, k)
            model.outputs(memory[sections.T], memory, x)
        except BlockFailure:  # of a state that a run never reached
            return w[s : s + size]
        return memory[s : s + size]

    last = w[x : x + len(peaks)].copy()
    signals = evaluated(last)
    parts = np.zeros((len(peaks), size))
    for i in np.flatnonzero(peaks):
        moved, step = last.copy(), 1.0 if peaks[i] < atol[i] else PROBE_FRACTION
        moved[i] += step * peaks[i]
        parts[i] = np.abs(evaluated(moved) - signals) / step
    return np.nan_to_num(signals, posinf=0.0, neginf=0.0), np.nan_to_num(parts, posinf=0.0)


def _message(state: str, signal: str, peak: float, atol: float, checked: Checked) -> str:
    settings = checked.settings
    lower = settings.atol * 10.0 ** math.floor(math.log10(settings.rtol * peak / atol))
    return (
        f"{state} is at most {peak:.2g}, below its absolute tolerance of {atol:.2g}, so that "
        f"{signal} may be wrong; set `solver: {{atol: {lower:.0e}}}`, or scale what drives it"
    )


def _state_at(checked: Checked, offset: int) -> tuple[str, str, str]:
    """Block, state and index of a continuous state by its offset among all."""
    for (block, name), ref in checked.schedule.slots.states.items():
        if ref.offset <= offset < ref.offset + ref.size:
            index = np.unravel_index(offset - ref.offset, ref.shape) if ref.shape else None
            return block, name, index_text(tuple(map(int, index)) if index else None)
    raise AssertionError(offset)


def _signal_among(checked: Checked, offsets: np.ndarray) -> str:
    """The first logged signal at one of these offsets in memory, else the first of all."""
    logged = {(signal.block, signal.port) for signal in checked.logged}
    signals = [
        key
        for offset in offsets
        for key, ref in checked.schedule.slots.signals.items()
        if ref.offset <= offset < ref.offset + ref.size
    ]
    return ".".join(next((key for key in signals if key in logged), signals[0]))
