"""Falomi et al.: detection of wheel-rail contact points, and a wagon on an S-curve.

Contact points are found on the poses of Table 1: yaw up to 1 degree, roll up to 0.75 degrees and
shift up to 10 mm both ways, 21 x 41 x 41 = 35301 poses. The 2099601 that the text names are those
of steps four times smaller; the number of minima is compared on them. Networks are trained and
validated on some of those of half steps, without the poses of Table 1, on which they are tested.
With --poses, all else is done on the poses of Table 1. The reference GRID is our own, see
`detectors/grid.py`.

The S-curve is printed as curves without numbers (Figures 8 to 10) and the time of a step (Table 4).
What bears its rails, and the damping of contacts, are not printed: forces have a band over them.
"""

from __future__ import annotations

import argparse

from railblocks.blocks.rail.contact.detectors.training import MAX_EPOCHS
from railblocks.diagrams.falomi.figures import figures
from railblocks.diagrams.falomi.point_figures import point_figures
from railblocks.diagrams.falomi.point_rows import point_rows
from railblocks.diagrams.falomi.points import FULL, studies
from railblocks.diagrams.falomi.rows import rows
from railblocks.diagrams.falomi.runs import runs, variants
from railblocks.diagrams.runs import Tell
from railblocks.engine.reproduction.result import Figure, Reproduction, Row

TITLE = "Wheel-rail contact points by DIST, DIFF and neural networks; a wagon on an S-curve"
SOURCE = (
    "S. Falomi, M. Malvezzi, E. Meli, M. Rinchi: Multibody modeling of railway vehicles: "
    "innovative algorithms for the detection of wheel-rail contact points. University of Florence"
)
POINTS, S_CURVE = "points", "s-curve"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--poses", type=_positive, default=FULL, metavar="N",
        help=f"compare on a random sample of the {FULL} poses of Table 1 (default all)",
    )  # fmt: skip
    parser.add_argument(
        "--epochs", type=_positive, default=MAX_EPOCHS, metavar="N",
        help=f"longest training of a network (default {MAX_EPOCHS}, the paper's)",
    )  # fmt: skip
    parser.add_argument(
        "--only",
        choices=(POINTS, S_CURVE),
        help="contact points, or the wagon on the S-curve, alone",
    )


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 on")
    return int(text)


def reproduce(options: argparse.Namespace, tell: Tell) -> Reproduction:
    table: list[Row] = []
    drawn: tuple[Figure, ...] = ()
    if options.only != S_CURVE:
        cants = studies(options.poses, options.epochs, tell)
        tell("measuring times")
        table += point_rows(cants)
        drawn += point_figures(cants)
    if options.only != POINTS:
        by_method, others = runs(tell), variants(tell)
        table += rows(by_method, others)
        drawn += figures(by_method, others)
    return Reproduction(TITLE, SOURCE, tuple(table), drawn)
