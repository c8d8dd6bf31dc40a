"""Export a results file for other programs."""

from __future__ import annotations

import argparse

from .inputs import output_path, stem
from .tables import print_line

NAME = "export"
FORMATS = ("csv", "mat", "parquet")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="OUT.h5", help="results file")
    parser.add_argument("--to", choices=FORMATS, required=True, help="format")
    parser.add_argument("-o", "--output", metavar="FILE", help="default: NAME.csv, ...")


def main(options: argparse.Namespace) -> int:
    from ..runs.results import Results

    results = Results.load(options.file)
    default = f"{stem(options.file)}.{options.to}"
    path = output_path(options.output, default, f".{options.to}", options.file)
    results.export(path, options.to)
    print_line(path)
    return 0
