"""The paper on the roller rig: its rows, from runs in the plane; all of it in a slow test."""

import argparse
from types import SimpleNamespace

import numpy as np
import pytest
from railblocks.blocks.rail.control.similitude import TABLE_1
from railblocks.diagrams.conti2012 import paper as conti2012
from railblocks.diagrams.conti2012 import sensitivity as rig_sensitivity
from railblocks.diagrams.conti2012.errors import error_parts
from railblocks.diagrams.conti2012.runs import Run, run
from railblocks.diagrams.conti2012.unbalance import Axles, shaking
from railblocks.engine import DiagramError, check, load, loads
from railblocks.engine.runs.rates import Rates


def options(*texts):
    parser = argparse.ArgumentParser()
    conti2012.arguments(parser)
    return parser.parse_args(texts)


def silent(text):
    pass


@pytest.fixture(scope="module")
def reproduction():
    return conti2012.reproduce(options("--fast"), silent)


def row(reproduction, name):
    (found,) = [row for row in reproduction.rows if row.quantity == name]
    return found


def test_the_papers_errors_are_met_in_the_plane(reproduction):
    for name in (
        "scenario 1, front: torque error e_c",
        "scenario 1, rear: speed error e_omega",
        "scenario 2 without filter, front: torque error e_c, largest",
        "scenario 2 with filter, front: torque error e_c",
        "scenario 1, front: mean torque",
        "scenario 1, rear: mean torque",
        "scenario 1: T_hat and T_sim",
    ):
        assert row(reproduction, name).met, name


def test_table_1_follows_from_length_time_and_mass(reproduction):
    rows = [row for row in reproduction.rows if row.quantity.startswith("Table 1")]
    assert len(rows) == len(TABLE_1) == 13
    assert all(row.met for row in rows)
    assert row(reproduction, "Table 1, factor of torque").ours == 5.0**5


def test_bands_tile_the_range_of_the_filter(reproduction):
    """Closed form: each is usable over Omega_max W, and they overlap by 2 %."""
    bands = int(row(reproduction, "bands of the filter").ours)
    filter_1 = run_of("fast_scenario_2_filtered").blocks["simulator.estimation.filter_1"]
    step = 0.98 * filter_1["width"]
    assert bands == 1 + np.ceil((32.0 - 10.0 - filter_1["width"]) / step)
    phase = row(reproduction, "largest phase of bands in use")
    assert phase.ours == pytest.approx(2.0, abs=1e-6)
    assert phase.met


def test_in_the_plane_the_disturbance_is_r_m_e_omega_squared(reproduction):
    rows = [row for row in reproduction.rows if row.quantity.startswith("disturbance")]
    assert len(rows) == 8
    for one in rows:
        assert one.ours == pytest.approx(one.paper, rel=0.02), one.quantity


def test_tables_3_and_4_have_rows(reproduction):
    assert row(reproduction, "Table 3, C-S function").paper == "25 min"
    assert row(reproduction, "Table 4, ODE solver").ours == "ode45"
    assert row(reproduction, "Table 4, relative tolerance").ours == 1e-10
    assert row(reproduction, "scenario 1: real-time factor").ours > 0.0


def test_figures_have_the_papers_numbers_and_axes_with_units(reproduction):
    from matplotlib.figure import Figure

    numbers = {f.name.split("_")[1] for f in reproduction.figures if f.name.startswith("figure")}
    assert numbers == {str(n) for n in (10, 12, 13, 14, *range(16, 25))}  # 15 is not in the plane
    for figure in reproduction.figures:
        canvas = Figure(figsize=figure.size, layout="constrained")
        figure.draw(canvas)
        labels = {ax.get_xlabel() for ax in canvas.axes} | {ax.get_ylabel() for ax in canvas.axes}
        assert len([text for text in labels if "/" in text]) >= 2, figure.name


def run_of(name, values=None):
    """A scenario with its parameters, not run."""
    path = f"{conti2012.__file__.partition('/blocks/')[0]}/diagrams/conti2012/{name}.yaml"
    checked = check(load(path).with_values(values or {}))
    return Run(name, None, {n: one.values for n, one in checked.model.blocks.items()})


def test_parts_of_the_error_add_up():
    one = run("fast_scenario_2_filtered", {"solver.stop": "4 s"}, silent)
    total = sum(error_parts(one).values())
    assert np.allclose(total, one.e_c[:, :2], atol=1e-8)


def test_an_amplitude_is_found_under_a_drift():
    t = np.arange(0.0, 2.0, 1e-3)
    omega = 150.0 + 5.0 * t
    angle = 150.0 * t + 2.5 * t * t
    one = SimpleNamespace(
        t=t, omega_w=np.column_stack([omega, omega]),
        window=lambda low, high: (t >= low) & (t <= high),
    )  # fmt: skip
    signal = 7.0 * np.sin(angle + 0.4) + 100.0 + 30.0 * t
    assert shaking(one, 0, signal, 0.5, 1.0) == pytest.approx(7.0, rel=1e-3)


def test_axles_against_each_other_leave_the_bogie_alone():
    """sqrt((2 k_px - N / (r + R)) / (m_w + m_t)), since the bogie does not pitch."""
    one = run_of("scenario_2_filtered")
    v = one.front
    N = (v["m_c"] + v["m_b"] + 2.0 * v["m_w"]) * 9.81 / 2.0
    m_t = 1.0 / (0.092**2 / v["J_wy"] + 0.092**2 / v["J_r"])
    expected = np.sqrt((2.0 * v["k_p"][0] - N / 0.184) / (v["m_w"] + m_t))
    slow, fast = Axles(one).natural_speeds()
    assert slow == pytest.approx(expected, rel=1e-9)
    assert fast > slow


FREE = """diagram: 1
blocks:
  none: {type: sources.constant, value: [0 N*m, 0 N*m]}
  rig:  {type: rail.mdm_rig, omega_init: 172 rad/s}
wires: [none -> rig.C_S, none -> rig.u]
solver: {stop: 1 s}
"""


def test_the_closed_form_has_the_natural_speeds_of_the_linearised_rig():
    """Central differences of all equations of motion of the rig with free rollers."""
    rates = Rates(check(loads(FREE)))
    found = np.linalg.eigvals(rates.jacobian(rates.start))
    speeds = sorted(e.imag for e in found if 160.0 < e.imag < 190.0)
    assert Axles(run_of("scenario_2_filtered")).natural_speeds() == pytest.approx(speeds, rel=0.005)


def test_runs_that_end_before_the_steady_state_are_refused():
    with pytest.raises(DiagramError, match="expected 4 s or more"):
        conti2012.reproduce(options("--fast", "--stop", "3s"), silent)


def test_runs_are_kept(tmp_path):
    folder = tmp_path / "runs"
    conti2012.reproduce(options("--fast", "--stop", "4.5s", "--keep", str(folder)), silent)
    names = {path.name for path in folder.iterdir()}
    assert names == {f"fast_{name}.h5" for name in conti2012.SCENARIOS}


def test_a_file_is_no_folder_for_runs_and_other_readings_keep_none(tmp_path):
    file = tmp_path / "runs"
    file.touch()
    with pytest.raises(DiagramError, match="is a file; expected a folder"):
        conti2012.reproduce(options("--fast", "--keep", str(file)), silent)
    with pytest.raises(DiagramError, match="no meaning with --sensitivity"):
        conti2012.reproduce(options("--fast", "--sensitivity", "--keep", "runs"), silent)


def test_other_readings_change_what_they_should(monkeypatch):
    words = ("as shipped", "load factor 1", "estimator with J_B")
    chosen = [r for r in rig_sensitivity.READINGS if r.scenario == "scenario_1"]
    chosen = [r for r in chosen if r.words.startswith(words)]
    monkeypatch.setattr(rig_sensitivity, "READINGS", chosen)
    found = {}
    measured = rig_sensitivity.measured

    def remember(reading, one):
        found[reading.words] = outcome = measured(reading, one)
        return outcome

    monkeypatch.setattr(rig_sensitivity, "measured", remember)
    result = conti2012.reproduce(options("--sensitivity", "--fast"), silent)
    assert len(result.rows) == len(chosen) == 3
    base, plain, total = found.values()
    assert plain.torque == pytest.approx(base.torque / 5.0, rel=0.05)
    assert total.e_c > 10.0 * base.e_c


def test_every_reading_has_its_parameter():
    for reading in rig_sensitivity.READINGS:
        name = reading.scenario if reading.spatial else f"fast_{reading.scenario}"
        changed, shipped = run_of(name, reading.values).blocks, run_of(name).blocks
        same = all(
            np.array_equal(value, shipped[block][parameter])
            for block, values in changed.items()
            for parameter, value in values.items()
        )
        assert same == (not reading.values), reading.words


@pytest.mark.slow
def test_the_whole_paper_in_three_dimensions():
    found = conti2012.reproduce(options(), silent)
    for name in ("front", "rear"):
        assert row(found, f"scenario 1, {name}: speed error e_omega").met
        assert row(found, f"scenario 1, {name}: lateral displacement at the end").met
    assert row(found, "scenario 1, front: mean torque").met
    assert row(found, "scenario 1, rear: mean torque").met
    assert row(found, "Table 3, C-S function").met
    assert len([f for f in found.figures if f.name.startswith("figure")]) == 14
