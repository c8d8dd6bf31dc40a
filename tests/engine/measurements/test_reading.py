"""Measured data from CSV, MAT and HDF5 files: names, units, times, and what is wrong with them."""

import h5py
import numpy as np
import pytest
from railblocks.engine import DiagramError, Results
from railblocks.engine.measurements.reading import load_data
from scipy.io import savemat


def written(tmp_path, text, name="data.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("ending", ["csv", "mat", "h5"])
def test_what_was_exported_is_read_again_with_its_names_and_units(tmp_path, ending):
    time = np.linspace(0, 1, 11)
    results = Results.from_arrays(
        time, {"car.v": time**2, "rig.y": np.stack([time, -time], 1)}, {"car.v": "m/s"}
    )
    path = tmp_path / f"run.{ending}"
    results.save(path) if ending == "h5" else results.export(path)
    again = load_data(path)
    np.testing.assert_array_equal(again.time, time)
    np.testing.assert_array_equal(again["car.v"], time**2)
    assert again.unit("car.v") == "m/s"
    names = [name for name, _, _ in again.elements()]
    assert names == ["car.v", "rig.y[0]", "rig.y[1]"]


def test_headers_carry_units_in_either_bracket(tmp_path):
    text = "t [ms],v [km/h],Axle 1 speed (rad/s),n\n0,1,2,3\n500,2,3,4\n"
    data = load_data(written(tmp_path, text))
    np.testing.assert_allclose(data.time, [0.0, 0.5])
    assert data.names == ("v", "Axle 1 speed", "n")
    assert [data.unit(name) for name in data.names] == ["km/h", "rad/s", ""]


def test_semicolons_with_decimal_commas_and_comments_are_read(tmp_path):
    text = "# logger 3\ntime;v\n0,5;1,25\n\n# pause\n1,0;-2,5\n"
    data = load_data(written(tmp_path, text))
    np.testing.assert_array_equal(data.time, [0.5, 1.0])
    np.testing.assert_array_equal(data["v"], [1.25, -2.5])


def test_an_empty_cell_is_no_number_and_text_is_left_out(tmp_path):
    data = load_data(written(tmp_path, "t,v,mode\n0,1,rolling\n1,,braking\n"))
    np.testing.assert_array_equal(data["v"], [1.0, np.nan])
    assert data.names == ("v",)
    assert "'mode' has 'rolling'" in data.meta["left_out"]["mode"]


def test_files_of_others_are_read(tmp_path):
    time = np.linspace(0, 1, 5)
    savemat(tmp_path / "a.mat", {"t": time, "v": 2 * time, "title": "brake test"})
    np.testing.assert_array_equal(load_data(tmp_path / "a.mat")["v"], 2 * time)
    with h5py.File(tmp_path / "b.h5", "w") as file:
        file["Time"], file["v"], file["other"] = time[None, :], 3 * time, np.ones(3)
    data = load_data(tmp_path / "b.h5")
    np.testing.assert_array_equal(data["v"], 3 * time)
    assert data.names == ("v",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no rows"),
        ("t,v\n", "there are no rows"),
        ("x,v\n0,1\n1,2\n", "there is no column 'time' or 't' with two times, only x, v"),
        ("t,v\n0,1\n1\n", "data.csv:3: the line has 1 cells; expected 2"),
        ("t,v\n0,1\n1,2,3\n", "data.csv:3: the line has 3 cells; expected 2"),
        ("t,v\n0,1\nx,2\n", "data.csv:3: 't' has 'x'; expected a number"),
        ("t [m],v\n0,1\n1,2\n", "has unit m; expected a time"),
        ("t,v,v [m]\n0,1,2\n1,2,3\n", "two columns are named 'v'"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path, text, message):
    path = written(tmp_path, text)
    with pytest.raises(DiagramError) as caught:
        load_data(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [("none.csv", "no such file"), ("a.xls", "'.xls' is not known"), (".", "no ending")],
)
def test_files_that_are_none_are_told(tmp_path, name, message):
    with pytest.raises(DiagramError, match=message.replace("'", "")):
        load_data(tmp_path / name)


def test_damaged_files_are_told(tmp_path):
    for name in ("a.mat", "b.h5"):
        written(tmp_path, "nothing of that kind", name)
        with pytest.raises(DiagramError, match="cannot be read"):
            load_data(tmp_path / name)
