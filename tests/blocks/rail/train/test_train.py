"""Longitudinal dynamics of the vehicle against statics and rigid-body motion."""

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run

MASS = 32000.0 + 2 * 2615.0 + 4 * 1813.0
PLACES = np.array([9.5 + 1.28, 9.5 - 1.28, -9.5 + 1.28, -9.5 - 1.28])
DIAGRAM = """
blocks:
  pull:  {{type: sources.constant, value: {forces}}}
  train: {{type: rail.train, v_0: {v_0} m/s, c_1: 300 kN*s/m, c_2: 250 kN*s/m, {more}}}
wires: [pull -> train.T]
log: {{every: 0.01 s, signals: all}}"""


def steady(forces, more="load_factor: 1", v_0=10.0, compiled=True):
    """The last row of a run that is long enough for suspensions to settle."""
    text = DIAGRAM.format(forces=[f"{f} N" for f in forces], more=more, v_0=v_0)
    return run(text.replace("'", ""), compiled)


def test_at_rest_each_axle_carries_a_quarter_of_the_weight():
    zeros = {"s": np.zeros(6), "v": np.full(7, 30.0), "T": np.zeros(4)}
    plain = Bench("rail.train", load_factor=1.0).out(**zeros)["N"]
    assert np.allclose(plain, MASS * 9.81 / 4)
    assert np.allclose(plain, 109092.0, rtol=1e-5)
    assert np.allclose(Bench("rail.train").out(**zeros)["N"], 5 * plain)


@both
def test_all_bodies_go_with_the_acceleration_of_the_centre_of_mass(compiled):
    results = steady([4000.0, 6000.0, 1000.0, 9000.0], compiled=compiled)
    a = 20000.0 / MASS
    assert np.allclose(results["train.x_ddot"][-1], a, rtol=1e-6)
    assert results["train.x_ddot_c"][-1] == pytest.approx(a, rel=1e-6)
    assert np.allclose(results["train.x_dot"][-1], 10.0 + 4.0 * a, atol=0.01)


@pytest.mark.parametrize("forces", [(5000.0,) * 4, (-8000.0,) * 4, (9000.0, 0.0, 3000.0, 1000.0)])
def test_loads_are_in_balance_with_weight_and_inertia_forces(forces):
    """Moments about a point on the rail: contact forces have no arm there."""
    N = steady(forces)["train.N"][-1]
    a = sum(forces) / MASS
    moment = -a * (32000.0 * 1.8 + 2 * 2615.0 * 0.6 + 4 * 1813.0 * 0.46)
    assert np.sum(N) == pytest.approx(MASS * 9.81)
    assert np.sum(N * PLACES) == pytest.approx(moment, rel=1e-6)


def test_traction_loads_the_rear_axle_of_each_bogie_and_the_rear_bogie():
    N = steady((5000.0,) * 4)["train.N"][-1]
    assert N[0] < N[1]
    assert N[2] < N[3]
    assert N[0] + N[1] < N[2] + N[3]


def test_load_factor_multiplies_weight_and_not_what_traction_moves():
    plain, heavy = (steady((5000.0,) * 4, f"load_factor: {f}")["train.N"][-1] for f in (1, 5))
    assert np.allclose(heavy - plain, 4 * MASS * 9.81 / 4, rtol=1e-9)


def test_a_wheelset_alone_swings_on_its_primary_suspension():
    """Frozen bogies and car body: omega = sqrt(k_1 / m_w)."""
    text = """
blocks:
  none:  {type: sources.constant, value: [0 N, 0 N, 0 N, 0 N]}
  push:  {type: sources.pulse, amplitude: 1 kN, period: 10 s, width: 0.1 %}
  train: {type: rail.train, v_0: 0 m/s, m_b: 1e12 kg, m_c: 1e12 kg, c_1: 0 N*s/m}
wires: ['push -> train.T[0]', 'none.y[1:4] -> train.T[1:4]']
log: {every: 0.1 ms, signals: all}"""
    results = run(text, solver="solver: {rtol: 1.0e-9, atol: 1.0e-12, stop: 0.5 s}")
    v, t = results["train.x_dot"][:, 0], results.time
    up = t[:-1][(v[:-1] < 0) & (v[1:] >= 0) & (t[:-1] > 0.02)]
    period = np.mean(np.diff(up))
    assert 2 * np.pi / period == pytest.approx(np.sqrt(62.782e6 / 1813.0), rel=2e-3)


def test_speed_stays_below_its_bound_and_brakes_freely_from_it():
    fast = steady((20000.0,) * 4, "v_max: 11 m/s")["train.x_dot_c"]
    assert np.max(fast) < 11.0 + 1e-3
    assert fast[-1] == pytest.approx(11.0, abs=1e-3)
    braked = steady((-20000.0,) * 4, "v_max: 11 m/s", v_0=11.0)
    assert braked["train.x_ddot_c"][-1] == pytest.approx(-80000.0 / MASS, rel=1e-6)


def test_the_speed_of_the_train_is_that_of_the_body_or_of_each_wheelset():
    v = np.array([10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7])
    signals = {"s": np.zeros(6), "v": v, "T": np.zeros(4)}
    assert np.array_equal(Bench("rail.train").out(**signals)["v_t"], np.full(4, 10.7))
    each = Bench("rail.train", speed="wheelsets").out(**signals)
    assert np.array_equal(each["v_t"], v[:4])
    assert each["x_dot_c"] == 10.7
