"""Runs of the diagrams that are shipped with a paper."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from railblocks.engine.analysis.checking import Checked, check
from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.diagram.reader import load
from railblocks.engine.runs.results import Results
from railblocks.engine.runs.run import simulate
from railblocks.engine.runs.simulation import Simulation

SECONDS_BETWEEN_WORDS = 1.0

Tell = Callable[[str], None]


def silent(text: str) -> None:
    """Tells nobody."""


@cache
def diagram(paper: str, name: str) -> Diagram:
    """A diagram that is shipped with a paper."""
    return load(str(files(f"railblocks.diagrams.{paper}").joinpath(f"{name}.yaml")))


def shipped(paper: str, name: str, values: Mapping[str, Any]) -> Checked:
    """A paper's diagram with other values, checked."""
    return check(diagram(paper, name).with_values(values))


def run_checked(checked: Checked, name: str, tell: Tell, keep: str | None = None) -> Results:
    """The results of a run, whose progress is told; `keep` names a folder for its file."""
    output = None
    if keep is not None:
        folder = Path(keep)
        folder.mkdir(parents=True, exist_ok=True)
        output = str(folder / f"{name}.h5")
    return simulate(checked, output=output, progress=_progress(name, tell))


def _progress(name: str, tell: Tell) -> Callable[[Simulation], None]:
    told = [time.monotonic()]

    def show(simulation: Simulation) -> None:
        if time.monotonic() - told[0] > SECONDS_BETWEEN_WORDS:
            told[0] = time.monotonic()
            stop = simulation.checked.settings.stop
            tell(f"{name}: t = {simulation.time:.1f} s of {stop:g} s")

    return show
