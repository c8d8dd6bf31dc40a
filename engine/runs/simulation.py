"""A run of a diagram, in chunks that a progress bar, a writer or a window can follow."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any

import numpy as np

from ..analysis.checking import Checked, check
from ..errors import DiagramError, SimulationError
from ..memory import layout as sections
from ..model.signals import LoggedSignal
from ..program.compiler import compile_program
from ..program.failures import BlockFailure
from ..program.interpreter import Interpreter
from ..program.lowering_processes import Report, unreported
from ..program.store import Store
from .block_notices import block_notices
from .checkpoint import VALUES, Checkpoint, in_seconds
from .diagnosis import Diagnosis
from .machine import CompiledMachine, CompiledModel, InterpretedMachine
from .memory import fill, layout_of, log_rows, tolerances
from .small_states import small_states
from .statistics import Statistics
from .stiffness import stiffness_notice

CHUNK_SECONDS = 0.02
LARGEST_BUDGET = 10_000_000  # steps


class Simulation:
    """One diagram ready to run; its memory `w` holds the whole state of the run."""

    def __init__(
        self,
        checked: Checked,
        compiled: bool = True,
        store: Store | None = None,
        report: Report = unreported,
    ):
        """`report` is called while kernels are compiled, with how many are done and of how many.

        An exception that it raises ends the compiling.
        """
        begin = time.perf_counter()
        self.checked = checked
        self.layout = layout_of(checked)
        self.w = np.zeros(self.layout.size)
        self.log = np.zeros((log_rows(self.layout), self.layout[sections.N_COLUMNS] + 1))
        self._interpreter = Interpreter(checked.schedule.program, self.layout)
        self._cancelled = threading.Event()
        fill(self.w, checked, self.layout)
        self._machine = self._chosen_machine(compiled, store or Store(), report)
        self._remarks: tuple[str, ...] = ()
        self.compile_wall = time.perf_counter() - begin
        self.wall = 0.0
        self.outcome = ""
        self.reason = ""
        self._rows = 0
        self._near_stop: Checkpoint | None = None
        self._torn = False
        self._budget = 1000 if compiled else 20

    def _chosen_machine(
        self, compiled: bool, store: Store, report: Report
    ) -> CompiledMachine | InterpretedMachine:
        method = self.checked.settings.solver
        if not compiled:
            return InterpretedMachine(method, self._interpreter, self.w, self.log)
        library = compile_program(self._interpreter.program, self.layout, method, store, report)
        machine = CompiledMachine(self._interpreter, self.layout, library, self.w, self.log)
        if method.python:
            return InterpretedMachine(method, CompiledModel(machine, self.layout), self.w, self.log)
        return machine

    # --- looking at it -------------------------------------------------------------------------
    @property
    def columns(self) -> tuple[LoggedSignal, ...]:
        """The logged signals, in the order in which a row holds their elements."""
        return self.checked.logged

    @property
    def notices(self) -> tuple[str, ...]:
        """Warnings of the check, what runs in Python, and remarks on a run that has ended."""
        warnings = map(str, self.checked.warnings)
        return (*warnings, *self._machine.notices, *self._remarks)

    @property
    def model(self) -> Any:
        """The diagram's functions, as the solver calls them, to be called over any memory."""
        return self._machine.model

    @property
    def time(self) -> float:
        return float(self.w[sections.T])

    @property
    def fraction(self) -> float:
        start, stop = self.w[sections.T_START], self.w[sections.T_STOP]
        return float((self.w[sections.T] - start) / (stop - start))

    @property
    def statistics(self) -> Statistics:
        w = self.w
        return Statistics(
            steps=int(w[sections.STEPS]),
            rejected=int(w[sections.REJECTED]),
            events=int(w[sections.EVENTS]),
            evaluations=int(w[sections.EVALUATIONS]),
            hits=int(w[sections.HITS_DONE]),
            jacobians=int(w[sections.JACOBIANS]),
            wall=self.wall,
            compile_wall=self.compile_wall,
            simulated=float(w[sections.T] - w[sections.T_START]),
        )

    # --- running -------------------------------------------------------------------------------
    def reset(self) -> None:
        """Goes back to the start; nothing is compiled again."""
        fill(self.w, self.checked, self.layout)
        self._cancelled.clear()
        self._remarks, self._rows, self._near_stop, self._torn = (), 0, None, False
        self.wall, self.outcome, self.reason = 0.0, "", ""

    def cancel(self) -> None:
        """Ends the run after the current step; may be called from any thread."""
        self._cancelled.set()
        self.w[sections.CANCEL] = 1.0

    def interrupt(self) -> np.ndarray:
        """Ends a run that does not come back from a step; the log rows that it has left."""
        rows = self.log[: int(self.w[sections.ROWS])].copy()
        self.outcome, self._torn = "cancelled", True
        return rows

    @property
    def at_work(self) -> str:
        """The block and function that a run is in, as far as it is known; may be asked any time."""
        call = self._machine.current
        return f"{call.block}: function '{call.equation}'" if call is not None else ""

    def chunks(self) -> Iterator[np.ndarray]:
        """Log rows as they come, time first, also none; the last ones also of a run that fails."""
        while not self.outcome:
            yield self.advance()
        if self.outcome == "failed":
            raise SimulationError(self.reason)

    def advance(self, most: int | None = None) -> np.ndarray:
        """Runs one chunk, or so many steps at most; the result is its log rows."""
        begin = time.perf_counter()
        steps = self.w[sections.STEPS]
        self._run_machine(self._budget if most is None else most)
        spent = time.perf_counter() - begin
        self.wall += spent
        if most is None and self.w[sections.STEPS] - steps >= self._budget:
            scale = CHUNK_SECONDS / max(spent, 1e-6)
            budget = self._budget * min(max(scale, 0.5), 2.0)
            self._budget = int(min(max(budget, 1), LARGEST_BUDGET))
        count = int(self.w[sections.ROWS])
        rows = self.log[:count].copy()
        self._rows += count
        self.w[sections.ROWS] = 0.0
        self._conclude()
        if self.outcome in ("done", "stopped"):
            self._remarks = self._remarks_at_end()
        return rows

    def _run_machine(self, budget: int) -> None:
        """Runs so many steps at most; keeps the state before the end of the run bounds a step."""
        w = self.w
        steps, was_near = w[sections.STEPS], w[sections.NEAR_STOP]
        self._machine.advance(budget)
        if w[sections.NEAR_STOP] == was_near or w[sections.STATUS] != sections.RUNNING:
            return
        memory, rows = w.copy(), self._rows + int(w[sections.ROWS])
        memory[sections.ROWS] = memory[sections.NEAR_STOP] = 0.0
        self._near_stop = Checkpoint(memory, self.checked, self.wall, rows)
        if w[sections.CANCEL] == 0.0:
            self._machine.advance(max(budget - int(w[sections.STEPS] - steps), 1))

    def rest(self) -> np.ndarray:
        """The rows from here to the end, for nobody to look at meanwhile; valid until a new start.

        What the run came to is not looked into: that is up to `conclude`.
        """
        self.w[sections.NEAR_STOP] = 2.0  # nobody goes on from its end
        parts: list[np.ndarray] = []
        while True:
            self._machine.advance(LARGEST_BUDGET)
            rows = self.log[: int(self.w[sections.ROWS])]
            if self.w[sections.STATUS] != sections.RUNNING or self._cancelled.is_set():
                return np.concatenate([*parts, rows]) if parts else rows
            parts.append(rows.copy())
            self.w[sections.ROWS] = 0.0

    def conclude(self, checked: Checked) -> None:
        """Finds out how a run has ended that had the values of `checked`."""
        self.checked = checked
        self._conclude()

    def _remarks_at_end(self) -> tuple[str, ...]:
        """What to know about the numbers of a run that has ended."""
        remarks = block_notices(self.checked, self.w)
        remarks += small_states(self.checked, self.layout, self.w, self._machine.model)
        remarks += stiffness_notice(self.checked, self.w)
        return tuple(remarks)

    def _conclude(self) -> None:
        status = int(self.w[sections.STATUS])
        diagnosis = Diagnosis(self.checked, self._interpreter, self.layout, self.w)
        if self._machine.failure is not None:
            self.outcome, self.reason = "failed", diagnosis.failure(self._machine.failure)
        elif status == sections.DONE:
            self.outcome = "done"
        elif status == sections.STOPPED:
            self.outcome, self.reason = "stopped", diagnosis.reason()
        elif status != sections.RUNNING:
            self.outcome, self.reason = "failed", diagnosis.message()
        elif self._cancelled.is_set():
            self.outcome = "cancelled"

    # --- going back ----------------------------------------------------------------------------
    def checkpoint(self) -> Checkpoint:
        """The run as it is now, to be gone back to."""
        return Checkpoint(self.w.copy(), self.checked, self.wall, self._rows)

    def last_state(self) -> Checkpoint | None:
        """The latest state from which the run may go on later, also past its end; None if none.

        It is from before the first step that the end of the run bounds.
        """
        if self._near_stop is not None:
            return self._near_stop
        if self._torn or self.outcome not in ("", "cancelled") or self._is_inside_python_step():
            return None
        return self.checkpoint()

    def _is_inside_python_step(self) -> bool:
        """Whether a method in Python remembers a step, of which rows are still to come."""
        method = self.checked.settings.solver
        return method.python and bool(self.w[sections.PHASE] == sections.LOGGING)

    def go_on(self, checkpoint: Checkpoint) -> None:
        """Takes the state of an earlier run of the same diagram; the end is that of this one."""
        stop = self.w[sections.T_STOP]
        self._return_to(checkpoint)
        self.w[sections.T_STOP] = stop

    def restore(
        self, checkpoint: Checkpoint, time: float | str | None = None, values: str = "present"
    ) -> np.ndarray:
        """Goes back to a checkpoint of this run, or to a time after it; returns the rows repeated.

        Up to `time` the run is repeated with the values that were in force at the checkpoint;
        what happens at that very time, such as a sample hit, still belongs to them. Then the
        values that are in force now come in force again: to keep those of the checkpoint is to
        be asked for by `values="checkpoint"`.
        """
        if values not in VALUES:
            raise DiagramError(f"values={values!r} is not known; expected one of {VALUES}")
        if not isinstance(checkpoint, Checkpoint) or not self._has_shape_of(checkpoint.checked):
            raise DiagramError(
                "this is not a checkpoint of this run, or its settings or structure have changed "
                "since; expected one that `simulation.checkpoint()` made"
            )
        until = checkpoint.time if time is None else in_seconds(time)
        latest = float(self.w[sections.T_STOP])
        if not checkpoint.time <= until <= latest:
            raise DiagramError(
                f"the run cannot be restored at t = {until:.9g} s; expected a time from the "
                f"checkpoint's, {checkpoint.time:.9g} s, to the end of the run, {latest:.9g} s"
            )
        present = self.checked
        self._return_to(checkpoint)
        rows = self.log[:0].copy() if time is None else self._repeat_until(until)
        if values == "present":
            self.use(present)
        return rows

    def _return_to(self, checkpoint: Checkpoint) -> None:
        self.w[:] = checkpoint.memory
        self.w[sections.CANCEL] = 0.0
        self.checked, self.wall = checkpoint.checked, checkpoint.wall
        self._rows, self._near_stop, self._torn = checkpoint.rows, None, False
        self._cancelled.clear()
        self._remarks = ()
        self.outcome, self.reason = "", ""

    def _repeat_until(self, time: float) -> np.ndarray:
        """Runs until a time as if the run ended there, and undoes that end."""
        stop, near = float(self.w[sections.T_STOP]), self.w[sections.NEAR_STOP]
        parts = [self.log[:0].copy()]
        self.w[sections.T_STOP] = time
        while not self.outcome and (
            self.w[sections.T] < time or self.w[sections.PHASE] != sections.STEPPING
        ):
            parts.append(self.advance())
        self.w[sections.T_STOP] = stop
        if time < stop:
            self.w[sections.NEAR_STOP], self._near_stop = near, None
        if self.outcome == "done" and time < stop:
            self.w[sections.STATUS] = sections.RUNNING
            self.outcome, self._remarks = "", ()
        return np.concatenate(parts)

    def values_at(
        self, checkpoint: Checkpoint, time: float | str | None = None
    ) -> dict[tuple[str, str], np.ndarray]:
        """Every output, by block and port, at a checkpoint or at a time after it; interpreted."""
        here, ended = self.checkpoint(), (self.outcome, self.reason, self._remarks)
        near_stop, torn = self._near_stop, self._torn
        cancelled = self._cancelled.is_set()
        try:
            self.restore(checkpoint, time, values="checkpoint")
            memory, x = self.w.copy(), self.layout[sections.X]
        finally:
            self._return_to(here)
            self.outcome, self.reason, self._remarks = ended
            self._near_stop, self._torn = near_stop, torn
            if cancelled:
                self.cancel()
        schedule = self.checked.schedule
        for step in schedule.everything():
            with contextlib.suppress(BlockFailure):
                self._interpreter.run(
                    [step], memory[sections.T], memory, x, dx=self.layout[sections.K]
                )
        return {
            name: memory[ref.offset : ref.offset + ref.size]
            for name, ref in schedule.slots.signals.items()
        }

    # --- other values --------------------------------------------------------------------------
    def set(self, values: Mapping[str, Any]) -> None:
        """Changes parameters, also in mid-run, without compiling anything again."""
        now = self.checked
        other = check(now.diagram.with_values(values), now.registry, now.analysis)
        self.use(other, ", ".join(values))

    def _has_shape_of(self, checked: Checked) -> bool:
        """Whether another check has the settings and the structure of the one that runs."""
        return checked.settings == self.checked.settings and self.fits(checked)

    def fits(self, checked: Checked) -> bool:
        """Whether the program and the memory of this run serve another check of the diagram."""
        if checked is self.checked:
            return True
        now, then = self.checked.schedule, checked.schedule
        return (
            checked.settings.method == self.checked.settings.method
            and (now.sections, now.rates, now.program) == (then.sections, then.rates, then.program)
            and _sources(checked.logged) == _sources(self.checked.logged)
        )

    def twin(self, rows: int = 0) -> Simulation:
        """Another run of the same program, with memory of its own and room for so many rows."""
        other = copy(self)
        other.w = np.zeros(self.layout.size)
        other.log = np.zeros((max(rows, len(self.log)), self.log.shape[1]))
        other._cancelled = threading.Event()
        other._machine = self._machine.over(other.w, other.log)
        return other

    def start_from(self, checked: Checked, memory: np.ndarray) -> None:
        """Goes to a start that was made before, of values that `checked` has or soon will."""
        self.checked = checked
        self.w[:] = memory
        self.w[sections.ROWS_MAX] = len(self.log)
        self._cancelled.clear()
        self._remarks, self._rows, self._near_stop, self._torn = (), 0, None, False
        self.wall, self.outcome, self.reason = 0.0, "", ""

    def use(self, checked: Checked, what: str = "the diagram") -> None:
        """Takes the parameters of another check of the diagram; its structure must be the same."""
        if checked is self.checked:
            return
        if checked.settings != self.checked.settings:
            raise DiagramError(f"{what}: settings of solver and log need a new run")
        if not self._has_shape_of(checked):
            raise DiagramError(f"{what}: changes the structure of the diagram; start a new run")
        self.checked = checked
        for section, numbers in (
            (sections.P, checked.schedule.slots.parameter_values),
            (sections.ATOL, tolerances(checked)),
        ):
            offset = self.layout[section]
            if not np.array_equal(self.w[offset : offset + len(numbers)], numbers):
                self.w[offset : offset + len(numbers)] = numbers
                self.w[sections.FRESH] = 0.0


def _sources(signals: tuple[LoggedSignal, ...]) -> list[tuple[object, ...]]:
    """Logged signals without their units, which values may change."""
    return [(s.name, s.block, s.port, s.elements, s.shape) for s in signals]
