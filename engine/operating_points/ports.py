"""Ports as a user names them: `motor.u`, `rig.omega[1]`, `sum.y -> gain.u`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ..checks.wiring import selected
from ..diagram.endpoints import Endpoint, index_text, read_endpoint, read_wires
from ..errors import DiagramError, Position, suggestion
from ..model.model import Model, Port
from ..text.nodes import Scalar


@dataclass(frozen=True)
class PortElements:
    """Elements of a port: of an output, or of an input and what arrives there."""

    name: str
    port: Port
    is_input: bool
    elements: tuple[int, ...]

    @property
    def key(self) -> tuple[str, str]:
        return self.port.block, self.port.name

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each element."""
        shape = self.port.shape or ()
        if not shape:
            return (self.port.path,)
        return tuple(
            self.port.path + index_text(tuple(map(int, np.unravel_index(e, shape))))
            for e in self.elements
        )

    @property
    def unit(self) -> str:
        return str(self.port.unit) if self.port.unit is not None else ""


def find_elements(model: Model, text: str, option: str) -> PortElements:
    """The elements of an input or an output; raises `DiagramError`."""
    place = Position(f"{option} {text}")
    return _elements(model, read_endpoint(text.strip(), place), text.strip(), place)


def find_wire(model: Model, text: str, option: str) -> PortElements:
    """The end at which a wire is cut: `a.y -> b.u` at b.u, else the port that is named."""
    if "->" not in text:
        return find_elements(model, text, option)
    place = Position(f"{option} {text}")
    wires = list(read_wires(Scalar(text, text, False, place)))
    if len(wires) != 1:
        raise DiagramError(f"{text!r} are {len(wires)} wires; name one", place)
    source = _elements(model, wires[0][0], str(wires[0][0]), place)
    target = _elements(model, _input_end(model, wires[0][1]), str(wires[0][1]), place)
    if not target.is_input or source.is_input:
        raise DiagramError("a wire goes from an output to an input", place)
    driven = driver_elements(model, target.key)
    for element in target.elements:
        if driven[element][0] is not source.port:
            known = ", ".join(sorted({port.path for port, _ in driven}))
            raise DiagramError(
                f"there is no such wire; {target.port.path} is driven by {known or 'nothing'}",
                place,
            )
    return target


def _input_end(model: Model, end: Endpoint) -> Endpoint:
    """The end of a wire, with the name of the only input where none is given."""
    instance = model.blocks.get(end.block)
    if end.port is None and instance is not None and len(instance.inputs) == 1:
        return replace(end, port=next(iter(instance.inputs)))
    return end


def driver_elements(model: Model, key: tuple[str, str]) -> list[tuple[Port, int]]:
    """The output element that drives each element of an input; nothing where it has no wire."""
    parts = model.drivers.get(key, ())
    return [(p.source, p.first + i) for p in parts for i in range(p.count)]


def refuse_other_than_real(ends: Iterable[PortElements], what: str, option: str) -> None:
    """Truth values and whole numbers neither change by a little nor take other values."""
    for end in ends:
        if end.port.item.type not in (float, object):
            raise DiagramError(
                f"{end.name} is {end.port.item.type_text}; only real signals can be {what}",
                Position(option),
            )


def _elements(model: Model, end: Endpoint, text: str, place: Position) -> PortElements:
    port, is_input = _port(model, end, place)
    try:
        picked = selected(port.shape or (), end.index)
    except IndexError:
        size = " x ".join(map(str, port.shape or (1,)))
        raise DiagramError(f"{port.path} has {size} elements; indices start at 0", place) from None
    return PortElements(text, port, is_input, tuple(map(int, np.ravel(picked))))


def _port(model: Model, end: Endpoint, place: Position) -> tuple[Port, bool]:
    name = f"{end.block}.{end.port}" if end.port else end.block
    if name in model.aliases:
        block, port = model.aliases[name]
        return model.blocks[block].outputs[port], False
    instance = model.blocks.get(end.block)
    if instance is None:
        near = suggestion(end.block, [*model.blocks, *model.aliases])
        raise DiagramError(f"'{end.block}' is not a block{near}", place)
    if end.port is None:
        if len(instance.outputs) != 1:
            ports = ", ".join([*instance.inputs, *instance.outputs])
            raise DiagramError(f"{end.block} has the ports {ports}; name one", place)
        return next(iter(instance.outputs.values())), False
    if end.port in instance.outputs:
        return instance.outputs[end.port], False
    if end.port in instance.inputs:
        return instance.inputs[end.port], True
    known = [*instance.inputs, *instance.outputs]
    near = suggestion(end.port, known) or f"; its ports: {', '.join(known)}"
    kind = instance.declaration.id
    raise DiagramError(f"'{end.port}' is not a port of {end.block} ({kind}){near}", place)
