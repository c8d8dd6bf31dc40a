"""A diagram with signals changed or replaced where they arrive, for looking at what follows.

What is inserted are ordinary blocks of the model, so that order, algebraic loops and the compiled
program follow as for any diagram; the file is not touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..analysis.checking import Checked
from ..checks.wiring import parts_of_elements
from ..declaration import EACH, Block, In, Out, Param, out
from ..errors import Position
from ..model.model import Instance, Model, Part, Port
from ..model.signals import LoggedSignal
from ..schedule.schedule import schedule
from .ports import PortElements, driver_elements

Element = tuple[tuple[str, str], int]
"""An element of an output, by block and port."""


class Changed(Block):
    """Signal with something added: y = u + change."""

    id = "rewiring.changed"
    u = In("?u", "signal", shape=EACH)
    y = Out("?u", "changed signal", shape=EACH)
    change = Param("?u", "what is added", shape=EACH, default=0.0)

    @out("y")
    def add(u, change):
        return u + change


class Added(Block):
    """Signal with a wave added: y = u + d."""

    id = "rewiring.added"
    u = In("?u", "signal")
    d = In("?u", "wave")
    y = Out("?u", "sum")

    @out("y")
    def add(u, d):
        return u + d


class Replaced(Block):
    """Constant in place of a signal."""

    id = "rewiring.replaced"
    y = Out("?u", "value", shape=EACH)
    value = Param("?u", "value", shape=EACH, default=0.0)

    @out("y")
    def give(value):
        return value


@dataclass(frozen=True)
class Change:
    """A signal that goes through a block, `kind`, or is replaced by it if that has no input.

    With `wave` the block's second input, `d`, is driven by a block of that type, and it is one
    element that goes through.
    """

    at: PortElements
    kind: type[Block] = Changed
    values: dict[str, Any] = field(default_factory=dict)
    wave: type[Block] | None = None

    @property
    def block(self) -> str:
        """The name of the block that stands in the signal's way."""
        return f"{self.at.port.path} ({self.kind.declaration.id.partition('.')[2]})"


def rewired(
    checked: Checked,
    changes: Iterable[Change],
    read: Iterable[tuple[str, str]] = (),
    logged: Sequence[LoggedSignal] | None = None,
) -> Checked:
    """The diagram with its signals changed, on the far side of where they are replaced.

    `read` are outputs that are computed also if no block needs them.
    """
    changes = sorted(changes, key=_order)
    model = checked.model
    model = replace(model, blocks=dict(model.blocks), drivers=dict(model.drivers))
    for change in changes:
        _insert(model, change)
    signals = checked.logged if logged is None else tuple(logged)
    keys = [(signal.block, signal.port) for signal in signals]
    plan = schedule(model, dict.fromkeys([*keys, *read]), checked.analysis.guesses)
    return replace(checked, model=model, schedule=plan, logged=signals)


def _order(change: Change) -> tuple[bool, bool]:
    """Outputs before inputs. What comes last is next to the port, which is the near side of an
    output and the far side of an input."""
    replaces = "u" not in change.kind.declaration.inputs
    return change.at.is_input, replaces != change.at.is_input


def outlets(changes: Iterable[Change]) -> dict[Element, Element]:
    """The elements of outputs that stand in for those that were changed."""
    found: dict[Element, Element] = {}
    for change in sorted(changes, key=_order):
        if not change.at.is_input:
            for element in change.at.elements:
                own = 0 if change.wave is not None else element
                found.setdefault((change.at.key, element), ((change.block, "y"), own))
    return found


def _insert(model: Model, change: Change) -> None:
    at, instance = change.at, _instance(change)
    outlet, size = instance.outputs["y"], at.port.size
    single = change.wave is not None
    before = driver_elements(model, at.key) if at.is_input else [(at.port, i) for i in range(size)]
    if "u" in instance.inputs and before:
        through = [before[at.elements[0]]] if single else before
        model.drivers[instance.name, "u"] = parts_of_elements(through)
    model.blocks[instance.name] = instance
    if change.wave is not None:
        wave = _wave(change, change.wave)
        model.blocks[wave.name] = wave
        model.drivers[instance.name, "d"] = (Part(0, wave.outputs["d"], 0, 1),)
    passed = {i: (outlet, 0 if single else i) for i in at.elements}
    if at.is_input:
        before = before or [(outlet, i) for i in range(size)]
        now = [passed.get(i, one) for i, one in enumerate(before)]
        model.drivers[at.key] = parts_of_elements(now)
        return
    for key, parts in list(model.drivers.items()):
        if key[0] == instance.name or not any(part.source is at.port for part in parts):
            continue
        now = [
            passed.get(i, (port, i)) if port is at.port else (port, i)
            for port, i in driver_elements(model, key)
        ]
        model.drivers[key] = parts_of_elements(now)


def _wave(change: Change, kind: type[Block]) -> Instance:
    name = f"{change.block} (wave)"
    declaration = kind.declaration
    values = {key: change.values.get(key, p.default) for key, p in declaration.params.items()}
    instance = Instance(name, kind, Position(name), values, dict.fromkeys(values), {}, shape=())
    for item in declaration.outputs.values():
        instance.outputs[item.name] = Port(
            name, item.name, item, item.name, (), change.at.port.unit
        )
    return instance


def _instance(change: Change) -> Instance:
    port, declaration = change.at.port, change.kind.declaration
    shape, name = (port.shape or ()) if change.wave is None else (), change.block
    values: dict[str, Any] = {}
    for key, param in declaration.params.items():
        value = change.values.get(key, param.default)
        spread = param.shape == EACH and shape
        values[key] = np.broadcast_to(np.asarray(value, float), shape).copy() if spread else value
    instance = Instance(
        name, change.kind, Position(name), values, dict.fromkeys(values), {}, shape=shape
    )
    default = port.default if change.at.is_input else None
    for item in declaration.inputs.values():
        own = replace(item, default=default)
        instance.inputs[item.name] = Port(name, item.name, own, item.name, shape, port.unit)
    for out_item in declaration.outputs.values():
        instance.outputs[out_item.name] = Port(
            name, out_item.name, out_item, out_item.name, shape, port.unit
        )
    return instance
