"""Runs of a study on one machine: threads that hold no lock while they simulate.

Python's part of a run (other numbers in memory, summaries of its rows) is short; the compiled run
releases Python's lock. What has ended is handed to the thread that asked, which writes it.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Iterable, Iterator

import numpy as np

from ..errors import DiagramError
from ..memory import layout as sections
from ..program.lowering_processes import Report, unreported
from ..runs.simulation import Simulation
from .job import DONE, FAILED, REFUSED, STOPPED, Ended, Job
from .logged import columns_of
from .structures import Structure, Structures
from .summaries import Summaries

LOOK_INTERVAL = 0.1  # seconds
MOST_ROWS = 2_000_000  # numbers of a log buffer


class Bench:
    """One run after another over the same memory, one of each structure that is met."""

    def __init__(self, job: Job, structures: Structures):
        self.job, self.structures = job, structures
        self._runs: dict[int, tuple[Simulation, Summaries, list[int]]] = {}
        self._at_work: Simulation | None = None
        self._cancelled = False

    def run(self, number: int) -> Ended | None:
        """Makes one run; None if it was cancelled."""
        begin = time.perf_counter()
        values = self.job.values(number)
        empty = (np.nan,) * len(self.job.measures)
        try:
            structure, memory = self.structures.prepared(values)
            simulation, summaries, columns = self._for(structure)
            simulation.start_from(structure.checked, memory)
        except DiagramError as error:
            return Ended(number, REFUSED, empty, _one_line(error))
        self._at_work = simulation
        if self._cancelled:
            return None
        rows = simulation.rest()
        w = simulation.w
        status = int(w[sections.STATUS])
        if status == sections.RUNNING:
            return None
        outcome, reason = DONE, ""
        if status != sections.DONE:
            simulation.conclude(self.structures.check(values))
            outcome = STOPPED if simulation.outcome == "stopped" else FAILED
            reason = simulation.reason
        numbers: tuple[float, ...] | list[float] = empty
        if outcome != FAILED:
            numbers, why = summaries.of(rows)
            reason = reason or why
        counts = (sections.STEPS, sections.REJECTED, sections.EVALUATIONS, sections.EVENTS)
        cost = (*(float(w[k]) for k in counts), time.perf_counter() - begin)
        kept = rows[:, columns] if len(columns) > 1 else None
        return Ended(number, outcome, numbers, reason, float(w[sections.T]), cost, kept)

    def cancel(self) -> None:
        """Ends the run at work after its step; from any thread."""
        self._cancelled = True
        if self._at_work is not None:
            self._at_work.cancel()

    @property
    def at_work(self) -> str:
        return self._at_work.at_work if self._at_work is not None else ""

    def _for(self, structure: Structure) -> tuple[Simulation, Summaries, list[int]]:
        known = self._runs.get(id(structure))
        if known is None:
            logged = structure.checked.logged
            summaries = Summaries.over(self.job.measures, logged)
            kept = [k for name in self.job.kept for k in columns_of(logged, name)[1]]
            simulation = structure.simulation.twin(_rows_of(structure))
            known = self._runs[id(structure)] = simulation, summaries, [0, *kept]
        return known


def _rows_of(structure: Structure) -> int:
    """Room for all rows of a run with a log period, and one part of those of any other."""
    settings = structure.checked.settings
    if settings.every is None:
        return 0
    width = structure.simulation.log.shape[1]
    rows = int((settings.stop - settings.start) / settings.every) + 16
    return min(rows, MOST_ROWS // width)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


class Threads:
    """Runs on all cores of this machine."""

    def __init__(self, job: Job, workers: int | None = None, report: Report = unreported):
        self.job = job
        self.workers = workers or len(os.sched_getaffinity(0))
        self._structures = Structures(
            job.diagram, job.registry, job.plan.paths, job.compiled, report
        )
        self._benches: list[Bench] = []
        self._stopped = False

    @property
    def notices(self) -> tuple[str, ...]:
        return self._structures.notices

    def prepare(self) -> None:
        """Compiles the structure of the first run; raises DiagramError."""
        self._structures.adopt(self.job.first)

    def ended(self, runs: Iterable[int]) -> Iterator[list[Ended]]:
        """What has ended, as it comes; an empty list now and then, for others to have a turn."""
        waiting, results = iter(runs), queue.SimpleQueue[Ended | BaseException | None]()
        lock = threading.Lock()

        def work(bench: Bench) -> None:
            try:
                while not self._stopped:
                    with lock:
                        number = next(waiting, None)
                    if number is None:
                        break
                    ended = bench.run(number)
                    if ended is not None:
                        results.put(ended)
            except BaseException as error:
                results.put(error)
            finally:
                results.put(None)

        self._benches = [Bench(self.job, self._structures) for _ in range(self.workers)]
        threads = [threading.Thread(target=work, args=(b,), daemon=True) for b in self._benches]
        for thread in threads:
            thread.start()
        try:
            yield from _gathered(results, len(threads))
        finally:
            self.cancel()
            for thread in threads:
                thread.join()

    def cancel(self) -> None:
        """Ends all runs after the step at work; those are not counted as ended."""
        self._stopped = True
        for bench in self._benches:
            bench.cancel()

    @property
    def at_work(self) -> str:
        """What the runs are in that do not end."""
        return "; ".join(sorted({bench.at_work for bench in self._benches if bench.at_work}))


def _gathered(
    results: queue.SimpleQueue[Ended | BaseException | None], workers: int
) -> Iterator[list[Ended]]:
    """Lists of what has come since the last one, until every worker has said that it is through."""
    while workers:
        batch: list[Ended] = []
        try:
            item = results.get(timeout=LOOK_INTERVAL)
            while True:
                if item is None:
                    workers -= 1
                elif isinstance(item, BaseException):
                    raise item
                else:
                    batch.append(item)
                item = results.get_nowait()
        except queue.Empty:
            yield batch
            time.sleep(0.02 if workers else 0.0)
