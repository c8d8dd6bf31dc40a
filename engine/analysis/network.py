"""Blocks joined by wires: types, shapes and units of their ports, and what drives each input."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..checks.paces import refuse_odd_paces
from ..checks.shapes import infer_shapes, refuse_misfits
from ..checks.unit_inference import infer_units
from ..checks.wiring import Link, connect, drivers
from ..diagram.flatten import FlatDiagram
from ..errors import Problem
from ..model.model import Instance, Part
from ..model.sizes import refuse_large_diagram

Drivers = dict[tuple[str, str], tuple[Part, ...]]


@dataclass(frozen=True)
class Network:
    """Blocks by name, the wires between their ports, and the elements that drive each input."""

    instances: dict[str, Instance] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    drivers: Drivers = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def connected(flat: FlatDiagram, instances: dict[str, Instance]) -> Network:
    """The network of some blocks of a diagram; shapes and units are written into their ports."""
    problems: list[Problem] = []
    links, spoilt = connect(flat.wires, instances, flat.blocks, problems)
    infer_shapes(instances, links, problems)
    refuse_misfits(instances, flat.blocks, problems)
    refuse_large_diagram(instances.values(), problems)
    refuse_odd_paces(instances, links, problems)
    infer_units(instances, links, flat.blocks, problems)
    return Network(instances, links, drivers(instances, links, spoilt, problems), problems)
