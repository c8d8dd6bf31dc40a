"""Toumi et al. (2019): a trainset of 22 axles brakes on a soaped rail that its axles clean.

The paper prints distances, thresholds and three numbers of the adhesion model. Mass, torques, time
constants, creep law and period of exchange are not printed, and its initial adhesion is a curve in
a figure. Here they are parameters with proposals, none of them chosen by the result; a study shows
what each of them changes.
"""

from __future__ import annotations

import argparse

from railblocks.diagrams.runs import Tell, check_keep
from railblocks.diagrams.toumi2019.figures import figures
from railblocks.diagrams.toumi2019.rows import rows
from railblocks.diagrams.toumi2019.runs import (
    BRAKING,
    DRIVEN,
    WITHOUT_RECOVERY,
    WITHOUT_WSP,
    run,
)
from railblocks.diagrams.toumi2019.study import study
from railblocks.diagrams.toumi2019.torques import members, spread
from railblocks.engine.reproduction.result import Reproduction

TITLE = "Braking of a trainset with wheel-slide protection and adhesion recovery"
SOURCE = (
    "M. Toumi, M. Sebès, K. Laden, H. Chollet, M. Bouallaga: Contribution to the certification of "
    "a WSP device in a HIL environment through a new adhesion recovery model. 12th World Congress "
    "on Railway Research, Tokyo 2019, hal-04663856"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fast", action="store_true", help="without the study of torques and proposals"
    )
    parser.add_argument("--keep", metavar="DIR", help="keep the four runs as HDF5 files")


def reproduce(options: argparse.Namespace, tell: Tell) -> Reproduction:
    check_keep(options.keep)
    names = (BRAKING, DRIVEN, WITHOUT_WSP, WITHOUT_RECOVERY)
    runs = [run(name, tell=tell, keep=options.keep) for name in names]
    table, drawn = rows(spread(tell), *runs), figures(*runs)
    if not options.fast:
        family, proposals = members(tell), study(runs[0], tell)
        table += [*family.rows, *proposals.rows]
        drawn += (family.figure, *proposals.figures)
    return Reproduction(TITLE, SOURCE, tuple(table), drawn)
