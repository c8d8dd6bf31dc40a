"""Estimators: what they recover, and what a wrong inertia does."""

import numpy as np
import pytest
from bench import Bench
from railblocks.engine import loads, simulate

J_W, J_R, R_S = 0.03584, 0.05, 0.092


def test_speed_of_the_wheel_is_that_of_the_roller_by_the_radii():
    y = Bench("rail.estimator", R=0.184, omega_0=300.0).out(omega_rm=-150.0, T_mis=0.0, u=0.0)
    assert y["omega_w_hat"] == pytest.approx(300.0)
    assert y["T_hat"] == y["C_tilde"] == 0.0


def test_total_inertia_adds_the_roller_as_seen_from_the_wheel():
    block = Bench("rail.estimator", inertia="total", R=0.184)
    assert block.values["J"] == pytest.approx(J_W + J_R / 4)


RIG = """
diagram: 1
blocks:
  torque: {type: sources.sine, omega: 12 rad/s, amplitude: 1 N*m, bias: 2 N*m}
  roller: {type: sources.constant, value: 1.5 N*m}
  rig:    {type: rail.virtual_rig, omega_0: 150 rad/s}
  good:   {type: rail.estimator, omega_0: 150 rad/s}
  wrong:  {type: rail.estimator, omega_0: 150 rad/s, inertia: total}
  coarse: {type: rail.sampled_estimator, omega_0: 150 rad/s, every: 1 ms, [SENSORS]}
wires:
  - torque -> rig.C_S
  - roller -> rig.u
  - rig.omega_rm -> good.omega_rm, wrong.omega_rm, coarse.omega_rm
  - rig.T_mis -> good.T_mis, wrong.T_mis, coarse.T_mis
solver: {stop: 2 s, rtol: 1.0e-9, atol: 1.0e-10}
log: {every: 1 ms, signals: all}
"""


def rig(sensors="R: 0.092 m"):
    results = simulate(loads(RIG.replace("[SENSORS]", sensors)))
    late = results.time > 0.05
    return {name: results[name][late] for name in results.names}


def test_the_torque_of_the_motor_is_recovered_by_both_estimators():
    y = rig()
    for name, limit in (("good.C_tilde", 0.02), ("coarse.C_tilde", 0.04)):
        assert np.max(np.abs(y[name] - y["torque.y"])) < limit


def test_the_total_inertia_counts_the_torque_of_the_roller_twice():
    y = rig()
    twice = J_R * y["good.omega_w_dot_hat"]
    assert np.allclose(y["wrong.C_tilde"] - y["good.C_tilde"], twice, atol=1e-9)
    assert np.max(np.abs(twice)) > 0.5


def test_derivative_is_a_first_order_lag_of_the_acceleration():
    """Speed a t: acceleration a (1 - exp(-t / T_f))."""
    text = """
diagram: 1
blocks:
  speed: {type: sources.ramp, slope: -20 rad/s^2}
  none:  {type: sources.constant, value: 0 N}
  hat:   {type: rail.estimator, T_f: 0.1 s}
  hat_z: {type: rail.sampled_estimator, T_f: 0.1 s, every: 1 ms}
wires: [speed -> hat.omega_rm, none -> hat.T_mis, speed -> hat_z.omega_rm, none -> hat_z.T_mis]
solver: {stop: 0.5 s, rtol: 1.0e-9, atol: 1.0e-11}
log: {every: 1 ms, signals: all}
"""
    results = simulate(loads(text))
    expected = 20.0 * (1.0 - np.exp(-results.time / 0.1))
    assert np.allclose(results["hat.omega_w_dot_hat"], expected, atol=1e-7)
    assert np.allclose(results["hat_z.omega_w_dot_hat"], expected, atol=1e-6)


def test_noise_has_its_deviation_is_repeatable_and_differs_between_seeds():
    first, second, other = (
        rig(f"std_omega: 0.02 rad/s, std_T: 3 N, seed: {seed}") for seed in (1, 1, 2)
    )
    noise = first["coarse.T_hat"] - first["rig.T_mis"]
    assert np.std(noise) == pytest.approx(3.0, rel=0.06)
    assert abs(np.mean(noise)) < 0.3
    assert np.std(first["coarse.omega_w_hat"] + first["rig.omega_rm"]) == pytest.approx(
        0.02, rel=0.06
    )
    assert np.array_equal(first["coarse.C_tilde"], second["coarse.C_tilde"])
    assert not np.array_equal(first["coarse.T_hat"], other["coarse.T_hat"])


def test_sensors_tell_multiples_of_their_resolution():
    y = rig("res_omega: 0.5 rad/s, res_T: 2 N")
    for name, true, step in (
        ("coarse.omega_w_hat", -y["rig.omega_rm"], 0.5),
        ("coarse.T_hat", y["rig.T_mis"], 2.0),
    ):
        assert np.allclose(np.round(y[name] / step) * step, y[name])
        assert np.max(np.abs(y[name] - true)) <= 0.5 * step + 1e-9
