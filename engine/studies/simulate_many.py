"""`simulate_many`: a diagram run many times with other values, in one call."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from ..declaration.registry import Registry, standard_blocks
from ..diagram.diagram import Diagram
from ..errors import Position
from ..program.lowering_processes import Report, unreported
from .job import Ended, Job
from .plan import Plan, Sampling, plan_of
from .runner import Threads
from .study import Study
from .study_file import StudyFile, opened
from .summaries import read_summaries
from .variations import variation_of

Progress = Callable[[int, int], None]


class Workers(Protocol):
    """What makes runs: threads here, or a cluster."""

    @property
    def notices(self) -> tuple[str, ...]: ...

    def prepare(self) -> None: ...

    def ended(self, runs: Iterable[int]) -> Iterable[list[Ended]]: ...

    def cancel(self) -> None: ...

    @property
    def at_work(self) -> str: ...


def simulate_many(
    diagram: Diagram,
    vary: Mapping[str, Any],
    summaries: Iterable[str] | Mapping[str, str] = (),
    *,
    keep_signals: Sequence[str] = (),
    way: str | None = None,
    sampling: Sampling | None = None,
    own_seeds: bool = False,
    registry: Registry | None = None,
    workers: int | str | None = None,
    output: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Study:
    """Runs a diagram with all combinations of values, and returns the table of what came out.

    `vary` has values by parameter: numbers, texts with units, `"1e-4..4e-4:50"`, or a distribution,
    `"normal(0.12 N*m, 0.01 N*m)"`, with `sampling=Sampling(1000, "lhs")`. `summaries` are measures,
    as `"peak = max(motor.i)"`. `workers` is a number of threads, or the address of a scheduler of
    Dask. With `output` the runs are written as they end, and a study that was begun there goes on.
    """
    variations = [variation_of(path, v, Position(f"vary {path}")) for path, v in vary.items()]
    plan = plan_of(variations, way, sampling, own_seeds)
    measures = read_summaries(summaries, "summaries")
    job = Job.of(diagram, registry or standard_blocks(), plan, measures, tuple(keep_signals))
    return make(job, workers_for(job, workers), output, progress)


def workers_for(job: Job, workers: int | str | None = None, report: Report = unreported) -> Workers:
    """Threads on this machine, or a cluster by the address of its scheduler."""
    if isinstance(workers, str):
        from .cluster import Cluster

        return Cluster(job, workers)
    return Threads(job, workers, report)


def make(
    job: Job,
    workers: Workers,
    output: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Study:
    """Makes the runs that are still to be made; what has ended is kept whatever happens."""
    tell = progress or (lambda done, total: None)
    total = len(job.plan)
    if output is None:
        workers.prepare()
        ended: list[Ended] = []
        for batch in workers.ended(range(total)):
            ended += batch
            tell(len(ended), total)
        return Study.of(job, ended, workers.notices)
    file = opened(os.fspath(output), job)
    try:
        write(file, workers, tell)
    finally:
        file.close(workers.notices)
    return Study.load(output)


def write(file: StudyFile, workers: Workers, tell: Progress) -> None:
    """Makes the runs that a file lacks, and writes them as they end."""
    waiting, total = file.waiting, len(file.outcomes)
    done = total - len(waiting)
    tell(done, total)
    if not waiting:
        return
    workers.prepare()
    for batch in workers.ended(waiting):
        if batch:
            file.add(batch)
            done += len(batch)
        tell(done, total)


def described(plan: Plan) -> str:
    """How a plan was made, for people."""
    if plan.way == "samples":
        return f"{plan.sampling.count} samples by {plan.sampling.method}"
    return {"grid": "all combinations", "zip": "values side by side"}[plan.way]
