"""Adhesion left on the rail: closed forms at constant speed, places, meshes, bad values."""

import math

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run
from railblocks.engine import DiagramError, check, loads

PLACES = np.array([0.0, 2.6, 12.8, 15.4])
MU_0, MU_MAX, P_0 = 0.05, 0.15, 20e3


def rolling(power, v=40.0, more="", every="5 ms", log="0.1 s"):
    """Four axles at constant speed; the power of the first, and 10 kW of the others."""
    return f"""
blocks:
  clock: {{type: sources.ramp, slope: {v} m/s}}
  first: {power}
  rest:  {{type: sources.constant, value: [10 kW, 10 kW, 10 kW]}}
  soap:  {{type: sources.constant, value: [{MU_0}, {MU_0}, {MU_0}, {MU_0}]}}
  rail:  {{type: rail.adhesion_recovery, places: [0 m, 2.6 m, 12.8 m, 15.4 m],
          every: {every}{more}}}
wires: [clock -> rail.x, 'first -> rail.P[0]', 'rest -> rail.P[1:4]', soap -> rail.mu_0]
log: {{every: {log}, signals: [rail.mu, rail.mu_left]}}"""


CONSTANT = "{type: sources.constant, value: 10 kW}"
PLAIN = "solver: {stop: 2 s}"


def recovered(total):
    return MU_MAX - (MU_MAX - MU_0) * np.exp(-np.asarray(total) / P_0)


@both
@pytest.mark.parametrize(("per", "share"), [("wheel", 0.5), ("axle", 1.0)])
def test_each_axle_adds_its_power_once(per, share, compiled):
    """At constant powers axle i sees what i axles before it have left, wherever they have been."""
    results = run(rolling(CONSTANT, more=f", per: {per}"), compiled, PLAIN)
    passed = results.time > (PLACES[-1] + 1.0) / 40.0
    expected = recovered(share * 10e3 * np.arange(4))
    left = recovered(share * 10e3 * np.arange(1, 5))
    assert np.allclose(results["rail.mu"][passed], expected, atol=1e-12)
    assert np.allclose(results["rail.mu_left"][passed], left, atol=1e-12)


def test_rail_under_the_train_at_the_start_is_untouched_until_an_axle_has_passed():
    """Axle i sees the work of axle j < i from the place on at which j has started."""
    results = run(rolling(CONSTANT, v=2.0, log="0.01 s"), solver="solver: {stop: 10 s}")
    x = 2.0 * results.time[:, None] - PLACES
    starts = -PLACES
    for i in range(4):
        edge = np.min(np.abs(x[:, i, None] - starts[:i]), axis=1, initial=np.inf)
        before = np.sum(x[:, i, None] > starts[:i], axis=1)
        clear = edge > 0.4
        expected = recovered(5e3 * before[clear])
        assert np.allclose(results["rail.mu"][clear, i], expected, atol=1e-12)


@pytest.mark.parametrize(("dx", "most"), [(1.0, 2e-3), (0.25, 2e-4), (0.05, 5e-5)])
def test_a_power_that_changes_along_the_line_is_seen_where_it_was(dx, most):
    """P_1 = 10 kW (1 + sin(x / 3 m)) at 40 m/s; the second axle sees it at the same places."""
    wave = f"{{type: sources.sine, bias: 10 kW, amplitude: 10 kW, omega: {40 / 3} rad/s}}"
    text = rolling(wave, more=f", dx: {dx} m", every="1 ms", log="20 ms")
    results = run(text, solver="solver: {stop: 2 s}")
    x = 40.0 * results.time - PLACES[1]
    passed = x > 2.0
    expected = recovered(0.5 * 10e3 * (1.0 + np.sin(x[passed] / 3.0)))
    assert np.max(np.abs(results["rail.mu"][passed, 1] - expected)) < most


def test_the_window_does_not_grow_and_goes_round_for_many_kilometres():
    cells = Bench("rail.adhesion_recovery", places=PLACES, every=0.005).values["rail"].shape
    assert cells == (4, math.ceil((10.2 + 150.0 * 0.005) / 0.25) + 3)
    results = run(rolling(CONSTANT, v=100.0, log="1 s"), solver="solver: {stop: 200 s}")
    expected = recovered(5e3 * np.arange(4))
    assert np.allclose(results["rail.mu"][1:], expected, atol=1e-12)


def test_a_train_that_stands_cleans_nothing():
    results = run(rolling(CONSTANT, v=0.0), solver=PLAIN)
    assert np.all(results["rail.mu"] == MU_0)


def test_a_rail_that_is_better_than_mu_max_stays():
    bench = Bench("rail.adhesion_recovery", places=PLACES, every=0.005)
    D = np.full(bench.values["rail"].shape, 1e5)
    mu = bench.out(x=100.0, P=np.zeros(4), mu_0=np.array([0.3, 0.3, 0.15, 0.1]), D=D)["mu"]
    assert np.allclose(mu[:3], [0.3, 0.3, 0.15])
    assert mu[3] == pytest.approx(0.15 - 0.05 * math.exp(-5.0))


@pytest.mark.parametrize("more", [", dx: 2 m", ", dx: 1.31 m"])
def test_cells_longer_than_half_a_gap_are_refused(more):
    with pytest.raises(DiagramError, match=r"axles follow each other by 2.6 m .* smaller dx"):
        check(loads("diagram: 1\n" + rolling(CONSTANT, more=more)))


def test_axles_in_the_wrong_order_are_refused():
    text = rolling(CONSTANT).replace("[0 m, 2.6 m, 12.8 m, 15.4 m]", "[0 m, 2.6 m, 2 m, 15.4 m]")
    with pytest.raises(DiagramError, match="expected increasing positions"):
        check(loads("diagram: 1\n" + text))
