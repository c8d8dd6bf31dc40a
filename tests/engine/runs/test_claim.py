"""One run writes a results file at a time, and results replace nothing but results."""

import os
import signal
import subprocess
import sys
import time

import h5py
import numpy as np
import pytest
from railblocks.engine import load, loads, simulate
from railblocks.engine.analysis.checking import check
from railblocks.engine.errors import DiagramError
from railblocks.engine.runs.claim import refuse_taken
from railblocks.engine.runs.results import Results, ResultsWriter
from railblocks.engine.runs.simulation import Simulation

RAMP = """\
diagram: 1
blocks:
  source: {type: sources.constant, value: VALUE}
  area: {type: continuous.integrator}
wires: [source -> area]
solver: {stop: 1 s, method: rk4, step: 1 ms}
log: {signals: [area.y]}
"""
BUSY = "another run is writing to this file"

CHILD = """
import sys, time
import numpy as np
from railblocks.engine import loads
from railblocks.engine.analysis.checking import check
from railblocks.engine.errors import DiagramError
from railblocks.engine.runs.results import ResultsWriter
from railblocks.engine.runs.simulation import Simulation

path, text, pause, at_once = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4]
simulation = Simulation(check(loads(text)), compiled=False)
if at_once == "True":
    print("ready", flush=True)
    start = float(sys.stdin.readline())
    time.sleep(max(start - time.time() - 0.02, 0.0))
    while time.time() < start:
        pass
try:
    writer = ResultsWriter(path, simulation)
except DiagramError as error:
    print("refused:", error)
    sys.exit(2)
print("writing", flush=True)
for rows in simulation.chunks():
    writer.append(rows)
    time.sleep(pause)
writer.close(simulation)
"""


def ramp(slope):
    return RAMP.replace("VALUE", str(slope))


def child(path, slope, pause=0.0, at_once=False):
    """A process that runs a ramp; one of those that start at once is told when."""
    arguments = [sys.executable, "-c", CHILD, str(path), ramp(slope), str(pause), str(at_once)]
    return subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def running(slope):
    return Simulation(check(loads(ramp(slope))), compiled=False)


def assert_is_ramp(path, slope):
    """The integral of a constant is a straight line, in every row of the one run."""
    results = Results.load(path)
    np.testing.assert_allclose(results["area.y"], slope * results.time, atol=1e-9)
    assert len(results) == 1001
    assert np.all(np.diff(results.time) > 0)


def test_a_second_writer_is_refused_by_name_and_the_first_stays_exact(tmp_path):
    path = tmp_path / "out.h5"
    first = running(2.0)
    writer = ResultsWriter(path, first)
    chunks = first.chunks()
    writer.append(next(chunks))
    with pytest.raises(DiagramError, match=f"out.h5: {BUSY}; choose another file with -o, or wait"):
        ResultsWriter(path, running(3.0))
    with pytest.raises(DiagramError, match=BUSY):
        simulate(loads(ramp(3.0)), compiled=False, output=path)
    with pytest.raises(DiagramError, match=BUSY):
        Results.from_arrays([0.0, 1.0], {"a": [1.0, 2.0]}).save(path)
    for rows in chunks:
        writer.append(rows)
    writer.close(first)
    assert_is_ramp(path, 2.0)
    assert os.listdir(tmp_path) == ["out.h5"]


def test_the_name_is_free_again_after_the_run(tmp_path):
    path = tmp_path / "out.h5"
    simulate(loads(ramp(2.0)), compiled=False, output=path)
    simulate(loads(ramp(5.0)), compiled=False, output=path)
    assert_is_ramp(path, 5.0)


def test_a_link_to_the_file_is_the_same_file(tmp_path):
    path, link = tmp_path / "out.h5", tmp_path / "link.h5"
    link.symlink_to(path)
    first = running(2.0)
    writer = ResultsWriter(path, first)
    with pytest.raises(DiagramError, match=BUSY):
        ResultsWriter(link, running(3.0))
    writer.close(first)
    simulate(loads(ramp(3.0)), compiled=False, output=link)
    assert link.is_symlink()
    assert_is_ramp(path, 3.0)


def test_results_can_be_read_while_they_grow(tmp_path):
    path = tmp_path / "out.h5"
    first = running(2.0)
    writer = ResultsWriter(path, first)
    rows = next(first.chunks())
    writer.append(rows)
    results = Results.load(path)
    np.testing.assert_array_equal(results.time, rows[:, 0])
    writer.close(first)


def test_results_of_another_process_can_be_read_while_they_grow(tmp_path):
    path = tmp_path / "out.h5"
    writer = child(path, 2.0, pause=0.02)
    assert writer.stdout.readline() == "writing\n"
    seen = 0
    while writer.poll() is None:
        results = Results.load(path)
        np.testing.assert_allclose(results["area.y"], 2.0 * results.time, atol=1e-9)
        assert len(results) >= seen
        seen = len(results)
    assert_is_ramp(path, 2.0)


BUSY_WRITER = """
import sys, time
import numpy as np
from railblocks.engine.runs.growing_file import GrowingFile
from railblocks.engine.runs.results_file import results_image
from railblocks.engine.model.signals import LoggedSignal

file = GrowingFile(sys.argv[1], results_image((LoggedSignal("v", "m", (40,)),), {}))
print("writing", flush=True)
begin, done = time.monotonic(), 0
while time.monotonic() - begin < 3.0:
    file.append(np.repeat(np.arange(done, done + 37.0)[:, None], 41, 1))
    done += 37
file.end({"finished": True}, None)
"""


def test_every_look_at_a_busy_file_shows_whole_rows(tmp_path):
    """Row k holds k in every column; chunks and their index are moved all the time."""
    path = tmp_path / "out.h5"
    writer = subprocess.Popen(
        [sys.executable, "-c", BUSY_WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout.readline() == "writing\n"
    looks = 0
    while writer.poll() is None:
        results = Results.load(path)
        np.testing.assert_array_equal(results["v"][:, 7], np.arange(len(results)))
        looks += 1
    assert writer.returncode == 0
    assert looks > 2


def test_the_lock_of_a_killed_run_vanishes_with_it(tmp_path):
    path = tmp_path / "out.h5"
    first = child(path, 2.0, pause=0.5)
    assert first.stdout.readline() == "writing\n"
    with pytest.raises(DiagramError, match=BUSY):
        refuse_taken(str(path))
    first.send_signal(signal.SIGKILL)
    first.wait()
    simulate(loads(ramp(4.0)), compiled=False, output=path)
    assert_is_ramp(path, 4.0)


@pytest.mark.parametrize("exists", [False, True])
def test_of_runs_that_start_at_once_one_writes(tmp_path, exists):
    """All are ready and wait for the same instant; the file is that of the one that wrote."""
    path = tmp_path / "out.h5"
    if exists:
        simulate(loads(ramp(9.0)), compiled=False, output=path)
    children = [child(path, slope, 0.05, at_once=True) for slope in (1.0, 2.0, 3.0, 4.0)]
    assert [process.stdout.readline() for process in children] == ["ready\n"] * 4
    start = time.time() + 0.5
    for process in children:
        process.stdin.write(f"{start}\n")
        process.stdin.flush()
    outputs = [process.communicate()[0] for process in children]
    codes = [process.returncode for process in children]
    assert sorted(codes) == [0, 2, 2, 2], outputs
    assert all(BUSY in text for text, code in zip(outputs, codes, strict=True) if code == 2)
    assert_is_ramp(path, 1.0 + codes.index(0))
    assert os.listdir(tmp_path) == ["out.h5"]


OTHER_KINDS = {
    "notes.txt": (b"do not lose me\n", "holds text"),
    "diagram.h5": (b"diagram: 1\n", "holds text"),
    "picture.h5": (b"\x89PNG\r\n\x1a\n\0\0", "holds something else"),
    "damaged.h5": (b"\x89HDF\r\n\x1a\n" + bytes(40), "damaged"),
    "long.h5": ("ä".encode() * 5000, "holds text"),
}


@pytest.mark.parametrize("name", OTHER_KINDS)
def test_results_do_not_replace_other_files(tmp_path, name):
    path = tmp_path / name
    content, message = OTHER_KINDS[name]
    path.write_bytes(content)
    for write in (
        lambda: ResultsWriter(path, running(1.0)),
        lambda: Results.from_arrays([0.0], {"a": [1.0]}).save(path),
        lambda: simulate(loads(ramp(1.0)), compiled=False, output=path),
    ):
        with pytest.raises(DiagramError, match=rf"{name}: .*{message}.*choose another name"):
            write()
    assert path.read_bytes() == content
    assert os.listdir(tmp_path) == [name]


def test_other_hdf5_files_are_not_replaced(tmp_path):
    import h5py

    path = tmp_path / "measured.h5"
    with h5py.File(path, "w") as file:
        file["t"] = np.arange(5.0)
    before = path.read_bytes()
    with pytest.raises(DiagramError, match="HDF5 data that are not results"):
        ResultsWriter(path, running(1.0))
    assert path.read_bytes() == before


def test_an_empty_file_is_replaced(tmp_path):
    path = tmp_path / "out.h5"
    path.touch()
    simulate(loads(ramp(3.0)), compiled=False, output=path)
    assert_is_ramp(path, 3.0)


@pytest.mark.parametrize("kind", ["fifo", "folder", "read_only_folder"])
def test_what_cannot_be_replaced_is_a_message_at_once(tmp_path, kind):
    path = tmp_path / "out.h5"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path = tmp_path / "missing" / "out.h5"
    with pytest.raises(DiagramError, match=r"out.h5: .*choose another"):
        ResultsWriter(path, running(1.0))


def test_planted_links_at_old_temporary_names_are_not_followed(tmp_path):
    victim = tmp_path / "victim.txt"
    victim.write_text("mine")
    for name in ("out.h5.part", ".out.h5.part", "out.csv.part", "out.part"):
        (tmp_path / name).symlink_to(victim)
    results = simulate(loads(ramp(2.0)), compiled=False)
    results.save(tmp_path / "out.h5")
    results.export(tmp_path / "out.csv")
    results.plot(file=tmp_path / "out.png")
    assert victim.read_text() == "mine"


def test_diagrams_keep_their_file(tmp_path):
    path = tmp_path / "d.yaml"
    path.write_text(ramp(1.0))
    with pytest.raises(DiagramError, match="holds text"):
        simulate(load(path), compiled=False, output=path)
    assert path.read_text() == ramp(1.0)


def test_who_only_reads_results_does_not_keep_a_run_from_writing_them(tmp_path):
    diagram = loads(
        "diagram: 1\nblocks: {a: {type: sources.sine, omega: 2}}\nsolver: {stop: 1 s}\n"
    )
    path = str(tmp_path / "run.h5")
    simulate(diagram, output=path, compiled=False)
    with h5py.File(path, "r") as reader:
        rows = reader["rows"][()]
        results = simulate(diagram, {"a.omega": 3}, output=path, compiled=False)
        np.testing.assert_array_equal(reader["rows"][()], rows)
    np.testing.assert_allclose(results["a.y"], np.sin(3 * results.time), atol=1e-15)
