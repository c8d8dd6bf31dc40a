"""One run in a thread of its own. It never touches the window, which polls it.

Compiled chunks run without Python's lock, so that the window stays responsive.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from railblocks.engine.analysis.checking import check
from railblocks.engine.declaration.registry import Registry
from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.errors import DiagramError, RailblocksError
from railblocks.engine.program.lowering_processes import compiling_text
from railblocks.engine.runs.simulation import Simulation

from ..model.value_transfer import with_values_of
from ..recording.recording import Recording
from .checkpoints import Checkpoints
from .pacer import Pacer
from .speed import SpeedMeter

PACE_SLEEP_S = 0.004  # while a run is ahead of its pace
SHORT_CHUNK_S, YIELD_S = 0.008, 0.001  # after a short chunk the window gets a turn
END_STATES = ("done", "stopped", "cancelled", "failed")
Values = dict[tuple[str, str], np.ndarray]


@dataclass(frozen=True)
class News:
    """The state of a run, and what happened since the last poll."""

    state: str
    time: float = 0.0
    fraction: float = 0.0
    speed: float = 0.0  # simulated seconds per wall-clock second
    load: float = 0.0  # share of the wall-clock time spent computing
    messages: tuple[str, ...] = ()
    failure: str = ""
    endings: int = 0  # times that the run came to an end
    notices: tuple[str, ...] = ()  # of a run that has ended
    compiling: str = ""  # how far the compiling is
    restored: tuple[Diagram, float] | None = None  # its values are in force again, from this time


class CompilingStopped(Exception):
    """The user stopped a run while it was compiled."""


class Run:
    """Compiles a diagram and runs it; everything but `_work` is for the window's thread."""

    def __init__(
        self,
        diagram: Diagram,
        registry: Registry,
        pace: float | None = None,
        names: Mapping[str, str] | None = None,
        name: str = "",
    ):
        """`names` are other names of recorded signals."""
        self.diagram, self.registry = diagram, registry
        self._names, self._name = names or {}, name
        self.pace = pace  # simulated seconds per wall-clock second; None is as fast as it goes
        self.recording: Recording | None = None  # there as soon as the run is compiled
        self._messages: deque[str] = deque()
        self._restored: deque[tuple[Diagram, float]] = deque()
        self._new_diagrams: deque[Diagram] = deque()
        self._returns: deque[tuple[float, Diagram | None]] = deque()
        self._wake = threading.Event()
        self._state = "compiling"
        self._failure = ""
        self._compiling = ""
        self._endings = 0
        self._paused = False
        self._steps = 0
        self._stopped = False
        self._closed = False
        self._requested_time: float | None = None
        self._answer: tuple[float, Values] | None = None
        self._clock = (0.0, 0.0, 0.0, 0.0)
        self._speed, self._pacer = SpeedMeter(), Pacer()
        self._checkpoints = Checkpoints()
        self._simulation: Simulation | None = None
        self._thread = threading.Thread(target=self._work, daemon=True, name="run")

    # --- for the window ------------------------------------------------------------------
    def start(self, paused: bool = False) -> None:
        self._paused = paused
        self._thread.start()

    def pause(self) -> None:
        self._paused = True

    def resume(self) -> None:
        self._paused = False
        self._wake.set()

    def step(self) -> None:
        """Makes one step of the solver, then pauses."""
        self._paused = True
        self._steps += 1
        self._wake.set()

    def stop(self) -> None:
        """Ends compiling, or the run after this chunk.

        A run can still be asked for values, and gone back in.
        """
        self._stopped = True
        if self._simulation is not None:
            self._simulation.cancel()
        self._wake.set()

    def close(self) -> None:
        """Ends the run and its thread."""
        self._closed = True
        self.stop()

    def follow(self, diagram: Diagram) -> None:
        """Uses the values of another diagram from now on."""
        self._new_diagrams.append(diagram)
        self._wake.set()

    def go_on_from(self, when: float, diagram: Diagram | None) -> None:
        """Goes on from an earlier time, with the values of a diagram (None: those of then)."""
        self._returns.append((when, diagram))
        self._wake.set()

    def ask(self, when: float | None) -> Values:
        """Values of all outputs at a time (None is now); earlier ones until they are computed."""
        wanted = float("inf") if when is None else when
        answer = self._answer
        if answer is not None and (answer[0] == wanted and when is not None):
            return answer[1]
        self._requested_time = wanted
        self._wake.set()
        return answer[1] if answer is not None and when is None else {}

    def wait(self, timeout: float = 10.0) -> None:
        self._thread.join(timeout)

    @property
    def is_over(self) -> bool:
        return self._state in END_STATES

    @property
    def state(self) -> str:
        return "paused" if self._state == "running" and self._paused else self._state

    def news(self) -> News:
        """State and progress; each message is given once."""
        endings, simulation = self._endings, self._simulation
        return News(
            self.state,
            *self._clock,
            messages=tuple(_take_all(self._messages)),
            failure=self._failure,
            endings=endings,
            notices=_notices(simulation) if simulation is not None and self.is_over else (),
            compiling=self._compiling,
            restored=([None, *_take_all(self._restored)])[-1],
        )

    # --- the thread ----------------------------------------------------------------------------
    def _work(self) -> None:
        try:
            checked = check(self.diagram, self.registry)
            simulation = Simulation(checked, report=self._note_compiling)
            recording = Recording(simulation.columns, self._name)
            recording.names = self._names
            self.recording = recording
            self._simulation = simulation
            self._checkpoints.add(simulation.checkpoint(), pinned=True)
            self._state = "running"
            self._loop(simulation)
        except CompilingStopped:
            self._end("cancelled")
        except RailblocksError as error:
            self._end("failed", str(error))
        except Exception as error:
            self._end("failed", f"{type(error).__name__}: {error}")
            raise

    def _note_compiling(self, done: int, total: int) -> None:
        if self._stopped:
            raise CompilingStopped
        self._compiling = compiling_text(done, total)
        self._clock = (0.0, done / total, 0.0, 0.0)

    def _loop(self, simulation: Simulation) -> None:
        while not self._closed:
            self._handle_requests(simulation)
            if self._stopped:
                self._stopped = False
                if not self.is_over:
                    self._end("cancelled")
            if self.is_over or (self._paused and not self._steps):
                self._rest()
                self._wake.wait(0.1)
                self._wake.clear()
            elif self._steps:
                self._steps -= 1
                self._advance(simulation, 1)
                self._rest()
            elif self.pace is None:
                self._pacer.pause()
                self._advance(simulation, None)
            else:
                self._advance_at_pace(simulation, self.pace)

    def _rest(self) -> None:
        """Rests: the clock does not count until the run goes on."""
        self._speed.pause()
        self._pacer.pause()

    def _advance_at_pace(self, simulation: Simulation, pace: float) -> None:
        if self._pacer.is_ahead(simulation.time, pace):
            self._note_speed(simulation)
            time.sleep(PACE_SLEEP_S)
        else:
            before = simulation.time
            self._advance(simulation, self._pacer.max_steps)
            self._pacer.adapt((simulation.time - before) / pace)

    def _note_speed(self, simulation: Simulation) -> float:
        """Notes the speed; what is simulated ahead of the pace does not count yet."""
        clock = time.perf_counter()
        reached = min(simulation.time, self._pacer.due(clock))
        self._speed.note(clock, reached, simulation.wall)
        speed = self._speed.overall if simulation.outcome else self._speed.recent
        self._clock = (simulation.time, simulation.fraction, speed, self._speed.load)
        return clock

    def _advance(self, simulation: Simulation, max_steps: int | None) -> None:
        begin = self._note_speed(simulation)
        rows = simulation.advance(max_steps)
        assert self.recording is not None
        if len(rows):
            self.recording.append(rows)
        if self._checkpoints.is_due(simulation.time):
            self._checkpoints.add(simulation.checkpoint())
        now = self._note_speed(simulation)
        if simulation.outcome == "failed":
            self._end("failed", simulation.reason)
        elif simulation.outcome:
            if simulation.reason:
                self._messages.append(simulation.reason)
            self._end(simulation.outcome)
        elif now - begin < SHORT_CHUNK_S:  # nearly all was Python, which the window wants too
            time.sleep(YIELD_S)

    def _end(self, state: str, failure: str = "") -> None:
        self._failure = failure
        self._state = state
        self._endings += 1

    def _handle_requests(self, simulation: Simulation) -> None:
        """Does what the window asked for since the last chunk."""
        for diagram in _take_all(self._new_diagrams):
            if self._use(simulation, diagram):
                self._checkpoints.add(simulation.checkpoint(), pinned=True)
        for when, diagram in _take_all(self._returns):
            self._go_back(simulation, when, diagram)
        if self._requested_time is not None:
            when, self._requested_time = self._requested_time, None
            try:
                self._answer = (when, self._values(simulation, when))
            except Exception as error:
                self._messages.append(f"values cannot be shown: {error}")

    def _use(self, simulation: Simulation, diagram: Diagram) -> bool:
        """Brings the values of a diagram in force; a message names what else it would change."""
        try:
            simulation.use(check(diagram, self.registry, simulation.checked.analysis))
            return True
        except DiagramError as error:
            reason = error.problems[0].message
        try:
            same = with_values_of(simulation.checked.diagram, diagram)
            simulation.use(check(same, self.registry, simulation.checked.analysis))
        except DiagramError:
            self._messages.append(f"the run goes on with its earlier values: {reason}")
            return False
        self._messages.append(
            "the run takes the values, but not the other changes of the diagram; "
            "start a new run to see them"
        )
        return True

    def _values(self, simulation: Simulation, when: float) -> Values:
        checkpoint = self._checkpoints.before(when)
        if checkpoint is None or when >= simulation.time:
            return simulation.values_at(simulation.checkpoint())
        return simulation.values_at(checkpoint, when)

    def _go_back(self, simulation: Simulation, when: float, diagram: Diagram | None) -> None:
        """Goes back to an exact time, by repeating the run from the last checkpoint before it."""
        when = min(when, simulation.time)
        checkpoint = self._checkpoints.before(when)
        if checkpoint is None:
            self._messages.append(
                f"the run cannot go back to t = {when:.6g} s: so many values were changed since "
                "then that this time is no longer kept; start a new run"
            )
            return
        if diagram is not None and not self._use(simulation, diagram):
            return
        here = simulation.checkpoint()
        rows = simulation.restore(checkpoint, when, "checkpoint" if diagram is None else "present")
        if simulation.outcome == "cancelled":
            simulation.restore(here, values="checkpoint")
            self._paused = True
            return
        assert self.recording is not None
        self.recording.cut(when)
        if len(rows) and rows[-1, 0] == when and not self.recording.ends_at(when):
            self.recording.append(rows[-1:])
        self._checkpoints.cut(when)
        self._checkpoints.add(simulation.checkpoint(), pinned=True)
        self._answer = None
        if diagram is None:
            self._restored.append((simulation.checked.diagram, when))
        self._rest()
        self._speed.restart()
        self._clock = (simulation.time, simulation.fraction, 0.0, 0.0)
        self._failure = ""
        self._paused = False
        self._state = "running"


def _take_all(waiting: deque) -> list:
    """Takes all entries out, in their order."""
    return [waiting.popleft() for _ in range(len(waiting))]


def _notices(simulation: Simulation) -> tuple[str, ...]:
    """What a run reports beyond the warnings of the check, which are shown anyway."""
    warnings = {str(warning) for warning in simulation.checked.warnings}
    return tuple(notice for notice in simulation.notices if notice not in warnings)
