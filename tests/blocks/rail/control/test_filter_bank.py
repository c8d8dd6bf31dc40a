"""The multistate filter as it is drawn: a bank that is the retuned filter within its limit."""

import numpy as np
import pytest
from bench import Bench
from railblocks.engine import loads, simulate
from scipy import signal

TURN = 2.0 * np.pi
RAMP = """
diagram: 1
parameters: {slope: 2 rad/s^2, start: 100 rad/s, phase: 2 deg}
blocks:
  speed:  {type: sources.ramp, y_0: start, slope: slope}
  angle:  {type: continuous.integrator}
  wave:   {type: math.expression, expression: 0.8 * sin(phi) + 2}
  bank:   {type: rail.filter_bank, phase: phase}
  filter: {type: rail.multistate_filter, phase: phase}
wires:
  - speed -> angle -> wave.phi
  - wave -> bank.C_tilde, filter.C_tilde
  - speed -> bank.omega_w_hat, filter.omega_w_hat
solver: {stop: 6 s, rtol: 1.0e-8, atol: 1.0e-10}
log: {every: 1 ms, signals: all}
"""


def settled(results):
    return results.time > 1.0


@pytest.mark.parametrize("degrees", [2.0, 10.0])
@pytest.mark.parametrize(("start", "slope"), [(100.0, 2.0), (150.0, -2.0)])
def test_on_a_slow_ramp_of_speed_it_is_the_retuned_filter_within_twice_the_phase(
    degrees, start, slope
):
    """Each differs from the disturbance by up to the phase limit, and so by twice that at most."""
    phase = np.radians(degrees)
    results = simulate(loads(RAMP), {"phase": phase, "start": start, "slope": slope})
    late = settled(results)
    assert np.array_equal(results["bank.band"], results["filter.band"])
    assert len(np.unique(results["bank.band"][late])) > (2 if degrees > 5 else 10)
    difference = results["bank.C_D"][late] - results["filter.C_D"][late]
    assert np.max(np.abs(difference)) < 0.8 * 2.0 * np.sin(phase)
    assert np.max(np.abs(difference)) > 0.0


def test_at_constant_speed_it_is_the_retuned_filter():
    """Both have one band, with the same states."""
    results = simulate(loads(RAMP), {"slope": 0.0, "phase": np.radians(10.0)})
    late = results.time > 4.0
    assert np.allclose(results["bank.C_D"][late], results["filter.C_D"][late], atol=1e-6)


def test_every_band_of_the_bank_has_the_elliptic_response():
    """Rates of one band against SciPy's elliptic band-pass of the same edges."""
    bench = Bench("rail.filter_bank", phase=np.radians(10.0))
    b, c, w, W = (bench.values[name] for name in ("b", "c", "w", "W"))
    z, p, k = signal.ellipap(3, bench.values["ripple"], bench.values["stop"])
    for i in (0, len(w) // 2, len(w) - 1):
        zeros, poles, gain = signal.lp2bp_zpk(z, p, k, w[i], TURN * W)
        s = 1j * w[i] * np.array([0.8, 1.0, 1.1])
        expected = [gain * np.prod(one - zeros) / np.prod(one - poles) for one in s]
        matrix = band_matrix(bench, i)
        row, column = np.concatenate([c, np.zeros(3)]), np.concatenate([TURN * W * b, np.zeros(3)])
        ours = [row @ np.linalg.solve(one * np.eye(6) - matrix, column) for one in s]
        assert np.allclose(ours, expected, rtol=1e-9)


def band_matrix(bench, i):
    """System matrix of band i, read off the block's own rates."""
    n, columns = len(bench.values["w"]), []
    for state in range(6):
        x, z = np.zeros((n, 3)), np.zeros((n, 3))
        (x if state < 3 else z)[i, state % 3] = 1.0
        bench.states |= {"low": np.zeros(2), "x": x, "z": z, "g": 1.0, "k": 3}
        rates = bench.run("der", C_tilde=0.0, omega_w_hat=150.0)
        assert np.count_nonzero(np.delete(rates["x"], i, axis=0)) == 0  # bands are apart
        columns.append(np.concatenate([rates["x"][i], rates["z"][i]]))
    return np.array(columns).T


def test_the_selector_jumps_by_no_more_than_the_phase_limit_allows():
    phase = np.radians(10.0)
    results = simulate(loads(RAMP), {"phase": phase})
    C_D, band = results["bank.C_D"], results["bank.band"]
    changes = np.flatnonzero(np.diff(band) != 0)
    changes = changes[results.time[changes] > 1.0]
    steps = np.abs(np.diff(C_D))[changes]
    assert np.max(steps) < 0.8 * (2.0 * np.sin(phase) + 112.0 * 1e-3)
    assert np.max(steps) > 0.8 * 112.0 * 1e-3  # more than the sine itself moves in 1 ms


def test_below_the_bands_the_torque_passes_through_the_low_pass_only():
    results = simulate(loads(RAMP), {"start": 40.0, "slope": 0.5})
    assert np.all(results["bank.C_D"] == 0.0)
    assert np.array_equal(results["bank.C_hat"], results["filter.C_hat"])


def test_at_the_limit_of_2_degrees_it_has_888_states():
    bench = Bench("rail.filter_bank")
    assert bench.states["x"].size + bench.states["z"].size == 888
