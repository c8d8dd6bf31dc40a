"""Compare a run with a measurement.

The error is that of the run, e = run - measured, over the times that both cover or that --from and
--to say. Its mean and deviation are integrals over time; signals are straight between their rows.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .inputs import given_values, measurement_arguments, seconds_of
from .tables import print_json, print_table

if TYPE_CHECKING:
    from ..measurements.comparison import Compared

NAME = "compare"
HEADS = ("mean error", "deviation", "rms", "largest", "at", "signal")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN.h5", help="results file")
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
    from ..measurements.figure import overlay
    from ..measurements.reading import load_data
    from ..plots.plotting import check_format
    from ..runs.results import Results

    pairs = [read_pair(text) for text in options.signal]
    start, stop = seconds_of(options.start, "--from"), seconds_of(options.end, "--to")
    if options.plot is not None:
        check_format(options.plot)
    run, measured = Results.load(options.run), load_data(options.measured)
    compared = compare(run, measured, pairs, given_values(options), start, stop)
    if options.plot is not None:
        overlay(compared, f"{options.run} and {options.measured}", options.plot)
    curve = compared[0].curve
    first, last = float(curve.start[0]), float(curve.stop[-1])
    if options.json:
        files = {"run": options.run, "measured": options.measured, "figure": options.plot}
        times = {"from": first, "to": last}
        print_json(
            files | times | {"signals": [comparison_data(comparison) for comparison in compared]}
        )
        return 0
    title = f"{options.run} - {options.measured}, {first:g} s to {last:g} s"
    print_table(HEADS, comparison_rows(compared), title)
    return 0


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
