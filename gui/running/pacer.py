"""The pace of a run: how many simulated seconds pass per second of the clock on the wall."""

from __future__ import annotations

import math
import time


class Pacer:
    """Holds a run back to a pace: it may be ahead of the clock by no more than a chunk."""

    def __init__(self) -> None:
        self.most = 16  # steps of a chunk
        self._origin: tuple[float, float, float] | None = None  # pace, clock and time of the run

    def pause(self) -> None:
        """The clock counts anew from the next look on."""
        self._origin = None

    def is_ahead(self, simulated: float, pace: float) -> bool:
        clock = time.perf_counter()
        if self._origin is None or self._origin[0] != pace:
            self._origin = (pace, clock, simulated)
        return simulated > self.due(clock)

    def due(self, clock: float) -> float:
        """The simulated time that the pace allows by now."""
        if self._origin is None:
            return math.inf
        pace, begin, start = self._origin
        return start + pace * (clock - begin)

    def adapt(self, covered: float) -> None:
        """Chunks of 30 ms of the clock at most, since the window shows what is recorded."""
        self.most = max(self.most // 2, 1) if covered > 0.03 else min(self.most * 2, 1_000_000)
