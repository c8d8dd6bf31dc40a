"""`railblocks resume`: after real kills, after Ctrl-C, past the end, and what it refuses."""

import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
from railblocks.engine import Results, load, simulate
from railblocks.engine.runs.resuming import find_interrupted

MOTOR = Path(__file__).parents[3] / "diagrams" / "dc_motor.yaml"
LONG = "300 s"
COMMAND = [sys.executable, "-m", "railblocks.engine.cli"]


@pytest.fixture(scope="module")
def whole():
    """A run of a minute and more, without interruption."""
    results = simulate(load(MOTOR), {"solver.stop": LONG})
    return results.rows.read(0, results.rows.shape[1]), results.statistics


def assert_whole(path, whole):
    rows, statistics = whole
    results = Results.load(path)
    np.testing.assert_array_equal(results.rows.read(0, rows.shape[1]), rows)
    times = {"wall": 0.0, "compile_wall": 0.0}
    assert replace(results.statistics, **times) == replace(statistics, **times)
    assert results.meta["outcome"] == "done"


def has_state(path):
    try:
        with h5py.File(path, "r", locking=False) as file:
            return file["state/about"][:, 0].max() >= 1
    except (OSError, KeyError, RuntimeError):
        return False


def killed(arguments, path, pause):
    """Starts a command, and kills it so long after its file holds a state."""
    before = path.stat().st_ino if path.exists() else None
    process = subprocess.Popen([*COMMAND, *map(str, arguments)], stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < deadline:
        if path.exists() and path.stat().st_ino != before and has_state(path):
            time.sleep(pause)
            process.kill()
            break
        time.sleep(0.002)
    process.wait(60)
    return process.returncode


def test_a_run_that_is_killed_again_and_again_comes_to_the_same_end(tmp_path, whole, call):
    """With SIGKILL, at any instant; each process goes on where the one before was killed."""
    path, chance = tmp_path / "a.h5", random.Random(3)
    begin = ("run", MOTOR, "--stop", LONG, "-o", path, "--checkpoint", "1ms", "--quiet")
    codes = [killed(begin, path, chance.uniform(0.0, 0.2))]
    rows = [find_interrupted(path).state.rows]
    for _ in range(2):
        on = ("resume", path, "--checkpoint", "1ms", "--quiet")
        codes.append(killed(on, path, chance.uniform(0.0, 0.1)))
        rows.append(find_interrupted(path).state.rows)
    assert codes == [-signal.SIGKILL] * 3
    assert call("resume", path).code == 0
    assert_whole(path, whole)
    assert rows == sorted(rows)


def test_ctrl_c_leaves_a_run_that_goes_on(tmp_path, whole, call):
    path = tmp_path / "a.h5"
    process = subprocess.Popen(
        [*COMMAND, "run", str(MOTOR), "--stop", "1500 s", "-o", str(path), "--checkpoint", "1ms"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    while not has_state(path):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    reached = Results.load(path).time[-1]
    done = call("resume", path, "--stop", f"{reached + 1:.3f} s")
    assert done.code == 0, done.err
    results, (rows, _) = Results.load(path), whole
    assert results.time[-1] == pytest.approx(reached + 1, abs=1e-3)
    common = min(len(results), len(rows)) - 10  # steps fit the two ends differently
    assert common > 1000
    np.testing.assert_array_equal(results["motor.omega"][:common], rows[:common, 2])


def test_a_run_goes_on_past_its_end_with_a_table_and_a_figure(folder, call):
    assert call("run", "mass.yaml", "--interpret").code == 0
    done = call("resume", "mass.h5", "--stop", "3 s", "--interpret", "--plot")
    assert done.code == 0
    assert "Mass on a spring" in done.out
    assert "3 s" in done.out
    assert (folder / "mass.png").exists()
    x = Results.load("mass.h5")
    np.testing.assert_allclose(x["body.x"], np.cos(2 * x.time), atol=1e-7)
    data = call("resume", "mass.h5", "--stop", "4 s", "--interpret", "--json").data()
    assert (data["outcome"], data["time"]) == ("done", 4.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mass.h5"], "the run is done, at t = 2 s"),
        (["none.h5"], "there is no such file"),
        (["mass.yaml"], "mass.yaml: is not an HDF5 file"),
        (["mass.h5", "--stop", "1 m"], "--stop: 1 m has unit m"),
        (["mass.h5", "--stop", "3 s", "--checkpoint", "0 s"], "is not a time to wait"),
        (["mass.h5", "--stop", "3 s", "--checkpoint", "often"], "--checkpoint"),
        (["mass.h5", "--stop", "inf"], "finite"),
    ],
)
def test_what_cannot_go_on_is_told(arguments, message, folder, call):
    call("run", "mass.yaml", "--interpret")
    done = call("resume", *arguments)
    assert done.code == 2
    assert message in done.err


def test_a_changed_diagram_goes_on_as_stored(folder, call):
    call("run", "mass.yaml", "--interpret")
    text = (folder / "mass.yaml").read_text()
    (folder / "mass.yaml").write_text(text.replace("4 N/m", "9 N/m"))
    done = call("resume", "mass.h5", "--stop", "3 s", "--interpret")
    assert done.code == 2
    assert "the diagram" in done.err
    assert "--as-stored" in done.err
    done = call("resume", "mass.h5", "--stop", "3 s", "--interpret", "--as-stored")
    assert done.code == 0
    x = Results.load("mass.h5")
    np.testing.assert_allclose(x["body.x"], np.cos(2 * x.time), atol=1e-7)
