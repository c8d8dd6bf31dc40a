"""Estimators: what they recover, and what a wrong inertia does."""

import numpy as np
import pytest
from bench import Bench
from railblocks.engine import DiagramError, check, loads, simulate

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


SPRUNG = """
diagram: 1
parameters: {k_x: 502256 N/m, kappa: 0.0221754}
blocks:
  torque:  {type: sources.sine, omega: 12 rad/s, amplitude: 1 N*m, bias: 3 N*m}
  motors:  {type: routing.mux, n: 2}
  shaker:  {type: sources.sine, omega: 172 rad/s, amplitude: [SHAKE] N*m, bias: 3 N*m}
  still:   {type: sources.constant, value: 3 N*m}
  rollers: {type: routing.mux, n: 2}
  rig:     {type: rail.sprung_rig, omega_0: 150 rad/s}
  printed: {type: rail.estimator, omega_0: 150 rad/s, T_f: 0.2 ms}
  axle:    {type: rail.estimator, omega_0: 150 rad/s, T_f: 0.2 ms, model: axle,
            k_x: k_x, kappa: kappa}
  sampled: {type: rail.sampled_estimator, omega_0: 150 rad/s, T_f: 0.2 ms, model: axle,
            every: 0.05 ms}
  driven:  {type: rail.estimator, omega_0: 150 rad/s, T_f: 0.2 ms, model: rollers}
wires:
  - torque -> motors.u1, motors.u2
  - shaker -> rollers.u1
  - still -> rollers.u2
  - motors -> rig.C_S
  - rollers -> rig.u, driven.u
  - rig.omega_rm -> printed.omega_rm, axle.omega_rm, sampled.omega_rm, driven.omega_rm
  - rig.T_mis -> printed.T_mis, axle.T_mis, sampled.T_mis, driven.T_mis
solver: {stop: 1.5 s, rtol: 1.0e-9, atol: 1.0e-10}
log: {every: 1 ms, signals: all}
"""


def sprung(shake, **values):
    results = simulate(loads(SPRUNG.replace("[SHAKE]", str(shake))), values)
    late = results.time > 0.5
    return {name: results[name][late] for name in results.names}


def wrong_by(y, estimator):
    return np.max(np.abs(y[f"{estimator}.C_tilde"] - y["torque.y"][:, None]))


def test_an_estimator_that_knows_the_axle_boxes_recovers_torque_and_force_on_springs():
    """What is left is the lag of the derivative, J_w T_f times the rate of its rate."""
    y = sprung(shake=1.0)
    assert wrong_by(y, "axle") < 0.03
    assert wrong_by(y, "sampled") < 0.06
    assert wrong_by(y, "printed") > 0.3
    assert np.max(np.abs(y["axle.T_hat"] - y["rig.T"])) < 0.05
    assert np.max(np.abs(y["axle.x_hat"] - y["rig.x"])) < 2e-6


def test_without_shaking_the_printed_estimator_is_wrong_by_kappa():
    y = sprung(shake=0.0)
    bias = np.mean(y["printed.C_tilde"] - y["axle.C_tilde"]) / np.mean(y["axle.C_tilde"])
    assert bias == pytest.approx(0.0221754, rel=0.1)


def test_the_rollers_torque_gives_the_motors_without_load_cells():
    """C = r / R u + J_B omega': all but J_w x'' / r on springs."""
    y = sprung(shake=0.0)
    assert wrong_by(y, "driven") < 0.02
    assert np.allclose(y["driven.T_hat"], y["rollers.y"] / R_S)
    assert np.allclose(y["axle.T_u"], 0.0)  # not wired


def test_errors_of_stiffness_cost_more_near_the_mode_of_the_axles():
    exact, stiff = (wrong_by(sprung(1.0, k_x=f"{k} N/m"), "axle") for k in (502256, 552482))
    assert stiff > 3.0 * exact


def test_axles_behind_those_of_the_bogies_are_held_ones():
    text = """
diagram: 1
blocks:
  speed:   {type: sources.constant, value: [-150 rad/s, -150 rad/s, -150 rad/s, -150 rad/s]}
  force:   {type: sources.constant, value: [40 N, 40 N, 40 N, 40 N]}
  axle:    {type: rail.estimator, omega_0: 150 rad/s, model: axle, axles: 4, bogies: 1}
  printed: {type: rail.estimator, omega_0: 150 rad/s}
wires:
  - speed -> axle.omega_rm, printed.omega_rm
  - force -> axle.T_mis, printed.T_mis
solver: {stop: 1 s}
log: {every: 10 ms, signals: all}
"""
    y = simulate(loads(text))
    assert np.array_equal(y["axle.C_tilde"][:, 2:], y["printed.C_tilde"][:, 2:])
    assert np.all(y["axle.C_tilde"][-1, :2] < y["printed.C_tilde"][-1, :2])


def test_more_bogies_than_axles_are_refused():
    text = "diagram: 1\nblocks: {one: {type: rail.estimator, model: axle, bogies: 2}}\n"
    with pytest.raises(DiagramError, match="bogies = 2 need 4 axles, and axles = 2"):
        check(loads(text))
