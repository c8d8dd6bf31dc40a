"""Conti et al. (2012): the HIL simulator of the scaled MDM roller rig under low adhesion.

Scenario 1 puts the bogie onto the rollers 0.6 mm off their middle, scenario 2 unbalances wheelsets
and rollers, without and with the multistate filter, and with an observer in its place. All run with
the three-dimensional rig, or, with --fast, with a rig in the plane. The paper's errors are those of
its steady state, for which it prints no time; here it begins at 3 s, when anti-skid devices hold
the torque, and lasts to the end of the run.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from typing import Any

from railblocks.diagrams.conti2012.bands import turned_runs
from railblocks.diagrams.conti2012.figures import figures
from railblocks.diagrams.conti2012.filters import compare_filters
from railblocks.diagrams.conti2012.rows import rows, sharp_rows
from railblocks.diagrams.conti2012.runs import FAST, MIN_STOP_S, SCENARIOS, run
from railblocks.diagrams.conti2012.sensitivity import sensitivity
from railblocks.diagrams.conti2012.stability import MODELS, Growth, stability
from railblocks.diagrams.runs import Tell, check_keep
from railblocks.engine.diagram.values import text_node
from railblocks.engine.errors import DiagramError, Position
from railblocks.engine.reproduction.result import Reproduction, Row

TITLE = "HIL simulator of a scaled roller rig under degraded adhesion"
SOURCE = (
    "R. Conti, E. Meli, L. Pugi, M. Malvezzi, F. Bartolini, B. Allotta, A. Rindi, P. Toni: A "
    "numerical model of a HIL scaled roller rig for simulation of wheel-rail degraded adhesion "
    "condition. Vehicle System Dynamics 50 (2012), 775-804, doi:10.1080/00423114.2011.640402"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fast", action="store_true", help="with the front rig in the plane")
    parser.add_argument(
        "--stop", metavar="TIME", help=f"end of the runs, {MIN_STOP_S:g}s or later (default 8s)"
    )
    parser.add_argument("--keep", metavar="DIR", help="keep the runs as HDF5 files in a folder")
    parser.add_argument(
        "--sensitivity", action="store_true",
        help="read the paper otherwise, one ambiguity at a time (with --fast: in the plane only)",
    )  # fmt: skip


def reproduce(options: argparse.Namespace, tell: Tell) -> Reproduction:
    stop = text_node(options.stop, Position("--stop")) if options.stop else None
    values = {} if stop is None else {"solver.stop": stop}
    check_keep(options.keep)
    if options.sensitivity and options.keep is not None:
        raise DiagramError(
            "has no meaning with --sensitivity, whose runs are not kept; leave one of them out",
            Position("--keep"),
        )
    if options.sensitivity:
        table, drawn = sensitivity(values, not options.fast, tell)
        if not options.fast:
            loops, figure = stability(tell)
            table, drawn = (*table, *loops), (*drawn, *figure)
        return Reproduction(f"{TITLE}: other readings", SOURCE, table, drawn)
    names = [f"{FAST}{name}" if options.fast else name for name in SCENARIOS]
    runs = [run(name, values, tell, options.keep) for name in names]
    turned = turned_runs(runs[1], values, tell)
    compared = [*rows(runs, turned), *([] if options.fast else _goals(names[0], values, tell))]
    filters = compare_filters(runs[-1], values, tell, options.keep)
    compared += filters.rows
    return Reproduction(TITLE, SOURCE, tuple(compared), (*figures(runs), *filters.figures))


SHARP = {
    "low-pass and derivative": {
        "f_noise": "100 Hz", "T_f": f"{1.0 / (2.0 * math.pi * 100.0)} s",
    },
    "low-pass alone": {"f_noise": "100 Hz"},
}  # fmt: skip
"""Values of scenario 1 with less lag, by what has its corner at 100 Hz."""


def _goals(scenario: str, values: Mapping[str, Any], tell: Tell) -> list[Row]:
    """Rows of the goals of this project in three dimensions."""
    errors = [
        row
        for words, sharp in SHARP.items()
        for row in sharp_rows(words, run(scenario, {**values, **sharp}, tell))
    ]
    tell("eigenvalues")
    return [*errors, Growth.of(MODELS[-1]).goal]
