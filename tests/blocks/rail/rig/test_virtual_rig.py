"""The plane rig: creep, rolling without slip, unbalance."""

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run

J_W, J_R, R_S = 0.03584, 0.05, 0.092


def test_force_follows_kalkers_slope_at_small_creepage():
    """Circle: G a b C11 with C11 = 4.12 for nu = 1/4, of two wheels."""
    block = Bench("rail.virtual_rig", nu=0.25, r_s=0.1, R=0.1, R_y=0.05, N=500.0, V_min=1e-6)
    radius = 1.0 / (2 / 0.1)  # of the sphere on a plane that has the same gap
    a = (3 * 500.0 * radius * (1 - 0.25**2) / (2 * 2.1e11)) ** (1 / 3)
    f_11 = 2 * 2.1e11 / 2.5 * a * a * 4.12
    assert block.values["f_11"] == pytest.approx(f_11, rel=0.002)
    creepage = 1e-7
    T = block.out(n_w=100.0 * (1 + creepage), n_r=-100.0, C_S=0.0)["T"]
    assert pytest.approx(f_11 * creepage, rel=0.003) == T


def test_force_saturates_at_the_friction_of_two_wheels():
    y = Bench("rail.virtual_rig", N=400.0, mu=0.25).out(n_w=200.0, n_r=-150.0, C_S=0.0)
    assert y["T"] == pytest.approx(2 * 0.25 * 400.0)


PAIR = """
blocks:
  motor:  {type: sources.constant, value: [3 N*m, 1 N*m]}
  roller: {type: sources.constant, value: [1 N*m, 2 N*m]}
  rig:    {type: rail.virtual_rig, omega_0: [150 rad/s, 100 rad/s], R: RADIUS m}
wires: [motor -> rig.C_S, roller -> rig.u]
log: {every: 0.01 s, signals: all}"""


@both
@pytest.mark.parametrize("radius", [0.092, 0.23])
def test_in_rolling_both_inertias_turn_as_one(compiled, radius):
    """(J_w + (r_s / R)^2 J_r) omega_w' = C_S - r_s / R u."""
    text = PAIR.replace("RADIUS", str(radius))
    results = run(text, compiled, "solver: {rtol: 1.0e-9, atol: 1.0e-10, stop: 0.4 s}")
    ratio = R_S / radius
    rates = (np.array([3.0, 1.0]) - ratio * np.array([1.0, 2.0])) / (J_W + ratio**2 * J_R)
    t, omega = results.time, results["rig.omega_w"]
    late = t > 0.1
    for i in range(2):
        assert np.polyfit(t[late], omega[late, i], 1)[0] == pytest.approx(rates[i], rel=2e-3)
    assert np.allclose(results["rig.omega_w_dot"][-1], rates, rtol=2e-3)
    assert np.allclose(results["rig.omega_rm"], -ratio * omega, rtol=1e-3)
    forces = (np.array([3.0, 1.0]) - J_W * rates) / R_S
    assert np.allclose(results["rig.T"][-1], forces, rtol=2e-3)


def test_without_torques_nothing_happens():
    text = PAIR.replace("RADIUS", "0.092").replace("[3 N*m, 1 N*m]", "[0 N*m, 0 N*m]")
    results = run(text.replace("[1 N*m, 2 N*m]", "[0 N*m, 0 N*m]"))
    assert np.allclose(results["rig.omega_w"], [150.0, 100.0], atol=1e-9)
    assert np.allclose(results["rig.T_mis"], 0.0, atol=1e-6)


def test_unbalance_shakes_the_load_cell_with_m_e_omega_squared():
    text = """
blocks:
  none: {type: sources.constant, value: 0 N*m}
  rig:  {type: rail.virtual_rig, omega_0: 150 rad/s, me_w: 2e-4 kg*m, me_r: 1e-4 kg*m, theta_w0: W}
wires: [none -> rig.C_S, none -> rig.u]
log: {every: 0.1 ms, signals: all}"""
    for angle, me in (("0 deg", 1e-4), ("180 deg", 3e-4), ("90 deg", 5**0.5 * 1e-4)):
        results = run(text.replace("W}", angle + "}"), solver="solver: {stop: 0.5 s, rtol: 1e-9}")
        assert np.max(results["rig.T_mis"]) == pytest.approx(me * 150.0**2, rel=1e-3)
        assert np.allclose(results["rig.T"], 0.0, atol=1e-6)
