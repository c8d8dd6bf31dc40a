"""Every shipped diagram goes on after a kill and past its end, to the bit."""

import random
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from railblocks.engine import Simulation, check, load, resume, simulate
from railblocks.engine.runs.results import ResultsWriter

DIAGRAMS = Path(__file__).parents[2] / "diagrams"
RUNNABLE = [p for p in sorted(DIAGRAMS.rglob("*.yaml")) if "\nsolver:" in p.read_text()]
PART = 0.06
"""Of the run of a diagram: enough for samples, events and delays."""


def shortened(path):
    """A diagram with a part of its run, the end of that, and one that is a third later."""
    diagram = load(path)
    settings = check(diagram).settings
    stop = settings.start + PART * (settings.stop - settings.start)
    longest = f"{(stop - settings.start) / 20!r} s"
    values = {"solver.stop": f"{stop!r} s"}
    if settings.solver.variable:
        values["solver.max_step"] = longest
    return diagram.with_values(values), f"{stop + (stop - settings.start) / 3!r} s"


def assert_equal(one, other):
    times = {"wall": 0.0, "compile_wall": 0.0}
    width = other.rows.shape[1]
    np.testing.assert_array_equal(one.rows.read(0, width), other.rows.read(0, width))
    assert replace(one.statistics, **times) == replace(other.statistics, **times)


@pytest.mark.slow
@pytest.mark.parametrize("path", RUNNABLE, ids=lambda p: p.relative_to(DIAGRAMS).as_posix())
def test_a_shipped_diagram_goes_on_to_the_bit(path, tmp_path):
    diagram, later = shortened(path)
    whole = simulate(diagram, output=tmp_path / "whole.h5")
    simulation = Simulation(check(diagram))
    writer = ResultsWriter(tmp_path / "a.h5", simulation, checkpoint=0.0)
    steps = random.Random(path.name).randint(1, max(whole.statistics.steps - 1, 1))
    while simulation.statistics.steps < steps and not simulation.outcome:
        writer.append(simulation.advance(max(steps // 7, 1)))
        writer.save(simulation)
    shutil.copy(tmp_path / "a.h5", tmp_path / "killed.h5")
    writer.close(simulation)
    assert_equal(resume(tmp_path / "killed.h5"), whole)
    longer = simulate(diagram.with_values({"solver.stop": later}))
    assert_equal(resume(tmp_path / "whole.h5", stop=later), longer)
