"""Runs of a study on a Dask cluster, by the address of its scheduler.

The job travels to the workers once, and each process of theirs compiles it once. Runs are handed
out in lots that take about a second, a few ahead of the workers; those of a worker that dies are
given to another one. A lot that kills several workers is divided until the run is found that does
it: that run has failed.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from uuid import uuid4

from ..errors import DiagramError, Position
from ..runs.extras import needed
from .job import FAILED, Ended, Job
from .runner import Bench
from .structures import Structures

LOT_SECONDS = 1.0
FIRST_LOT, LARGEST_LOT = 2, 1000  # runs
LOTS_AHEAD = 2  # for each thread of the cluster
CONNECT_SECONDS = 10
LOOK_INTERVAL = 0.2
MOST_KEPT = 4  # jobs in a worker's process

_structures: dict[str, Structures] = {}


def make_lot(job: Job, key: str, runs: Sequence[int]) -> list[Ended]:
    """Makes some runs in a worker's process."""
    if key not in _structures:
        while len(_structures) >= MOST_KEPT:
            _structures.pop(next(iter(_structures)))
        _structures[key] = Structures(job.diagram, job.registry, job.plan.paths, job.compiled)
    bench = Bench(job, _structures[key])
    ended = (bench.run(run) for run in runs)
    return [one for one in ended if one is not None]


class Cluster:
    """A scheduler and its workers."""

    def __init__(self, job: Job, address: str):
        self.job, self.address = job, address
        self.notices: tuple[str, ...] = ()
        self._stopped = False
        self._client: Any = None

    def prepare(self) -> None:
        """Connects; raises DiagramError where nobody answers or there are no workers."""
        distributed = needed("distributed", "dask")
        try:
            self._client = distributed.Client(
                self.address, timeout=CONNECT_SECONDS, set_as_default=False
            )
        except (OSError, TimeoutError, ValueError) as error:
            raise DiagramError(
                f"no scheduler answers at {self.address!r}: {str(error)[:200]}; start one by "
                "`dask scheduler`, and workers by `dask worker ADDRESS`",
                Position("--dask"),
            ) from None

    @property
    def at_work(self) -> str:
        """Nothing: a worker is not asked where it is."""
        return ""

    def cancel(self) -> None:
        self._stopped = True

    def ended(self, runs: Iterable[int]) -> Iterator[list[Ended]]:
        """What has ended, as it comes; an empty list now and then, for others to have a turn."""
        try:
            yield from self._handed_out(list(runs))
        finally:
            self._client.close()

    def _handed_out(self, waiting: list[int]) -> Iterator[list[Ended]]:
        key, job = uuid4().hex, self._client.scatter(self.job, broadcast=True)
        lots = Lots(waiting)
        under_way: dict[Any, tuple[list[int], float]] = {}
        while (lots or under_way) and not self._stopped:
            threads = sum(self._client.nthreads().values())
            while lots and len(under_way) < max(LOTS_AHEAD * threads, 1):
                lot = lots.next(threads)
                future = self._client.submit(make_lot, job, key, lot, pure=False)
                under_way[future] = lot, time.monotonic()
            batch: list[Ended] = []
            for future in self._finished(list(under_way)):
                lot, begun = under_way.pop(future)
                batch += self._result(future, lot, lots)
                lots.learn(len(lot), time.monotonic() - begun)
            yield batch
        for future in under_way:
            future.cancel()

    def _finished(self, futures: list[Any]) -> list[Any]:
        """The futures that are through, after a short while at most."""
        wait = needed("distributed", "dask").wait
        try:
            with self._client.as_current():
                done = wait(futures, timeout=LOOK_INTERVAL, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            return []
        return [future for future in futures if future in done]

    def _result(self, future: Any, lot: list[int], lots: Lots) -> list[Ended]:
        """The runs of a lot; one that killed workers is divided, and in the end a failed run."""
        distributed = needed("distributed", "dask")
        try:
            ended: list[Ended] = future.result()
            return ended
        except distributed.scheduler.KilledWorker:
            if len(lot) > 1:
                lots.divide(lot)
                return []
            empty = (float("nan"),) * len(self.job.measures)
            return [Ended(lot[0], FAILED, empty, "it killed several workers of the cluster")]


class Lots:
    """The runs that are still to be handed out, in lots whose size follows how long they take."""

    def __init__(self, waiting: list[int]):
        self._waiting, self._next = waiting, 0
        self._divided: list[list[int]] = []
        self._size = FIRST_LOT

    def __bool__(self) -> bool:
        return self._next < len(self._waiting) or bool(self._divided)

    def next(self, threads: int) -> list[int]:
        if self._divided:
            return self._divided.pop()
        left = len(self._waiting) - self._next
        size = max(1, min(self._size, left // max(2 * threads, 1)))
        self._next += size
        return self._waiting[self._next - size : self._next]

    def divide(self, lot: list[int]) -> None:
        self._divided += [lot[: len(lot) // 2], lot[len(lot) // 2 :]]

    def learn(self, runs: int, seconds: float) -> None:
        """Doubles or halves the size of lots that took too short or too long."""
        if runs >= self._size and seconds < LOT_SECONDS:
            self._size = min(2 * self._size, LARGEST_LOT)
        elif runs <= self._size and seconds > 4.0 * LOT_SECONDS * LOTS_AHEAD:
            self._size = max(self._size // 2, 1)
