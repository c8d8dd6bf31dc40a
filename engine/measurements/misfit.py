"""The misfit between runs and a measurement, as a function of parameters.

    r_i = (s_run(t_i; x) - s_i) / s*                                       (1)

at each measured time t_i, for every pair of signals; s* is the standard deviation of the measured
values of that signal, so that signals of different size weigh the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..analysis.checking import Checked
from ..errors import DiagramError
from ..runs.results import Results
from ..units.quantity import Quantity
from .comparison import SignalPair, Window
from .series import SignalScope
from .trials import Report, Trials
from .tunables import Tunable

BAD = 1e3  # a residual of a run that fails, in standard deviations


class Misfit(Trials):
    """Residuals of runs. Remembers the best run."""

    def __init__(
        self,
        checked: Checked,
        tunables: Sequence[Tunable],
        measured: Results,
        pairs: Sequence[SignalPair],
        window: Window,
        given: Mapping[str, Quantity] | None = None,
        compiled: bool = True,
        report: Report = lambda runs, x, error: None,
    ):
        super().__init__(checked, tunables, compiled)
        self.pairs, self.window, self.given, self.report = pairs, window, given or {}, report
        self.best = self.start
        self.best_run: Results | None = None
        self.least = np.inf
        self._measured = SignalScope(measured, self.given, window.start, window.stop)
        self._last: tuple[np.ndarray, np.ndarray] | None = None
        inside = (self._measured.time >= window.start) & (self._measured.time <= window.stop)
        self._inside = np.flatnonzero(inside)
        self.size = len(self._inside) * len(pairs)
        if len(self._inside) < 2:
            raise DiagramError(
                f"there are {len(self._inside)} measured times from {window.start:g} s to "
                f"{window.stop:g} s; expected at least two"
            )

    def compared(self, results: Results) -> np.ndarray:
        """The residuals (1) of one run."""
        ours = SignalScope(results, self.given, self.window.start, self.window.stop)
        residuals = []
        for pair in self.pairs:
            run, measured = ours.series(pair.run), self._measured.series(pair.measured)
            values = measured.in_unit(run.unit)[self._inside]
            size = float(np.std(values)) or float(np.max(np.abs(values))) or 1.0
            residuals.append((run.at(measured.time[self._inside]) - values) / size)  # (1)
        return np.concatenate(residuals)

    def first(self) -> Results:
        """Runs the diagram with the start values; what the run raises goes through."""
        results = self.run(self.best)
        self.runs += 1
        self._remember(self.best, self.compared(results), results)
        return results

    def residuals(self, z: np.ndarray) -> np.ndarray:
        """The residuals (1); large ones for runs that fail."""
        if self._last is not None and np.array_equal(self._last[0], z):
            return self._last[1]
        made = self.attempt(z, self.compared)
        results, residuals = made or (None, np.full(self.size, BAD))
        self._remember(z, residuals, results)
        return residuals

    def _remember(self, z: np.ndarray, residuals: np.ndarray, results: Results | None) -> None:
        error = float(np.sqrt(np.mean(residuals * residuals)))
        if results is not None and error < self.least:
            self.least, self.best, self.best_run = error, np.array(z, dtype=float), results
        self._last = np.array(z, dtype=float), residuals
        self.report(self.runs, self.values(self.best), self.least)

    def square(self, z: np.ndarray) -> float:
        """The mean square of (1)."""
        residuals = self.residuals(np.atleast_1d(z))
        return float(np.mean(residuals * residuals))

    def jacobian(self, z: np.ndarray) -> np.ndarray:
        """d r / d z by differences, wide enough that the error of the solver does not show."""
        settings = self.checked.settings
        noise = settings.rtol if settings.solver.variable else 1e-10
        step = float(np.clip(np.sqrt(noise), 1e-5, 1e-2))
        here, high = self.residuals(z), self.bounds[1]
        columns = np.zeros((self.size, len(z)))
        for k in range(len(z)):
            signs = (1.0, -1.0) if z[k] + step <= high[k] else (-1.0, 1.0)
            for sign in signs:
                beside = np.array(z, dtype=float)
                beside[k] += sign * step
                there = self.residuals(beside)
                if not np.all(there == BAD):
                    columns[:, k] = (there - here) / (sign * step)
                    break
        self._last = np.array(z, dtype=float), here
        return columns
