"""Operating points: where all states of a diagram are at one moment."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..analysis.checking import Checked
from ..errors import DiagramError, Position, suggestion
from ..memory import layout as sections
from ..memory.references import Ref
from ..memory.slots import Key
from ..runs.simulation import Simulation
from .states import unit_of

Numbers = Mapping[Key, np.ndarray]


@dataclass(frozen=True)
class OperatingPoint:
    """Where all states of a diagram are at one moment, by block and name.

    `held` are outputs of sampled blocks, which stay from hit to hit, `modes` the sides of guards.
    `parameters` and `ports` were found together with the states: values of parameters as a diagram
    writes them, and constants in place of what drives ports otherwise. `units` are those of states,
    held outputs and ports by their names, as far as they are known.
    """

    identity: str
    file: str
    time: float
    states: Numbers
    discretes: Numbers
    held: Numbers
    modes: Numbers
    parameters: Mapping[str, str] = field(default_factory=dict)
    ports: Mapping[str, float] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)

    def state(self, name: str) -> float | np.ndarray:
        """A state by its name, as in `motor.i`."""
        block, _, own = name.rpartition(".")
        for values in (self.states, self.discretes):
            if (block, own) in values:
                value = values[block, own]
                return float(value[0]) if value.size == 1 else value
        known = [f"{b}.{n}" for b, n in (*self.states, *self.discretes)]
        raise DiagramError(f"'{name}' is not a state{suggestion(name, known)}")


def identity_of(checked: Checked) -> str:
    """What makes points of a diagram fit: its blocks with their states, and its wires."""
    slots, model = checked.schedule.slots, checked.model
    digest = hashlib.blake2b(digest_size=8)
    for name, instance in sorted(model.blocks.items()):
        digest.update(f"{name} {instance.declaration.id}\n".encode())
    for groups in (slots.states, slots.discretes):
        for (block, name), ref in sorted(groups.items()):
            digest.update(f"{block}.{name} {ref.shape} {ref.type.__name__}\n".encode())
    for (block, name), parts in sorted(model.drivers.items()):
        ends = ",".join(f"{p.start}:{p.source.path}:{p.first}:{p.count}" for p in parts)
        digest.update(f"{block}.{name} {ends}\n".encode())
    return digest.hexdigest()


def point_of(simulation: Simulation) -> OperatingPoint:
    """Where a run is now."""
    checked, w, layout = simulation.checked, simulation.w, simulation.layout
    slots = checked.schedule.slots
    x = layout[sections.X]
    return OperatingPoint(
        identity_of(checked),
        checked.model.file,
        simulation.time,
        {key: _read(w, ref, x) for key, ref in slots.states.items()},
        {key: _read(w, ref) for key, ref in slots.discretes.items()},
        {key: _read(w, slots.signals[key]) for key in sampled_outputs(checked)},
        {
            key: np.array([w[layout[sections.MODE] + i] for i in indices])
            for key, indices in guards_by_name(checked).items()
        },
        units=dict(units_of(checked)),
    )


def put_point(simulation: Simulation, point: OperatingPoint) -> None:
    """Puts a run where a point is; what the diagram has beside it stays as it is."""
    checked, w, layout = simulation.checked, simulation.w, simulation.layout
    slots = checked.schedule.slots
    w[sections.T] = w[sections.T_OLD] = point.time
    for values, refs, base in (
        (point.states, slots.states, layout[sections.X]),
        (point.discretes, slots.discretes, 0),
        (point.held, slots.signals, 0),
    ):
        for key, numbers in values.items():
            if key in refs:
                offset = base + refs[key].offset
                w[offset : offset + refs[key].size] = numbers
    for key, indices in guards_by_name(checked).items():
        for i, side in zip(indices, point.modes.get(key, ()), strict=False):
            w[layout[sections.MODE] + i] = side


def refuse_misfit(checked: Checked, point: OperatingPoint) -> None:
    """Refuses a point of another diagram, with the first difference."""
    slots = checked.schedule.slots
    reasons: list[str] = []
    groups: tuple[tuple[str, Numbers, Mapping[Key, Ref | list[int]]], ...] = (
        ("state", point.states, slots.states),
        ("discrete state", point.discretes, slots.discretes),
        ("held output", point.held, {k: slots.signals[k] for k in sampled_outputs(checked)}),
        ("guard", point.modes, guards_by_name(checked)),
    )
    for what, given, own in groups:
        for key in given:
            if key not in own:
                reasons.append(f"the diagram has no {what} {'.'.join(key)}")
            elif given[key].size != (size := _size(own[key])):
                reasons.append(
                    f"{'.'.join(key)} has {size} elements in the diagram and {given[key].size} in "
                    "the point"
                )
        reasons += [f"the point lacks the {what} {'.'.join(k)}" for k in own if k not in given]
    if not reasons and point.identity != identity_of(checked):
        reasons.append("its blocks or wires differ from those of the diagram it was found for")
    if reasons:
        more = f" ({len(reasons) - 1} more differences)" if len(reasons) > 1 else ""
        raise DiagramError(
            f"the point does not fit the diagram {checked.model.file}: {reasons[0]}{more}; make a "
            "new one with `railblocks trim`",
            Position(point.file),
        )


def units_of(checked: Checked) -> Iterator[tuple[str, str]]:
    """Units of states and held outputs by their names."""
    blocks, slots = checked.model.blocks, checked.schedule.slots
    for block, name in (*slots.states, *slots.discretes):
        yield f"{block}.{name}", unit_of(blocks[block], name)
    for block, name in sampled_outputs(checked):
        port = blocks[block].outputs[name]
        yield port.path, str(port.unit) if port.unit is not None else ""


def sampled_outputs(checked: Checked) -> tuple[Key, ...]:
    """Outputs of sampled blocks."""
    return tuple(
        (name, port)
        for name, instance in checked.model.blocks.items()
        if instance.declaration.sampled is not None
        for port in instance.outputs
    )


def guards_by_name(checked: Checked) -> dict[Key, list[int]]:
    """The numbers of the guards of each name, one for each element of their block."""
    numbers: dict[Key, list[int]] = {}
    for i, guard in enumerate(checked.schedule.guards):
        numbers.setdefault((guard.block, guard.name), []).append(i)
    return numbers


def _size(own: Ref | list[int]) -> int:
    return len(own) if isinstance(own, list) else own.size


def _read(w: np.ndarray, ref: Ref, base: int = 0) -> np.ndarray:
    return w[base + ref.offset : base + ref.offset + ref.size].copy()
