"""How far a run is: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..errors.shown import shown
from .tables import console, print_line

if TYPE_CHECKING:
    from ..runs.simulation import Simulation

SECONDS_BETWEEN_LINES = 10.0


class Progress:
    """Display of progress, fed by `show` or `tell`; nothing stays on the terminal afterwards."""

    def __init__(self, quiet: bool, start: str = "compiling"):
        self.quiet = quiet
        self.start = start
        self.terminal = not quiet and sys.stderr.isatty()
        self.bar: Any = None
        self.task: Any = None
        self.last_line_at = time.monotonic()

    def __enter__(self) -> Progress:
        if self.terminal:
            from rich.progress import BarColumn, Progress, TextColumn

            self.bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=30),
                TextColumn("{task.fields[state]}", markup=False),
                console=console(sys.stderr),
                transient=True,
            )
            self.bar.start()
            self.task = self.bar.add_task(self.start, total=None, state="")
        return self

    def show_compiling(self, done: int, total: int) -> None:
        from ..program.lowering_processes import compiling_text

        self.tell(compiling_text(done, total), "", done / total)

    def show(self, simulation: Simulation) -> None:
        if self.quiet:
            return
        stop = simulation.checked.settings.stop
        factor = simulation.statistics.real_time_factor
        state = f"t = {simulation.time:.4g} s of {stop:g} s, {factor:.3g} x real time"
        self.tell("running", state, simulation.fraction)

    def tell(self, description: str, state: str, fraction: float | None = None) -> None:
        """Shows what is done now, and how far it is; a `fraction` of None if nobody knows."""
        state = shown(state)
        if self.bar is not None:
            total = None if fraction is None else 1.0
            self.bar.update(
                self.task,
                description=description,
                total=total,
                completed=fraction or 0.0,
                state=state,
            )
        elif not self.quiet and time.monotonic() - self.last_line_at > SECONDS_BETWEEN_LINES:
            self.last_line_at = time.monotonic()
            print_line(state or description, sys.stderr, flush=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Takes the bar off the terminal."""
        if self.bar is not None:
            self.bar.stop()
