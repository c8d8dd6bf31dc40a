"""Statistics: one type in a run, in its results and in their file."""

import numpy as np
import pytest
from railblocks.engine import DiagramError, Results, Simulation, check, loads, simulate
from railblocks.engine.runs.statistics import Statistics

TEXT = (
    "diagram: 1\nblocks: {s: {type: sources.sine}, x: {type: continuous.integrator}}\n"
    "wires: [s -> x]\nsolver: {stop: 2 s}\n"
)
NUMBERS = {
    "steps": 7,
    "rejected": 1,
    "events": 2,
    "evaluations": 50,
    "hits": 3,
    "jacobians": 0,
    "wall": 0.5,
    "compile_wall": 1.0,
    "simulated": 2.0,
}


def test_the_real_time_factor_is_simulated_over_wall_clock_seconds():
    assert Statistics(**NUMBERS).real_time_factor == 4.0
    assert Statistics(**NUMBERS | {"wall": 0.0}).real_time_factor == float("inf")


def test_numbers_and_back():
    statistics = Statistics(**NUMBERS)
    assert statistics.numbers() == NUMBERS | {"real_time_factor": 4.0}
    assert Statistics.from_numbers(statistics.numbers()) == statistics


def test_numbers_that_an_older_file_lacks_are_zero():
    assert Statistics.from_numbers({"steps": 7}).jacobians == 0
    assert Statistics.from_numbers({}) is None


def test_run_results_and_file_have_equal_statistics(tmp_path):
    simulation = Simulation(check(loads(TEXT)), compiled=False)
    results = Results.of(simulation, np.concatenate(list(simulation.chunks())))
    assert results.statistics == simulation.statistics
    written = simulate(loads(TEXT), compiled=False, output=tmp_path / "a.h5")
    assert type(written.statistics) is Statistics
    assert written.statistics.steps == simulation.statistics.steps
    written.save(tmp_path / "b.h5")
    assert Results.load(tmp_path / "b.h5").statistics == written.statistics


def test_results_without_a_run_have_no_statistics(tmp_path):
    results = Results.from_arrays([0, 1], {"a.y": [1, 2]})
    results.save(tmp_path / "a.h5")
    for without in (results, Results.load(tmp_path / "a.h5")):
        with pytest.raises(DiagramError, match="no statistics"):
            without.statistics  # noqa: B018
