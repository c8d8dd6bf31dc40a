"""`simulate`: from a diagram to results in one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..analysis.checking import Checked, check
from ..declaration.registry import Registry
from ..diagram.diagram import Diagram
from .checkpoint import in_seconds
from .results import Results, ResultsWriter
from .simulation import Simulation


def simulate(
    diagram: Diagram | Checked,
    values: Mapping[str, Any] | None = None,
    registry: Registry | None = None,
    compiled: bool = True,
    output: Any = None,
    progress: Callable[[Simulation], None] | None = None,
    checkpoint: float | str | None = None,
) -> Results:
    """Runs a diagram to its end and returns what was logged.

    `values` changes parameters for this run. `output` names an HDF5 file to write while running;
    the results are then read from it as they are asked for, so that memory stays flat. Every
    `checkpoint` seconds of computing the state of the run is saved there, so that it can `resume`.
    """
    if isinstance(diagram, Diagram):
        diagram = check(diagram.with_values(values or {}), registry)
    simulation = Simulation(diagram, compiled)
    if output is None:
        return logged(simulation, progress)
    every = None if checkpoint is None else in_seconds(checkpoint)
    ResultsWriter(output, simulation, every).record(simulation, progress)
    return Results.load(output)


def logged(simulation: Simulation, progress: Callable[[Simulation], None] | None = None) -> Results:
    """What a simulation logs from where it is to its end, in memory."""
    parts = [np.zeros((0, simulation.log.shape[1]))]
    for rows in simulation.chunks():
        parts.append(rows)
        if progress is not None:
            progress(simulation)
    return Results.of(simulation, np.concatenate(parts))
