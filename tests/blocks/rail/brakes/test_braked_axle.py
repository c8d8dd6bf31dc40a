"""An axle under a brake: balance, adhesion, locking and rolling again, against closed forms."""

import math

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run

J, R, N, MU, V = 130.0, 0.43, 130000.0, 0.06, 20.0
GRIP = R * MU * N  # torque of the rails on a sliding axle: 3354 N m


def axle(**values):
    return Bench("rail.braked_axle", omega_0=V / R, **values)


def on_rail(torque, omega_0, more=""):
    return f"""
blocks:
  brake: {torque}
  load:  {{type: sources.constant, value: {N} N}}
  speed: {{type: sources.constant, value: {V} m/s}}
  rail:  {{type: sources.constant, value: {MU}}}
  axle:  {{type: rail.braked_axle, omega_0: {omega_0} rad/s{more}}}
wires: [brake -> axle.C, load -> axle.N, speed -> axle.v, rail -> axle.mu]
log: {{every: 0.01 s, signals: all}}"""


def constant(C):
    return f"{{type: sources.constant, value: {C} N*m}}"


def test_force_grows_to_mu_n_at_delta_0_and_stays():
    block = axle()
    for slip, part in ((0.0, 0.0), (0.005, 0.5), (0.01, 1.0), (0.2, 1.0), (1.0, 1.0)):
        outputs = block.out(w=V * (1.0 - slip) / R, v=V, N=N, mu=MU)
        assert outputs["F"] == pytest.approx(-part * MU * N, rel=1e-9, abs=1e-6)
        assert outputs["P"] == pytest.approx(part * MU * N * slip * V, rel=1e-9, abs=1e-6)
        assert outputs["delta"] == pytest.approx(-slip, abs=1e-12)


def test_friction_may_fall_with_sliding():
    falling = axle(kappa=0.4, lam=2.0).out(w=0.0, v=V, N=N, mu=MU)["F"]
    expected = MU * N * (0.4 + 0.6 * math.exp(-2.0 * (1.0 - 0.01) * V))
    assert falling == pytest.approx(-expected)


def test_at_rest_everything_is_zero():
    outputs = axle().out(w=0.0, v=0.0, N=N, mu=MU)
    assert (outputs["F"], outputs["delta"], outputs["P"]) == (0.0, 0.0, 0.0)


@both
def test_an_axle_locks_when_its_rotation_is_spent_and_never_turns_back(compiled):
    """Sliding from the start: omega falls by (C - r mu N) / J."""
    C, omega_0 = 6000.0, 0.9 * V / R
    results = run(on_rail(constant(C), omega_0), compiled)
    t_lock = J * omega_0 / (C - GRIP)
    t, omega, locked = results.time, results["axle.omega"], results["axle.locked"]
    before = t < t_lock
    assert np.allclose(omega[before], omega_0 - t[before] * (C - GRIP) / J, atol=1e-7)
    assert np.all(omega[~before] == 0.0)
    assert np.array_equal(locked.astype(bool), ~before)
    assert np.allclose(results["axle.F"][~before], -MU * N)


@both
def test_a_locked_axle_rolls_again_when_the_brake_is_weaker_than_the_rail(compiled):
    """C falls by 2000 N m/s from 6000 N m; at GRIP the axle lets go, and J omega' = GRIP - C."""
    ramp = "{type: sources.from_table, times: [0, 3], values: [6000 N*m, 0 N*m]}"
    results = run(on_rail(ramp, 0.0), compiled)
    t_free = (6000.0 - GRIP) / 2000.0
    t, omega = results.time, results["axle.omega"]
    assert np.all(results["axle.locked"][t < t_free])
    assert not np.any(results["axle.locked"][t > t_free])
    free = (t > t_free) & (t < 2.5)
    assert np.allclose(omega[free], (t[free] - t_free) ** 2 * 1000.0 / J, atol=1e-6)
    assert results["axle.v_a"][-1] == pytest.approx(V, rel=1e-3)


def test_an_axle_that_starts_at_rest_under_its_brake_is_locked_and_without_it_rolls():
    held = run(on_rail(constant(6000.0), 0.0))
    assert np.all(held["axle.omega"] == 0.0)
    free = run(on_rail(constant(0.0), 0.0))
    assert free["axle.v_a"][-1] == pytest.approx(V, rel=1e-6)


def test_below_the_grip_of_the_rail_an_axle_rolls_on_with_a_little_sliding():
    C = 0.5 * GRIP
    results = run(on_rail(constant(C), V / R))
    assert results["axle.delta"][-1] == pytest.approx(-0.01 * 0.5, rel=1e-6)
