"""What a search makes as small as it can: a measure of a run, subject to limits.

Runs are remembered by their values, so that a method that asks for the objective and for each limit
makes one run. Of two runs the better one has the smaller violation of the limits, and among those
that meet all limits the smaller value. A run that fails has no value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..analysis.checking import Checked
from ..errors import DiagramError
from ..measures import Limit, Measure
from ..runs.results import Results
from .trials import Report, Trials
from .tunables import Tunable

BAD = 1e6
"""Value and violation of a run that fails, in units of the first one's size."""


@dataclass(frozen=True)
class Judged:
    """The value of a run, and how far inside each limit it is (negative outside)."""

    value: float
    margins: tuple[float, ...] = ()
    meets: bool = True

    @property
    def violation(self) -> float:
        return sum(max(0.0, -m) if math.isfinite(m) else math.inf for m in self.margins)

    @property
    def rank(self) -> tuple[float, float]:
        if not math.isfinite(self.value):
            return math.inf, math.inf
        return 0.0 if self.meets else max(self.violation, 1e-300), self.value


FAILED = Judged(math.inf, (), False)


class Objective(Trials):
    """A measure over the unit cube of the parameters' ranges; remembers the best run."""

    def __init__(
        self,
        checked: Checked,
        tunables: Sequence[Tunable],
        measure: Measure,
        limits: Sequence[Limit] = (),
        maximise: bool = False,
        compiled: bool = True,
        report: Report = lambda runs, x, value: None,
    ):
        super().__init__(checked, tunables, compiled)
        self.measure, self.limits, self.report = measure, tuple(limits), report
        self.sign = -1.0 if maximise else 1.0
        self.best = self.start
        self.best_judged = FAILED
        self.best_run: Results | None = None
        self.size = 1.0
        self.margin_sizes = [1.0] * len(self.limits)
        self._known: dict[bytes, Judged] = {}

    @property
    def count(self) -> int:
        return len(self.tunables)

    def point(self, u: np.ndarray) -> np.ndarray:
        """The numbers that the search of a tunable changes, for a point of the unit cube."""
        low, high = self.bounds
        return low + np.clip(np.asarray(u, dtype=float), 0.0, 1.0) * (high - low)

    @property
    def first_point(self) -> np.ndarray:
        """The start in the unit cube."""
        low, high = self.bounds
        return (self.start - low) / (high - low)

    def judged(self, results: Results) -> Judged:
        """Measures a run; raises DiagramError where the measure has no value."""
        measured = self.measure.of(results)
        if math.isnan(measured.value):
            raise DiagramError(measured.reason)
        margins = [limit.margin.of(results) for limit in self.limits]
        meets = all(limit.met(m) for limit, m in zip(self.limits, margins, strict=True))
        return Judged(measured.value * self.sign, tuple(m.value for m in margins), meets)

    def begin(self) -> Judged:
        """Judges the start, by which sizes are told; what the run raises goes through."""
        results = self.run(self.start)
        self.runs += 1
        judged = self.judged(results)
        self.size = abs(judged.value) or 1.0
        self.margin_sizes = [
            abs(m) if math.isfinite(m) and m != 0.0 else 1.0 for m in judged.margins
        ]
        self._remember(self.start, judged, results)
        return judged

    def at(self, u: np.ndarray) -> Judged:
        """The run at a point of the unit cube."""
        z = self.point(u)
        key = self.values(z).tobytes()
        if key not in self._known:
            made = self.attempt(z, self.judged)
            results, judged = made or (None, FAILED)
            self._remember(z, judged, results)
        return self._known[key]

    def _remember(self, z: np.ndarray, judged: Judged, results: Results | None) -> None:
        self._known[self.values(z).tobytes()] = judged
        if results is not None and judged.rank < self.best_judged.rank:
            self.best, self.best_judged, self.best_run = np.array(z), judged, results
        self.report(self.runs, self.values(self.best), self.best_judged.value * self.sign)

    # --- as methods want it --------------------------------------------------------------------
    def value(self, u: np.ndarray) -> float:
        """In units of the start's value; `BAD` where a run fails."""
        value = self.at(u).value / self.size
        return value if math.isfinite(value) else BAD

    def margins(self, u: np.ndarray) -> np.ndarray:
        """In units of the start's; what a method must keep from being negative."""
        margins = self.at(u).margins or (-math.inf,) * len(self.limits)
        scaled = [m / size for m, size in zip(margins, self.margin_sizes, strict=True)]
        return np.array([m if math.isfinite(m) else -BAD for m in scaled])
