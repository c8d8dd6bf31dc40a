"""Many runs of one diagram: their numbers, their files, and what goes wrong in them."""

import math

import numpy as np
import pytest
from railblocks.engine import (
    DiagramError,
    Sampling,
    Simulation,
    Study,
    check,
    loads,
    simulate,
    simulate_many,
)
from railblocks.engine.studies.structures import Structures

DECAY = loads("""\
diagram: 1
parameters: {T: 0.5 s, x_0: 2}
blocks: {lag: {type: continuous.first_order_lag, T: T, x_0: x_0}, u: {type: sources.constant, value: 0}}
wires: [u -> lag]
solver: {stop: 1 s, rtol: 1e-10, atol: 1e-12}
log: {signals: [lag.y], every: 10 ms}
""")  # noqa: E501
NOISY = loads("""\
diagram: 1
blocks:
  noise: {type: sources.gaussian_noise, every: 10 ms, std: 1}
  line: {type: discrete.delay, every: 10 ms, n: 2}
wires: [noise -> line]
solver: {stop: 200 ms, seed: 5}
log: {signals: [noise.y, line.y], every: 10 ms}
""")


def test_a_grid_has_all_combinations_and_meets_the_closed_form():
    study = simulate_many(
        DECAY, {"T": "0.1..1 s:4", "x_0": [1, 3]}, {"end": "final(lag.y)", "top": "max(lag.y)"}
    )
    T, x_0 = study["T"], study["x_0"]
    assert list(zip(T, x_0, strict=True)) == [
        (T, x) for T in np.linspace(0.1, 1.0, 4) for x in (1.0, 3.0)
    ]
    assert study["end"] == pytest.approx(x_0 * np.exp(-1.0 / T), rel=1e-8)
    assert np.array_equal(study["top"], x_0)
    assert study.counts == {"done": 8}


def test_kept_signals_have_the_bits_of_single_runs():
    vary = {"T": "0.1..1 s:3", "x_0": [1, 3]}
    study = simulate_many(DECAY, vary, keep_signals=["lag.y", "u.y"])
    for run in range(6):
        alone = simulate(DECAY, study.values(run))
        assert np.array_equal(study.run(run)["lag.y"], alone["lag.y"])
        assert np.array_equal(study.run(run).time, alone.time)


def test_one_thread_and_two_and_plain_python_have_the_same_bits():
    vary = {"noise.std": [1, 2], "solver.seed": "1..4:4"}
    one, two = (
        simulate_many(NOISY, vary, ["end = final(line.y)"], keep_signals=["noise.y"], workers=n)
        for n in (1, 2)
    )
    assert np.array_equal(one["end"], two["end"])
    for run in range(8):
        assert np.array_equal(one.run(run)["noise.y"], two.run(run)["noise.y"])
        python = simulate(NOISY, one.values(run), compiled=False)
        assert np.array_equal(one.run(run)["noise.y"], python["noise.y"])


def test_runs_with_own_seeds_draw_other_numbers_and_those_without_the_same():
    same = simulate_many(NOISY, {"noise.std": [1, 1]}, keep_signals=["noise.y"])
    own = simulate_many(NOISY, {"noise.std": [1, 1]}, keep_signals=["noise.y"], own_seeds=True)
    assert np.array_equal(same.run(0)["noise.y"], same.run(1)["noise.y"])
    assert not np.array_equal(own.run(0)["noise.y"], own.run(1)["noise.y"])
    assert own.values(1) == {"noise.std": "1", "solver.seed": "6"}
    alone = simulate(NOISY, own.values(1))
    assert np.array_equal(own.run(1)["noise.y"], alone["noise.y"])


def test_values_that_change_the_structure_are_compiled_once_each():
    structures = Structures(NOISY, check(NOISY).registry, ["line.n"], compiled=False)
    for n in (2, 3, 2, 3, 2):
        structures.prepared({"line.n": str(n)})
    assert len(structures) == 2
    study = simulate_many(NOISY, {"line.n": [1, 2, 3]}, keep_signals=["noise.y", "line.y"])
    for run, n in enumerate((1, 2, 3)):
        results = study.run(run)
        assert np.array_equal(results["line.y"][n:], results["noise.y"][:-n])


def test_methods_are_words_that_vary():
    study = simulate_many(DECAY, {"solver.method": "ode45, radau5"}, ["end = final(lag.y)"])
    assert list(study["solver.method"]) == ["ode45", "radau5"]
    assert study["end"] == pytest.approx([2.0 * math.exp(-2.0)] * 2, rel=1e-7)


def test_values_that_are_refused_and_runs_that_fail_are_rows_with_their_reason():
    diagram = loads(
        """\
diagram: 1
blocks:
  ramp: {type: sources.ramp, slope: 1}
  root: {type: math.expression, expression: log(u1 - 5), inputs: 1}
  lag:  {type: continuous.first_order_lag, T: 1 s}
wires: [ramp -> root -> lag]
solver: {stop: 1 s}
""".replace("log(u1 - 5), inputs: 1", "1/(2 - u1)")
    )
    study = simulate_many(diagram, {"ramp.slope": [1, 4], "lag.T": [1, -1]}, ["end = final(lag.y)"])
    assert list(study["outcome"]) == ["done", "refused", "failed", "refused"]
    assert "lag.T = -1 is out of range" in study["reason"][1]
    assert study["reason"][2].startswith("t = 0.5") or "step fell" in study["reason"][2]
    assert np.isnan(study["end"][1:]).all()
    with pytest.raises(Exception, match="t = ") as alone:
        simulate(diagram, study.values(2))
    assert str(alone.value) == study["reason"][2]


def test_a_measure_without_a_value_is_nan_and_says_why():
    study = simulate_many(DECAY, {"T": [1]}, ["turn = period(lag.y)"])
    assert np.isnan(study["turn"][0])
    assert "a period needs two" in study["reason"][0]
    assert study["outcome"][0] == "done"


def test_a_study_on_disk_is_the_one_in_memory_and_goes_on(tmp_path):
    vary, summaries = {"T": "0.1..1 s:5"}, ["end = final(lag.y)"]
    path = tmp_path / "study.h5"
    memory = simulate_many(DECAY, vary, summaries, keep_signals=["lag.y"])
    disk = simulate_many(DECAY, vary, summaries, keep_signals=["lag.y"], output=path)
    again = simulate_many(DECAY, vary, summaries, keep_signals=["lag.y"], output=path)
    for study in (disk, again, Study.load(path)):
        assert study.names == memory.names == ("T", "end")
        assert np.array_equal(study["end"], memory["end"])
        assert study.unit("T") == "s"
        assert np.array_equal(study.run(4)["lag.y"], memory.run(4)["lag.y"])
        assert study.is_finished


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"vary": {"T": "0.1..2 s:5"}}, "the varied values are not the same"),
        ({"summaries": ["end = max(lag.y)"]}, "the summaries are not the same"),
        ({"keep_signals": ["lag.y"]}, "the kept signals are not the same"),
        ({"diagram": DECAY.with_values({"x_0": 3})}, "the diagram is not the same"),
    ],
)
def test_another_study_is_not_gone_on_with(tmp_path, change, message):
    given = {"diagram": DECAY, "vary": {"T": "0.1..1 s:5"}, "summaries": ["end = final(lag.y)"]}
    path = tmp_path / "study.h5"
    before = simulate_many(**given, output=path)
    with pytest.raises(DiagramError, match=f"holds another study: {message}"):
        simulate_many(**(given | change), output=path)
    assert np.array_equal(Study.load(path)["end"], before["end"])


def test_a_study_whose_data_have_changed_is_not_gone_on_with(tmp_path):
    data, path = tmp_path / "u.csv", tmp_path / "study.h5"
    data.write_text("t,u\n0,1\n2,3\n")
    diagram = loads(f"""\
diagram: 1
blocks: {{u: {{type: sources.from_file, path: {data}, column: u}}, k: {{type: math.gain, k: 2}}}}
wires: [u -> k]
solver: {{stop: 1 s}}
log: {{signals: [k.y], every: 0.1 s}}
""")
    simulate_many(diagram, {"k.k": [1, 2]}, ["end = final(k.y)"], output=path)
    data.write_text("t,u\n0,1\n2,4\n")
    with pytest.raises(DiagramError, match="a file that the diagram reads"):
        simulate_many(diagram, {"k.k": [1, 2]}, ["end = final(k.y)"], output=path)


def test_samples_are_drawn_and_seeded():
    vary = {"T": "normal(0.5 s, 0.01 s)", "x_0": "1..3"}
    one, two, other = (
        simulate_many(DECAY, vary, ["end = final(lag.y)"], sampling=Sampling(32, "lhs", seed))
        for seed in (1, 1, 2)
    )
    assert np.array_equal(one.table, two.table)
    assert not np.array_equal(one.table, other.table)
    assert one["end"] == pytest.approx(one["x_0"] * np.exp(-1.0 / one["T"]), rel=1e-8)
    assert np.all((one["x_0"] >= 1) & (one["x_0"] <= 3))


def test_a_run_that_is_not_there_and_a_column_that_is_not_are_told():
    study = simulate_many(DECAY, {"T": [1]}, ["end = final(lag.y)"])
    with pytest.raises(DiagramError, match="there is no run 1; expected 0 to 0"):
        study.values(1)
    with pytest.raises(DiagramError, match="'ends' is not a column; did you mean 'end'"):
        study["ends"]
    with pytest.raises(DiagramError, match="no signals were kept"):
        study.run(0)


def test_the_simulation_that_is_shared_is_never_run():
    checked = check(DECAY)
    structures = Structures(DECAY, checked.registry, ["T"])
    simulate_many(DECAY, {"T": [1]})
    structure, _ = structures.prepared({"T": "1"})
    assert isinstance(structure.simulation, Simulation)
    assert structure.simulation.time == 0.0
