"""Going on with a run from its file: it ends as a run without interruption does, to the bit."""

import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import replace

import h5py
import numpy as np
import pytest
from railblocks.engine import (
    DiagramError,
    Results,
    Simulation,
    check,
    load,
    loads,
    resume,
    simulate,
    standard_blocks,
)
from railblocks.engine.runs.results import ResultsWriter
from railblocks.engine.runs.resuming import find_interrupted

NOISE = """\
diagram: 1
blocks:
  noise: {type: sources.gaussian_noise, every: 0.01 s}
  delay: {type: discrete.unit_delay, every: 0.03 s}
  dead: {type: continuous.transport_delay, delay: 0.035 s}
  lag: {type: continuous.first_order_lag, T: 0.05 s}
wires: [noise -> delay, noise -> lag -> dead]
solver: {METHOD, stop: 1 s, max_step: 20 ms}
log: {LOG}
"""
STIFF = """\
diagram: 1
blocks:
  pull: {type: math.sum, signs: "+-"}
  fast: {type: math.gain, k: 100 1/s}
  wave: {type: sources.sine, omega: 20 rad/s}
  x: {type: continuous.integrator}
wires: [wave -> pull.u1, x -> pull.u2, pull -> fast -> x]
solver: {METHOD, stop: 1 s, max_step: 20 ms}
log: {LOG}
"""
LOOP = """\
diagram: 1
blocks:
  ramp: {type: sources.ramp, slope: 1 1/s}
  sum: {type: math.sum, signs: "+-"}
  back: {type: math.gain, k: 0.5}
wires: [ramp -> sum.u1, back -> sum.u2, sum -> back]
solver: {METHOD, stop: 1 s, max_step: 20 ms}
log: {LOG}
"""
BALL = """\
diagram: 1
blocks:
  ball: {type: mechanics.bouncing_ball, h_0: 1 m, e: 0.9}
  scope: {type: sinks.scope}
wires: [ball.h -> scope.u1]
solver: {METHOD, stop: 1 s, max_step: 20 ms}
log: {LOG}
"""
VARIABLE = ("method: ode45", "method: ode23", "method: ode853", "method: radau5")
FIXED = ("method: rk4, step: 1 ms", "method: euler, step: 7 ms")
LOGS = ("", "every: 3 ms", "decimate: 3")
DIAGRAMS = {"ball": BALL, "noise": NOISE, "stiff": STIFF, "loop": LOOP}
CASES = [
    *(("noise", method, "every: 3 ms") for method in (*VARIABLE, *FIXED)),
    ("loop", "method: BDF", ""),
    *((name, "method: radau5", "every: 3 ms") for name in DIAGRAMS if name != "noise"),
    *((name, "method: ode45", "every: 3 ms") for name in DIAGRAMS if name != "noise"),
    *(("noise", "method: ode45", log) for log in LOGS),
]


def text_of(name, method="method: ode45", log="every: 3 ms"):
    return DIAGRAMS[name].replace("METHOD", method).replace("LOG", log)


def compiled_of(text):
    return Simulation(check(loads(text)))


def full(text, stop="1 s"):
    return simulate(loads(text).with_values({"solver.stop": stop}))


def numbers(results):
    """The counts of a run, without its times on the clock."""
    return replace(results.statistics, wall=0.0, compile_wall=0.0)


def assert_equal(resumed, whole):
    width = whole.rows.shape[1]
    np.testing.assert_array_equal(resumed.rows.read(0, width), whole.rows.read(0, width))
    assert numbers(resumed) == numbers(whole)
    assert resumed.meta["outcome"] == whole.meta["outcome"]
    assert resumed.meta["notices"] == whole.meta["notices"]


def killed(simulation, path, after, copy, budget=40):
    """Runs in small chunks, and copies what a kill after so many of them would leave."""
    writer = ResultsWriter(path, simulation, checkpoint=0.0)
    for chunk in range(10**9):
        if simulation.outcome or chunk == after:
            break
        writer.append(simulation.advance(budget))
        writer.save(simulation)
    shutil.copy(path, copy)
    writer.close(simulation)


@pytest.mark.parametrize(("name", "method", "log"), CASES)
def test_a_run_goes_on_past_its_end_as_if_it_had_been_longer(name, method, log, tmp_path):
    text, path = text_of(name, method, log), tmp_path / "a.h5"
    simulate(loads(text), output=path)
    assert_equal(resume(path, stop="1.7 s"), full(text, "1.7 s"))
    assert_equal(resume(path, stop=2.0), full(text, "2 s"))


@pytest.mark.parametrize(("name", "method", "log"), CASES)
def test_a_killed_run_goes_on_as_if_it_had_not_been_killed(name, method, log, tmp_path):
    text = text_of(name, method, log)
    simulation = compiled_of(text)
    chunks = random.Random(f"{name} {method} {log}").randint(1, 15)
    killed(simulation, tmp_path / "a.h5", chunks, tmp_path / "b.h5")
    assert_equal(resume(tmp_path / "b.h5"), full(text))


@pytest.mark.parametrize("name", DIAGRAMS)
def test_an_interpreted_run_goes_on_as_the_compiled_one(name, tmp_path):
    text = text_of(name)
    simulation = Simulation(check(loads(text)), compiled=False)
    killed(simulation, tmp_path / "a.h5", 2, tmp_path / "b.h5", budget=10)
    assert_equal(resume(tmp_path / "b.h5", compiled=True), full(text))
    shutil.copy(tmp_path / "a.h5", tmp_path / "b.h5")
    whole = full(text, "1.1 s")
    assert_equal(resume(tmp_path / "b.h5", stop="1.1 s", compiled=False), whole)


def test_a_run_is_killed_and_goes_on_again_and_again(tmp_path):
    """Every time from a copy of what a kill leaves, at another chunk, also right at the begin."""
    text = text_of("noise", log="")
    simulation = compiled_of(text)
    killed(simulation, tmp_path / "a.h5", 1, tmp_path / "b.h5", budget=5)
    for chunks in (0, 3, 1, 7):
        found = find_interrupted(tmp_path / "b.h5")
        again = found.simulation()
        writer = found.writer(again, 0.0)
        for _ in range(chunks):
            writer.append(again.advance(7))
            writer.save(again)
        shutil.copy(tmp_path / "b.h5", tmp_path / "c.h5")
        writer.close(again)
        shutil.move(tmp_path / "c.h5", tmp_path / "b.h5")
    assert_equal(resume(tmp_path / "b.h5"), full(text))


def test_a_cancelled_run_goes_on(tmp_path):
    text, path = text_of("noise"), tmp_path / "a.h5"
    simulation = compiled_of(text)
    writer = ResultsWriter(path, simulation)
    writer.append(simulation.advance(30))
    simulation.cancel()
    for rows in simulation.chunks():
        writer.append(rows)
    writer.close(simulation)
    assert Results.load(path).meta["outcome"] == "cancelled"
    assert_equal(resume(path), full(text))


def test_a_longer_run_keeps_the_largest_step_and_says_so(tmp_path):
    text, path = text_of("stiff").replace(", max_step: 20 ms", ""), tmp_path / "a.h5"
    simulate(loads(text), output=path)
    resumed = resume(path, stop="3 s")
    assert resumed.meta["settings"]["max_step"] == 0.02
    assert resumed.meta["settings"]["stop"] == 3.0
    assert_equal(resumed, simulate(loads(resumed.meta["diagram"])))


def test_values_changed_in_mid_run_stay_in_force(tmp_path):
    text, path = text_of("stiff"), tmp_path / "a.h5"
    simulation = compiled_of(text)
    writer = ResultsWriter(path, simulation, 0.0)
    parts = [simulation.advance(20)]
    simulation.set({"wave.omega": "5 rad/s"})
    parts.append(simulation.advance(20))
    for rows in parts:
        writer.append(rows)
    writer.save(simulation)
    shutil.copy(path, tmp_path / "b.h5")
    whole = np.concatenate([*parts, *simulation.chunks()])
    writer.close(simulation)
    resumed = resume(tmp_path / "b.h5")
    np.testing.assert_array_equal(resumed.rows.read(0, whole.shape[1]), whole)


def test_a_state_that_was_cut_short_leaves_the_one_before(tmp_path):
    text, path = text_of("noise"), tmp_path / "b.h5"
    killed(compiled_of(text), tmp_path / "a.h5", 9, path)
    with h5py.File(path, "r+") as file:
        numbers = file["state/about"][:, 0]
        file["state/memory"][int(numbers.argmax()), 70:90] = 0.0
    assert find_interrupted(path).state.rows > 0
    assert_equal(resume(path), full(text))


# --- refusals ------------------------------------------------------------------------------------
def file_of(tmp_path, text=None):
    path = tmp_path / "a.h5"
    simulate(loads(text or text_of("noise")), output=path)
    return path


def refused(path, message, **more):
    before = path.read_bytes()
    with pytest.raises(DiagramError, match=message):
        resume(path, **more)
    assert path.read_bytes() == before


def test_a_run_that_is_done_asks_for_a_later_end(tmp_path):
    path = file_of(tmp_path)
    refused(path, r"the run is done, at t = 1 s; expected a later end, as in --stop '2 s'")
    refused(path, r"--stop 0.5 s is not after that", stop="0.5 s")
    refused(path, "cannot be read", stop="soon")


def test_a_run_that_a_block_has_stopped_does_not_go_on(tmp_path):
    text = """\
diagram: 1
blocks:
  ramp: {type: sources.ramp}
  half: {type: sources.constant, value: 0.5}
  late: {type: logic.compare, relation: ">"}
  stop: {type: sinks.stop}
wires: [ramp -> late.u1, half -> late.u2, late -> stop]
solver: {stop: 1 s}
"""
    refused(file_of(tmp_path, text), "the run has ended by itself", stop="2 s")


def test_another_version_is_refused(tmp_path):
    path = file_of(tmp_path)
    with h5py.File(path, "r+") as file:
        file.attrs["version_railblocks"] = "0.0.1"
        file.attrs["version_numba"] = "0.1"
    refused(path, r"began with railblocks 0.0.1(.|\n)*began with numba 0.1", stop="2 s")


def test_results_without_a_state_say_what_to_do(tmp_path):
    path = file_of(tmp_path)
    with h5py.File(path, "r+") as file:
        del file["state"]
    refused(path, "holds no state.*--checkpoint: run the diagram again", stop="2 s")


CUSTOM = """\
from railblocks import Block, In, Out, out

class Twice(Block):
    \"\"\"Doubles.\"\"\"
    u = In("1", "input")
    y = Out("1", "output")

    @out("y")
    def double(u):
        return FACTOR * u
"""


def registry_with(folder, factor):
    folder.mkdir()
    (folder / "twice.py").write_text(CUSTOM.replace("FACTOR", factor))
    registry = standard_blocks().copy()
    registry.add_path(folder / "twice.py")
    return registry


def test_blocks_that_compute_something_else_are_refused(tmp_path):
    text = """\
diagram: 1
blocks:
  wave: {type: sources.sine, omega: 20 rad/s}
  twice: {type: twice.twice}
wires: [wave -> twice]
solver: {stop: 1 s}
"""
    path, first = tmp_path / "a.h5", registry_with(tmp_path / "one", "2.0")
    simulate(loads(text), registry=first, output=path, compiled=False)
    other = registry_with(tmp_path / "two", "2.5")
    message = "blocks of type twice.twice compute something else than when the run began"
    refused(path, message, stop="2 s", registry=other, compiled=False)
    refused(path, "'twice.twice' is not a known block", stop="2 s", compiled=False)
    assert len(resume(path, stop="2 s", registry=first, compiled=False)) > 1


@pytest.fixture
def folder_run(tmp_path):
    """A run of a diagram in a file, with a file of parameters."""
    (tmp_path / "set.yaml").write_text("diagram: 1\nparameters: {k: 3}\n")
    text = (
        text_of("stiff")
        .replace("k: 100 1/s", "k: 100 1/s")
        .replace("diagram: 1\n", "diagram: 1\ninclude: set.yaml\n")
    )
    (tmp_path / "d.yaml").write_text(text)
    simulate(load(tmp_path / "d.yaml"), output=tmp_path / "a.h5")
    return tmp_path


def test_changed_and_missing_files_are_refused_by_name(folder_run):
    path, other = folder_run / "a.h5", folder_run / "set.yaml"
    other.write_text("diagram: 1\nparameters: {k: 4}\n")
    refused(path, "set.yaml has changed since the run began; put it back", stop="2 s")
    other.unlink()
    refused(path, "set.yaml is missing since the run began", stop="2 s")


def test_a_changed_diagram_is_refused_unless_the_stored_one_is_asked_for(folder_run):
    path, diagram = folder_run / "a.h5", folder_run / "d.yaml"
    diagram.write_text(diagram.read_text().replace("100", "50"))
    refused(path, "d.yaml has changed since the run began; run it anew.*--as-stored", stop="2 s")
    assert find_interrupted(path, "2 s", as_stored=True).state.rows > 0
    diagram.unlink()
    assert resume(path, stop="1.998 s").time[-1] == 1.998


DAMAGES = {
    "about": lambda file: file["state/about"].__setitem__((slice(None), 3), 1.0),
    "rows": lambda file: file["state/about"].__setitem__((slice(None), 1), 1e9),
    "order": lambda file: file["state/about"].__setitem__((slice(None), 0), np.nan),
    "memory": lambda file: file["state/memory"].__setitem__(slice(None), np.inf),
    "gone": lambda file: file["state"].__delitem__("memory"),
    "shape": lambda file: (
        file["state"].__delitem__("memory"),
        file.create_dataset("state/memory", data=np.zeros((2, 3))),
    ),
    "identity": lambda file: file["state/identity"].__setitem__((), "[1]"),
    "text": lambda file: file["state/identity"].__setitem__((), "{"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_state_is_a_message(damage, tmp_path):
    path = file_of(tmp_path)
    with h5py.File(path, "r+") as file:
        DAMAGES[damage](file)
    refused(path, "holds no state|is damaged", stop="2 s")


def test_a_run_that_still_writes_is_left_alone(tmp_path):
    path, simulation = tmp_path / "a.h5", compiled_of(text_of("noise"))
    writer = ResultsWriter(path, simulation, 0.0)
    with pytest.raises(DiagramError, match="another run is writing to this file"):
        resume(path)
    writer.close(simulation)


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of file sizes")
def test_a_full_disk_is_a_message_and_leaves_the_old_file(tmp_path):
    """The size of files is limited in a process of its own; HDF5 must never meet the limit."""
    import resource

    path = file_of(tmp_path)
    before = path.read_bytes()
    limit = len(before) // 2
    done = subprocess.run(
        [sys.executable, "-m", "railblocks.engine.cli", "resume", str(path), "--stop", "9 s"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert done.returncode == 2, done.stderr
    assert "cannot be written: File too large" in done.stderr
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.h5"]


def test_a_run_that_began_at_a_point_with_held_ports_says_why_it_cannot_go_on(tmp_path):
    """Such a run has blocks that are not in its diagram."""
    path = file_of(tmp_path)
    with h5py.File(path, "r+") as file:
        identity = json.loads(file["state/identity"].asstr()[()]) | {"blocks x.held": "1"}
        file["state/identity"][()] = json.dumps(identity)
    refused(path, "has no blocks of type x.held, the run has some", stop="2 s")
