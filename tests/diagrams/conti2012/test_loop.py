"""The closed loop in the plane: what Conti et al. (2012) report, and what wrong readings do.

The paper's numbers: torque error 200 N m in scenario 1, 1000 to 2500 with unbalance, 300 with the
filter; speed error 0.03 rad/s; mean torque 12 000 N m. They are of the three-dimensional rig.
"""

import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from railblocks.diagrams import conti2012
from railblocks.engine import load, simulate

FOLDER = Path(conti2012.__path__[0])
E_C, E_OMEGA = "simulator.error.y", "simulator.control.speed_error.y"
C_S = "simulator.traction.device.C_S"


@cache
def run(name, *values, folder=FOLDER):
    return simulate(load(folder / f"{name}.yaml"), dict(values))


def worst(results, signal, start, stop=8.0):
    """Largest size of each axle's signal over a time."""
    part = (results.time >= start) & (results.time <= stop)
    return np.max(np.abs(results[signal][part]), axis=0)


def mean_torque(results):
    """At full scale, over the time in which anti-skid devices work."""
    return 3125.0 * np.mean(results[C_S][results.time > 4.0], axis=0)


def test_scenario_1_keeps_torque_and_speed_within_the_papers_errors():
    results = run("fast_scenario_1")
    assert np.all(worst(results, E_C, 0.5) < 200.0)
    assert np.all(worst(results, E_OMEGA, 0.0) < 0.03)


def test_before_adhesion_is_lost_the_torque_is_the_drivers_ramp():
    results = run("fast_scenario_1")
    ramp = np.clip(5000.0 * (results.time - 0.5), 0.0, None)
    early = results.time < 2.5
    assert np.allclose(3125.0 * results[C_S][early], ramp[early, None], atol=1e-6)


def test_anti_skid_devices_hold_the_mean_torque_near_5_mu_n_r():
    torque = mean_torque(run("fast_scenario_1"))
    assert np.mean(torque) == pytest.approx(5 * 0.05 * 109092.0 * 0.46, rel=0.03)
    assert np.mean(torque[[0, 2]]) == pytest.approx(12000.0, rel=0.05)


def test_rear_wheelsets_of_bogies_carry_and_pull_more():
    torque = mean_torque(run("fast_scenario_1"))
    assert torque[1] > 1.02 * torque[0]
    assert torque[3] > 1.02 * torque[2]


def test_the_plain_wagon_pulls_a_fifth():
    results = run("fast_scenario_1", ("load_factor", 1.0))
    assert np.mean(mean_torque(results)) == pytest.approx(0.05 * 109092.0 * 0.46, rel=0.05)
    assert np.all(worst(results, E_C, 0.5) < 200.0)


def test_unbalance_disturbs_the_estimated_torque_as_in_the_paper():
    errors = worst(run("fast_scenario_2"), E_C, 1.0)[:2]
    assert np.all(errors > 1000.0)
    assert np.all(errors < 2660.0)  # the paper: 2500, at a time that it does not print
    assert np.all(worst(run("fast_scenario_2"), E_C, 0.5)[2:] < 200.0)  # the rear rig has none


def test_the_filter_takes_out_most_of_the_unbalance():
    results, without = run("fast_scenario_2_filtered"), run("fast_scenario_2")
    assert np.all(worst(results, E_C, 1.5) < 300.0)
    assert np.all(worst(results, E_C, 1.5)[:2] < 0.15 * worst(without, E_C, 1.5)[:2])
    assert np.all(worst(results, E_OMEGA, 1.0) < 0.03)


def test_a_wider_limit_of_the_phase_leaves_more_of_it():
    """10 deg: 2 sin(5 deg) = 17 % of the disturbance."""
    coarse = run("fast_scenario_2_filtered", ("phase", np.radians(10.0)))
    without = worst(run("fast_scenario_2"), E_C, 1.5, 3.0)[:2]
    assert np.allclose(worst(coarse, E_C, 1.5, 3.0)[:2] / without, 0.17, atol=0.05)


def test_unbalance_does_not_stop_the_traction():
    for name in ("fast_scenario_2", "fast_scenario_2_filtered"):
        plain, shaken = mean_torque(run("fast_scenario_1")), mean_torque(run(name))
        assert np.allclose(shaken, plain, rtol=0.02)


def test_the_printed_sign_of_the_sliding_mode_drives_speeds_apart():
    results = run("fast_scenario_1", ("simulator.control.controller.sign", "printed"))
    assert np.all(worst(results, E_OMEGA, 4.0) > 10.0)


def test_the_printed_inertia_of_the_estimator_loses_the_torque():
    results = run("fast_scenario_1", ("simulator.estimation.estimator.inertia", "total"))
    assert np.all(worst(results, E_C, 3.0) > 2000.0)


def exchanged(folder, old, new):
    """A copy of the diagrams with another file for a subsystem of the simulator."""
    shutil.copytree(FOLDER, folder / "conti2012", dirs_exist_ok=True)
    file = folder / "conti2012" / "simulator.yaml"
    file.write_text(file.read_text().replace(old, new))
    return folder / "conti2012"


def test_the_train_that_is_not_split_gives_the_same_torques(tmp_path):
    folder = exchanged(tmp_path, "train.yaml", "train_unsplit.yaml")
    results = run("fast_scenario_2_filtered", folder=folder)
    split = run("fast_scenario_2_filtered")
    assert np.allclose(mean_torque(results), mean_torque(split), rtol=0.01)
    assert np.all(worst(results, E_C, 1.5) < 300.0)


def test_compiled_equals_interpreted(tmp_path):
    shutil.copytree(FOLDER, tmp_path / "conti2012")
    file = tmp_path / "conti2012" / "fast_scenario_2_filtered.yaml"
    file.write_text(file.read_text().replace("stop: 8 s", "stop: 30 ms"))
    fast, slow = (simulate(load(file), compiled=compiled) for compiled in (True, False))
    for name in fast.names:
        assert np.array_equal(fast[name], slow[name]), name


def test_sampled_estimators_and_filters_do_as_well(tmp_path):
    folder = exchanged(tmp_path, "estimation.yaml", "estimation_sampled.yaml")
    results = run("fast_scenario_2_filtered", folder=folder)
    assert np.all(worst(results, E_C, 1.5) < 300.0)
    assert np.all(worst(results, E_OMEGA, 1.0) < 0.03)


def test_sampled_controllers_do_as_well(tmp_path):
    folder = exchanged(tmp_path, "control.yaml", "control_sampled.yaml")
    results = run("fast_scenario_1", folder=folder)
    assert np.all(worst(results, E_C, 1.5) < 200.0)
    assert np.all(worst(results, E_OMEGA, 1.0) < 0.03)
    held = results["simulator.control.controller.u"]
    assert np.ptp(held) > 3.0
