"""The structures of a study: every structure of its diagram checked and compiled once.

Most parameters are numbers in memory, and one structure serves all runs. A method, a size or a
sample time that varies makes several.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping

import numpy as np

from ..analysis.checking import Checked, check
from ..declaration.registry import Registry
from ..diagram.diagram import Diagram
from ..program.lowering_processes import Report, unreported
from ..runs.memory import fill
from ..runs.simulation import Simulation
from .quick_check import QuickCheck, marked


class Structure:
    """A compiled structure; `simulation` is never run itself, its twins are."""

    def __init__(self, checked: Checked, paths: Iterable[str], compiled: bool, report: Report):
        self.simulation = Simulation(checked, compiled, report=report)
        self.checked = checked
        self.quick = QuickCheck(checked, self.simulation.layout, paths)


class Structures:
    """The structures of a diagram that were met so far; threads share them."""

    def __init__(
        self,
        diagram: Diagram,
        registry: Registry,
        paths: Iterable[str],
        compiled: bool = True,
        report: Report = unreported,
    ):
        self.diagram, self.registry, self.paths = diagram, registry, tuple(paths)
        self._compiled, self._report = compiled, report
        self._known: list[Structure] = []
        self._lock = threading.Lock()

    def prepared(self, values: Mapping[str, str]) -> tuple[Structure, np.ndarray]:
        """The structure and the memory of a run; raises DiagramError as `check` does."""
        for structure in self._known:
            memory = structure.quick.memory(values)
            if memory is not None:
                return structure, memory
        with self._lock:
            return self._checked(values)

    def _checked(self, values: Mapping[str, str]) -> tuple[Structure, np.ndarray]:
        checked = self.check(values)
        for structure in self._known:
            if structure.simulation.fits(checked):
                memory = np.zeros(structure.simulation.layout.size)
                fill(memory, checked, structure.simulation.layout)
                return structure, memory
        structure = Structure(checked, self.paths, self._compiled, self._report)
        self._known.append(structure)
        return structure, structure.quick.base.copy()

    def check(self, values: Mapping[str, str]) -> Checked:
        """The whole check of a run; raises DiagramError."""
        before = self._known[-1].checked.analysis if self._known else None
        return check(self.diagram.with_values(marked(values)), self.registry, before)

    def adopt(self, checked: Checked) -> None:
        """Compiles a structure from a check that was made before."""
        with self._lock:
            if not self._known:
                self._known.append(Structure(checked, self.paths, self._compiled, self._report))

    @property
    def notices(self) -> tuple[str, ...]:
        """What is to be known of the diagram and of what was compiled, each once."""
        every = (notice for structure in self._known for notice in structure.simulation.notices)
        return tuple(dict.fromkeys(every))

    def __len__(self) -> int:
        return len(self._known)
