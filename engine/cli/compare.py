"""Compare a run, or several, with a measurement.

The error is that of the run, e = run - measured, over the times that both cover or that --from and
--to say. Its mean and deviation are integrals over time; signals are straight between their rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .inputs import given_values, measurement_arguments, seconds_of
from .tables import print_json, print_table

if TYPE_CHECKING:
    from ..measurements.comparison import Compared

NAME = "compare"
HEADS = ("mean error", "deviation", "rms", "largest", "at", "signal")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN.h5", nargs="+", help="results file, or several")
    parser.add_argument(
        "measured", metavar="MEASURED", help="CSV, MAT or HDF5 file; units as in `v [km/h]`"
    )
    measurement_arguments(parser)
    parser.add_argument(
        "--plot", metavar="FILE", help="draw both and the error: PNG, SVG, PDF, JPG"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def main(options: argparse.Namespace) -> int:
    from ..measurements.comparison import compare, read_pair
    from ..measurements.figure import overlay, overlay_runs
    from ..measurements.reading import load_data
    from ..plots.plotting import check_format
    from ..runs.results import Results

    pairs = [read_pair(text) for text in options.signal]
    start, stop = seconds_of(options.start, "--from"), seconds_of(options.end, "--to")
    if options.plot is not None:
        check_format(options.plot)
    measured, given = load_data(options.measured), given_values(options)
    runs = {
        path: compare(Results.load(path), measured, pairs, given, start, stop)
        for path in dict.fromkeys(options.run)
    }
    if options.plot is not None:
        title = f"{', '.join(runs)} and {options.measured}"
        if len(runs) == 1:
            overlay(next(iter(runs.values())), title, options.plot)
        else:
            overlay_runs(runs, options.measured, title, options.plot)
    if options.json:
        data = [_run_data(path, compared) for path, compared in runs.items()]
        about = {"measured": options.measured, "figure": options.plot}
        print_json(data[0] | about if len(data) == 1 else about | {"runs": data})
        return 0
    for path, compared in runs.items():
        first, last = _span(compared)
        title = f"{path} - {options.measured}, {first:g} s to {last:g} s"
        print_table(HEADS, comparison_rows(compared), title)
    return 0


def _span(compared: Sequence[Compared]) -> tuple[float, float]:
    """The times that are compared."""
    curve = compared[0].curve
    return float(curve.start[0]), float(curve.stop[-1])


def _run_data(path: str, compared: Sequence[Compared]) -> dict[str, Any]:
    first, last = _span(compared)
    signals = [comparison_data(comparison) for comparison in compared]
    return {"run": path, "from": first, "to": last, "signals": signals}


def comparison_rows(compared: Iterable[Compared]) -> list[list[str]]:
    """Cells under `HEADS`; the signal is last, since it may be long."""
    rows = []
    for comparison in compared:
        of, pair = comparison.statistics, comparison.pair
        numbers = [f"{x:.4g}" for x in (of.mean, of.deviation, of.rms, of.largest)]
        name = pair.run if pair.run == pair.measured else f"{pair.run} = {pair.measured}"
        unit = f" [{comparison.unit}]" if comparison.unit not in ("", "1") else ""
        rows.append([*numbers, f"{of.at:.6g} s", name + unit])
    return rows


def comparison_data(comparison: Compared) -> dict[str, Any]:
    """A comparison as JSON has it."""
    from dataclasses import asdict

    return asdict(comparison.pair) | {"unit": comparison.unit} | asdict(comparison.statistics)
