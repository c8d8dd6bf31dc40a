"""The pace of a run: simulated seconds per wall-clock second."""

from __future__ import annotations

import math
import time

MAX_CHUNK_S, MAX_STEPS = 0.03, 1_000_000


class Pacer:
    """Holds a run back to a pace: it may be ahead of the clock by no more than a chunk."""

    def __init__(self) -> None:
        self.max_steps = 16  # of a chunk
        self._origin: tuple[float, float, float] | None = None  # pace, clock and time of the run

    def pause(self) -> None:
        """Stops the clock; it counts anew from the next call on."""
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
        """Sizes chunks to 30 ms of wall-clock time at most: the window shows what is recorded."""
        if covered > MAX_CHUNK_S:
            self.max_steps = max(self.max_steps // 2, 1)
        else:
            self.max_steps = min(self.max_steps * 2, MAX_STEPS)
