"""A diagram that is shaken by a wave at one port, and what other ports do, at equal times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ..analysis.checking import Checked
from ..declaration import Block
from ..errors import SimulationError
from ..linear.sampled import Period
from ..memory import layout as sections
from ..memory.slots import Key
from ..model.signals import LoggedSignal
from ..operating_points.ports import PortElements
from ..operating_points.rewiring import Added, Change, rewired
from ..runs.simulation import Simulation
from ..units.times import Time, seconds
from .waves import Chirp, HeldChirp, HeldSine, Sine

LATE = 1e-9
"""Part of a period within which a row belongs to a time of the grid."""


class Shaken:
    """A run of a diagram with a wave at one element of a port; rows come at every `step` seconds.

    Where sampled blocks lie on the way, wave and rows follow their common period.
    """

    def __init__(
        self,
        checked: Checked,
        at: PortElements,
        reads: Sequence[tuple[Key, int]],
        period: Period | None,
        step: Fraction,
        values: dict[str, float],
        is_chirp: bool = False,
        compiled: bool = True,
    ):
        self.period, self.step = period, step
        kinds: tuple[type[Block], type[Block]] = (Sine, HeldSine)
        if is_chirp:
            kinds = (Chirp, HeldChirp)
        given: dict[str, object] = dict(values)
        start = seconds(checked.settings.start)
        if period is None:
            start = -(-start // step) * step
        if period is not None:
            missed = max(-((period.begin - start) // period.length), 0)
            start = period.begin + missed * period.length
            given |= {"every": Time(period.length), "offset": Time(period.begin)}
        given["begin"] = float(start)
        self.begin = start
        wave = kinds[0] if period is None else kinds[1]
        change = Change(at, Added, given, wave)
        logged = [
            LoggedSignal(f"y{i}", "", (), float, key[0], key[1], (element,))
            for i, (key, element) in enumerate(reads)
        ]
        shaken = rewired(checked, [change], [key for key, _ in reads], logged)
        settings = replace(shaken.settings, every=None if period else Time(step), decimate=1)
        longest = min(settings.longest_step, float(12 * step))
        settings = replace(settings, max_step=longest, stop=1e12)
        self.simulation = Simulation(replace(shaken, settings=settings), compiled)
        self._rows: list[np.ndarray] = []
        self._next = 0

    def take(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """The next `count` times and rows of signals."""
        last = self.begin + (self._next + count) * self.step
        simulation = self.simulation
        parts: list[np.ndarray] = []
        stop = float(last)
        simulation.w[sections.T_STOP] = stop
        while not simulation.outcome and simulation.time < stop:
            parts.append(simulation.advance())
        if simulation.outcome in ("failed", "stopped"):
            raise SimulationError(simulation.reason)
        if simulation.outcome == "done":
            simulation.w[sections.STATUS] = sections.RUNNING
            simulation.outcome = ""
        rows = np.concatenate([*self._rows, *parts])
        times = np.array([float(self.begin + (self._next + k) * self.step) for k in range(count)])
        near = np.searchsorted(rows[:, 0], times + LATE * float(self.step), side="right") - 1
        chosen = rows[np.maximum(near, 0)]
        self._rows = [rows[int(near[-1]) :]]
        self._next += count
        return times, chosen[:, 1:]
