"""Runs of the diagrams that are shipped with a paper."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import numpy as np
from railblocks.engine.analysis.checking import Checked, check
from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.diagram.reader import load
from railblocks.engine.errors import DiagramError, Position
from railblocks.engine.runs.results import Results
from railblocks.engine.runs.run import simulate
from railblocks.engine.runs.simulation import Simulation

SECONDS_BETWEEN_MESSAGES = 1.0

Tell = Callable[[str], None]


def silent(text: str) -> None:
    """A `tell` that shows nothing."""


@cache
def diagram(paper: str, name: str) -> Diagram:
    """A diagram that is shipped with a paper."""
    return load(str(files(f"railblocks.diagrams.{paper}").joinpath(f"{name}.yaml")))


def shipped(paper: str, name: str, values: Mapping[str, Any] | None = None) -> Checked:
    """A paper's diagram with other values, checked."""
    return check(diagram(paper, name).with_values(values or {}))


@dataclass(frozen=True, eq=False)
class Run:
    """Results of one run, and the values of all blocks' parameters.

    A paper derives a class from it that gives signals the paper's names, by `signal`.
    """

    name: str
    results: Results
    blocks: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, checked: Checked, name: str, tell: Tell = silent, keep: str | None = None) -> Self:
        """Runs a diagram to its end; `keep` is the folder in which the results become a file."""
        tell(f"{name}: compiling")
        output = None
        if keep is not None:
            Path(keep).mkdir(parents=True, exist_ok=True)
            output = str(Path(keep) / f"{name}.h5")
        results = simulate(checked, output=output, progress=_progress(name, tell))
        return cls(name, results, {n: block.values for n, block in checked.model.blocks.items()})

    @cached_property
    def t(self) -> np.ndarray:
        """Times of all logged rows."""
        return self.results.time

    def __getitem__(self, signal: str) -> np.ndarray:
        return self.results[signal]

    def window(self, start: float, stop: float = np.inf) -> np.ndarray:
        """Which of the logged rows lie within a time, both ends included."""
        return (self.t >= start) & (self.t <= stop)


def signal(name: str, factor: float | None = None) -> cached_property[np.ndarray]:
    """A logged signal as an attribute of a class of runs, read once and scaled."""

    def read(run: Run) -> np.ndarray:
        return run[name] if factor is None else factor * run[name]

    return cached_property(read)


def check_keep(folder: str | None) -> None:
    """Refuses a file as the folder for results, before the first run."""
    if folder is not None and Path(folder).is_file():
        raise DiagramError("is a file; expected a folder for the runs", Position(folder))


def _progress(name: str, tell: Tell) -> Callable[[Simulation], None]:
    """Tells how far a run has come, once in a while."""
    last = time.monotonic()

    def show(simulation: Simulation) -> None:
        nonlocal last
        if time.monotonic() - last > SECONDS_BETWEEN_MESSAGES:
            last = time.monotonic()
            stop = simulation.checked.settings.stop
            tell(f"{name}: t = {simulation.time:.1f} s of {stop:g} s")

    return show
