"""Find the values of parameters that make a measure of a run best.

The diagram is compiled once and run again and again with other values. Limits are met as well as
can be. Ctrl-C ends it with the best so far.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import DiagramError, Position
from .inputs import (
    blocks_argument,
    count_of,
    diagram_of,
    output_path,
    refuse_other_yaml,
    registry_of,
    values_argument,
)
from .interrupts import INTERRUPTED
from .progress import Progress
from .tables import print_error, print_json, print_line, print_table

if TYPE_CHECKING:
    from ..diagram.diagram import Diagram
    from ..measurements.objective import Objective
    from ..measurements.optimisation import Optimum

NAME = "optimise"
ALIASES = ("optimize",)
METHODS = ("nelder_mead", "cobyla", "slsqp", "differential_evolution")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="diagram file (YAML)")
    goal = parser.add_mutually_exclusive_group(required=True)
    goal.add_argument("--minimise", "--minimize", metavar="MEASURE", help="as in 'iae(error.y)'")
    goal.add_argument("--maximise", "--maximize", metavar="MEASURE", help="make large instead")
    parser.add_argument(
        "--over", metavar="PATH=LOW..HIGH", nargs="+", action="extend", required=True,
        help="parameters and their ranges, as in pid.K_p=0.1..10, or with a start and by "
        "logarithms, as in 'tau=1 s:0.01..100:log'",
    )  # fmt: skip
    parser.add_argument(
        "--subject", metavar="LIMIT", action="append", default=[],
        help="what a run has to meet, as in 'max(motor.i) < 10 A' (repeatable)",
    )  # fmt: skip
    parser.add_argument(
        "--method", choices=METHODS,
        help="nelder_mead (the default), cobyla (the default with limits), slsqp for smooth "
        "objectives, differential_evolution for several minima",
    )  # fmt: skip
    parser.add_argument(
        "--runs", metavar="N", type=count_of, default=500, help="at most so many runs"
    )
    values_argument(parser)
    blocks_argument(parser)
    parser.add_argument(
        "-o", "--output", metavar="BEST.yaml", help="write the diagram with the best values"
    )
    parser.add_argument("--interpret", action="store_true", help="run in Python, not compiled")
    parser.add_argument("--quiet", action="store_true", help="print only the result to paste")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def main(options: argparse.Namespace) -> int:
    from ..checks.data_paths import save
    from ..diagram.reader import load
    from ..measurements.optimisation import optimise

    if options.output is not None:
        output_path(options.output, "", ".yaml", options.file)
    diagram = diagram_of(options, options.file)
    if options.output is not None:
        refuse_other_yaml(options.output, diagram)
    method = options.method or ("cobyla" if options.subject else "nelder_mead")
    with Progress(options.quiet or options.json) as progress:
        objective = _objective(options, diagram, progress)
        optimum = optimise(objective, method, options.runs)
    _report(options, objective, optimum)
    if options.output is not None:
        save(load(options.file).with_values(optimum.values), options.output, registry_of(options))
    if optimum.outcome == "interrupted":
        print_error(f"{options.file}: interrupted; the best so far is above")
        return INTERRUPTED
    return 0


def _objective(options: argparse.Namespace, diagram: Diagram, progress: Progress) -> Objective:
    from ..measurements.objective import Objective
    from ..measurements.tunables import read_range
    from ..measures import parse_limits, parse_measure
    from ..studies.logged import checked_with_logged

    registry = registry_of(options)
    tunables = [read_range(text, diagram, registry) for text in options.over]
    paths = [tunable.path for tunable in tunables]
    if len(set(paths)) < len(paths):
        raise DiagramError("a parameter is named twice; name each once", Position("--over"))
    measure = parse_measure(options.minimise or options.maximise)
    limits = [limit for text in options.subject for limit in parse_limits(text)]
    names = [*measure.signals, *(name for limit in limits for name in limit.signals)]
    start = {tunable.path: tunable.text(tunable.start) for tunable in tunables}
    _, checked = checked_with_logged(
        diagram.with_values(start),
        registry,
        names,
        "--minimise" if options.minimise else "--maximise",
    )

    def tell(runs: int, values: Any, value: float) -> None:
        shown = ", ".join(f"{p.path} = {x:.4g}" for p, x in zip(tunables, values, strict=True))
        progress.tell("searching", f"{runs} runs, {value:.5g}: {shown}", runs / options.runs)

    return Objective(
        checked, tunables, measure, limits, options.minimise is None, not options.interpret, tell
    )


def _report(options: argparse.Namespace, objective: Objective, optimum: Optimum) -> None:
    if options.json:
        print_json(_data(options, objective, optimum))
        return
    if not options.quiet:
        _tables(options, objective, optimum)
    pasted = " ".join(f"--set {path}='{text}'" for path, text in optimum.values.items())
    print_line(pasted)
    for limit, margin, met in zip(objective.limits, optimum.limits_after, optimum.met, strict=True):
        if not met:
            print_error(f"note: {limit} is not met; the best run misses it by {_missed(margin)}")


def _missed(margin: Any) -> str:
    return str(margin).removeprefix("-")


def _tables(options: argparse.Namespace, objective: Objective, optimum: Optimum) -> None:
    rows = []
    for tunable, number in zip(objective.tunables, optimum.numbers, strict=True):
        span = f"{tunable.low:g} to {tunable.high:g}"
        at_edge = min(abs(number - tunable.low), abs(number - tunable.high))
        note = "at its bound" if at_edge <= 1e-4 * (tunable.high - tunable.low) else ""
        unit = str(tunable.unit or tunable.declared)
        rows.append([tunable.path, f"{tunable.start:.6g}", f"{number:.6g}", span, unit, note])
    failed = f", {optimum.failed} of them failed" if optimum.failed else ""
    title = f"{options.file}: {optimum.outcome}, {optimum.runs} runs{failed}"
    print_table(("parameter", "start", "best", "range", "unit", ""), rows, title)
    rows = [[str(objective.measure), str(optimum.before), str(optimum.after), ""]]
    for limit, before, after, met in zip(
        objective.limits, optimum.limits_before, optimum.limits_after, optimum.met, strict=True
    ):
        rows.append([f"margin of {limit}", str(before), str(after), "met" if met else "not met"])
    print_table(("", "start", "best", ""), rows)
    if optimum.failed:
        print_error(f"note: the last run that failed: {objective.reason}")


def _data(options: argparse.Namespace, objective: Objective, optimum: Optimum) -> dict[str, Any]:
    parameters = [
        {
            "name": tunable.path,
            "start": tunable.start,
            "best": number,
            "unit": str(tunable.unit or tunable.declared),
        }
        for tunable, number in zip(objective.tunables, optimum.numbers, strict=True)
    ]
    limits = [
        {"limit": str(limit), "margin": after.value, "unit": after.unit, "met": met}
        for limit, after, met in zip(
            objective.limits, optimum.limits_after, optimum.met, strict=True
        )
    ]
    return {
        "diagram": options.file,
        "measure": str(objective.measure),
        "outcome": optimum.outcome,
        "runs": optimum.runs,
        "failed": optimum.failed,
        "before": optimum.before.value,
        "after": optimum.after.value,
        "unit": optimum.after.unit,
        "parameters": parameters,
        "values": optimum.values,
        "limits": limits,
        "output": options.output,
    }
