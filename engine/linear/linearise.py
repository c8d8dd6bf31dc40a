"""Linearisation of a diagram about a point: small changes of signals, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..analysis.checking import Checked, check
from ..diagram.diagram import Diagram
from ..errors import DiagramError, Position, SimulationError
from ..memory.slots import Key
from ..operating_points.conditions import per_second
from ..operating_points.differences import Derivatives
from ..operating_points.moment import Moment, Tap
from ..operating_points.point import OperatingPoint, refuse_misfit
from ..operating_points.ports import (
    PortElements,
    driver_elements,
    find_wire,
    refuse_other_than_real,
)
from ..operating_points.rewiring import (
    Added,
    Change,
    Changed,
    Element,
    Replaced,
    outlets,
    rewired,
)
from ..operating_points.signals import port_values, replaced_by, signal_values
from ..program.lowering_processes import Report, unreported
from ..runs.checkpoint import in_seconds
from .discontinuities import discontinuities
from .model import LinearModel
from .sampled import Period, common_period, is_sampled, one_period, period_note

Outlets = dict[Element, Element]
MOVING = 1e-6
"""Change in a second, over the size of a state, that is no rest."""
ENOUGH = 1e-6
"""Relative error of a matrix that is worth a warning."""


@dataclass(frozen=True)
class Ends:
    """Where a linear model begins and ends, by names of ports, and where loops are opened."""

    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    loop: str | None = None

    @classmethod
    def of_loop(cls, wire: str) -> Ends:
        """The loop through a wire, from behind the cut all the way to it."""
        return cls((wire,), (wire,), (wire,), wire)


def linearise(
    diagram: Diagram | Checked,
    inputs: Sequence[str] | str = (),
    outputs: Sequence[str] | str = (),
    *,
    at: float | str | None = None,
    point: OperatingPoint | None = None,
    opened: Sequence[str] | str = (),
    loop: str | None = None,
    compiled: bool = True,
) -> LinearModel:
    """The linear model of a diagram, from changes of some ports to the signals at others.

    `at` is a time of a run, `point` an operating point; else it is the start of a run. A port is an
    output, changed for all that it drives, or an input, changed for its block alone; what is read
    at a port is what arrives there, before it is changed. Wires in `opened` are cut, and hold the
    value that they have at the point. `loop` names a wire in place of all these: the model is the
    gain of the loop through it, with the sign of negative feedback.
    """
    checked = diagram if isinstance(diagram, Checked) else checked_at(diagram, point)
    if loop is not None and (inputs or outputs or opened):
        raise DiagramError("a loop says by itself from where to where; give no other ports")
    ends = Ends(_texts(inputs), _texts(outputs), _texts(opened))
    if loop is not None:
        ends = Ends.of_loop(loop)
    return Linearisation(checked, ends, point, at, compiled).model()


def checked_at(diagram: Diagram, point: OperatingPoint | None) -> Checked:
    """The diagram with the parameters that were found with a point, checked."""
    if point is not None and point.parameters:
        diagram = diagram.with_values(dict(point.parameters))
    return check(diagram)


class Linearisation:
    """A diagram made ready for linear models about points, with its inputs and outputs."""

    def __init__(
        self,
        checked: Checked,
        ends: Ends,
        point: OperatingPoint | None = None,
        at: float | str | None = None,
        compiled: bool = True,
        report: Report = unreported,
    ):
        if point is not None and at is not None:
            raise DiagramError("a point and a time are two places; give one of them")
        self.ends = ends
        model = checked.model
        self.inputs = _found(model, ends.inputs, "--from")
        self.outputs = [find_wire(model, text, "--to") for text in ends.outputs]
        self.opened = _found(model, ends.opened, "--open")
        refuse_other_than_real(self.inputs, "changed by a little", "--from")
        refuse_other_than_real(self.outputs, "read", "--to")
        refuse_other_than_real(self.opened, "opened", "--open")
        self._refuse_twice()
        self._compiled, self._report = compiled, report
        self._time = None if at is None else in_seconds(at)
        self._is_meant_steady = point is not None
        self.checked = self._at(checked, point)
        self.moment = self._moment(point)

    @staticmethod
    def _at(checked: Checked, point: OperatingPoint | None) -> Checked:
        """The diagram with ports held as at the point."""
        if point is None:
            return checked
        refuse_misfit(checked, point)
        return replaced_by(checked, point.ports)

    def use(self, checked: Checked, point: OperatingPoint | None = None) -> None:
        """Takes the values of another check of the diagram, and goes to its point.

        Raises `DiagramError` where its structure is another.
        """
        if self.opened:
            raise DiagramError("opened wires hold other values at another point")
        self.checked = self._at(checked, point)
        self.moment.use(self._rewired({})[0])
        self._go(self.moment, point)

    def _refuse_twice(self) -> None:
        for what, ends in (("--from", self.inputs), ("--open", self.opened)):
            seen: set[tuple[Key, int]] = set()
            for end in ends:
                for element in end.elements:
                    if (end.key, element) in seen:
                        raise DiagramError(f"{end.name} is named twice", Position(what))
                    seen.add((end.key, element))

    # --- the point -----------------------------------------------------------------------------
    def _moment(self, point: OperatingPoint | None) -> Moment:
        values: dict[Key, np.ndarray] = {}
        if self.opened:
            whole = Moment(self.checked, self._compiled, self._report)
            self._go(whole, point)
            values = signal_values(whole.simulation)
            point = whole.point()
        moment = self._changed_moment(values)
        self._go(moment, point)
        return moment

    def _go(self, moment: Moment, point: OperatingPoint | None) -> None:
        if point is not None:
            moment.put(point)
        elif self._time is None:
            moment.start()
        else:
            settings = self.checked.settings
            if not settings.start <= self._time <= settings.stop:
                raise DiagramError(
                    f"t = {self._time:g} s is not a time of the run, from {settings.start:g} s to "
                    f"{settings.stop:g} s",
                    Position("--at"),
                )
            moment.run_to(self._time)

    def _changed_moment(self, values: dict[Key, np.ndarray]) -> Moment:
        changed, places = self._rewired(values)
        changes = [
            Tap(Change(end, Changed).block, "change", end.elements, end.names, end.unit)
            for end in self.inputs
        ]
        return Moment(changed, self._compiled, self._report, changes, places)

    def _rewired(self, values: dict[Key, np.ndarray]) -> tuple[Checked, list[tuple[Key, int]]]:
        """The diagram with its wires opened and its inputs to be changed; where outputs are."""
        cuts = [
            Change(_merged(group), Replaced, {"value": port_values(self.checked, group[0], values)})
            for group in _by_port(self.opened)
        ]
        taps = [Change(_merged(group), Changed) for group in _by_port(self.inputs)]
        passed = outlets([*cuts, *taps])
        places = [place for end in self.outputs for place in self._sources(end, passed)]
        keys = [key for key, _ in places]
        return rewired(self.checked, [*cuts, *taps], keys, logged=()), places

    def _sources(self, end: PortElements, passed: Outlets) -> list[tuple[Key, int]]:
        """What is read at a port: an output, or what arrives at an input before it is changed."""
        if not end.is_input:
            return [(end.key, element) for element in end.elements]
        before = driver_elements(self.checked.model, end.key)
        if not before:
            raise DiagramError(f"{end.name} has no wire; nothing arrives there", Position("--to"))
        found = []
        for element in end.elements:
            port, source = before[element]
            own = ((port.block, port.name), source)
            found.append(passed.get(own, own))
        return found

    def places_behind_waves(self) -> list[tuple[Key, int]]:
        """Where outputs are read once waves are added at the inputs."""
        taps = [Change(end, Added) for end in self.inputs]
        passed = outlets(taps)
        return [place for end in self.outputs for place in self._sources(end, passed)]

    def input_value(self) -> float:
        """The value of the first input's signal at the point."""
        values = signal_values(self.moment.simulation)
        end = self.inputs[0]
        return float(np.ravel(port_values(self.checked, end, values))[end.elements[0]])

    # --- the model -----------------------------------------------------------------------------
    def model(self) -> LinearModel:
        """The linear model about the point."""
        moment, checked = self.moment, self.checked
        base = moment(moment.values)
        if not np.all(np.isfinite(base)):
            raise SimulationError(
                f"t = {moment.time:.9g} s: {self._undefined(base)} is not finite; a linear model "
                "needs a point at which everything is defined"
            )
        finding = discontinuities(moment)
        period = self.period
        if period is not None:
            model = self._sampled(period)
        else:
            model = self._continuous(moment.derivatives())
        sign = -1.0 if self.ends.loop is not None else 1.0
        warnings = (*finding.warnings, *self._inexact(model.error))
        model = replace(
            model,
            C=sign * model.C,
            D=sign * model.D,
            title=checked.model.title or checked.model.file,
            time=moment.time,
            warnings=warnings,
            notes=(*finding.notes, *model.notes, *self._motion(base)),
        )
        return model

    def _motion(self, base: np.ndarray) -> list[str]:
        """What moves at a point that is meant to be steady, the fastest over its size first."""
        if not self._is_meant_steady:
            return []
        moment = self.moment
        speeds = [
            (abs(float(rate)) / max(abs(float(x)), v.size), float(rate), v)
            for rate, x, v in zip(base, moment.values, moment.x, strict=False)
        ]
        fast = sorted((s for s in speeds if s[0] > MOVING), key=lambda s: -s[0])
        if not fast:
            return []
        _, rate, variable = fast[0]
        more = f", and {len(fast) - 1} more" if len(fast) > 1 else ""
        unit = per_second(variable.unit)
        return [f"at the point {variable.name} changes by {rate:.4g} {unit or 'in a second'}{more}"]

    def _undefined(self, base: np.ndarray) -> str:
        n = len(self.moment.x)
        first = int(np.flatnonzero(~np.isfinite(base))[0])
        if first < n:
            return f"the rate of {self.moment.x[first].name}"
        names = [v.name for v in (*self.moment.z, *self.moment.h)]
        names += [name for end in self.outputs for name in end.names]
        return names[first - n]

    def _inexact(self, error: float) -> list[str]:
        if error <= ENOUGH:
            return []
        return [
            f"the matrices are known to {error:.1g} of the largest number of a row only: the "
            "equations bend or jump close to the point"
        ]

    def _units(self) -> dict[str, str]:
        named = [*((v.name, v.unit) for v in self.moment.variables)]
        named += [(name, end.unit) for end in self.outputs for name in end.names]
        return dict(named)

    def _continuous(self, found: Derivatives) -> LinearModel:
        ends = self.moment.ends
        n_x, n_h = ends.x, ends.h
        self._refuse_unknown(found.matrix)
        J = found.matrix
        notes = []
        if self.moment.checked.schedule.rates:
            notes = ["sampled blocks are on no way from states or inputs back to states or outputs"]
        return LinearModel(
            J[:n_x, :n_x], J[:n_x, n_h:], J[n_h:, :n_x], J[n_h:, n_h:],
            tuple(v.name for v in self.moment.x), *self._names(),
            self._units(), None, error=found.relative_error, notes=tuple(notes),
        )  # fmt: skip

    def _names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        outputs = tuple(name for end in self.outputs for name in end.names)
        return tuple(v.name for v in self.moment.u), outputs

    def _refuse_unknown(self, matrix: np.ndarray) -> None:
        unknown = np.argwhere(~np.isfinite(matrix))
        if not len(unknown):
            return
        i, j = map(int, unknown[0])
        names = [f"the rate of {v.name}" for v in self.moment.x]
        names += [v.name for v in (*self.moment.z, *self.moment.h)]
        names += list(self._names()[1])
        raise SimulationError(
            f"t = {self.moment.time:.9g} s: {names[i]} has no derivative by "
            f"{self.moment.variables[j].name} here; a linear model needs a point on both sides of "
            "which everything is defined"
        )

    @property
    def period(self) -> Period | None:
        """The common period of the sampled blocks, if they matter."""
        schedule = self.moment.checked.schedule
        if not schedule.rates or not is_sampled(self.moment):
            return None
        return common_period(schedule.rates, self.moment.checked.model.file)

    def _sampled(self, period: Period) -> LinearModel:
        moment = self.moment
        found = one_period(moment, period)
        self._refuse_unknown(found.read)
        ends = moment.ends
        n_z, n_h = ends.z, ends.h
        first = period.hits[0][1]
        kept = [
            i
            for i, variable in enumerate(moment.variables[:n_h])
            if i < n_z or variable.group not in first
        ]
        names = tuple(moment.variables[i].name for i in kept)
        length = period.length
        return LinearModel(
            found.step[np.ix_(kept, kept)], found.step[kept, n_h:],
            found.read[:, kept], found.read[:, n_h:], names, *self._names(), self._units(),
            float(length), error=found.error, notes=tuple(period_note(moment, length)),
        )  # fmt: skip


def _texts(given: Sequence[str] | str) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _found(model, texts: Sequence[str], option: str) -> list[PortElements]:
    return [find_wire(model, text, option) for text in texts]


def _by_port(ends: Sequence[PortElements]) -> list[list[PortElements]]:
    groups: dict[Key, list[PortElements]] = {}
    for end in ends:
        groups.setdefault(end.key, []).append(end)
    return list(groups.values())


def _merged(group: Sequence[PortElements]) -> PortElements:
    elements = tuple(element for end in group for element in end.elements)
    return replace(group[0], elements=elements)
