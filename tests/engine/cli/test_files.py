"""`railblocks graph`, `plot`, `export` and `new`: files out of files."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from railblocks.engine import Results


@pytest.fixture
def results(folder):
    time = np.linspace(0, 1, 11)
    signals = Results.from_arrays(
        time, {"rig.omega": np.stack([time, 2 * time], axis=1)}, {"rig.omega": "rad/s"}
    )
    signals.save("rig.h5")
    return signals


# --- graph -------------------------------------------------------------------------------------
def test_a_diagram_is_drawn(folder, call):
    done = call("graph", "mass.yaml")
    assert (done.code, done.out) == (0, "mass.svg\n")
    assert ElementTree.parse("mass.svg").getroot().tag.endswith("svg")


def test_a_drawing_may_go_to_another_file_or_to_standard_output(folder, call):
    assert call("graph", "mass.yaml", "-o", "a.svg").code == 0
    assert call("graph", "mass.yaml", "-o", "-").out == (folder / "a.svg").read_text()


def test_the_inside_of_a_subsystem_is_drawn(folder, call):
    inner = "{inputs: {e: g.u}, outputs: {u: g.y}, blocks: {g: {type: math.gain}}}"
    (folder / "d.yaml").write_text(f"diagram: 1\nblocks:\n  ctl: {{subsystem: {inner}}}\n")
    assert call("graph", "d.yaml", "--inside", "ctl").out == "d.ctl.svg\n"
    done = call("graph", "d.yaml", "--inside", "ctr")
    assert done.code == 2
    assert "did you mean 'ctl'?" in done.err


@pytest.mark.parametrize("output", ["mass.yaml", "none/a.svg", ".", "a.png"])
def test_a_drawing_that_cannot_be_written_is_told(folder, call, output):
    before = (folder / "mass.yaml").read_text()
    done = call("graph", "mass.yaml", "-o", output)
    assert done.code == 2
    assert done.err.startswith(f"{output}: ")
    assert (folder / "mass.yaml").read_text() == before


# --- plot --------------------------------------------------------------------------------------
def test_signals_are_plotted(folder, call, results):
    assert call("plot", "rig.h5").out == "rig.png\n"
    assert call("plot", "rig.h5", "rig.omega[1]", "-o", "a.svg", "--title", "Rig").code == 0
    assert ElementTree.parse("a.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.h5"], "none.h5: there is no such file"),
        (["."], ".: is a folder"),
        (["mass.yaml"], "mass.yaml: is not an HDF5 file"),
        (["rig.h5", "rig.omga"], "did you mean 'rig.omega'?"),
        (["rig.h5", "rig.omega[2]"], "out of range"),
        (["rig.h5", "-o", "a.doc"], "a.doc: '.doc' is not a figure format"),
        (["rig.h5", "-o", "none/a.png"], "none/a.png: the figure cannot be written"),
    ],
)
def test_what_cannot_be_plotted_is_told(folder, call, results, arguments, message):
    done = call("plot", *arguments)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


# --- export ------------------------------------------------------------------------------------
def test_results_are_exported(folder, call, results):
    assert call("export", "rig.h5", "--to", "csv").out == "rig.csv\n"
    header = (folder / "rig.csv").read_text().splitlines()[0]
    assert header == "time [s],rig.omega[0] [rad/s],rig.omega[1] [rad/s]"
    assert call("export", "rig.h5", "--to", "mat", "-o", "other.mat").out == "other.mat\n"
    assert (folder / "other.mat").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rig.h5", "--to", "xls"], "invalid choice: 'xls'"),
        (["rig.h5"], "--to"),
        (["none.h5", "--to", "csv"], "there is no such file"),
        (["rig.h5", "--to", "csv", "-o", "none/a.csv"], "none/a.csv: the file cannot be written"),
        (["rig.h5", "--to", "csv", "-o", "rig.h5"], "rig.h5: is the file that is read"),
    ],
)
def test_what_cannot_be_exported_is_told(folder, call, results, arguments, message):
    done = call("export", *arguments)
    assert done.code == 2
    assert message in done.err
    assert len(Results.load("rig.h5")) == 11


# --- new ---------------------------------------------------------------------------------------
def test_a_new_diagram_runs_as_it_is(folder, call):
    assert call("new", "basin").code == 0
    assert {"basin.yaml", "basin_blocks.py", "test_basin.py"} <= set(os.listdir(folder))
    done = call("run", "basin.yaml", "--blocks", "basin_blocks.py", "--interpret", "--json")
    assert done.data()["outcome"] == "done"
    assert done.data()["signals"] == ["reference.y", "tank.h", "pump.y"]


def test_the_test_of_a_new_diagram_passes(folder, call):
    call("new", "basin")
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "."], capture_output=True)
    assert done.returncode == 0, done.stdout.decode()


def test_nothing_is_overwritten(folder, call):
    (folder / "test_basin.py").write_text("mine")
    done = call("new", "basin")
    assert done.code == 2
    assert done.err == "test_basin.py: exists already; choose another name\n"
    assert sorted(os.listdir(folder)) == ["mass.yaml", "test_basin.py"]


@pytest.mark.parametrize("name", ["3x", "a b", "../a", "", "test_a", "a.b", "x" * 300])
def test_a_name_that_is_none_is_told(folder, call, name):
    done = call("new", name)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert os.listdir(folder) == ["mass.yaml"]
