"""The speed of a run: simulated seconds per wall-clock second."""

from __future__ import annotations

from collections import deque

RECENT_S = 1.0  # of wall-clock time, for the speed of a run under way


class SpeedMeter:
    """Speed and load of a run from samples of the clock; pauses are left out.

    `computing` is the computing time so far: its share of the wall-clock time is the load.
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[float, float, float]] = deque()
        self._clock = self._simulated = 0.0  # of the stretches that are over
        self._begin: tuple[float, float] | None = None

    def restart(self) -> None:
        """Forgets all samples, since the time of the run was set back."""
        self._samples.clear()
        self._clock = self._simulated = 0.0
        self._begin = None

    def note(self, clock: float, time: float, computing: float) -> None:
        """Takes a sample of a run that is under way."""
        if self._begin is None:
            self._begin = (clock, time)
        self._samples.append((clock, time, computing))
        while len(self._samples) > 2 and clock - self._samples[1][0] >= RECENT_S:
            self._samples.popleft()

    def pause(self) -> None:
        """Ends a stretch: the time until the next sample does not count."""
        if self._begin is not None:
            self._clock += self._samples[-1][0] - self._begin[0]
            self._simulated += self._samples[-1][1] - self._begin[1]
        self._begin = None
        self._samples.clear()

    @property
    def recent(self) -> float:
        """Simulated seconds per wall-clock second, over the last one or since the last pause."""
        if len(self._samples) < 2:
            return self.overall
        (begin, start, _), (end, now, _) = self._samples[0], self._samples[-1]
        return (now - start) / max(end - begin, 1e-9)

    @property
    def load(self) -> float:
        """Share of the last second in which the processor computed this run."""
        if len(self._samples) < 2:
            return 0.0
        (begin, _, before), (end, _, after) = self._samples[0], self._samples[-1]
        return min((after - before) / max(end - begin, 1e-9), 1.0)

    @property
    def overall(self) -> float:
        """Simulated seconds per wall-clock second over the whole run."""
        clock, simulated = self._clock, self._simulated
        if self._begin is not None:
            clock += self._samples[-1][0] - self._begin[0]
            simulated += self._samples[-1][1] - self._begin[1]
        return simulated / clock if clock > 0 else 0.0
