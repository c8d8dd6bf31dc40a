"""The braking train of Toumi et al. (2019): its diagrams, independence of step and mesh."""

import numpy as np
import pytest
from railblocks.diagrams.runs import diagram
from railblocks.diagrams.toumi2019.runs import (
    BRAKING,
    DRIVEN,
    WITHOUT_RECOVERY,
    WITHOUT_WSP,
    run,
)
from railblocks.engine import DiagramError, SimulationError, simulate

G = 9.81
V_0, J, R = 160 / 3.6, 130.0, 0.43
INDEPENDENT = {0.05: 1.071, 0.065: 1.056, 0.08: 1.046}
"""Nominal decelerations in m/s^2 that give 975 m for each mu_0, by another program with the same
logic, time constants and creep law, and powers of a wheel that count once at every place."""


@pytest.fixture(scope="module")
def braking():
    return run(BRAKING)


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
    locking = run(WITHOUT_WSP)
    assert locking.locked == [1]
    locked = locking.results["train.axle.locked"][:, 0].astype(bool)
    first = int(np.argmax(locked))
    assert np.all(locked[first:])
    assert locking.v[first] > 0.8 * V_0


def test_without_recovery_the_distance_is_that_of_the_untouched_rail(braking):
    """All axles slide: no shorter than v^2 / (2 mu_0 g), and the device loses little of it."""
    untouched = run(WITHOUT_RECOVERY)
    shortest = V_0**2 / (2 * 0.065 * G)
    assert shortest < untouched.distance < 1.05 * shortest
    assert untouched.distance > 1.5 * braking.distance
    assert np.allclose(untouched.mu, 0.065)


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
    train = run(WITHOUT_WSP, {"train.soaped.path": str(path)})
    locked = train.results["train.axle.locked"][:, 0].astype(bool) & (train.v > 1.0)
    assert np.any(locked & (train.x > 350.0))
    assert not np.any(locked & (train.x > 402.0))
    grip = R * 0.3 * 300e3 / 22 * G - np.max(train.C)
    spinning_up = J * train.v[train.x > 402.0][0] / R / grip
    after = train.t > train.t[train.x > 402.0][0] + spinning_up
    assert np.all(train.slip[after & (train.v > 5.0), 0] < 0.01)
    assert train.slip[train.x > 402.0, 0][0] > 0.9


def test_where_friction_falls_with_sliding_protection_shortens_the_distance():
    hard = {"train.a_n": "3 m/s^2", "train.axle.kappa": 0.3}
    assert run(BRAKING, hard).distance < 0.6 * run(WITHOUT_WSP, hard).distance


def test_a_train_of_one_axle_cleans_for_nobody():
    """It slides all the way: v^2 / (2 mu_0 g) and what the device loses."""
    train = run(BRAKING, {"train.places": [0.0], "train.axles": 1})
    shortest = V_0**2 / (2 * 0.065 * G)
    assert np.all(train.mu == 0.065)
    assert shortest < train.distance < 1.06 * shortest


def test_compiled_equals_interpreted():
    braking = diagram("toumi2019", BRAKING)
    fast, slow = (
        simulate(braking, {"solver.stop": "0.3 s"}, compiled=compiled) for compiled in (True, False)
    )
    for name in fast.signals:
        assert np.array_equal(fast[name], slow[name]), name


def test_torques_of_driven_axles_have_the_motors_beside_the_shoes():
    """C_bs = a_n (m r / n + J / r) at every axle, C_ED = 0.3 C_bs at the ends."""
    driven = run(DRIVEN)
    shoes = 1.0 * (300e3 * R / 22 + J / R)
    ends = np.r_[0:4, 18:22]
    brake = driven.blocks["train.brake"]
    assert np.allclose(brake["C_bs_lim"], shoes)
    assert np.allclose(np.asarray(brake["C_ED_lim"])[ends], 0.3 * shoes)
    assert np.sum(brake["C_ED_lim"]) == pytest.approx(8 * 0.3 * shoes)
    part = driven.results["train.brake.C_ED"] / np.maximum(driven.C, 1e-9)
    assert np.allclose(part[10:, ends], 0.3 / 1.3)
    assert np.all(part[:, 4:18] == 0.0)


def test_motors_on_all_axles_are_as_good_as_stronger_shoes():
    both, shoes = (
        run(BRAKING, values)
        for values in (
            {"train.ED": [0.1] * 22},
            {"train.C_bs": [float(1.1 * (300e3 * R / 22 + J / R))] * 22},
        )
    )
    assert both.distance == pytest.approx(shoes.distance, abs=1e-6)


def test_on_a_dry_rail_only_the_sum_of_the_torques_counts():
    """Wherever the motors are: nothing slides, so that the distance is the same."""
    places = [np.r_[0:4], np.r_[18:22], np.r_[0:2, 10:12]]
    ED = np.zeros((3, 22))
    for row, axles in zip(ED, places, strict=True):
        row[axles] = 0.3
    values = {"train.mu_0": 0.6, "train.mu_max": 0.6}
    distances = [run(BRAKING, values | {"train.ED": row.tolist()}).distance for row in ED]
    assert np.ptp(distances) < 0.02
    assert max(distances) < run(BRAKING, values).distance


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"driven": [1.0, 1.0]}, "C_ED_lim has 2 torques for 22 axles; give one number for all"),
        ({"train.C_bs": [5e3] * 21, "driven": [1.0] * 21}, "C_bs_lim has 21 torques for 22 axles"),
        ({"train.C_bs": [5e3, 6e3]}, "lists of sizes 22 and 2 do not fit"),
        ({"ED": -0.5}, "C_ED_lim = .* is out of range; expected >= 0"),
    ],
    ids=str,
)
def test_torques_that_do_not_fit_the_axles_are_refused(values, message):
    with pytest.raises(DiagramError, match=message):
        run(DRIVEN, values)


def test_a_train_that_does_not_stop_is_an_error():
    with pytest.raises(SimulationError, match=r"km/h at 5 s, when the run ends; brake harder"):
        run(BRAKING, {"solver.stop": "5 s"})
