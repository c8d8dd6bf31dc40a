"""Simulate a diagram.

Results are written while the simulation runs: they survive Ctrl-C and a killed process. With
--checkpoint the state of the run is saved, too, and `railblocks resume` goes on from it.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import DiagramError, Position, SimulationError
from .inputs import (
    SETTINGS,
    blocks_argument,
    diagram_of,
    output_path,
    registry_of,
    seconds_of,
    stem,
    values_argument,
)
from .interrupts import INTERRUPTED, Watch
from .progress import Progress
from .tables import print_error, print_json, print_table, problem_data

if TYPE_CHECKING:
    from ..analysis.checking import Checked
    from ..runs.results_file import ResultsWriter
    from ..runs.simulation import Simulation

NAME = "run"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="diagram file (YAML)")
    values_argument(parser)
    parser.add_argument("--stop", metavar="TIME", help="stop time, as in 20s")
    parser.add_argument("--solver", metavar="METHOD", help="ode45, ode23, rk4, ...")
    parser.add_argument("--rtol", metavar="X", help="relative tolerance")
    parser.add_argument("--atol", metavar="X", help="absolute tolerance")
    parser.add_argument("--step", metavar="TIME", help="step of fixed-step solvers")
    parser.add_argument("--seed", metavar="N", help="seed of all random sources")
    parser.add_argument(
        "--from", dest="point", metavar="POINT.yaml", help="start at an operating point"
    )
    blocks_argument(parser)
    parser.add_argument("-o", "--output", metavar="OUT.h5", help="results file (default: NAME.h5)")
    recording_arguments(parser)


def recording_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of commands that run and record: how, and what they print."""
    parser.add_argument(
        "--checkpoint",
        metavar="TIME",
        help="save the state whenever so much time has passed on the clock, as in 60s",
    )
    parser.add_argument(
        "--plot", metavar="PNG", nargs="?", const="", help="draw all signals (default: NAME.png)"
    )
    parser.add_argument("--interpret", action="store_true", help="run in Python, not compiled")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def main(options: argparse.Namespace) -> int:
    if options.file is None and (options.plot or "").lower().endswith((".yaml", ".yml")):
        options.file, options.plot = options.plot, ""
    if options.file is None:
        options.parser.error("a diagram file is missing")
    return reported(options, _run)


def reported(options: argparse.Namespace, work: Callable[[argparse.Namespace], int]) -> int:
    """The exit code of `work`; what it refuses is printed as JSON too, where that is asked for."""
    try:
        return work(options)
    except DiagramError as error:
        if options.json:
            print_json({"outcome": "invalid", "problems": problem_data(error)})
        raise


def _run(options: argparse.Namespace) -> int:
    from ..runs.claim import refuse_taken
    from ..runs.results_file import ResultsWriter

    output = output_path(options.output, f"{stem(options.file)}.h5", ".h5", options.file)
    refuse_taken(output)
    return record(
        options,
        output,
        lambda progress: _prepared(options, progress),
        lambda simulation, every: ResultsWriter(output, simulation, every),
    )


def record(
    options: argparse.Namespace,
    output: str,
    prepare: Callable[[Progress], Simulation],
    open_writer: Callable[[Simulation, float | None], ResultsWriter],
) -> int:
    """Runs what `prepare` makes, writes its results and reports on it; the exit code."""
    picture = _picture(options, output)
    every = _interval(options)
    start = "preparing" if options.interpret else "compiling"
    with Progress(options.quiet or options.json, start) as progress:
        simulation = prepare(progress)
        noted = len(simulation.notices)
        writer = open_writer(simulation, every)
        error = _recorded(simulation, writer, output, progress, options.watch)
    figure = _plotted(output, picture) if picture else None
    _report(options, simulation, output, figure, error)
    for notice in simulation.notices[noted:]:
        print_error(f"note: {notice}")
    if error is not None:
        print_error(error)
        return 1
    if simulation.outcome == "cancelled":
        print_error(_interrupted(simulation, output))
        return INTERRUPTED
    return 0


def _prepared(options: argparse.Namespace, progress: Progress) -> Simulation:
    from ..analysis.checking import check
    from ..runs.simulation import Simulation

    given = {name: getattr(options, name) for name in SETTINGS}
    settings = {name: value for name, value in given.items() if value is not None}
    if options.point is not None:
        checked = _started(options, settings)
    else:
        checked = check(diagram_of(options, options.file, settings), registry_of(options))
    simulation = Simulation(checked, compiled=not options.interpret, report=progress.show_compiling)
    print_notices(simulation)
    return simulation


def _started(options: argparse.Namespace, settings: dict[str, str]) -> Checked:
    """The diagram with a run that starts at the point of `--from`."""
    from ..operating_points.starting import starting_at
    from .inputs import diagram_and_point

    checked, point = diagram_and_point(options, options.point, settings)
    assert point is not None
    for name, value in point.ports.items():
        unit = point.units.get(name, "")
        print_error(f"note: {options.point} holds {name} at {value:.8g} {unit}".rstrip())
    return starting_at(checked, point)


def print_notices(simulation: Simulation) -> None:
    """Prints what is to be known before a run."""
    warnings = simulation.checked.warnings
    for warning in warnings:
        print_error(f"warning: {warning}")
    for notice in simulation.notices[len(warnings) :]:
        print_error(f"note: {notice}")


def _interval(options: argparse.Namespace) -> float | None:
    """The seconds of `--checkpoint`."""
    every = seconds_of(options.checkpoint, "--checkpoint")
    if every is not None and not every > 0.0:
        raise DiagramError(
            f"{options.checkpoint} is not a time to wait; expected for example 60s",
            Position("--checkpoint"),
        )
    return every


def _recorded(
    simulation: Simulation, writer: ResultsWriter, output: str, progress: Progress, watch: Watch
) -> SimulationError | None:
    """Runs to the end, writing; Ctrl-C ends it after the step at work, a second one at once."""

    def end() -> str:
        writer.append(simulation.interrupt())
        writer.close(simulation)
        progress.stop()
        return _interrupted(simulation, output)

    try:
        with watch.during(simulation.cancel, end):
            for rows in simulation.chunks():
                writer.append(rows)
                writer.save(simulation)
                progress.show(simulation)
    except SimulationError as error:
        return error
    except KeyboardInterrupt:
        writer.append(simulation.interrupt())
    finally:
        writer.close(simulation)
    return None


def _interrupted(simulation: Simulation, output: str) -> str:
    where = f" in {simulation.at_work}" if simulation.at_work else ""
    time = f"t = {simulation.time:.6g} s"
    return f"{time}: interrupted{where}; the results so far are in {output}"


def _picture(options: argparse.Namespace, output: str) -> str | None:
    if options.plot is None:
        return None
    from ..plots.plotting import check_format

    path = options.plot or f"{os.path.splitext(output)[0]}.png"
    check_format(path)
    return path


def _plotted(output: str, picture: str) -> str | None:
    from ..runs.results import Results

    results = Results.load(output)
    if not len(results) or not results.names:
        return None
    results.plot(file=picture)
    return picture


def _report(
    options: argparse.Namespace,
    simulation: Simulation,
    output: str,
    figure: str | None,
    error: SimulationError | None,
) -> None:
    from dataclasses import asdict

    outcome = "failed" if error is not None else simulation.outcome
    statistics = simulation.statistics
    if options.json:
        numbers = statistics.numbers()
        print_json(
            {
                "outcome": outcome,
                "reason": str(error) if error is not None else simulation.reason,
                "diagram": simulation.checked.model.file,
                "title": simulation.checked.model.title,
                "time": simulation.time,
                "statistics": numbers,
                "settings": asdict(simulation.checked.settings),
                "signals": [column.name for column in simulation.columns],
                "results": output,
                "figure": figure,
                "notices": list(simulation.notices),
            }
        )
        return
    if options.quiet:
        return
    reason = f" ({simulation.reason})" if outcome == "stopped" and simulation.reason else ""
    rows = [
        ("outcome", f"{outcome}{reason}"),
        ("simulated time", f"{statistics.simulated:.6g} s"),
        ("steps", f"{statistics.steps} ({statistics.rejected} rejected)"),
        ("events", str(statistics.events)),
        ("sample hits", str(statistics.hits)),
        ("evaluations", str(statistics.evaluations)),
        ("wall time", f"{statistics.wall:.3g} s"),
        ("compile time", f"{statistics.compile_wall:.3g} s"),
        ("real-time factor", f"{statistics.real_time_factor:.3g}"),
        ("results", output),
    ]
    if figure:
        rows.append(("figure", figure))
    print_table(("", ""), rows, simulation.checked.model.title or stem(output))
