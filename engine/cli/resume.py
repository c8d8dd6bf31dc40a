"""Go on with a run from its results file.

After a kill, a failure of the machine or Ctrl-C the run goes on from the last state that was saved,
with --stop also past its old end. Results are then those of a run without interruption, to the bit.
Runs save their state at their end, and with `railblocks run --checkpoint 60s` on their way.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .inputs import blocks_argument, registry_of, seconds_of
from .run import print_notices, record, recording_arguments, reported

if TYPE_CHECKING:
    from ..runs.simulation import Simulation
    from .progress import Progress

NAME = "resume"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="OUT.h5", help="results file; it gets the rows to come")
    parser.add_argument("--stop", metavar="TIME", help="another end, as in 40s")
    parser.add_argument(
        "--as-stored",
        action="store_true",
        help="go on with the diagram that is stored in the results, though its file has changed",
    )
    blocks_argument(parser)
    recording_arguments(parser)


def main(options: argparse.Namespace) -> int:
    return reported(options, _resume)


def _resume(options: argparse.Namespace) -> int:
    from ..runs.resuming import find_interrupted

    stop = seconds_of(options.stop, "--stop")
    interrupted = find_interrupted(options.file, stop, options.as_stored)

    def prepare(progress: Progress) -> Simulation:
        simulation = interrupted.simulation(
            registry_of(options), not options.interpret, progress.show_compiling
        )
        print_notices(simulation)
        return simulation

    return record(options, options.file, prepare, interrupted.writer)
