"""A job: a study as its runs need it, wherever they are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..analysis.analysis import Analysis
from ..analysis.checking import Checked
from ..declaration.registry import Registry
from ..diagram.diagram import Diagram
from ..errors import DiagramError
from ..measures import Measure
from ..model.signals import LoggedSignal
from .logged import checked_with_logged, columns_of
from .plan import Plan
from .quick_check import marked
from .summaries import Summaries, name_of

WAITING, DONE, STOPPED, FAILED, REFUSED = range(5)
MOST_TRIED = 100  # runs, for one whose values are right
OUTCOMES = ("waiting", "done", "stopped", "failed", "refused")


@dataclass(frozen=True, eq=False)
class Ended:
    """A run that has ended: a row of the study, and the rows of its kept signals.

    `cost` has its steps, those rejected, evaluations, events, and seconds of computing.
    """

    run: int
    outcome: int
    numbers: Sequence[float]
    reason: str = ""
    time: float = 0.0
    cost: Sequence[float] = (0.0,) * 5
    kept: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Job:
    """Diagram, plan, summaries and kept signals.

    `plain` is the diagram as it was given, `diagram` logs all that is needed, `first` is its check
    with the values of the first run that it takes; `seed` is that of the diagram.
    """

    plain: Diagram
    diagram: Diagram
    first: Checked = field(repr=False)
    seed: int
    plan: Plan
    measures: tuple[Measure, ...]
    kept: tuple[str, ...] = ()
    compiled: bool = True

    @classmethod
    def of(
        cls,
        diagram: Diagram,
        registry: Registry,
        plan: Plan,
        measures: Sequence[Measure] = (),
        kept: Sequence[str] = (),
        compiled: bool = True,
    ) -> Job:
        """Raises DiagramError where no run can be made, or a signal is not known."""
        names = [*(name for measure in measures for name in measure.signals), *kept]
        seed = Analysis(diagram, registry).settings.seed
        checked, wider = _first_check(diagram, registry, plan, names, seed)
        Summaries.over(measures, checked.logged)
        for name in kept:
            columns_of(checked.logged, name)
        return cls(diagram, wider, checked, seed, plan, tuple(measures), tuple(kept), compiled)

    @property
    def registry(self) -> Registry:
        return self.first.registry

    def values(self, run: int) -> dict[str, str]:
        """What `--set` would take for a run."""
        return self.plan.values(run, self.seed)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the summaries."""
        return tuple(map(name_of, self.measures))

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The units of the summaries."""
        units = Summaries.over(self.measures, self.first.logged).signal_units
        return tuple(measure.unit(units) for measure in self.measures)

    @property
    def kept_signals(self) -> tuple[LoggedSignal, ...]:
        return tuple(columns_of(self.first.logged, name)[0] for name in self.kept)


def _first_check(
    diagram: Diagram, registry: Registry, plan: Plan, names: Sequence[str], seed: int
) -> tuple[Checked, Diagram]:
    """The check of the first run that has no mistakes, and the diagram that logs what is needed."""
    first_error: DiagramError | None = None
    for run in range(min(len(plan), MOST_TRIED)):
        given = diagram.with_values(marked(plan.values(run, seed)))
        try:
            wider, checked = checked_with_logged(given, registry, names)
        except DiagramError as error:
            first_error = first_error or error
            continue
        return checked, diagram if wider is given else replace(diagram, log=wider.log)
    raise first_error or DiagramError("there are no runs")


def described_values(values: Mapping[str, str]) -> str:
    """Values of a run as options of `railblocks run`."""
    return " ".join(f"--set '{path}={text}'" for path, text in values.items())
