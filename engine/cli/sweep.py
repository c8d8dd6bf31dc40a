"""Run a diagram many times with other values.

FILE is a diagram, or a study: a YAML file that begins with `study: 1`. The runs are written to one
file as they end. The same command goes on where an earlier one was ended or killed; runs that
failed are rows with their reason.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from ..errors import DiagramError, Position
from .inputs import (
    blocks_argument,
    count_of,
    diagram_of,
    output_path,
    registry_of,
    stem,
    values_argument,
)
from .interrupts import INTERRUPTED
from .progress import Progress
from .tables import print_error, print_json

if TYPE_CHECKING:
    from ..studies.job import Job
    from ..studies.plan import Plan
    from ..studies.simulate_many import Workers
    from ..studies.study import Study
    from ..studies.study_file import StudyFile

NAME = "sweep"
SHOWN_FAILURES = 5
FAILED = 1


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="diagram or study file (YAML)")
    parser.add_argument(
        "--vary",
        metavar="PATH=VALUES",
        action="append",
        default=[],
        help="a parameter and its values: LOW..HIGH:COUNT (or :COUNT:log), a list 1, 2, 5 kg, "
        "words, or a distribution such as 'normal(2 kg, 0.1 kg)' (repeatable)",
    )
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--grid", action="store_true", help="all combinations (the default)")
    way.add_argument("--zip", action="store_true", help="values side by side")
    way.add_argument(
        "--samples", metavar="N", type=count_of, help="so many samples, from ranges, lists and "
        "distributions"
    )  # fmt: skip
    parser.add_argument(
        "--method", metavar="METHOD",
        help="of sampling: lhs (the default), sobol, random; saltelli and morris for sensitivities",
    )  # fmt: skip
    parser.add_argument("--sampling-seed", metavar="N", help="seed of the samples (default: 0)")
    parser.add_argument(
        "--own-seeds", action="store_true",
        help="random sources of each run have a seed of their own, else all have the diagram's",
    )  # fmt: skip
    parser.add_argument(
        "--summary", metavar="NAME=MEASURE", action="append", default=[],
        help="what is kept of a run, as in 'peak = max(motor.i)' (repeatable)",
    )  # fmt: skip
    parser.add_argument(
        "--keep-signals", metavar="SIGNAL", nargs="+", action="extend", default=[],
        help="signals that are kept row by row",
    )  # fmt: skip
    values_argument(parser)
    blocks_argument(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", metavar="N", type=count_of, help="threads (default: all cores)")
    where.add_argument(
        "--dask", metavar="ADDRESS", help="run on a cluster, by the address of its scheduler"
    )
    parser.add_argument("-o", "--output", metavar="STUDY.h5", help="(default: NAME_study.h5)")
    parser.add_argument("--interpret", action="store_true", help="run in Python, not compiled")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def main(options: argparse.Namespace) -> int:
    from ..studies.simulate_many import workers_for
    from ..studies.study import Study
    from ..studies.study_file import opened

    job = _job(options)
    output = output_path(options.output, f"{stem(options.file)}_study.h5", ".h5", options.file)
    with Progress(options.quiet or options.json, "preparing") as progress:
        workers = workers_for(job, options.dask or options.workers, progress.show_compiling)
        file = opened(output, job)
        interrupted = _made(options, file, workers, progress)
    study = Study.load(output)
    _report(options, study, output, workers)
    if interrupted:
        counts = study.counts
        ended = len(study) - counts.get("waiting", 0)
        print_error(
            f"interrupted; {ended} of {len(study)} runs are in {output}: the same command goes on"
        )
        return INTERRUPTED
    return 0 if study.ended.size else FAILED


def _job(options: argparse.Namespace) -> Job:
    from ..studies.job import Job
    from ..studies.recipe import is_recipe, read_recipe
    from ..studies.summaries import read_summaries

    if is_recipe(options.file):
        given = [f"--{name.replace('_', '-')}" for name in _PLANNED if getattr(options, name)]
        if given:
            raise DiagramError(
                f"a study says by itself what varies; leave {', '.join(given)} out, or give a "
                "diagram",
                Position(options.file),
            )
        return read_recipe(options.file).job(registry_of(options), not options.interpret)
    diagram = diagram_of(options, options.file)
    plan = _plan(options)
    measures = read_summaries(options.summary)
    kept = tuple(dict.fromkeys(options.keep_signals))
    return Job.of(diagram, registry_of(options), plan, measures, kept, not options.interpret)


_PLANNED = (
    *("vary", "grid", "zip", "samples", "method", "sampling_seed", "own_seeds"),
    *("summary", "keep_signals", "set"),
)


def _plan(options: argparse.Namespace) -> Plan:
    from ..studies.plan import Sampling, plan_of
    from ..studies.variations import read_variation

    variations = [read_variation(text) for text in options.vary]
    if options.samples is None:
        for name in ("method", "sampling_seed"):
            if getattr(options, name) is not None:
                option = f"--{name.replace('_', '-')}"
                raise DiagramError(f"{option} is for samples; add --samples N", Position(option))
    sampling = Sampling(options.samples or 0, options.method or "lhs", _seed(options))
    way = "zip" if options.zip else "grid" if options.grid else None
    return plan_of(variations, way, sampling, options.own_seeds)


def _seed(options: argparse.Namespace) -> int:
    text = options.sampling_seed or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise DiagramError(
            f"{text[:40]!r} is not a seed; expected a whole number from 0 on",
            Position("--sampling-seed"),
        )
    return int(text)


def _made(
    options: argparse.Namespace, file: StudyFile, workers: Workers, progress: Progress
) -> bool:
    """Makes all runs; True if Ctrl-C ended that. A second one ends what does not come back."""
    from ..studies.simulate_many import write

    stopped = False
    estimate = Estimate()

    def ask() -> None:
        nonlocal stopped
        stopped = True
        workers.cancel()

    def end() -> str:
        file.close(workers.notices)
        progress.stop()
        where = f" in {workers.at_work}" if workers.at_work else ""
        return f"interrupted{where}; the runs so far are in {file.path}"

    def tell(done: int, total: int) -> None:
        progress.tell("running", estimate.text(done, total), done / total)

    try:
        with options.watch.during(ask, end):
            write(file, workers, tell)
    except KeyboardInterrupt:
        stopped = True
    finally:
        file.close(workers.notices)
    return stopped


class Estimate:
    """How many runs have ended, how fast, and how long the others will take."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._first: int | None = None

    def text(self, done: int, total: int) -> str:
        if self._first is None:
            self._first, self._start = done, time.monotonic()
        spent, made = time.monotonic() - self._start, done - self._first
        text = f"{done} of {total} runs"
        if made and spent > 0.0:
            text += (
                f", {made / spent:.3g} a second, {_duration((total - done) * spent / made)} left"
            )
        return text


def _duration(seconds: float) -> str:
    if seconds < 100.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000.0 else f"{seconds / 3600:.1f} h"


def _report(options: argparse.Namespace, study: Study, output: str, workers: Workers) -> None:
    if options.json:
        print_json(study_data(study, output))
        return
    if options.quiet:
        return
    from .show_study import show_table

    show_table(study, output)
    for notice in workers.notices:
        print_error(f"note: {notice}")


def study_data(study: Study, output: str) -> dict[str, Any]:
    """A study as JSON has it."""
    columns = {name: study[name].tolist() for name in study.names}
    return {
        "diagram": study.meta.get("file", ""),
        "runs": len(study),
        "outcomes": study.counts,
        "units": {name: study.unit(name) for name in study.names},
        "columns": columns,
        "outcome": study["outcome"].tolist(),
        "reason": study["reason"].tolist(),
        "results": output,
    }
