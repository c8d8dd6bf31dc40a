"""Every block in one diagram, through the whole engine."""

import numpy as np
import pytest
from bench import Bench, write_example_files
from railblocks.engine import DiagramBuilder, standard_blocks
from railblocks.engine.runs.run import simulate

FAST = {"rail.vehicle", "rail.denoc_wheelset", "rail.free_wheelset"}
"""Blocks whose dampers, at 4000 1/s, or creep forces at such low speeds are too fast for the step;
they have a run of their own."""


@pytest.fixture
def diagram(tmp_path):
    """All blocks with their example values, each input driven by a source of its own."""
    builder = DiagramBuilder("every block")
    write_example_files(tmp_path)
    slow = [kind for kind in standard_blocks() if kind.declaration.id not in FAST]
    for number, kind in enumerate(slow):
        values = dict(kind.example)
        if "path" in values:
            values["path"] = str(tmp_path / values["path"])
        bench = Bench(kind.declaration.id, **values)
        block = f"b{number}"
        builder.add(block, kind.declaration.id, **values)
        for port, declared in bench.instance.inputs.items():
            source = f"{block}_{port}"
            type_id, options = source_for(declared.item, bench, kind.declaration.id)
            builder.add(source, type_id, **options)
            builder.connect(f"{source}.y", f"{block}.{port}")
    builder.solver(method="rk4", step=0.01, stop=0.25)
    builder.log("all")
    return builder.build()


def source_for(item, bench, block):
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


def test_every_block_runs_the_same_compiled_and_interpreted(diagram):
    fast, slow = simulate(diagram), simulate(diagram, compiled=False)
    assert fast.signals.keys() == slow.signals.keys()
    for name in fast.signals:
        assert np.array_equal(fast[name], slow[name]), name
        assert np.all(np.isfinite(np.asarray(fast[name], dtype=float))), name
