"""The braking train of Toumi et al. (2019): diagrams, independence of step and mesh, the table."""

import argparse
from pathlib import Path

import numpy as np
import pytest
from railblocks.diagrams.toumi2019 import paper as toumi2019
from railblocks.diagrams.toumi2019.runs import BRAKING, WITHOUT_RECOVERY, WITHOUT_WSP, run
from railblocks.engine import load, simulate
from railblocks.engine.errors import DiagramError, SimulationError

G = 9.81
V_0, J, R = 160 / 3.6, 130.0, 0.43
INDEPENDENT = {0.05: 1.071, 0.065: 1.056, 0.08: 1.046}
"""Nominal decelerations in m/s^2 that give 975 m for each mu_0, by another program with the same
logic, time constants and creep law, and powers of a wheel that count once at every place."""


@pytest.fixture(scope="module")
def braking():
    return run(BRAKING)


def options(*texts):
    parser = argparse.ArgumentParser()
    toumi2019.arguments(parser)
    return parser.parse_args(texts)


def test_the_train_comes_to_rest_without_a_locked_axle(braking):
    assert braking.results.statistics.simulated < 60.0
    assert braking.v[-1] < 0.02
    assert braking.locked == []
    assert np.all(braking.v_a >= 0.0)


def test_adhesion_grows_from_axle_to_axle_and_stays_below_its_limit(braking):
    mean = braking.left.mean(axis=1)
    assert np.all(np.diff(mean) > 0.0)
    assert np.all(braking.mu <= 0.15)
    assert np.all(braking.mu >= 0.065 - 1e-12)
    assert np.allclose(braking.mu[:, 0], 0.065)


def test_slip_stays_near_the_thresholds_of_the_device(braking):
    """Venting starts at s4 = 25 %; what goes beyond is what a cylinder needs to act."""
    fast = braking.v > 10.0
    most = braking.slip[fast].max(axis=0)
    assert 0.25 < most[0] < 0.30
    assert np.all(most < 0.30)


@pytest.mark.parametrize("mu_0", INDEPENDENT)
def test_distances_are_those_of_an_independent_program(mu_0):
    values = {"train.mu_0": mu_0, "train.a_n": f"{INDEPENDENT[mu_0]} m/s^2"}
    assert run(BRAKING, values).distance == pytest.approx(975.0, abs=2.0)


@pytest.mark.parametrize(
    "values",
    [
        {"train.dx": "0.1 m"}, {"train.dx": "1 m"}, {"train.every": "1 ms"},
        {"train.every": "10 ms"}, {"solver.rtol": 1e-8},
        {"solver.method": "rk4", "solver.step": "1 ms", "train.axle.V_min": "1 m/s"},
    ],
    ids=str,
)  # fmt: skip
def test_the_distance_depends_neither_on_step_nor_on_mesh(braking, values):
    """The independent program spreads by 0.12 m over cells of 0.1 to 1 m."""
    assert run(BRAKING, values).distance == pytest.approx(braking.distance, abs=0.1)


def test_without_protection_the_first_axle_locks_and_stays_locked():
    found = run(WITHOUT_WSP)
    assert found.locked == [1]
    locked = found.results["train.axle.locked"][:, 0].astype(bool)
    first = int(np.argmax(locked))
    assert np.all(locked[first:])
    assert found.v[first] > 0.8 * V_0


def test_without_recovery_the_distance_is_that_of_the_untouched_rail(braking):
    """All axles slide: no shorter than v^2 / (2 mu_0 g), and the device loses little of it."""
    found = run(WITHOUT_RECOVERY)
    shortest = V_0**2 / (2 * 0.065 * G)
    assert shortest < found.distance < 1.05 * shortest
    assert found.distance > 1.5 * braking.distance
    assert np.allclose(found.mu, 0.065)


def test_kinetic_energy_goes_into_brakes_and_rails(braking):
    """By sums over logged values every 20 ms, hence to a thousandth only."""
    omega = braking.v_a / R
    kinetic = 0.5 * 300e3 * braking.v**2 + 0.5 * J * np.sum(omega**2, axis=1)
    power = np.sum(braking.results["train.axle.P"] + braking.C * omega, axis=1)
    taken = np.concatenate([[0.0], np.cumsum(0.02 * 0.5 * (power[1:] + power[:-1]))])
    assert np.allclose(kinetic + taken, kinetic[0], rtol=1e-3)


def test_a_locked_axle_rolls_again_on_a_dry_rail(tmp_path):
    """Soap for 400 m, then a dry rail, from a file: the first axle locks, and lets go there."""
    path = tmp_path / "rail.csv"
    path.write_text("# soap, then none\nx [km],mu_0\n0,0.065\n0.4,0.065\n0.401,0.3\n2,0.3\n")
    found = run(WITHOUT_WSP, {"train.soaped.path": str(path)})
    locked = found.results["train.axle.locked"][:, 0].astype(bool) & (found.v > 1.0)
    assert np.any(locked & (found.x > 350.0))
    assert not np.any(locked & (found.x > 402.0))
    grip = R * 0.3 * 300e3 / 22 * G - np.max(found.C)
    spinning_up = J * found.v[found.x > 402.0][0] / R / grip
    after = found.t > found.t[found.x > 402.0][0] + spinning_up
    assert np.all(found.slip[after & (found.v > 5.0), 0] < 0.01)
    assert found.slip[found.x > 402.0, 0][0] > 0.9


def test_where_friction_falls_with_sliding_protection_shortens_the_distance():
    hard = {"train.a_n": "3 m/s^2", "train.axle.kappa": 0.3}
    assert run(BRAKING, hard).distance < 0.6 * run(WITHOUT_WSP, hard).distance


def test_a_train_of_one_axle_cleans_for_nobody():
    """It slides all the way: v^2 / (2 mu_0 g) and what the device loses."""
    found = run(BRAKING, {"train.places": [0.0], "train.axles": 1})
    shortest = V_0**2 / (2 * 0.065 * G)
    assert np.all(found.mu == 0.065)
    assert shortest < found.distance < 1.06 * shortest


def test_compiled_equals_interpreted():
    diagram = load(Path(__file__).parents[3] / "diagrams" / "toumi2019" / "braking.yaml")
    fast, slow = (
        simulate(diagram, {"solver.stop": "0.3 s"}, compiled=compiled) for compiled in (True, False)
    )
    for name in fast.signals:
        assert np.array_equal(fast[name], slow[name]), name


def test_a_train_that_does_not_stop_is_told():
    with pytest.raises(SimulationError, match=r"km/h at 5 s, when the run ends; brake harder"):
        run(BRAKING, {"solver.stop": "5 s"})


def test_the_table_has_the_papers_numbers_and_figures_can_be_drawn():
    from matplotlib.figure import Figure

    found = toumi2019.reproduce(options("--fast"), lambda text: None)
    rows = {row.quantity: row for row in found.rows}
    assert rows["braking distance from 160 km/h, calculated"].paper == 975.0
    assert rows["braking distance from 160 km/h, measured"].paper == 985.0
    assert [row.paper for row in found.rows if row.quantity.startswith("axles until")] == [4.0, 4.0]
    for name in ("Table 1, s1", "Table 2, P_0", "distance without recovery", "axles that slide"):
        assert rows[name].met, name
    for figure in found.figures:
        canvas = Figure(figsize=figure.size, layout="constrained")
        figure.draw(canvas)
        assert all(ax.get_ylabel() for ax in canvas.axes), figure.name


@pytest.mark.slow
def test_the_study_shows_what_each_proposal_changes():
    found = toumi2019.reproduce(options(), lambda text: None)
    rows = {row.quantity: row for row in found.rows}
    shipped = rows["study: as shipped"].ours
    assert rows["study: nominal deceleration 1.05 m/s²"].ours < shipped
    assert rows["study: µ0 = 0.03"].ours > shipped
    assert rows["spread of the distance over step and mesh"].ours < 0.12
    nominal = rows["nominal deceleration that gives 975 m"].ours
    assert nominal == pytest.approx(INDEPENDENT[0.065], abs=2e-3)
    assert {"proposals", "deceleration"} <= {figure.name for figure in found.figures}


def test_a_file_in_place_of_the_folder_is_told(tmp_path):
    path = tmp_path / "runs"
    path.write_text("")
    with pytest.raises(DiagramError, match="is a file; expected a folder"):
        toumi2019.reproduce(options("--keep", str(path)), lambda text: None)
