"""Every block in one diagram, through the whole engine."""

import numpy as np
import pytest
from railblocks.engine import DiagramBuilder, standard_blocks
from railblocks.engine.runs.run import simulate
from railblocks.engine.shipping.driven import add_driven, write_example_files

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
        add_driven(builder, f"b{number}", kind.declaration.id, tmp_path)
    builder.solver(method="rk4", step=0.01, stop=0.25)
    builder.log("all")
    return builder.build()


def test_every_block_runs_the_same_compiled_and_interpreted(diagram):
    fast, slow = simulate(diagram), simulate(diagram, compiled=False)
    assert fast.signals.keys() == slow.signals.keys()
    for name in fast.signals:
        assert np.array_equal(fast[name], slow[name]), name
        assert np.all(np.isfinite(np.asarray(fast[name], dtype=float))), name
