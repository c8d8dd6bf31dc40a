"""One run in a thread of its own. It never touches the window, which asks what is new.

Compiled chunks run without Python's lock, so that the window stays responsive.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from railblocks.engine.checks.checking import check
from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.errors import DiagramError, RailblocksError
from railblocks.engine.registry import Registry
from railblocks.engine.runs.simulation import Simulation

from ..scopes.recording import Recording

CHECKPOINTS = 256
NAP = 0.004
SHORT, BREATH = 0.008, 0.001
OVER = ("done", "stopped", "cancelled", "failed")


@dataclass
class News:
    """What happened since the window asked last."""

    state: str
    time: float = 0.0
    fraction: float = 0.0
    factor: float = 0.0
    message: str = ""


class Checkpoints:
    """Copies of the memory over the run, thinned out evenly when they are many."""

    def __init__(self) -> None:
        self._kept: list[tuple[float, np.ndarray]] = []
        self._skip, self._count = 1, 0

    def add(self, when: float, memory: np.ndarray) -> None:
        self._count += 1
        if self._count % self._skip:
            return
        self._kept.append((when, memory.copy()))
        if len(self._kept) > CHECKPOINTS:
            del self._kept[1::2]
            self._skip *= 2

    def before(self, when: float) -> tuple[float, np.ndarray] | None:
        """The last one not after a time."""
        earlier = [kept for kept in self._kept if kept[0] <= when]
        return earlier[-1] if earlier else (self._kept[0] if self._kept else None)

    def cut(self, when: float) -> None:
        self._kept = [kept for kept in self._kept if kept[0] <= when]


class Run:
    """Compiles a diagram and runs it; everything but `_work` is for the window's thread."""

    def __init__(
        self,
        diagram: Diagram,
        registry: Registry,
        pace: float | None = None,
        names: Mapping[str, str] | None = None,
    ):
        """`names` are other names of recorded signals."""
        self.diagram, self.registry = diagram, registry
        self._names = names or {}
        self.pace = pace  # simulated seconds per second; None is as fast as it goes
        self.recording: Recording | None = None  # there as soon as the run is compiled
        self._messages: deque[str] = deque()
        self._values: deque[dict[str, str]] = deque()
        self._wake = threading.Event()
        self._state = "compiling"
        self._paused = False
        self._steps = 0
        self._stopped = False
        self._back: float | None = None
        self._asked: float | None = None
        self._answer: tuple[float, dict[tuple[str, str], np.ndarray]] | None = None
        self._clock = (0.0, 0.0, 0.0)
        self._checkpoints = Checkpoints()
        self._simulation: Simulation | None = None
        self._thread = threading.Thread(target=self._work, daemon=True, name="run")

    # --- what the window says ------------------------------------------------------------------
    def start(self, paused: bool = False) -> None:
        self._paused = paused
        self._thread.start()

    def pause(self) -> None:
        self._paused = True

    def resume(self) -> None:
        self._paused = False
        self._wake.set()

    def step(self) -> None:
        """One step of the solver, then pause."""
        self._paused = True
        self._steps += 1
        self._wake.set()

    def stop(self) -> None:
        """The end, after this chunk."""
        self._stopped = True
        self._wake.set()

    def tune(self, values: Mapping[str, str]) -> None:
        """Other values of parameters, from now on."""
        self._values.append(dict(values))
        self._wake.set()

    def go_back(self, when: float) -> None:
        """To the last checkpoint before a time, and pause there."""
        self._back = when
        self._paused = True
        self._wake.set()

    def ask(self, when: float | None) -> dict[tuple[str, str], np.ndarray]:
        """Values of all outputs near a time (None is now); empty until they are found."""
        wanted = float("inf") if when is None else when
        answer = self._answer
        if answer is not None and (answer[0] == wanted and when is not None):
            return answer[1]
        self._asked = wanted
        self._wake.set()
        return answer[1] if answer is not None else {}

    def wait(self, timeout: float = 10.0) -> None:
        self._thread.join(timeout)

    @property
    def is_over(self) -> bool:
        return self._state in OVER

    @property
    def state(self) -> str:
        return "paused" if self._state == "running" and self._paused else self._state

    def news(self) -> News:
        """How far it is; messages are given once."""
        now, fraction, factor = self._clock
        found = News(self.state, now, fraction, factor)
        while self._messages:
            found.message = self._messages.popleft()
        return found

    # --- the thread ----------------------------------------------------------------------------
    def _work(self) -> None:
        try:
            simulation = Simulation(check(self.diagram, self.registry))
            recording = Recording.of_columns(simulation.columns)
            recording.names = self._names
            self.recording = recording
            self._simulation = simulation
            self._state = "running"
            self._loop(simulation)
        except RailblocksError as error:
            self._messages.append(str(error))
            self._state = "failed"
        except Exception as error:  # a block's own code may raise anything
            self._messages.append(f"{type(error).__name__}: {error}")
            self._state = "failed"

    def _loop(self, simulation: Simulation) -> None:
        self._checkpoints.add(simulation.time, simulation.w)
        begin, origin = time.perf_counter(), simulation.time
        most = 16
        while not self._stopped:
            self._obey(simulation)
            if simulation.outcome:
                if self._idle_after_end(simulation):
                    continue
                return
            waiting = self._paused and not self._steps
            if waiting:
                self._wake.wait(0.1)
                self._wake.clear()
                begin, origin = time.perf_counter(), simulation.time
                continue
            if self._steps:
                self._steps -= 1
                self._advance(simulation, 1)
                begin, origin = time.perf_counter(), simulation.time
            elif self.pace is None:
                self._advance(simulation, None)
            elif simulation.time - origin > self.pace * (time.perf_counter() - begin):
                time.sleep(NAP)
            else:
                before = simulation.time
                self._advance(simulation, most)
                covered = (simulation.time - before) / self.pace
                most = max(most // 2, 1) if covered > 0.03 else min(most * 2, 1_000_000)
        if not simulation.outcome:
            self._state = "cancelled"

    def _advance(self, simulation: Simulation, most: int | None) -> None:
        begin = time.perf_counter()
        rows = simulation.advance(most)
        short = time.perf_counter() - begin < SHORT
        assert self.recording is not None
        if len(rows):
            self.recording.append(rows)
        self._checkpoints.add(simulation.time, simulation.w)
        factor = simulation.statistics.real_time_factor
        self._clock = (simulation.time, simulation.fraction, factor)
        if simulation.outcome:
            if simulation.reason:
                self._messages.append(simulation.reason)
            self._state = simulation.outcome
        elif short:  # nearly all was Python, which the window wants too
            time.sleep(BREATH)

    def _idle_after_end(self, simulation: Simulation) -> bool:
        """Stay to answer questions about values, until the window lets go of the run."""
        self._wake.wait(0.2)
        self._wake.clear()
        return not self._stopped

    def _obey(self, simulation: Simulation) -> None:
        """What the window asked for since the last chunk."""
        while self._values:
            values = self._values.popleft()
            try:
                simulation.set(values)
            except DiagramError as error:
                self._messages.append(error.problems[0].message)
        if self._back is not None:
            when, self._back = self._back, None
            found = self._checkpoints.before(when)
            if found is not None:
                simulation.restore(found[1])
                self._checkpoints.cut(found[0])
                assert self.recording is not None
                self.recording.cut(found[0])
                self._clock = (simulation.time, simulation.fraction, self._clock[2])
                self._state = "running"
        if self._asked is not None:
            when, self._asked = self._asked, None
            found = self._checkpoints.before(when)
            if found is not None:
                try:
                    self._answer = (when, simulation.values_at(found[1]))
                except Exception as error:
                    self._messages.append(f"values cannot be shown: {error}")
