"""A diagram at one moment, as a function: what follows from states and from changes of signals.

    x' = f(x, z, h, u),  z+, h+ = g(x, z, h, u),  y = r(x, z, h, u)

with continuous states x, discrete states z of sampled blocks, their outputs h that stay from hit
to hit, changes u of signals, and signals y. It is the program of a run, compiled or interpreted,
over its own memory; modes and all that is neither stay as they are at the moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..analysis.checking import Checked
from ..errors import SimulationError
from ..memory import layout as sections
from ..memory.slots import Key
from ..program.failures import BlockFailure
from ..program.lowering_processes import Report, unreported
from ..runs.simulation import Simulation
from ..schedule.calls import Call, Loop, Step
from ..schedule.sparsity import colours, dependencies
from .differences import Derivatives, derivatives
from .point import OperatingPoint, point_of, put_point, sampled_outputs
from .states import names_of, unit_of

NONE: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Variable:
    """One number that may change: a state, a held output, or a change of a signal."""

    name: str
    unit: str
    slot: int  # in memory; of a continuous state, among these
    size: float
    group: int | None = None  # of the sample times at which it takes a new value


class Ends(NamedTuple):
    """Numbers of variables up to the last state, sampled state and held output, and of all."""

    x: int
    z: int
    h: int
    all: int


@dataclass(frozen=True)
class Tap:
    """Elements of a block's parameter that are variables of a moment."""

    block: str
    parameter: str
    elements: Sequence[int]
    names: Sequence[str]
    unit: str


class Moment:
    """A diagram at one moment; numbers of `changes` are variables, those of `reads` results."""

    def __init__(
        self,
        checked: Checked,
        compiled: bool = True,
        report: Report = unreported,
        changes: Sequence[Tap] = (),
        reads: Iterable[tuple[Key, int]] = (),
    ):
        self.checked = checked
        self.simulation = Simulation(checked, compiled, report=report)
        self._model = self.simulation.model
        self.w, self.layout = self.simulation.w, self.simulation.layout
        slots = checked.schedule.slots
        self.x = self._states()
        self.z = self._sampled_states()
        self.h = self._held()
        self.u = [
            Variable(name, tap.unit, slots.parameters[tap.block, tap.parameter].offset + i, 1.0)
            for tap in changes
            for i, name in zip(tap.elements, tap.names, strict=True)
        ]
        self.reads = [slots.signals[key].offset + element for key, element in reads]
        self.whole_states = self._whole_states()
        self._slots = np.array([v.slot for v in (*self.z, *self.h, *self.u)], dtype=int)
        self._kept = self.w.copy()

    # --- what may change -----------------------------------------------------------------------
    def _states(self) -> list[Variable]:
        slots, found = self.checked.schedule.slots, []
        for (block, name), ref in slots.states.items():
            unit = unit_of(self.checked.model.blocks[block], name)
            for i, label in enumerate(names_of(block, name, ref.shape)):
                at = ref.offset + i
                found.append(Variable(label, unit, at, float(slots.sizes[at])))
        return found

    def _sampled_states(self) -> list[Variable]:
        slots, found = self.checked.schedule.slots, []
        group_of = {call.block: call.group for call in self._sampled_calls()}
        for (block, name), ref in slots.discretes.items():
            if block not in group_of or ref.type is not float:
                continue
            unit = unit_of(self.checked.model.blocks[block], name)
            for i, label in enumerate(names_of(block, name, ref.shape)):
                found.append(Variable(label, unit, ref.offset + i, 1.0, group_of[block]))
        return found

    def _whole_states(self) -> list[Variable]:
        """States of sampled blocks that are whole numbers or truth values."""
        slots = self.checked.schedule.slots
        sampled = {call.block for call in self._sampled_calls()}
        return [
            Variable(label, "", ref.offset + i, 1.0)
            for (block, name), ref in slots.discretes.items()
            if block in sampled and ref.type is not float
            for i, label in enumerate(names_of(block, name, ref.shape))
        ]

    def counting(self, values: np.ndarray, hits: frozenset[int]) -> dict[str, tuple[float, float]]:
        """Whole states that change at a hit, with both values."""
        at = [v.slot for v in self.whole_states]
        before = self._kept[at]
        self(values, hits)
        return {
            v.name: (float(a), float(b))
            for v, a, b in zip(self.whole_states, before, self.w[at], strict=True)
            if a != b
        }

    def _held(self) -> list[Variable]:
        slots, found = self.checked.schedule.slots, []
        group_of = {call.block: call.group for call in self._sampled_calls()}
        for block, name in sampled_outputs(self.checked):
            ref = slots.signals[block, name]
            if ref.type is not float:
                continue
            port = self.checked.model.blocks[block].outputs[name]
            unit = str(port.unit) if port.unit is not None else ""
            for i, label in enumerate(names_of(block, name, ref.shape)):
                held = f"{label} (held)"
                found.append(Variable(held, unit, ref.offset + i, 1.0, group_of[block]))
        return found

    def _sampled_calls(self) -> Iterator[Call]:
        lowered = self.checked.schedule.lowered
        for step in (*lowered.outs, *lowered.tasks):
            if isinstance(step, Call) and step.group is not None:
                yield step

    @property
    def variables(self) -> list[Variable]:
        return [*self.x, *self.z, *self.h, *self.u]

    @property
    def ends(self) -> Ends:
        """The number of variables up to the end of each kind."""
        x, z, h = len(self.x), len(self.z), len(self.h)
        return Ends(x, x + z, x + z + h, x + z + h + len(self.u))

    # --- where it is ---------------------------------------------------------------------------
    def start(self) -> None:
        """Goes to the start of a run, after what happens there."""
        self.simulation.reset()
        self.simulation.advance(0)
        self._refuse_failed()
        self._keep()

    def run_to(self, time: float) -> None:
        """Goes to a time of a run from the start."""
        simulation = self.simulation
        simulation.reset()
        run_until(simulation, time)
        self._refuse_failed()
        self._keep()

    def _refuse_failed(self) -> None:
        if self.simulation.outcome in ("failed", "stopped"):
            raise SimulationError(self.simulation.reason or "the run ended before this time")

    def put(self, point: OperatingPoint) -> None:
        """Goes to an operating point."""
        put_point(self.simulation, point)
        self._keep()

    def point(self) -> OperatingPoint:
        """Where it is."""
        self.w[:] = self._kept
        return point_of(self.simulation)

    def _keep(self) -> None:
        self.w[sections.STATUS] = sections.RUNNING
        self._kept = self.w.copy()

    def use(self, checked: Checked) -> None:
        """Takes the parameters of another check; raises `DiagramError` for another structure."""
        self.simulation.use(checked)
        self.checked = checked

    def put_parameters(self, numbers: np.ndarray) -> None:
        """Takes other numbers for all parameters."""
        p = self.layout[sections.P]
        self.w[p : p + len(numbers)] = self._kept[p : p + len(numbers)] = numbers

    def put_values(self, values: np.ndarray) -> None:
        """Takes other values of all variables."""
        self._fill(self._kept, values)

    def settle(self) -> bool:
        """Puts guards on the side where they are, and does what that sets off; whether any moved.

        So a run begins: a guard that is found on its other side fires.
        """
        w, at = self.w, self.layout
        count = at[sections.N_GUARDS]
        if count == 0:
            return False
        w[:] = self._kept
        t, x, g, mode = self.time, at[sections.X], at[sections.G1], at[sections.MODE]
        self._model.outputs(t, w, x)
        self._model.guards(t, w, x, g)
        sides = np.where(w[g : g + count] >= 0.0, 1.0, 0.0)
        rising = sides > w[mode : mode + count]
        falling = sides < w[mode : mode + count]
        if not np.any(rising | falling):
            return False
        direction = w[at[sections.DIRECTION] :][:count]
        fires = (rising & (direction >= 0.0)) | (falling & (direction <= 0.0))
        w[mode : mode + count] = sides
        w[at[sections.FIRED] :][:count] = fires
        self._model.resets(t, w, x)
        w[at[sections.FIRED] :][:count] = 0.0
        self._keep()
        return True

    @property
    def time(self) -> float:
        return float(self._kept[sections.T])

    @property
    def values(self) -> np.ndarray:
        """Values of all variables at the moment."""
        x = self.layout[sections.X]
        return np.concatenate([self._kept[x : x + len(self.x)], self._kept[self._slots]])

    # --- the function --------------------------------------------------------------------------
    def __call__(self, values: np.ndarray, hits: frozenset[int] = NONE) -> np.ndarray:
        """x', z+, h+ and the signals read, where these groups of sample times are hit.

        Raises `SimulationError` where a block fails; what is undefined is nan or infinite.
        """
        w, n = self.w, len(self.x)
        at, x, k = self.layout, self.layout[sections.X], self.layout[sections.K]
        self._fill(w, values)
        for group in hits:
            w[at[sections.HIT] + group] = 1.0
        t = float(w[sections.T])
        try:
            self._model.outputs(t, w, x)
            self._model.rhs(t, w, x, k)
            signals = w[self.reads]
            if hits:
                self._model.tasks(t, w, x)
        except BlockFailure as failure:
            raise SimulationError(f"t = {t:.9g} s: {failure}") from failure
        failed = w[sections.FAILED] == 1.0
        states = self._slots[: len(self.z) + len(self.h)]
        result = np.concatenate([w[k : k + n], w[states], signals])
        return np.full_like(result, np.nan) if failed else result

    def _fill(self, w: np.ndarray, values: np.ndarray) -> None:
        signals, x, n = self.layout[sections.S], self.layout[sections.X], len(self.x)
        w[: sections.HEADER] = self._kept[: sections.HEADER]
        w[signals:] = self._kept[signals:]
        w[x : x + n] = values[:n]
        w[self._slots] = values[n:]

    def memory_at(self, values: np.ndarray) -> np.ndarray:
        """Memory of its own, with the variables as given, to be looked at."""
        w = self._kept.copy()
        self._fill(w, values)
        return w

    def quiet(self, values: np.ndarray, hits: frozenset[int] = NONE) -> np.ndarray:
        """As a call, but nan where a block fails: for looking around."""
        try:
            return self(values, hits)
        except SimulationError:
            return np.full(len(self.x) + len(self.z) + len(self.h) + len(self.reads), np.nan)

    # --- its derivatives -----------------------------------------------------------------------
    def dependence(self, hits: frozenset[int] = NONE) -> list[int]:
        """The variables that each result depends on, as bits."""
        n, program = len(self.x), self.checked.schedule.program
        known = {int(slot): 1 << (n + i) for i, slot in enumerate(self._slots)}
        dependencies(_active(program.outputs, hits), n, known)
        rows = dependencies(_active(program.rhs, hits), n, known)
        signals = [known.get(slot, 0) for slot in self.reads]
        dependencies(_active(program.tasks, hits), n, known)
        states = self._slots[: len(self.z) + len(self.h)]
        return [*rows, *(known.get(int(slot), 0) for slot in states), *signals]

    def derivatives(
        self, hits: frozenset[int] = NONE, sizes: np.ndarray | None = None
    ) -> Derivatives:
        """Derivatives of all results by all variables."""
        rows = self.dependence(hits)
        values = self.values
        if sizes is None:
            sizes = np.maximum(np.abs(values), [v.size for v in self.variables])
        chosen = colours(rows, len(values))
        return derivatives(lambda v: self.quiet(v, hits), values, sizes, rows, chosen)


def run_until(simulation: Simulation, time: float) -> None:
    """Runs as if the run ended at a time; what happens at that time is done."""
    stop = float(simulation.w[sections.T_STOP])
    simulation.w[sections.T_STOP] = time
    while not simulation.outcome:
        simulation.advance()
    simulation.w[sections.T_STOP] = stop
    if simulation.outcome == "done":
        simulation.w[sections.STATUS] = sections.RUNNING
        simulation.outcome = ""


def _active(steps: Iterable[Step], hits: frozenset[int]) -> list[Step]:
    """The steps that run where these groups are hit and no guard fires."""
    return [
        step for step in steps if isinstance(step, Loop) or step.group is None or step.group in hits
    ]
