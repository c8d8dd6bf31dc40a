"""Runs of papers' diagrams: signals by name, windows of time, files, progress."""

import numpy as np
import pytest
from railblocks.diagrams import runs
from railblocks.diagrams.runs import Run, check_keep, shipped, signal
from railblocks.engine import DiagramError, Results, check, loads

RAMP = """
diagram: 1
blocks:
  slope: {type: sources.constant, value: 3}
  ramp:  {type: continuous.integrator}
wires: [slope -> ramp]
solver: {stop: 2}
log: {signals: [ramp.y], every: 0.5}
"""


class RampRun(Run):
    y = signal("ramp.y")
    doubled = signal("ramp.y", 2.0)


def ramp(**options):
    return RampRun.of(check(loads(RAMP)), "ramp", **options)


def test_a_run_has_its_times_signals_and_the_values_of_its_blocks():
    run = ramp()
    assert run.t.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]
    assert run["ramp.y"] == pytest.approx(3.0 * run.t)
    assert run.blocks["slope"]["value"] == 3.0
    assert run.results.statistics.simulated == 2.0


def test_a_signal_of_a_class_is_read_once_and_scaled():
    run = ramp()
    assert run.y == pytest.approx(3.0 * run.t)
    assert np.array_equal(run.doubled, 2.0 * run.y)
    assert run.y is run.y
    assert run.doubled is run.doubled


def test_a_window_holds_both_of_its_ends():
    run = ramp()
    assert run.t[run.window(0.5, 1.5)].tolist() == [0.5, 1.0, 1.5]
    assert run.t[run.window(1.5)].tolist() == [1.5, 2.0]


def test_a_run_is_kept_as_a_file_with_its_name(tmp_path):
    run = ramp(keep=str(tmp_path / "runs" / "of today"))
    kept = Results.load(tmp_path / "runs" / "of today" / "ramp.h5")
    assert np.array_equal(kept["ramp.y"], run.y)


def test_progress_has_the_name_of_the_run(monkeypatch):
    monkeypatch.setattr(runs, "SECONDS_BETWEEN_MESSAGES", -1.0)
    messages = []
    ramp(tell=messages.append)
    assert messages[0] == "ramp: compiling"
    assert messages[-1] == "ramp: t = 2.0 s of 2 s"


def test_messages_come_once_in_a_while():
    messages = []
    ramp(tell=messages.append)
    assert messages == ["ramp: compiling"]


def test_a_shipped_diagram_has_other_values_where_they_are_given():
    masses = [
        shipped("toumi2019", "braking", values).model.blocks["train.motion"].values["m"]
        for values in (None, {"train.m": "250 t"})
    ]
    assert masses == [300e3, 250e3]


def test_a_file_is_not_a_folder_for_runs(tmp_path):
    (tmp_path / "file").touch()
    check_keep(None)
    check_keep(str(tmp_path))
    check_keep(str(tmp_path / "made later"))
    with pytest.raises(DiagramError, match="file: is a file; expected a folder for the runs"):
        check_keep(str(tmp_path / "file"))
