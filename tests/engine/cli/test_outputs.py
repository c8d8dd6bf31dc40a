"""What commands write: never over a file of another kind, and one run to a file."""

import hashlib

import numpy as np
import pytest
from railblocks.engine.runs.results import Results


@pytest.fixture
def results(folder):
    time = np.linspace(0.0, 1.0, 5)
    Results.from_arrays(time, {"a.y": time**2}, {"a.y": "m"}).save(folder / "rig.h5")
    return folder / "rig.h5"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("notes.txt", "has the ending of another kind of file"),
        ("notes", "the file exists and holds text"),
        ("notes.h5", "the file exists and holds text"),
    ],
)
def test_results_do_not_replace_notes(folder, call, name, message):
    (folder / name).write_text("keep me")
    done = call("run", "mass.yaml", "--interpret", "-o", name)
    assert done.code == 2
    assert done.err.startswith(f"{name}: {message}")
    assert (folder / name).read_text() == "keep me"


def test_a_file_that_a_run_writes_is_refused_by_name(folder, call):
    from railblocks.engine import load
    from railblocks.engine.analysis.checking import check
    from railblocks.engine.runs.results import ResultsWriter
    from railblocks.engine.runs.simulation import Simulation

    first = Simulation(check(load("mass.yaml")), compiled=False)
    writer = ResultsWriter("out.h5", first)
    done = call("run", "mass.yaml", "--interpret", "-o", "out.h5")
    writer.close(first)
    assert done.code == 2
    assert done.err.startswith("out.h5: another run is writing to this file; choose another file")
    assert call("run", "mass.yaml", "--interpret", "-o", "out.h5").code == 0


@pytest.mark.parametrize("name", ["notes.md", "notes.txt", "mass.yaml", "code.py", "data.json"])
@pytest.mark.parametrize(
    "command",
    [
        ["export", "rig.h5", "--to", "csv"],
        ["export", "rig.h5", "--to", "mat"],
        ["plot", "rig.h5"],
        ["graph", "mass.yaml"],
        [
            "calibrate",
            "mass.yaml",
            "--parameter",
            "k",
            "--measured",
            "rig.h5",
            "--signal",
            "body.x",
        ],
    ],
)
def test_outputs_do_not_replace_files_of_other_kinds(folder, call, results, command, name):
    if name != "mass.yaml":
        (folder / name).write_text("keep me")
    if name == "mass.yaml" and command[0] == "calibrate":
        pytest.skip("the diagram itself, which is refused otherwise")
    before = (folder / name).read_bytes()
    done = call(*command, "-o", name)
    assert done.code == 2
    assert done.err.startswith(name)
    assert (folder / name).read_bytes() == before


@pytest.mark.parametrize(
    "command",
    [
        ["export", "rig.h5", "--to", "csv", "-o", "a.csv"],
        ["export", "rig.h5", "--to", "mat", "-o", "a.mat"],
        ["plot", "rig.h5", "-o", "a.png"],
        ["graph", "mass.yaml", "-o", "a.svg"],
    ],
)
def test_outputs_replace_files_of_their_own_kind(folder, call, results, command):
    path = folder / command[-1]
    path.write_text("old")
    assert call(*command).code == 0
    assert path.read_bytes() != b"old"
    assert not list(folder.glob("*.part")) + list(folder.glob(".*.part"))


def test_a_calibration_does_not_replace_a_yaml_file_that_is_not_a_diagram(folder, call, results):
    (folder / "coach.yaml").write_text("vehicle: 1\n")
    (folder / "shared.yaml").write_text("diagram: 1\nparameters: {c: 1}\n")
    text = (
        (folder / "mass.yaml")
        .read_text()
        .replace("parameters:", "include: shared.yaml\nparameters:")
    )
    (folder / "mass.yaml").write_text(text)
    for name in ("coach.yaml", "shared.yaml"):
        before = (folder / name).read_bytes()
        done = call(
            "calibrate", "mass.yaml", "--parameter", "k", "--measured", "rig.h5",
            "--signal", "body.x=a.y", "--interpret", "-o", name,
        )  # fmt: skip
        assert done.code == 2
        assert done.err.startswith(name)
        assert (folder / name).read_bytes() == before


def test_a_report_does_not_replace_a_page_that_is_not_a_report(folder, call):
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text("<p>mine")
    done = call("reproduce", "conti2012", "--report", "site")
    assert done.code == 2
    assert "is not a report of railblocks" in done.err
    assert (folder / "site" / "index.html").read_text() == "<p>mine"


def test_a_results_file_tells_what_ran_and_what_was_read(folder, call):
    assert call("run", "mass.yaml", "--interpret", "--quiet").code == 0
    done = call("show", "mass.h5")
    assert done.code == 0
    digest = hashlib.sha256((folder / "mass.yaml").read_bytes()).hexdigest()
    for part in ("Mass on a spring", "done", "body.x", "201, from 0 s to 2 s", digest[:12]):
        assert part in done.out
