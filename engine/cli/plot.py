"""Plot signals of a results file, or of several, or a study."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from ..errors import DiagramError, Position
from .inputs import KINDS, output_path, stem
from .tables import print_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME = "plot"
STUDY_KINDS = ("lines", "families", "scatter", "tornado")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="OUT.h5", help="results file, or a study")
    parser.add_argument(
        "signals",
        metavar="SIGNAL",
        nargs="*",
        help="as in motor.omega or rig.omega[2]; all if none. More results files come before them; "
        "of a study, signals or summaries",
    )
    parser.add_argument(
        "--kind", choices=STUDY_KINDS,
        help="of a study: lines over the first parameter, families of curves with percentiles, a "
        "scatter matrix, or a tornado of sensitivities (default: what fits)",
    )  # fmt: skip
    parser.add_argument("-o", "--output", metavar="FILE.png", help="PNG, SVG, PDF or JPG file")
    parser.add_argument("--title", help="another title")


def main(options: argparse.Namespace) -> int:
    from ..plots.plotting import check_format, save_figure

    figure = _figure(options)
    path = output_path(options.output, f"{stem(options.file)}.png", ".png", options.file)
    check_format(path)
    save_figure(figure, path)
    print_line(path)
    return 0


def _figure(options: argparse.Namespace) -> Figure:
    from ..plots.overlays import overlay
    from ..runs.results import Results
    from ..studies.study import Study
    from ..studies.study_tables import is_study

    files = [options.file, *_files(options.signals)]
    names = options.signals[len(files) - 1 :]
    if is_study(options.file):
        if len(files) > 1 or options.title is not None:
            raise DiagramError(
                "is a study, which is drawn alone and under its own title", Position(options.file)
            )
        return Study.load(options.file).plot(*names, kind=options.kind)
    if options.kind is not None:
        raise DiagramError("--kind is for studies", Position(options.file))
    if len(files) == 1:
        return Results.load(options.file).plot(*names, title=options.title)
    if len(set(files)) < len(files):
        raise DiagramError("a file is named twice; name each once", Position(files[0]))
    runs = {file: Results.load(file) for file in files}
    return overlay(runs, *names, title=options.title)


def _files(words: list[str]) -> list[str]:
    """The results files in front of the signals."""
    files = []
    for word in words:
        if os.path.splitext(word)[1].lower() not in KINDS[".h5"]:
            break
        files.append(word)
    return files
