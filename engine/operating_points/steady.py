"""The equations of a steady state: rates as asked, sampled states that stay, signals as held."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..analysis.checking import Checked, check
from ..errors import DiagramError, Position
from ..memory.references import parts_of
from ..memory.slots import Key
from ..model.streams import is_random
from ..program.lowering_processes import Report, unreported
from ..schedule.calls import Call, Loop
from ..schedule.sparsity import colours
from .conditions import Conditions, FreePort, per_second
from .differences import Derivatives, derivatives
from .moment import Moment, Tap
from .ports import PortElements, driver_elements
from .rewiring import Change, Replaced, rewired
from .signals import port_values, signal_values
from .states import names_of


@dataclass(frozen=True)
class Equation:
    """One equation: a number of a moment's results and what it has to be.

    Without `target` the number has to be the variable of the same name.
    """

    name: str
    unit: str
    row: int
    target: float | None


class SteadyEquations:
    """Residuals of a diagram's steady state over its unknowns, with bounds and sizes."""

    def __init__(
        self,
        checked: Checked,
        conditions: Conditions,
        compiled: bool = True,
        report: Report = unreported,
    ):
        self.conditions = conditions
        self._base = checked
        self._taps = [_change(free) for free in conditions.ports]
        places = [place for hold in conditions.holds for place in self._sources(hold.at)]
        self._keys = [key for key, _ in places]
        changed = self._changed(checked)
        taps = [Tap(c.block, "value", c.at.elements, c.at.names, c.at.unit) for c in self._taps]
        self.moment = Moment(changed, compiled, report, taps, places)
        self.hits = frozenset(range(len(changed.schedule.rates)))
        self._parameters: tuple[float, ...] = ()

    def _changed(self, checked: Checked) -> Checked:
        return rewired(checked, self._taps, self._keys, logged=())

    def _sources(self, at: PortElements) -> list[tuple[Key, int]]:
        """Where the values of a port come from, once free ports have theirs."""
        free = {(tap.at.key, i): (tap.block, "y") for tap in self._taps for i in tap.at.elements}
        before = driver_elements(self._base.model, at.key) if at.is_input else []
        if at.is_input and not before and (at.key, at.elements[0]) not in free:
            raise DiagramError(
                f"{at.name} has no wire; add --free {at.name} to give it a value",
                Position(f"--hold {at.name}"),
            )
        found: list[tuple[Key, int]] = []
        for i in at.elements:
            if (at.key, i) in free:
                found.append((free[at.key, i], i))
            elif at.is_input:
                port, element = before[i]
                key = (port.block, port.name)
                found.append((free.get((key, element), key), element))
            else:
                found.append((at.key, i))
        return found

    # --- unknowns ------------------------------------------------------------------------------
    def prepare(self) -> None:
        """Takes the moment as it is for the start; parameters and ports begin where asked."""
        moment, conditions = self.moment, self.conditions
        ends = moment.ends
        n_z, n_h, n = ends.z, ends.h, ends.all
        self.columns = [*range(n_z), *range(n_h, n)]
        values = moment.values
        slots = moment.checked.schedule.slots
        low, high = np.full(n, -np.inf), np.full(n, np.inf)
        index = {v.name: i for i, v in enumerate(moment.variables)}
        for free in conditions.states:
            ref = slots.state(free.key)
            labels = names_of(*free.key, ref.shape)
            for label in labels if free.element is None else [labels[free.element]]:
                if label not in index:
                    raise DiagramError(
                        f"{label} changes at events only, or is no real number; it cannot be free",
                        Position(f"--free {label}"),
                    )
                i = index[label]
                low[i], high[i] = free.low, free.high
                values[i] = values[i] if free.start is None else free.start
        now = signal_values(moment.simulation) if conditions.ports else {}
        i = n_h
        for port in conditions.ports:
            at = port.at
            present = np.ravel(port_values(self._base, at, now))[list(at.elements)]
            for value in present:
                low[i], high[i] = port.low, port.high
                values[i] = value if port.start is None else port.start
                i += 1
        values = np.clip(values, low, high)
        moment.put_values(values)
        own = conditions.parameters
        self.start = np.concatenate([values[self.columns], [p.start for p in own]])
        self.low = np.concatenate([low[self.columns], [p.low for p in own]])
        self.high = np.concatenate([high[self.columns], [p.high for p in own]])
        self.names = [moment.variables[i].name for i in self.columns] + [p.path for p in own]
        sizes = [moment.variables[i].size for i in self.columns] + [p.size for p in own]
        self._sizes = np.array(sizes, dtype=float)
        self.equations = self._equations()

    def _equations(self) -> list[Equation]:
        moment, rates = self.moment, self.conditions.rates
        ends = moment.ends
        n_x, n_z, n_h = ends.x, ends.z, ends.h
        slots, found, row = moment.checked.schedule.slots, [], 0
        for key, ref in slots.states.items():
            for i, label in enumerate(names_of(*key, ref.shape)):
                rate = rates.get((key, i), 0.0)
                if rate is not None:
                    unit = per_second(moment.x[ref.offset + i].unit)
                    found.append(Equation(f"rate of {label}", unit, ref.offset + i, rate))
        loose = {
            label
            for (key, i), rate in rates.items()
            if rate is None
            for label in [names_of(*key, slots.state(key).shape)[i]]
        }
        for row in range(n_x, n_z):
            variable = moment.variables[row]
            if variable.name not in loose:
                found.append(Equation(f"next {variable.name}", variable.unit, row, None))
        row = n_h
        for hold in self.conditions.holds:
            for name, value in zip(hold.at.names, hold.values, strict=True):
                found.append(Equation(name, hold.at.unit, row, value))
                row += 1
        self._loose = loose
        return found

    def sizes(self, unknowns: np.ndarray) -> np.ndarray:
        return np.maximum(np.abs(unknowns), self._sizes)

    # --- residuals -----------------------------------------------------------------------------
    def _values(self, unknowns: np.ndarray) -> np.ndarray:
        values = self.moment.values
        values[self.columns] = unknowns[: len(self.columns)]
        return values

    def _take_parameters(self, unknowns: np.ndarray) -> None:
        numbers = tuple(map(float, unknowns[len(self.columns) :]))
        if numbers == self._parameters or not numbers:
            return
        texts = {
            p.path: parameter_text(p.unit, x)
            for p, x in zip(self.conditions.parameters, numbers, strict=True)
        }
        base = self._base
        other = check(base.diagram.with_values(texts), base.registry, base.analysis)
        changed = self._changed(other)
        if changed.schedule.sections != self.moment.checked.schedule.sections:
            raise DiagramError(f"{', '.join(texts)} change the structure of the diagram")
        self.moment.put_parameters(changed.schedule.slots.parameter_values)
        self._parameters = numbers

    def __call__(self, unknowns: np.ndarray) -> np.ndarray:
        """The residuals; nan where something is not defined."""
        self._take_parameters(unknowns)
        values = self._values(unknowns)
        results = self.moment.quiet(values, self.hits)
        return self._residuals(results, values)

    def _residuals(self, results: np.ndarray, values: np.ndarray) -> np.ndarray:
        return np.array(
            [
                results[e.row] - (values[e.row] if e.target is None else e.target)
                for e in self.equations
            ]
        )

    def refuse_undefined(self, unknowns: np.ndarray) -> None:
        """Raises what a block says where the start is not defined."""
        self._take_parameters(unknowns)
        self.moment(self._values(unknowns), self.hits)

    def jacobian(self, unknowns: np.ndarray) -> Derivatives:
        rows = self.moment.dependence(self.hits)
        own = [(1 << (len(self.columns) + i)) for i in range(len(self.conditions.parameters))]
        every = sum(own)
        chosen = []
        for equation in self.equations:
            bits = rows[equation.row]
            kept = sum(1 << k for k, column in enumerate(self.columns) if bits >> column & 1)
            if equation.target is None:
                kept |= 1 << equation.row
            chosen.append(kept | every)
        sizes = self.sizes(unknowns)
        return derivatives(self, unknowns, sizes, chosen, colours(chosen, len(unknowns)))

    # --- the end -------------------------------------------------------------------------------
    def put(self, unknowns: np.ndarray) -> None:
        """Puts the moment where the unknowns are, with the held outputs that follow."""
        self._take_parameters(unknowns)
        ends = self.moment.ends
        n_z, n_h = ends.z, ends.h
        values = self._values(unknowns)
        values[n_z:n_h] = self.moment(values, self.hits)[n_z:n_h]
        self.moment.put_values(values)

    def present(self, unknowns: np.ndarray) -> np.ndarray:
        """The unknowns after the moment has changed by itself."""
        values = self.moment.values[self.columns]
        return np.concatenate([values, unknowns[len(self.columns) :]])

    def counting(self, unknowns: np.ndarray) -> list[str]:
        """Whole-numbered states that go on changing, in words."""
        changed = self.moment.counting(self._values(unknowns), self.hits)
        return [
            f"{name} goes on from {a:g} to {b:g} at each sample"
            for name, (a, b) in changed.items()
            if name not in self._loose and not self._is_random(name)
        ]

    def _is_random(self, state: str) -> bool:
        blocks = self.moment.checked.model.blocks
        return is_random(blocks[state.rpartition(".")[0]])

    def remarks(self) -> list[str]:
        """What a steady state cannot have, in words."""
        model = self.moment.checked.model
        random = [name for name, instance in model.blocks.items() if is_random(instance)]
        timed = [name for name in self._timed() if name not in random]
        texts = []
        if random:
            texts.append(f"{', '.join(random)}: random; the state is steady for the present value")
        if timed:
            texts.append(
                f"{', '.join(timed)}: depends on time; the state is steady at "
                f"t = {self.moment.time:g} s"
            )
        return texts

    def _timed(self) -> list[str]:
        """Blocks on the way to a rate or a sample that read the clock."""
        program = self.moment.checked.schedule.program
        blocks: dict[str, None] = {}
        for step in (*program.outputs, *program.rhs, *program.tasks):
            calls = step.calls if isinstance(step, Loop) else (step,)
            for call in calls:
                if isinstance(call, Call) and any(
                    ref.space == "t" for argument in call.arguments for ref in parts_of(argument)
                ):
                    blocks.setdefault(call.block)
        return list(blocks)


def parameter_text(unit: object, x: float) -> str:
    """A number with all of its digits, and its unit."""
    return f"{x!r}" if unit is None else f"{x!r} {unit}"


def _change(free: FreePort) -> Change:
    return Change(free.at, Replaced, {"value": 0.0 if free.start is None else free.start})
