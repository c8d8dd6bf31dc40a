"""`railblocks run`: settings, results, figures, and every way in which a run can end."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from railblocks.engine import Results

INTERPRET = ("--interpret",)
ENDLESS = [sys.executable, "-m", "railblocks.engine.cli", "run", "mass.yaml", "--interpret"]
ENDLESS += ["--stop", "1e9 s"]


def test_results_are_written_beside_the_user(folder, call):
    done = call("run", "mass.yaml", *INTERPRET)
    assert done.code == 0
    results = Results.load("mass.h5")
    assert results["body.x"] == pytest.approx(np.cos(2 * results.time), abs=1e-7)
    assert results.meta["outcome"] == "done"


def test_the_summary_tells_what_the_run_took(folder, call):
    done = call("run", "mass.yaml", "--plot", *INTERPRET)
    for word in (
        "Mass on a spring",
        "done",
        "steps",
        "rejected",
        "events",
        "evaluations",
        "sample hits",
        "wall time",
        "compile time",
        "real-time factor",
        "mass.h5",
        "mass.png",
    ):
        assert word in done.out
    assert (folder / "mass.png").read_bytes().startswith(b"\x89PNG")


def test_compiled_and_interpreted_give_the_same_numbers(folder, call):
    assert call("run", "mass.yaml", "-o", "a.h5").code == 0
    assert call("run", "mass.yaml", "-o", "b.h5", *INTERPRET).code == 0
    assert np.array_equal(Results.load("a.h5")["body.x"], Results.load("b.h5")["body.x"])


def test_values_and_settings_reach_the_run(folder, call):
    options = ["--set", "k=9 N/m", "--set", "body.x_0=50 cm", "--stop", "1s", "--solver", "rk4"]
    options += ["--step", "1 ms", "--seed", "5", "--atol", "1e-6", "--rtol", "1e-3"]
    done = call("run", "mass.yaml", *options, "--json", *INTERPRET).data()
    assert done["settings"]["method"] == "rk4"
    assert done["settings"]["seed"] == 5
    assert done["statistics"]["steps"] == 1000
    results = Results.load("mass.h5")
    assert results["body.x"][-1] == pytest.approx(0.5 * np.cos(3), abs=1e-9)
    assert results.meta["seed"] == 5


def test_json_is_one_object_with_summary_and_outcome(folder, call):
    done = call("run", "mass.yaml", "--json", *INTERPRET)
    assert done.err == ""
    data = done.data()
    assert data["outcome"] == "done"
    assert data["results"] == "mass.h5"
    assert data["figure"] is None
    assert data["signals"] == ["body.x", "body.v"]
    assert data["statistics"]["simulated"] == 2.0


def test_quiet_prints_nothing(folder, call):
    done = call("run", "mass.yaml", "--quiet", *INTERPRET)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_plot_before_the_file_is_understood(folder, call):
    assert call("run", *INTERPRET, "--plot", "mass.yaml").code == 0
    assert (folder / "mass.png").exists()
    assert call("run", "mass.yaml", *INTERPRET, "--plot", "other.svg").code == 0
    assert (folder / "other.svg").exists()


def test_blocks_of_the_user_run(folder, call):
    (folder / "own.py").write_text(
        "from railblocks.engine import Block, In, Out, out\n\n\n"
        "class Twice(Block):\n"
        '    """Twice the input."""\n\n'
        '    u = In("?u", "input")\n'
        '    y = Out("?u", "output")\n\n'
        '    @out("y")\n'
        "    def double(u):\n"
        "        return 2.0 * u\n"
    )
    text = "diagram: 1\nblocks:\n  one: {type: sources.constant, value: 3}\n"
    (folder / "d.yaml").write_text(text + "  two: {type: own.twice}\nwires: [one -> two]\n")
    assert call("run", "d.yaml", *INTERPRET).code == 2
    assert call("run", "d.yaml", "--blocks", "own.py", *INTERPRET).code == 0
    assert Results.load("d.h5")["two.y"][-1] == 6.0


# --- ways to end -------------------------------------------------------------------------------
FAILING = """\
diagram: 1
blocks:
  ramp:  {type: sources.ramp, slope: 1}
  small: {type: logic.compare_to_constant, u2: 0.5, relation: "<"}
  must:  {type: sinks.assertion, message: the ramp is too high}
wires: [ramp -> small.u1, small -> must]
solver: {stop: 1 s}
log: {signals: [ramp.y]}
"""


def test_a_run_that_fails_ends_with_one_and_keeps_its_results(folder, call):
    (folder / "f.yaml").write_text(FAILING)
    done = call("run", "f.yaml", *INTERPRET)
    assert done.code == 1
    assert "the ramp is too high" in done.err
    assert "failed" in done.out
    assert Results.load("f.h5").time[-1] == pytest.approx(0.5, abs=1e-6)


def test_a_run_that_fails_is_told_in_json(folder, call):
    (folder / "f.yaml").write_text(FAILING)
    done = call("run", "f.yaml", "--json", *INTERPRET)
    assert done.code == 1
    assert done.data()["outcome"] == "failed"
    assert "the ramp is too high" in done.data()["reason"]


def test_a_run_that_a_stop_block_ends_is_done(folder, call):
    (folder / "s.yaml").write_text(
        FAILING.replace(
            "{type: sinks.assertion, message: the ramp is too high}", "{type: sinks.stop}"
        ).replace('relation: "<"', 'relation: ">="')
    )
    done = call("run", "s.yaml", *INTERPRET)
    assert done.code == 0
    assert "stopped" in done.out


def _started(folder):
    process = subprocess.Popen(ENDLESS, cwd=folder, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    while not (folder / "mass.h5").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)
    return process


def test_ctrl_c_ends_the_run_and_keeps_its_results(folder):
    process = _started(folder)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted; the results so far are in mass.h5" in err
    assert "Traceback" not in err
    results = Results.load(folder / "mass.h5")
    assert results.meta["outcome"] == "cancelled"
    assert results["body.x"] == pytest.approx(np.cos(2 * results.time), abs=1e-5)
    assert len(results) > 10


def test_a_killed_run_leaves_results(folder):
    process = _started(folder)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    results = Results.load(folder / "mass.h5")
    assert not results.meta["finished"]
    assert results["body.x"] == pytest.approx(np.cos(2 * results.time), abs=1e-5)
    assert os.listdir(folder).count("mass.h5") == 1


# --- bad input ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "a diagram file is missing"),
        (["none.yaml"], "none.yaml: there is no such file"),
        (["."], ".: is a folder; expected a YAML file"),
        (["mass.yaml", "--stop", "5 kg"], "--stop: solver.stop = 5.0 kg has unit kg"),
        (["mass.yaml", "--solver", "ode44"], "did you mean 'ode45'?"),
        (["mass.yaml", "--rtol", "2"], "--rtol: solver.rtol = 2 is out of range"),
        (["mass.yaml", "--step", "1 ms"], "solver.step has no meaning for ode45"),
        (["mass.yaml", "--seed", "x"], "--seed: "),
        (["mass.yaml", "--set", "body.mass=1"], "'mass' is not a parameter of body"),
        (["mass.yaml", "--set", "bdy.m=1"], "did you mean 'body'?"),
        (["mass.yaml", "--set", "q"], "expected PATH=VALUE"),
        (["mass.yaml", "--blocks", "none.py"], "none.py: no such file"),
        (["mass.yaml", "-o", "none/a.h5"], "none/a.h5: the results cannot be written"),
        (["mass.yaml", "-o", "."], ".: the results cannot be written"),
        (["mass.yaml", "-o", "mass.yaml"], "mass.yaml: is the file that is read"),
        (["mass.yaml", "-o", "a.csv"], "expected .h5"),
        (["mass.yaml", "--plot", "a.gif"], "'.gif' is not a figure format"),
        (["mass.yaml", "--frob"], "unrecognized arguments: --frob"),
    ],
)
def test_bad_input_is_one_clear_message(folder, call, arguments, message):
    before = (folder / "mass.yaml").read_text()
    done = call("run", *arguments, *INTERPRET)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""
    assert os.listdir(folder) == ["mass.yaml"]
    assert (folder / "mass.yaml").read_text() == before


def test_all_mistakes_of_a_diagram_are_told_at_once(folder, call):
    (folder / "bad.yaml").write_text(
        "diagram: 1\nblocks:\n  a: {type: math.gian}\n  b: {type: math.gain, j: 2}\n"
    )
    done = call("run", "bad.yaml", *INTERPRET)
    assert done.code == 2
    assert "bad.yaml:3" in done.err
    assert "did you mean 'math.gain'?" in done.err
    assert "bad.yaml:4" in done.err


def test_bad_input_is_also_told_in_json(folder, call):
    done = call("run", "mass.yaml", "--stop", "5 kg", "--json", *INTERPRET)
    assert done.code == 2
    assert done.data()["outcome"] == "invalid"
    assert "unit kg" in done.data()["problems"][0]["message"]


def test_a_run_that_looks_stiff_ends_with_the_command_to_try(tmp_path, monkeypatch, capsys):
    from railblocks.engine.cli import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "stiff one.yaml").write_text(
        "diagram: 1\nblocks:\n  u: {type: sources.sine}\n"
        "  a: {type: continuous.first_order_lag, T: 1e-4 s}\nwires: [u -> a]\nsolver: {stop: 1 s}\n"
    )
    assert main(["run", "stiff one.yaml", "--quiet"]) == 0
    note = capsys.readouterr().err
    assert note.startswith("note: the diagram looks stiff: ")
    assert note.rstrip().endswith("or `railblocks run 'stiff one.yaml' --solver radau5`")
    assert main(["run", "stiff one.yaml", "--solver", "radau5", "--quiet"]) == 0
    assert capsys.readouterr().err == ""
