"""Studies and results as data frames and data sets."""

import numpy as np
import pytest
from railblocks.engine import DiagramError, loads, simulate, simulate_many
from railblocks.engine.cli.sweep import Estimate

LAG = loads("""\
diagram: 1
parameters: {T: 1 s}
blocks:
  u:   {type: sources.constant, value: [1, 2]}
  lag: {type: continuous.first_order_lag, T: T}
wires: [u -> lag]
solver: {stop: 1 s}
log: {signals: [lag.y], every: 0.1 s}
""")


def study(**options):
    vary = {"T": "3, 1, 2 s", "solver.method": "ode45, ode23"}
    return simulate_many(LAG, vary, ["end = final(lag.y[1])"], **options)


def test_a_data_frame_has_a_row_a_run():
    pytest.importorskip("pandas")
    many = study()
    frame = many.to_pandas()
    assert list(frame.columns) == ["T", "solver.method", "end", "outcome", "reason"]
    assert frame["end"].to_numpy() == pytest.approx(2.0 - 2.0 * np.exp(-1.0 / frame["T"]), rel=1e-4)
    assert frame.attrs["units"]["T"] == "s"


def test_a_grid_is_a_data_set_over_its_parameters_in_their_order():
    pytest.importorskip("xarray")
    many = study()
    data = many.to_xarray()
    assert data["end"].dims == ("T", "solver.method")
    assert list(data["T"].to_numpy()) == [3.0, 1.0, 2.0]
    for run in range(len(many)):
        values = {"T": many["T"][run], "solver.method": many["solver.method"][run]}
        assert float(data["end"].sel(values)) == many["end"][run]


def test_values_side_by_side_are_a_data_set_over_runs():
    pytest.importorskip("xarray")
    data = simulate_many(LAG, {"T": [1, 2]}, ["end = final(lag.y[0])"], way="zip").to_xarray()
    assert data["end"].dims == ("run",)
    assert list(data["T"].to_numpy()) == [1.0, 2.0]


def test_results_are_frames_and_data_sets_too():
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    results = simulate(LAG)
    frame, data = results.to_pandas(), results.to_xarray()
    assert list(frame.columns) == ["lag.y[0]", "lag.y[1]"]
    assert np.array_equal(frame["lag.y[1]"].to_numpy(), results["lag.y[1]"])
    assert np.array_equal(data["lag.y"].to_numpy(), results["lag.y"])
    assert np.array_equal(data["time"].to_numpy(), results.time)


def test_a_missing_extra_is_told_with_the_command_that_brings_it(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("railblocks.engine.runs.extras.import_module", missing)
    with pytest.raises(DiagramError, match=r"pip install 'railblocks\[pandas\]'"):
        study().to_pandas()
    with pytest.raises(DiagramError, match=r"pip install 'railblocks\[dask\]'"):
        study(workers="tcp://127.0.0.1:9")


def test_the_time_that_is_left_is_estimated_from_the_runs_of_this_session(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("railblocks.engine.cli.sweep.time.monotonic", lambda: now[0])
    estimate = Estimate()
    assert estimate.text(50, 100) == "50 of 100 runs"
    now[0] = 110.0
    assert estimate.text(70, 100) == "70 of 100 runs, 2 a second, 15 s left"
    now[0] = 100.0 + 3600.0
    assert estimate.text(60, 10_000).endswith("994.0 h left")
