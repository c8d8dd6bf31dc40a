"""A train that brakes to a standstill: distances, energy, loads, and that it stays where it is."""

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run
from railblocks.engine import DiagramError, check, loads

G, J, R = 9.81, 130.0, 0.43
PLACES = [0.0, 2.6, 12.8, 15.4]
LISTED = "[0 m, 2.6 m, 12.8 m, 15.4 m]"
M, V_0 = 54000.0, 15.0


def train(C, mu, omega_0, more="", v_0=V_0):
    """Four axles with a torque that is there from the start."""
    return f"""
blocks:
  fill:  {{type: sources.integer_constant, value: 1}}
  brake: {{type: rail.brake_cylinder, C_bs_lim: {C} N*m, C_0: {C} N*m}}
  rail:  {{type: sources.constant, value: {mu}}}
  axle:  {{type: rail.braked_axle, omega_0: {omega_0} rad/s, {more}}}
  train: {{type: rail.trainset, m: {M} kg, places: {LISTED}, v_0: {v_0} m/s}}
  shoes: {{type: math.product}}
  slid:  {{type: continuous.integrator}}
  braked: {{type: continuous.integrator}}
wires:
  - fill -> brake.valve
  - brake.C -> axle.C, shoes.u1
  - axle.omega -> shoes.u2
  - shoes -> braked
  - axle.P -> slid
  - rail -> axle.mu
  - axle.F -> train.F
  - train.N -> axle.N
  - train.v -> axle.v
log: {{every: 0.05 s, signals: all}}"""


LONG = "solver: {rtol: 1e-9, atol: 1e-9, stop: 30 s}"


def test_below_the_top_of_the_curve_the_distance_is_v_squared_over_2_a():
    """a = n C / r over the mass with its rotating part, which lags by the creep.

    r omega = (1 - d) v with d = delta_0 |F| / (mu N),  so  a (m + n J (1 - d) / r^2) = n C / r.
    """
    C, mu, d = 4000.0, 0.3, 0.0
    for _ in range(20):
        a = 4 * C / R / (M + 4 * J * (1 - d) / R**2)
        d = 0.01 * (M / 4 * a) / (mu * M / 4 * G)
    results = run(train(C, mu, (1 - d) * V_0 / R), solver=LONG)
    assert results["train.stands"][-1]
    assert results["train.x"][-1] == pytest.approx(V_0**2 / (2 * a), rel=1e-6)


def test_with_all_axles_locked_the_distance_is_v_squared_over_2_mu_g():
    results = run(train(50000.0, 0.08, 0.0), solver=LONG)
    assert results["train.x"][-1] == pytest.approx(V_0**2 / (2 * 0.08 * G), rel=1e-6)


@pytest.mark.parametrize(("C", "mu"), [(4000.0, 0.3), (6000.0, 0.06), (50000.0, 0.08)])
def test_kinetic_energy_is_what_brakes_and_sliding_take(C, mu):
    """Rolling, sliding until axles lock, locked: down to the last joule and at every time."""
    results = run(train(C, mu, V_0 / R), solver=LONG)
    kinetic = 0.5 * M * results["train.v"] ** 2 + 0.5 * J * np.sum(
        results["axle.omega"] ** 2, axis=1
    )
    taken = np.sum(results["slid.y"] + results["braked.y"], axis=1)
    assert np.allclose(kinetic + taken, kinetic[0], rtol=1e-7)
    assert kinetic[-1] == 0.0


@both
def test_a_train_that_stands_stays_with_all_its_axles(compiled):
    """Nothing creeps, and nothing is divided by zero."""
    text = train(6000.0, 0.15, 0.3 / R, "V_min: 0.5 m/s", v_0=0.3)
    results = run(text, compiled, "solver: {rtol: 1e-6, atol: 1e-9, stop: 2 s}")
    stands = results["train.stands"].astype(bool)
    first = int(np.argmax(stands))
    assert 0.2 < results.time[first] < 0.5
    assert np.all(results["train.v"][first:] == 0.0)
    assert np.all(np.ptp(results["train.x"][first:]) == 0.0)
    assert np.all(results["axle.omega"][first + 1 :] == 0.0)
    assert np.all(results["axle.locked"][first + 1 :])
    assert np.all(results["axle.F"][first + 1 :] == 0.0)


def test_a_train_that_starts_at_rest_stands_at_once():
    results = run(train(6000.0, 0.15, 0.0, v_0=0.0), solver="solver: {stop: 1 s}")
    assert np.all(results["train.stands"])
    assert np.all(results["train.x"] == 0.0)


def test_without_brakes_and_resistance_the_train_rolls_on():
    results = run(train(0.0, 0.15, V_0 / R), solver="solver: {stop: 10 s}")
    assert np.allclose(results["train.v"], V_0)


def test_running_resistance_slows_the_train():
    text = f"""
blocks:
  none:  {{type: sources.constant, value: [0 N, 0 N, 0 N, 0 N]}}
  train: {{type: rail.trainset, m: 1000 kg, places: {LISTED}, v_0: 20 m/s, R_2: 5 kg/m}}
wires: [none -> train.F]
log: {{every: 1 s, signals: all}}"""
    results = run(text, solver="solver: {rtol: 1e-9, atol: 1e-10, stop: 30 s}")
    assert np.allclose(results["train.v"], 20.0 / (1.0 + 5.0 / 1000.0 * 20.0 * results.time))


def test_axles_have_their_places_and_their_parts_of_the_weight():
    even = Bench("rail.trainset", m=M, places=PLACES).out(s=100.0, speed=1.0, F=np.zeros(4))
    assert np.allclose(even["x_a"], 100.0 - np.array(PLACES))
    assert np.allclose(even["N"], M * G / 4)
    parts = [0.3, 0.3, 0.2, 0.2]
    own = Bench("rail.trainset", m=M, places=PLACES, parts=parts).out(F=np.zeros(4))
    assert np.allclose(own["N"], M * G * np.array(parts))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ("[0.5, 0.5]", "parts has 2 values for 4 axles"),
        ("[0.5, 0.5, 0.5, 0.5]", "parts add up to 2; expected parts of 1"),
        ("[1.5, -0.5, 0, 0]", "none below 0"),
    ],
)
def test_parts_that_are_no_parts_are_refused(parts, message):
    text = f"""
diagram: 1
blocks:
  train: {{type: rail.trainset, m: 1 t, places: {LISTED}, v_0: 1 m/s, parts: {parts}}}
  none:  {{type: sources.constant, value: [0 N, 0 N, 0 N, 0 N]}}
wires: [none -> train.F]"""
    with pytest.raises(DiagramError, match=message):
        check(loads(text))
