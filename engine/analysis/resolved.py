"""Blocks whose values were read once, for diagrams that write them alike."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..declaration.registry import Registry
from ..diagram.assignments import Assignment, used_names
from ..diagram.flatten import FlatBlock
from ..diagram.values import node_of
from ..errors import DiagramError
from ..model.model import Instance, Port
from ..text.files import FileRead
from ..text.nodes import Scalar


@dataclass(frozen=True)
class Resolved:
    """A block as it was written, with its values, and the files that they were read from.

    `sizes` are those that followed from the values alone: wires add others to the instance.
    """

    block: FlatBlock
    instance: Instance
    sizes: dict[str, int]
    files: tuple[FileRead, ...] = ()

    @classmethod
    def of(cls, block: FlatBlock, instance: Instance, read: Mapping[str, FileRead]) -> Resolved:
        """The record of an instance, taken before any wire has touched it."""
        return cls(block, instance, dict(instance.sizes), tuple(read.values()))

    def holds_for(self, block: FlatBlock) -> bool:
        """Whether another block is written alike and the files are as they were."""
        return says_the_same(self.block, block) and all(map(is_unchanged, self.files))

    def renewed(self, block: FlatBlock) -> Resolved:
        """The same values for a block of another diagram, written at another position."""
        return Resolved(block, self.copy(block), self.sizes, self.files)

    def copy(self, block: FlatBlock | None = None) -> Instance:
        """An instance of its own, as it is before it is wired."""
        old, written = self.instance, block or self.block
        return Instance(
            old.name,
            old.type,
            written.position,
            old.values,
            old.units,
            dict(self.sizes),
            {name: _unwired(port) for name, port in old.inputs.items()},
            {name: _unwired(port) for name, port in old.outputs.items()},
            condition=written.condition,
            trigger=written.trigger,
        )


def _unwired(port: Port) -> Port:
    return Port(port.block, port.name, port.item, port.group)


def is_unchanged(file: FileRead) -> bool:
    """Whether a file has the size and the time of change that it had when it was read."""
    try:
        now = os.stat(file.path)
    except OSError:
        return False
    return (now.st_size, now.st_mtime_ns) == (file.size, file.modified)


def example_values(block: FlatBlock, registry: Registry) -> FlatBlock | None:
    """The block with values of its example for those that it lacks; None if there are none."""
    kind = block.kind or registry.get(block.type)
    if kind is None:
        return None
    params = kind.declaration.params
    missing = [n for n, p in params.items() if p.required and n not in block.values]
    filled = {
        name: Assignment(node_of(kind.example[name], block.position), {}, block.position)
        for name in missing
        if name in kind.example
    }
    return replace(block, values={**block.values, **filled}) if filled else None


def without_units_of(names: Iterable[str], instance: Instance) -> None:
    """Leaves the units of some values open: they are not the user's."""
    left_open = set(names)
    instance.units = {n: unit for n, unit in instance.units.items() if n not in left_open}


def says_the_same(old: FlatBlock, new: FlatBlock) -> bool:
    """Whether two blocks have the same type and equal values."""
    return (
        old.type == new.type
        and old.kind is new.kind
        and _all_equal(old.values, new.values)
        and _all_equal(old.sampling, new.sampling)
    )


def _all_equal(old: Mapping[str, Assignment], new: Mapping[str, Assignment]) -> bool:
    return old.keys() == new.keys() and all(_equal(value, new[name]) for name, value in old.items())


def _equal(old: Assignment, new: Assignment) -> bool:
    """Whether two values are written alike, use equal parameters and name the same files."""
    if old.node != new.node or old.share != new.share:
        return False
    if old.included != new.included or old.folder != new.folder:
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
    return _same_text(old, new) if _is_word(old) else True


def _same_text(old: Assignment, new: Assignment) -> bool:
    left, right = old.written(), new.written()
    return left.node == right.node and left.folder == right.folder


def _is_word(assignment: Assignment) -> bool:
    """Whether a value may be the name of a parameter that is text."""
    return isinstance(assignment.node, Scalar) and assignment.node.text.isidentifier()
