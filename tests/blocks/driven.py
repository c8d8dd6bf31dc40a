"""A block with its example values in a diagram, each input driven by a source of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from bench import Bench
from railblocks.engine import DiagramBuilder, standard_blocks


def add_driven(builder: DiagramBuilder, name: str, block: str, folder: Path) -> None:
    """Adds a block and its sources; the files of its example are in `folder`."""
    values = dict(standard_blocks().get(block).example)
    if "path" in values:
        values["path"] = str(folder / values["path"])
    bench = Bench(block, **values)
    builder.add(name, block, **values)
    for port, declared in bench.instance.inputs.items():
        source = f"{name}_{port}"
        kind, options = source_for(declared.item, bench, block)
        builder.add(source, kind, **options)
        builder.connect(f"{source}.y", f"{name}.{port}")


def source_for(item: Any, bench: Bench, block: str) -> tuple[str, dict[str, Any]]:
    """A block that drives an input of this kind, positive and slowly changing where it can."""
    if item.type is bool:
        return "sources.boolean_constant", {"value": block != "sinks.stop"}
    if item.type is int:
        return "sources.integer_constant", {"value": 2}
    if item.dims:
        shape = bench.shape(item)
        return "sources.constant", {
            "value": np.linspace(0.2, 0.9, int(np.prod(shape))).reshape(shape)
        }
    return "sources.sine", {"bias": 0.5, "amplitude": 0.4, "omega": 40.0}
