"""Plot signals of a results file."""

from __future__ import annotations

import argparse

from .inputs import output_path, stem
from .tables import print_line

NAME = "plot"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="OUT.h5", help="results file")
    parser.add_argument(
        "signals",
        metavar="SIGNAL",
        nargs="*",
        help="as in motor.omega or rig.omega[2]; all if none",
    )
    parser.add_argument("-o", "--output", metavar="FILE.png", help="PNG, SVG, PDF or JPG file")
    parser.add_argument("--title", help="another title")


def main(options: argparse.Namespace) -> int:
    from ..plots.plotting import check_format
    from ..runs.results import Results

    results = Results.load(options.file)
    path = output_path(options.output, f"{stem(options.file)}.png", ".png", options.file)
    check_format(path)
    results.plot(*options.signals, file=path, title=options.title)
    print_line(path)
    return 0
