"""The virtual train's wheelset: adhesion, balance of torques, bound of the torque."""

import math

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run

N, V, R = 109092.0, 69.0, 0.46


def wheelset(**values):
    return Bench("rail.wheelset", mu_0=0.05, omega_0=150.0, **values)


def test_slope_at_small_sliding_is_mu_0_over_delta_0():
    block, delta = wheelset(), 1e-4
    y = block.out(omega=V / R / (1.0 - delta), v=V, N=N, C_hat=0.0)
    assert y["delta"] == pytest.approx(delta)
    assert y["T_sim"] == pytest.approx(0.05 / 0.01 * delta * N)


def test_force_is_largest_at_delta_0_and_falls_to_the_asymptote():
    block = wheelset(lam=1.0)
    slidings = np.linspace(0.0, 0.5, 501)
    forces = [
        block.out(omega=V / R / (1.0 - d), v=V, N=N, C_hat=0.0)["T_sim"] for d in slidings
    ]  # fmt: skip
    assert slidings[np.argmax(forces)] == pytest.approx(0.01)
    assert max(forces) == pytest.approx(0.05 * N)
    assert forces[-1] == pytest.approx(0.03 * N, rel=1e-6)


def test_braking_is_the_mirror_of_traction_at_the_same_speeds():
    block = wheelset()
    pull = block.out(omega=V / R, v=0.97 * V, N=N, C_hat=0.0)["T_sim"]
    brake = block.out(omega=0.97 * V / R, v=V, N=N, C_hat=0.0)["T_sim"]
    assert brake == pytest.approx(-pull)


def test_a_lifted_wheelset_has_no_force():
    assert wheelset().out(omega=200.0, v=V, N=-1.0, C_hat=0.0)["T_sim"] == 0.0


def test_acceleration_is_the_balance_of_torques_and_torque_is_bounded():
    block = wheelset()
    signals = {"omega": V / R, "v": V, "N": N}
    for torque, counted in ((5000.0, 5000.0), (30000.0, 20000.0), (-30000.0, -20000.0)):
        assert block.out(C_hat=torque, **signals)["omega_ws_dot"] == pytest.approx(counted / 112.0)
        assert block.run("der", C_hat=torque, **signals)["omega"] == pytest.approx(counted / 112.0)


@both
def test_sliding_settles_at_its_closed_form_below_the_top(compiled):
    """At a train speed that is held, r T = C, so that delta = delta_0 C / (r mu_0 N)."""
    text = f"""
blocks:
  torque: {{type: sources.constant, value: [1000 N*m, 2000 N*m]}}
  load:   {{type: sources.constant, value: {N} N}}
  speed:  {{type: sources.constant, value: {V} m/s}}
  wheels: {{type: rail.wheelset, mu_0: 0.05, omega_0: 150 rad/s}}
wires: [torque -> wheels.C_hat, load -> wheels.N, speed -> wheels.v]"""
    results = run(text, compiled)
    expected = [0.01 * C / (R * 0.05 * N) for C in (1000.0, 2000.0)]
    assert np.allclose(results["wheels.delta"][-1], expected, atol=1e-8)
    assert np.allclose(results["wheels.T_sim"][-1], [1000.0 / R, 2000.0 / R], rtol=1e-6)


def test_above_mu_0_n_r_the_wheel_runs_away_after_the_top():
    text = f"""
blocks:
  torque: {{type: sources.constant, value: 3000 N*m}}
  load:   {{type: sources.constant, value: {N} N}}
  speed:  {{type: sources.constant, value: {V} m/s}}
  wheels: {{type: rail.wheelset, mu_0: 0.05, omega_0: 150 rad/s, lam: 100 s/m}}
wires: [torque -> wheels.C_hat, load -> wheels.N, speed -> wheels.v]"""
    results = run(text)
    late = results.time > 3.0
    slope = np.polyfit(results.time[late], results["wheels.omega_ws"][late], 1)[0]
    assert slope == pytest.approx((3000.0 - R * 0.03 * N) / 112.0, rel=1e-6)
    assert math.isclose(results["wheels.T_sim"][-1], 0.03 * N, rel_tol=1e-9)
