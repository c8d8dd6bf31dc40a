"""Results for other programs: nothing is lost on the way."""

import csv
import os
import re
import sys

import numpy as np
import pytest
from railblocks.engine import DiagramError, Results
from railblocks.engine.runs.export import export, valid_names
from scipy.io import loadmat


def results(count=50):
    random = np.random.default_rng(1)
    time = np.linspace(0, 1, count)
    odd = random.standard_normal(count) * 10.0 ** random.integers(-300, 300, count)
    return Results.from_arrays(
        time,
        {
            "motor.omega": odd,
            "rig.F": random.standard_normal((count, 2, 2)),
            "wsp.on": time > 0.5,
            "wsp.count": (time * 7).astype(int),
        },
        {"motor.omega": "rad/s", "rig.F": "N"},
        {"title": "Export"},
    )


def test_csv_reads_back_to_the_same_doubles(tmp_path):
    original = results()
    original.export(tmp_path / "a.csv")
    with open(tmp_path / "a.csv", newline="") as file:
        header, *lines = csv.reader(file)
    assert header == [
        "time [s]",
        "motor.omega [rad/s]",
        "rig.F[0, 0] [N]",
        "rig.F[0, 1] [N]",
        "rig.F[1, 0] [N]",
        "rig.F[1, 1] [N]",
        "wsp.on",
        "wsp.count",
    ]
    table = np.array(lines, dtype=float)
    assert np.array_equal(table[:, 0], original.time)
    assert np.array_equal(table[:, 1], original["motor.omega"])
    assert np.array_equal(table[:, 2:6].reshape(-1, 2, 2), original["rig.F"])


def test_csv_writes_whole_numbers_and_truth_values_as_such(tmp_path):
    results().export(tmp_path / "a.csv")
    last = (tmp_path / "a.csv").read_text().splitlines()[-1]
    assert last.endswith(",1,7")


def test_csv_holds_what_is_not_finite(tmp_path):
    odd = Results.from_arrays([0, 1, 2], {"a.y": [np.nan, np.inf, -np.inf]})
    odd.export(tmp_path / "a.csv")
    values = [float(line.split(",")[1]) for line in (tmp_path / "a.csv").read_text().split()[2:]]
    assert np.isnan(values[0])
    assert values[1:] == [np.inf, -np.inf]


def test_mat_holds_every_signal_under_a_valid_name(tmp_path):
    original = results()
    original.export(tmp_path / "a.mat")
    data = loadmat(tmp_path / "a.mat")
    assert np.array_equal(data["time"][:, 0], original.time)
    assert np.array_equal(data["motor_omega"][:, 0], original["motor.omega"])
    assert np.array_equal(data["rig_F"], original["rig.F"])
    assert data["names"][0, 0][0] == "motor.omega"
    assert data["variables"][0, 0][0] == "motor_omega"
    assert data["units"][0, 0][0] == "rad/s"


def test_names_for_matlab_are_valid_and_all_different():
    long = "a" * 80
    names = ("a.b", "a_b", "_x.y", "ä.y", f"{long}.y", f"{long}.z", "time", "units")
    valid = valid_names(names)
    assert list(valid) == list(names)
    assert len(set(valid.values()) | {"time", "units"}) == len(names) + 2
    assert all(re.fullmatch(r"[A-Za-z]\w{0,62}", v, re.ASCII) for v in valid.values())


def test_a_missing_pyarrow_is_told_with_the_command(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DiagramError, match=re.escape("pip install 'railblocks[parquet]'")):
        results().export(tmp_path / "a.parquet")
    assert os.listdir(tmp_path) == []


def test_parquet_reads_back_to_the_same_numbers(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    original = results()
    original.export(tmp_path / "a.parquet")
    table = parquet.read_table(tmp_path / "a.parquet")
    assert np.array_equal(table["motor.omega"].to_numpy(), original["motor.omega"])
    assert np.array_equal(table["rig.F[1, 0]"].to_numpy(), original["rig.F[1, 0]"])
    assert table["wsp.on"].to_pylist() == original["wsp.on"].tolist()
    assert table.schema.field("motor.omega").metadata == {b"unit": b"rad/s"}


@pytest.mark.parametrize("name", ["a.xls", "a"])
def test_an_unknown_format_is_told(tmp_path, name):
    with pytest.raises(DiagramError, match="expected one of csv, mat, parquet"):
        results().export(tmp_path / name)


@pytest.mark.parametrize("kind", ["csv", "mat"])
def test_a_file_that_cannot_be_written_is_told(tmp_path, kind):
    with pytest.raises(DiagramError, match="cannot be written"):
        export(results(), tmp_path / "none" / "a", kind)
    with pytest.raises(DiagramError, match="cannot be written"):
        export(results(), tmp_path, kind)
    assert os.listdir(tmp_path) == []


def test_an_export_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("old")
    broken = results()
    monkeypatch.setattr(broken, "elements", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        broken.export(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "old"
    assert os.listdir(tmp_path) == ["a.csv"]
