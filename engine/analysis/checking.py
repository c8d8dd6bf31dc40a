"""The check of a diagram: its analysis, and the schedule of one without problems."""

from __future__ import annotations

from dataclasses import dataclass

from ..checks.unused import unused_parameters
from ..declaration.registry import Registry, standard_blocks
from ..diagram.diagram import Diagram
from ..errors import DiagramError, Position, Problem
from ..model.model import Model
from ..model.signals import LoggedSignal
from ..schedule.schedule import Schedule, schedule
from ..text.collecting import collection_paused
from ..text.files import FileRead, files_read
from .advice import warnings_of
from .analysis import Analysis
from .counted_times import refuse_odd_rates
from .guesses import GUESS, refuse_idle_guesses
from .settings import Settings


@dataclass(frozen=True)
class Checked:
    """A diagram without problems."""

    diagram: Diagram
    registry: Registry
    model: Model
    settings: Settings
    schedule: Schedule
    logged: tuple[LoggedSignal, ...]
    warnings: tuple[Problem, ...]
    files: tuple[FileRead, ...]
    analysis: Analysis


def check(
    diagram: Diagram, registry: Registry | None = None, before: Analysis | None = None
) -> Checked:
    """Checks everything; raises DiagramError with all problems.

    `before` is an analysis of a similar diagram, whose blocks may be taken over.
    """
    with collection_paused():
        return check_analysis(Analysis(diagram, registry or standard_blocks(), before))


def check_analysis(analysis: Analysis) -> Checked:
    """Schedules an analysed diagram; raises DiagramError with all of its problems."""
    with collection_paused(), files_read() as read:
        diagram, flat, network = analysis.diagram, analysis.flat, analysis.network
        if analysis.problems or flat is None:
            raise DiagramError(analysis.problems)
        if not network.instances:
            raise DiagramError("the diagram has no blocks", Position(flat.file))
        model = Model(
            flat.title,
            flat.file,
            network.instances,
            network.drivers,
            analysis.aliases,
            analysis.conditionals,
        )
        for conditional in model.conditionals.values():
            conditional.mark(model.blocks)
        guesses, logged = analysis.guesses, analysis.logged
        plan = schedule(model, [(signal.block, signal.port) for signal in logged], guesses)
        guess = flat.solver.get(GUESS)
        refuse_idle_guesses(
            guesses, plan.slots.signals, plan.program.loops, guess.position if guess else None
        )
        refuse_odd_rates(plan.rates, analysis.settings, Position(flat.file))
        warnings = (*warnings_of(flat.blocks, network.instances), *unused_parameters(diagram))
    files = {f.path: f for f in (*diagram.files, *analysis.files, *read.values())}
    return Checked(
        diagram,
        analysis.registry,
        model,
        analysis.settings,
        plan,
        logged,
        warnings,
        tuple(files.values()),
        analysis,
    )
