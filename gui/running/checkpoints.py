"""Checkpoints of a run, spread over simulated time, within a bound of memory."""

from __future__ import annotations

from railblocks.engine.runs.checkpoint import Checkpoint

MAX_COUNT, MAX_BYTES = 128, 64 * 2**20
MIN_COUNT, MIN_COUNT_BYTES = 8, 512 * 2**20  # so many even beyond MAX_BYTES, up to that


class Checkpoints:
    """Copies of the memory of a run, in the order of time.

    Those where values changed (`pinned`) are never thinned out, so that the last checkpoint before
    a time always has the values that were in force then. Of the others some are left out when they
    are many: the least distance in simulated time is doubled. If the pinned ones alone are too
    many, the oldest are forgotten, and with them what came before.
    """

    def __init__(self) -> None:
        self._kept: list[tuple[Checkpoint, bool]] = []
        self._distance = 0.0  # s, between those that are not pinned

    def __len__(self) -> int:
        return len(self._kept)

    def is_due(self, time: float) -> bool:
        """Whether a copy made now would be kept."""
        return not self._kept or time - self._kept[-1][0].time > self._distance

    def add(self, checkpoint: Checkpoint, pinned: bool = False) -> None:
        """Keeps a copy if it is due; a later one replaces an earlier one at the same time."""
        again = bool(self._kept) and self._kept[-1][0].time == checkpoint.time
        if again and pinned:
            pinned = self._kept.pop()[1] or bool(self._kept)
        elif not pinned and not self.is_due(checkpoint.time):
            return
        self._kept.append((checkpoint, pinned or not self._kept))
        size = checkpoint.memory.nbytes
        limit = max(min(MAX_COUNT, MAX_BYTES // size), min(MIN_COUNT, MIN_COUNT_BYTES // size), 2)
        while len(self._kept) > limit and self._thin():
            pass
        del self._kept[: max(len(self._kept) - limit, 0)]

    def _thin(self) -> bool:
        """Doubles the least distance; False if only pinned ones are left."""
        free = [kept.time for kept, pinned in self._kept if not pinned]
        if not free:
            return False
        span = self._kept[-1][0].time - self._kept[0][0].time
        self._distance = max(2 * self._distance, span / len(self._kept))
        kept: list[tuple[Checkpoint, bool]] = []
        for checkpoint, pinned in self._kept:
            if pinned or checkpoint.time - kept[-1][0].time > self._distance:
                kept.append((checkpoint, pinned))
        self._kept = kept
        return True

    def before(self, time: float) -> Checkpoint | None:
        """The last one not after a time, which has the values that were in force then."""
        earlier = [kept for kept, _ in self._kept if kept.time <= time]
        return earlier[-1] if earlier else None

    def cut(self, time: float) -> None:
        """Forgets those after a time: the run goes on from there."""
        self._kept = [kept for kept in self._kept if kept[0].time <= time]
