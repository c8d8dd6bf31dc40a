"""Results by name, in memory and on disk; files that survive whatever happens to the run."""

import os
import signal
import subprocess
import sys
import time

import h5py
import numpy as np
import pytest
from railblocks.engine import (
    DiagramError,
    Results,
    Simulation,
    SimulationError,
    check,
    loads,
    simulate,
)
from railblocks.engine.runs.results import ResultsWriter

WAVE = """
diagram: 1
title: Wave & wheel
parameters: {a: 2}
blocks:
  wave:  {type: sources.sine, amplitude: a, omega: 3 rad/s}
  sum:   {type: continuous.integrator}
  wheel: {type: math.gain, k: [1, 2, 3]}
  three: {type: sources.constant, value: [1 m, 1 m, 1 m]}
  high:  {type: logic.compare_to_constant, u2: 0.5}
wires: [wave -> sum, three -> wheel, wave -> high.u1]
solver: {stop: 2 s, seed: 7}
log: {signals: all, every: 10 ms}
"""


def run(**options):
    return simulate(loads(WAVE), compiled=False, **options)


@pytest.fixture(scope="module")
def results():
    return run()


def message_of(error):
    return str(error.value)


# --- signals -----------------------------------------------------------------------------------
def test_signals_are_found_by_name(results):
    assert results.names == ("wave.y", "sum.y", "wheel.y", "three.y", "high.y")
    assert results.time.tolist() == [k / 100 for k in range(201)]
    assert results["wave.y"] == pytest.approx(2 * np.sin(3 * results.time), abs=1e-12)
    assert results["sum.y"] == pytest.approx(2 / 3 * (1 - np.cos(3 * results.time)), abs=1e-5)


def test_vectors_keep_their_shape_and_show_their_elements(results):
    assert results["wheel.y"].shape == (201, 3)
    assert results["wheel.y[2]"].tolist() == [3.0] * 201
    assert results["wheel.y[0:2]"].shape == (201, 2)


def test_a_port_may_be_left_out_where_a_block_has_one(results):
    assert np.array_equal(results["wheel"], results["wheel.y"])
    assert np.array_equal(results["wheel[1]"], results["wheel.y[1]"])


def test_types_and_units_come_from_the_diagram(results):
    assert results["high.y"].dtype == bool
    assert results["high.y"].tolist() == (results["wave.y"] >= 0.5).tolist()
    assert results.unit("three.y") == "m"
    assert results.unit("time") == "s"


def test_an_unknown_name_is_told_with_a_suggestion_and_the_list(results):
    with pytest.raises(DiagramError) as error:
        results["wave.x"]
    assert "'wave.x' is not a logged signal; did you mean 'wave.y'?" in message_of(error)
    assert "wheel.y" in message_of(error)


@pytest.mark.parametrize(
    ("name", "message"),
    [("wheel.y[3]", "wheel.y has 3"), ("sum.y[0]", "one element"), ("wheel.y[a]", "not an index")],
)
def test_an_index_that_is_none_is_told(results, name, message):
    with pytest.raises(DiagramError, match=message):
        results[name]


def test_statistics_and_origin_come_along(results):
    assert results.statistics.steps > 10
    assert results.statistics.simulated == 2.0
    assert results.meta["title"] == "Wave & wheel"
    assert results.meta["seed"] == 7
    assert results.meta["outcome"] == "done"
    assert set(results.meta["versions"]) == {"railblocks", "numpy", "numba", "python"}


def test_the_diagram_is_kept_as_it_ran():
    results = run(values={"a": 5, "solver.stop": "1 s"})
    again = simulate(loads(results.meta["diagram"]), compiled=False)
    assert np.array_equal(again["sum.y"], results["sum.y"])


def test_arrays_of_other_origin_become_results():
    results = Results.from_arrays([0, 1], {"a.y": [[1, 2], [3, 4]], "b.y": [True, False]})
    assert results["a.y"].dtype == int
    assert results["a.y[1]"].tolist() == [2, 4]
    assert results["b.y"].tolist() == [True, False]
    with pytest.raises(DiagramError, match="expected 2 rows"):
        Results.from_arrays([0, 1], {"a.y": [1, 2, 3]})


def test_the_table_for_notebooks_escapes_and_stays_small():
    many = {f"b{i}.y": [0.0, 1.0] for i in range(500)}
    results = Results.from_arrays([0, 1], many, meta={"title": "<b>"})
    table = results._repr_html_()
    assert "<b>" not in table
    assert "&lt;b&gt;" in table
    assert "and 470 more" in table
    assert len(table) < 5000


# --- files -------------------------------------------------------------------------------------
def assert_same(left, right):
    assert left.names == right.names
    assert np.array_equal(left.time, right.time)
    for name in left:
        assert left[name].dtype == right[name].dtype
        assert np.array_equal(left[name], right[name], equal_nan=True)
        assert left.unit(name) == right.unit(name)
    assert left.meta == right.meta
    assert left.statistics == right.statistics


def test_a_file_written_while_running_holds_the_same(tmp_path):
    results = run(output=tmp_path / "wave.h5")
    loaded = Results.load(tmp_path / "wave.h5")
    assert loaded.meta.pop("created")
    results.meta.pop("created")
    results.meta["settings"] = {k: v for k, v in results.meta["settings"].items() if v is not None}
    assert_same(loaded, results)
    assert os.listdir(tmp_path) == ["wave.h5"]


def test_saving_and_loading_changes_nothing(tmp_path, results):
    results.save(tmp_path / "a.h5")
    first = Results.load(tmp_path / "a.h5")
    first.save(tmp_path / "b.h5")
    assert_same(Results.load(tmp_path / "b.h5"), first)


def test_numbers_that_are_not_finite_survive(tmp_path):
    values = [np.nan, np.inf, -np.inf, -0.0, 5e-324, 1.7976931348623157e308]
    Results.from_arrays(range(6), {"a.y": values}).save(tmp_path / "a.h5")
    loaded = Results.load(tmp_path / "a.h5")["a.y"]
    assert loaded.tobytes() == np.array(values).tobytes()


def test_a_file_can_be_read_while_it_grows(tmp_path):
    simulation = Simulation(check(loads(WAVE)), compiled=False)
    writer = ResultsWriter(tmp_path / "a.h5", simulation)
    assert len(Results.load(tmp_path / "a.h5")) == 0
    seen = 0
    for rows in simulation.chunks():
        writer.append(rows)
        seen += len(rows)
        growing = Results.load(tmp_path / "a.h5")
        assert len(growing) == seen
        assert not growing.meta["finished"]
    writer.close(simulation)
    assert Results.load(tmp_path / "a.h5").meta["finished"]


def test_results_keep_their_run_when_another_replaces_the_file(tmp_path):
    run(output=tmp_path / "a.h5")
    first = Results.load(tmp_path / "a.h5")
    run(output=tmp_path / "a.h5", values={"a": 100})
    assert first["wave.y"].max() == pytest.approx(2, abs=1e-3)
    assert Results.load(tmp_path / "a.h5")["wave.y"].max() > 99


def test_only_committed_rows_count(tmp_path):
    run(output=tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5", "r+") as file:
        file["committed"][()] = 7
    assert len(Results.load(tmp_path / "a.h5").time) == 7


def test_hundreds_of_wide_signals_fit_into_a_file(tmp_path):
    names = {f"a_rather_long_name_of_a_block_{i}.output": np.ones((3, 4)) * i for i in range(3000)}
    Results.from_arrays(range(3), names).save(tmp_path / "a.h5")
    loaded = Results.load(tmp_path / "a.h5")
    assert loaded["a_rather_long_name_of_a_block_2999.output[3]"].tolist() == [2999.0] * 3


# --- bad files ---------------------------------------------------------------------------------
def test_a_missing_file_and_a_folder_are_told(tmp_path):
    with pytest.raises(DiagramError, match="there is no such file"):
        Results.load(tmp_path / "none.h5")
    with pytest.raises(DiagramError, match="is a folder; expected a results file"):
        Results.load(tmp_path)


def test_a_file_that_is_no_hdf5_is_told(tmp_path):
    for content in (b"", b"diagram: 1\n", b"\x89PNG\r\n"):
        (tmp_path / "a.h5").write_bytes(content)
        with pytest.raises(DiagramError, match="is not an HDF5 file"):
            Results.load(tmp_path / "a.h5")


def test_hdf5_of_other_programs_is_told(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["x"] = [1, 2]
    with pytest.raises(DiagramError, match="holds no results of railblocks"):
        Results.load(tmp_path / "a.h5")


def test_a_newer_format_is_told(tmp_path, results):
    results.save(tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5", "r+") as file:
        file.attrs["version"] = 99
    with pytest.raises(DiagramError, match="newer railblocks"):
        Results.load(tmp_path / "a.h5")


@pytest.mark.parametrize("part", ["rows", "committed", "signals", "diagram", "settings"])
def test_a_file_without_one_of_its_parts_is_told(tmp_path, results, part):
    results.save(tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5", "r+") as file:
        del file[part]
    with pytest.raises(DiagramError, match="damaged or cut off"):
        Results.load(tmp_path / "a.h5")


@pytest.mark.parametrize("fraction", [0.02, 0.3, 0.7, 0.99])
def test_a_file_that_was_cut_off_is_told(tmp_path, results, fraction):
    results.save(tmp_path / "a.h5")
    data = (tmp_path / "a.h5").read_bytes()
    (tmp_path / "a.h5").write_bytes(data[: int(len(data) * fraction)])
    with pytest.raises(DiagramError) as error:
        Results.load(tmp_path / "a.h5")["wave.y"]
    assert message_of(error).count("\n") == 0


@pytest.mark.parametrize("path", ["nowhere/a.h5", "."])
def test_a_file_that_cannot_be_written_is_told(tmp_path, results, path):
    with pytest.raises(DiagramError, match="cannot be written"):
        run(output=tmp_path / path)
    with pytest.raises(DiagramError, match="cannot be written"):
        results.save(tmp_path / path)
    assert os.listdir(tmp_path) == []


# --- the end of the process --------------------------------------------------------------------
ENDLESS = """
import sys
from railblocks.engine import loads, simulate
text = '''
diagram: 1
blocks:
  one: {type: sources.constant, value: 1}
  ramp: {type: continuous.integrator}
wires: [one -> ramp]
solver: {stop: 1e9 s, max_step: 1 ms}
log: {signals: [ramp.y, one.y]}
'''
simulate(loads(text), compiled=False, output=sys.argv[1])
"""


def test_a_full_disk_ends_the_run_and_keeps_what_fits(tmp_path):
    limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))\n"
    path = tmp_path / "a.h5"
    call = [sys.executable, "-c", limit + ENDLESS, str(path)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.endswith("File too large; make room on the disk and run again\n")
    results = Results.load(path)
    assert results.meta["outcome"] == "unfinished"
    assert len(results) > 1000
    assert results["ramp.y"] == pytest.approx(results.time, rel=1e-9)


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.35])
def test_a_killed_run_leaves_a_file_that_can_be_read(tmp_path, delay):
    path = tmp_path / "a.h5"
    process = subprocess.Popen([sys.executable, "-c", ENDLESS, str(path)])
    try:
        deadline = time.monotonic() + 30
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(delay)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    results = Results.load(path)
    assert not results.meta["finished"]
    assert results["ramp.y"] == pytest.approx(results.time, rel=1e-9)
    assert delay == 0 or len(results) > 10


def test_a_run_that_fails_keeps_what_it_had(tmp_path):
    text = WAVE.replace(
        "high:  {type: logic.compare_to_constant, u2: 0.5}",
        "high:  {type: logic.compare_to_constant, u2: 1.5, relation: '<'}\n"
        "  stop:  {type: sinks.assertion, message: too high}",
    ).replace("wave -> high.u1", "wave -> high.u1, high -> stop")
    with pytest.raises(SimulationError, match="too high"):
        simulate(loads(text), compiled=False, output=tmp_path / "a.h5")
    results = Results.load(tmp_path / "a.h5")
    assert results.meta["outcome"] == "failed"
    assert "too high" in results.meta["reason"]
    assert 0 < results.time[-1] < 0.3


def test_a_device_is_not_replaced_by_results(tmp_path):
    pipe = tmp_path / "pipe.h5"
    os.mkfifo(pipe)
    with pytest.raises(DiagramError, match="device"):
        simulate(loads("diagram: 1\nblocks: {c: {type: sources.constant}}"), output=pipe)
    assert pipe.is_fifo()
