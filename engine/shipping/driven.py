"""A block with its example values in a diagram, each input driven by a source of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..checks.resolve import resolve
from ..declaration.registry import standard_blocks
from ..diagram.builder import DiagramBuilder
from ..diagram.flatten import flatten
from ..errors import DiagramError, Problem
from ..files.replacing import replace_text
from ..model.dimensions import dimension
from ..model.model import Instance

EXAMPLE_FILES = {
    "signal.csv": "t,u\n0,1\n0.5,2\n2,-1\n",
    "adhesion.csv": "x,mu_0\n0,0.05\n100,0.08\n900,0.06\n",
}
"""The files that examples of blocks name."""
OPEN_SIZE = 3  # where connected signals would decide


def write_example_files(folder: Path) -> None:
    for name, text in EXAMPLE_FILES.items():
        replace_text(folder / name, text)


def add_driven(
    builder: DiagramBuilder,
    name: str,
    block: str,
    folder: Path,
    values: Mapping[str, Any] | None = None,
) -> None:
    """Adds a block and its sources; `folder` has the example files, `values` change its example."""
    kind = standard_blocks().get(block)
    assert kind is not None, block
    given = {**kind.example, **(values or {})}
    if "path" in given:
        given["path"] = str(folder / given["path"])
    instance = instance_of(block, given)
    builder.add(name, block, **given)
    for port, declared in instance.inputs.items():
        source = f"{name}_{port}"
        source_kind, options = source_for(declared.item, instance, block)
        builder.add(source, source_kind, **options)
        builder.connect(f"{source}.y", f"{name}.{port}")


def instance_of(block: str, values: Mapping[str, Any]) -> Instance:
    """A block with its values, by itself; raises DiagramError."""
    builder = DiagramBuilder("alone")
    builder.add("block", block, **values)
    problems: list[Problem] = []
    instance = resolve(flatten(builder.build()).blocks["block"], standard_blocks(), problems)
    if instance is None:
        raise DiagramError(problems)
    return instance


def size_in(instance: Instance, text: str | int) -> int:
    """A declared dimension; `OPEN_SIZE` where connected signals would decide."""
    size = dimension(text, instance.sizes)
    return OPEN_SIZE if size is None else size


def source_for(item: Any, instance: Instance, block: str) -> tuple[str, dict[str, Any]]:
    """A block that drives an input of this kind, positive and slowly changing where it can."""
    if item.type is bool:
        return "sources.boolean_constant", {"value": block != "sinks.stop"}
    if item.type is int:
        return "sources.integer_constant", {"value": 2}
    if item.dims:
        shape = tuple(size_in(instance, text) for text in item.dims)
        values = np.linspace(0.2, 0.9, int(np.prod(shape)))
        return "sources.constant", {"value": values.reshape(shape)}
    return "sources.sine", {"bias": 0.5, "amplitude": 0.4, "omega": 40.0}
