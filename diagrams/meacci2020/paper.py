"""Meacci et al. (2020): a coach brakes on a contaminated rail; adhesion inside the contact patch.

The UIC-Z1 coach brakes from 32.5 m/s with wheel-slide protection, without recovery and for two
recoveries tau (Figures 7 to 11, Table 6), in both readings: by energy per distance, and by power,
as printed. The measured runs are not public; what the paper leaves open of the vehicle, its brakes
and its protection is in the diagram and in the vehicle's file. Torque, friction and protection are
varied for a band.

Pressures, sliding and dissipation in the patch of the first left wheel (Figures 12 to 14) have the
speed and longitudinal creepage of two instants of the run with the tuned tau: when the wheel slides
most, and when it adheres in part. With `--patch` nothing runs, and these are chosen too: speeds on
the way down from 32.5 m/s, and creepages that give the two kinds of contact.
"""

from __future__ import annotations

import argparse

from railblocks.diagrams.meacci2020.figures import figures
from railblocks.diagrams.meacci2020.patch import Contact
from railblocks.diagrams.meacci2020.patch_figures import curve_figure, field_figures
from railblocks.diagrams.meacci2020.patch_rows import patch_rows, zone_rows
from railblocks.diagrams.meacci2020.rows import rows
from railblocks.diagrams.meacci2020.runs import PER_DISTANCE, TUNED, states, study
from railblocks.diagrams.runs import Tell
from railblocks.engine.reproduction.result import Reproduction

TITLE = "A coach braking under degraded adhesion, and its contact patch"
SOURCE = (
    "M. Meacci, Z. Shi, E. Butini, L. Marini, E. Meli, A. Rindi: A railway local degraded adhesion "
    "model including variable friction, energy dissipation and adhesion recovery. Vehicle System "
    "Dynamics (2020), doi:10.1080/00423114.2020.1775266"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--patch",
        action="store_true",
        help="the contact patch alone, in chosen states; nothing runs",
    )


def reproduce(options: argparse.Namespace, tell: Tell) -> Reproduction:
    tell("compiling the contact")
    contact = Contact()
    if options.patch:
        return _patch_alone(contact, tell)
    runs = study(tell)
    fields = contact.fields_of(states(runs.recovered[PER_DISTANCE, TUNED]))
    table = [*rows(runs), *zone_rows(fields, "by creepage and speed those of the run")]
    return Reproduction(
        TITLE, SOURCE, tuple(table), (*figures(runs), *field_figures(contact, fields))
    )


def _patch_alone(contact: Contact, tell: Tell) -> Reproduction:
    tell("pressures and sliding in the patch")
    fields = contact.fields_of()
    tell("force over creepage")
    drawn = (*field_figures(contact, fields), curve_figure(contact))
    return Reproduction(TITLE, SOURCE, tuple(patch_rows(contact, fields)), drawn)
