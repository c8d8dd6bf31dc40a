"""Fit parameters of a diagram to a measurement.

The diagram is compiled once and run again and again with other values, until its signals come
nearest to the measured ones: least squares over all measured times, each signal divided by the
standard deviation of what was measured. Ctrl-C ends it with the best so far.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import DiagramError, Position, suggestion
from .compare import HEADS, comparison_data, comparison_rows
from .inputs import (
    blocks_argument,
    count_of,
    diagram_of,
    given_values,
    measurement_arguments,
    output_path,
    refuse_other_yaml,
    registry_of,
    seconds_of,
    values_argument,
)
from .progress import Progress
from .tables import print_error, print_json, print_table

if TYPE_CHECKING:
    from ..declaration.registry import Registry
    from ..diagram.diagram import Diagram
    from ..measurements.calibration import Calibration
    from ..measurements.misfit import Misfit
    from ..measurements.tunables import Tunable
    from ..runs.results import Results

NAME = "calibrate"
METHODS = ("least_squares", "bounded", "differential_evolution")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="DIAGRAM", help="diagram file (YAML)")
    parser.add_argument(
        "--parameter",
        metavar="NAME[=START][:LOW..HIGH]",
        action="append",
        required=True,
        help="a parameter to fit, as in motor.J or 'tau=1e-9:1e-11..1e-7' (repeatable)",
    )
    parser.add_argument("--measured", metavar="FILE", required=True, help="CSV, MAT or HDF5 file")
    measurement_arguments(parser, required=True)
    parser.add_argument(
        "--log",
        metavar="NAME",
        action="append",
        default=[],
        help="fit the logarithm of this parameter, which may span decades (repeatable)",
    )
    parser.add_argument(
        "--method",
        choices=METHODS,
        default=METHODS[0],
        help="bounded: one parameter between bounds, by Brent; differential_evolution: rough "
        "errors, between bounds (default: least_squares)",
    )
    parser.add_argument(
        "--runs", metavar="N", type=count_of, default=500, help="at most so many runs"
    )
    values_argument(parser)
    blocks_argument(parser)
    parser.add_argument(
        "-o", "--output", metavar="FITTED.yaml", help="write the diagram with the fitted values"
    )
    parser.add_argument("--interpret", action="store_true", help="run in Python, not compiled")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def main(options: argparse.Namespace) -> int:
    from ..checks.data_paths import save
    from ..diagram.reader import load
    from ..measurements.calibration import calibrate
    from ..measurements.reading import load_data

    if options.output is not None:
        output_path(options.output, "", ".yaml", options.file)
    diagram = diagram_of(options, options.file)
    if options.output is not None:
        refuse_other_yaml(options.output, diagram)
    measured = load_data(options.measured)
    with Progress(options.quiet or options.json) as progress:
        misfit = _misfit(options, diagram, measured, progress)
        calibration = calibrate(misfit, measured, options.method, options.runs)
    _report(options, calibration, misfit)
    if calibration.outcome == "interrupted":
        print_error(f"{options.file}: interrupted; the best so far is above")
        return 130
    if options.output is not None:
        save(
            load(options.file).with_values(calibration.values), options.output, registry_of(options)
        )
    return 0


def _tunables(options: argparse.Namespace, diagram: Diagram, registry: Registry) -> list[Tunable]:
    from ..measurements.tunables import read_tunable

    names = [text.partition(":")[0].partition("=")[0].strip() for text in options.parameter]
    texts = dict(zip(names, options.parameter, strict=True))
    if len(texts) < len(names):
        raise DiagramError("a parameter is named twice; name each once", Position("--parameter"))
    for name in options.log:
        if name not in texts:
            raise DiagramError(
                f"'{name}' is not one of the parameters to fit{suggestion(name, texts)}",
                Position("--log"),
            )
    return [read_tunable(t, diagram, registry, n in options.log) for n, t in texts.items()]


def _misfit(
    options: argparse.Namespace, diagram: Diagram, measured: Results, progress: Progress
) -> Misfit:
    from ..analysis.checking import check
    from ..measurements.comparison import Window, covered, overlap, read_pair
    from ..measurements.misfit import Misfit

    pairs = [read_pair(text) for text in options.signal]
    registry = registry_of(options)
    tunables = _tunables(options, diagram, registry)
    start = {parameter.path: parameter.text(parameter.start) for parameter in tunables}
    checked = check(diagram.with_values(start), registry)
    ranges = {
        options.file: Window(checked.settings.start, checked.settings.stop),
        options.measured: covered(measured),
    }
    asked = seconds_of(options.start, "--from"), seconds_of(options.end, "--to")
    window = overlap(ranges, *asked)

    def tell(runs: int, values: Any, error: float) -> None:
        shown = ", ".join(f"{p.path} = {x:.4g}" for p, x in zip(tunables, values, strict=True))
        progress.tell("fitting", f"{runs} runs, error {error:.4g}: {shown}")

    return Misfit(
        checked, tunables, measured, pairs, window, given_values(options),
        not options.interpret, tell,
    )  # fmt: skip


def _report(options: argparse.Namespace, calibration: Calibration, misfit: Misfit) -> None:
    if options.json:
        print_json(_data(options, calibration))
        return
    if options.quiet:
        return
    rows = []
    for fitted in calibration.parameters:
        parameter = fitted.tunable
        error = f"{fitted.error:.2g}" if fitted.error is not None else fitted.note
        unit = str(parameter.unit or parameter.declared)
        rows.append([parameter.path, f"{parameter.start:.6g}", f"{fitted.value:.6g}", unit, error])
    failed = f", {calibration.failed} of them failed" if calibration.failed else ""
    title = f"{options.file}: {calibration.outcome}, {calibration.runs} runs{failed}"
    print_table(("parameter", "start", "fitted", "unit", "standard error"), rows, title)
    sides = (("before", calibration.before), ("after", calibration.after))
    cells = [[when, *row] for when, compared in sides for row in comparison_rows(compared)]
    print_table(("", *HEADS), cells)
    if calibration.failed:
        print_error(f"note: the last run that failed: {misfit.reason}")
    for pair in calibration.unexplained:
        print_error(
            f"note: {pair.run} = {pair.measured}: the best run misses more than half of what the "
            "measured signal varies by; the fitted values mean little unless that is noise. Was "
            "the measured system driven as the diagram is, and does the signal depend on the "
            "parameters? --from and --to leave out what the diagram does not have"
        )


def _data(options: argparse.Namespace, calibration: Calibration) -> dict[str, Any]:
    parameters = [
        {
            "name": fitted.tunable.path,
            "start": fitted.tunable.start,
            "fitted": fitted.value,
            "unit": str(fitted.tunable.unit or fitted.tunable.declared),
            "standard_error": fitted.error,
            "note": fitted.note,
        }
        for fitted in calibration.parameters
    ]
    return {
        "diagram": options.file,
        "measured": options.measured,
        "outcome": calibration.outcome,
        "runs": calibration.runs,
        "failed": calibration.failed,
        "unexplained": [f"{pair.run} = {pair.measured}" for pair in calibration.unexplained],
        "parameters": parameters,
        "before": [comparison_data(one) for one in calibration.before],
        "after": [comparison_data(one) for one in calibration.after],
        "output": options.output,
    }
