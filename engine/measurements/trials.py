"""Runs of a diagram with values of some parameters, as a search asks for them.

A structure is checked and compiled once; a run with other values only changes numbers in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from ..analysis.checking import Checked
from ..errors import DiagramError, SimulationError
from ..runs.results import Results
from ..runs.run import logged
from ..runs.simulation import Simulation
from ..studies.structures import Structure, Structures
from .tunables import Tunable

Report = Callable[[int, np.ndarray, float], None]
"""Told how many runs were made, the best values so far, and how good they are."""
T = TypeVar("T")


class EnoughRuns(Exception):
    """Raised when as many runs were made as are allowed."""


class Trials:
    """Runs with values of tunable parameters; counts them, and remembers why the last one failed.

    `most` are the runs that may be made; without it there is no limit.
    """

    def __init__(self, checked: Checked, tunables: Sequence[Tunable], compiled: bool = True):
        """`checked` has the start values."""
        self.checked, self.tunables = checked, tunables
        self.runs = self.failed = 0
        self.most: int | None = None
        self.reason = ""
        paths = [parameter.path for parameter in tunables]
        self._structures = Structures(checked.diagram, checked.registry, paths, compiled)
        self._runs: dict[int, Simulation] = {}

    @property
    def start(self) -> np.ndarray:
        """The numbers that a search begins with."""
        return np.array([parameter.sought(parameter.start) for parameter in self.tunables])

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        low = [p.sought(p.low) for p in self.tunables]
        return np.array(low), np.array([p.sought(p.high) for p in self.tunables])

    def values(self, z: np.ndarray) -> np.ndarray:
        """Values of the parameters for the numbers that the search changes."""
        pairs = zip(self.tunables, z, strict=True)
        return np.array([parameter.value(float(number)) for parameter, number in pairs])

    def texts(self, z: np.ndarray) -> dict[str, str]:
        """Values as `--set` takes them."""
        pairs = zip(self.tunables, self.values(z), strict=True)
        return {parameter.path: parameter.text(float(x)) for parameter, x in pairs}

    def run(self, z: np.ndarray) -> Results:
        """Runs the diagram with some values; what the run raises goes through."""
        values = self.texts(z)
        structure, memory = self._structures.prepared(values)
        simulation = self._simulation(structure)
        simulation.start_from(structure.checked, memory)
        try:
            return logged(simulation)
        except SimulationError:
            simulation.conclude(self._structures.check(values))
            raise SimulationError(simulation.reason) from None

    def attempt(self, z: np.ndarray, look: Callable[[Results], T]) -> tuple[Results, T] | None:
        """A run and what is looked at in it; None where either fails."""
        if self.most is not None and self.runs >= self.most:
            raise EnoughRuns
        self.runs += 1
        try:
            results = self.run(z)
            return results, look(results)
        except (DiagramError, SimulationError) as error:
            self.failed += 1
            self.reason = str(error).partition("\n")[0]
            return None

    def _simulation(self, structure: Structure) -> Simulation:
        if id(structure) not in self._runs:
            self._runs[id(structure)] = structure.simulation.twin()
        return self._runs[id(structure)]
