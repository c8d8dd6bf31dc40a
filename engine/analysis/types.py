"""Ports, units and shapes of all blocks of a diagram, as far as they can be known.

A diagram that differs little from an earlier one takes over the blocks that say the same, since
some derive tables from their parameters, which takes its time.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np

from ..checks.resolve import resolve
from ..checks.shapes import infer_shapes
from ..checks.unit_inference import infer_units
from ..checks.wiring import connect, drivers
from ..declaration.registry import Registry
from ..diagram.assignments import Assignment, used_names
from ..diagram.diagram import Diagram
from ..diagram.flatten import FlatBlock, FlatDiagram, flatten
from ..diagram.values import node_of
from ..errors import DiagramError, Problem
from ..model.model import Instance, Port
from ..model.sizes import refuse_large_diagram


class Types:
    """What is known of a diagram; `problems` are those of its wires."""

    def __init__(self, diagram: Diagram, registry: Registry, before: Types | None = None):
        self.registry = registry
        self.flat: FlatDiagram | None = None
        self.instances: dict[str, Instance] = {}
        self.problems: list[Problem] = []
        self._resolved: dict[str, tuple[FlatBlock, Instance]] = {}
        known = before._resolved if before is not None and before.registry is registry else {}
        with contextlib.suppress(DiagramError):
            self.flat = flatten(diagram, strict=False)
            for name, block in self.flat.blocks.items():
                found = known.get(name)
                if found is not None and _says_the_same(found[0], block):
                    self._keep(block, found[1])
                elif (instance := _instance(block, registry)) is not None:
                    self._keep(block, instance)
            problems = self.problems
            links, spoilt = connect(self.flat.wires, self.instances, self.flat.blocks, problems)
            infer_shapes(self.instances, links, problems)
            refuse_large_diagram(self.instances.values(), problems)
            infer_units(self.instances, links, self.flat.blocks, problems)
            drivers(self.instances, links, spoilt, problems)

    def _keep(self, block: FlatBlock, instance: Instance) -> None:
        """Inference changes its instances, so it gets copies."""
        self._resolved[block.name] = (block, instance)
        self.instances[block.name] = replace(
            instance,
            place=block.place,
            sizes=dict(instance.sizes),
            inputs={name: replace(port) for name, port in instance.inputs.items()},
            outputs={name: replace(port) for name, port in instance.outputs.items()},
        )

    def output(self, block: str, name: str) -> Port | None:
        """An output of a block or of a subsystem, by the full name of its block."""
        if block in self.instances:
            return self.instances[block].outputs.get(name)
        end = self.flat.ports.get(f"{block}.{name}") if self.flat else None
        if end is None or end.block not in self.instances:
            return None
        outputs = self.instances[end.block].outputs
        return outputs.get(end.port) if end.port else next(iter(outputs.values()), None)


def _instance(block: FlatBlock, registry: Registry) -> Instance | None:
    """The resolved block; one that lacks values has the ports that it has with its example's."""
    instance = resolve(block, registry, [])
    kind = registry.get(block.type)
    if instance is not None or kind is None:
        return instance
    params = kind.declaration.params
    missing = [n for n, p in params.items() if p.required and n not in block.values]
    filled = {
        name: Assignment(node_of(kind.example[name], block.place), {}, block.place)
        for name in missing
        if name in kind.example
    }
    instance = resolve(replace(block, values={**block.values, **filled}), registry, [])
    if instance is not None:
        instance.units = {n: u for n, u in instance.units.items() if n not in filled}
    return instance


def _says_the_same(old: FlatBlock, new: FlatBlock) -> bool:
    return (
        old.type == new.type
        and old.values.keys() == new.values.keys()
        and all(_equal(value, new.values[name]) for name, value in old.values.items())
    )


def _equal(old: Assignment, new: Assignment) -> bool:
    """Whether two values are written alike and use equal parameters."""
    if old.node != new.node or old.included != new.included:
        return False
    for name in used_names(old.node):
        if (name in old.scope) != (name in new.scope):
            return False
        if name not in old.scope:
            continue
        try:
            left, right = old.scope[name], new.scope[name]
        except DiagramError:
            return False
        if left.unit != right.unit or not np.array_equal(left.value, right.value):
            return False
    return old.text() == new.text() if _is_word(old) else True


def _is_word(assignment: Assignment) -> bool:
    """Whether a value may stand for a parameter that is text."""
    return bool(getattr(assignment.node, "text", "").isidentifier())
