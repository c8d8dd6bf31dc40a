"""Adhesion estimated from the measured torques and speed of a sliding axle."""

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run
from railblocks.engine.runs.export import export

J, R, N = 130.0, 0.43, 133773.0


MEASURED = f"""
blocks:
  place: {{type: sources.ramp, slope: 30 m/s}}
  wet:   {{type: nonlinear.lookup_1d, points: [0 m, 30 m, 60 m, 90 m],
          values: [0.05, 0.08, 0.05, 0.07]}}
  brake: {{type: sources.sine, bias: 3.8 kN*m, amplitude: 500 N*m, omega: 5 rad/s}}
  load:  {{type: sources.constant, value: {N} N}}
  speed: {{type: sources.constant, value: 30 m/s}}
  axle:  {{type: rail.braked_axle, omega_0: 55 rad/s}}
  estimate:  {{type: rail.adhesion_estimate, N: {N} N, every: 5 ms}}
wires:
  - place -> wet -> axle.mu
  - brake -> axle.C, estimate.C_bs
  - load -> axle.N
  - speed -> axle.v, estimate.v
  - axle.omega -> estimate.omega
log: {{every: 5 ms, signals: [place.y, wet.y, estimate.mu_0, estimate.slides, axle.delta]}}"""


@both
def test_the_estimate_of_a_sliding_axle_is_the_adhesion_under_it(compiled):
    results = run(MEASURED, compiled, "solver: {rtol: 1e-9, atol: 1e-9, stop: 2.5 s}")
    new = results["estimate.slides"].astype(bool)
    assert np.sum(new) > 300
    middle = results["wet.y"][:-1][new[1:]] + results["wet.y"][1:][new[1:]]
    assert np.allclose(results["estimate.mu_0"][1:][new[1:]], 0.5 * middle, atol=3e-5)


def test_an_axle_that_rolls_leaves_the_estimate_as_it_was():
    bench = Bench("rail.adhesion_estimate", every=0.01, mu_start=0.06)
    signals = {"C_ED": 0.0, "C_bs": 1000.0, "omega": 30.0 / R, "v": 30.0}
    for _ in range(3):
        assert bench.out(**signals) == {"mu_0": 0.06, "slides": False}
        bench.states |= bench.run("update", **signals)


def test_both_torques_count_and_deceleration_is_taken_off():
    """A steady deceleration of 10 rad/s^2 under 2000 and 1500 N m: 2200 N m come from the rail."""
    bench = Bench("rail.adhesion_estimate", every=0.01)
    signals = {"C_ED": 2000.0, "C_bs": 1500.0, "v": 30.0}
    bench.states |= bench.run("update", omega=50.0, **signals)
    estimate = bench.out(omega=50.0 - 10.0 * 0.01, **signals)
    assert estimate["slides"]
    assert estimate["mu_0"] == pytest.approx((3500.0 - J * 10.0) / (R * N))


def test_an_estimate_exported_as_csv_is_a_rail_again(tmp_path):
    results = run(MEASURED, solver="solver: {rtol: 1e-9, atol: 1e-9, stop: 2.5 s}")
    path = tmp_path / "run.csv"
    export(results, path)
    bench = Bench(
        "rail.initial_adhesion", path=str(path), place="place.y", column="estimate.mu_0"
    )  # fmt: skip
    for x in (20.0, 45.0, 70.0):
        true = np.interp(x, [0.0, 30.0, 60.0, 90.0], [0.05, 0.08, 0.05, 0.07])
        assert bench.out(x=x)["mu_0"] == pytest.approx(true, abs=2e-4)
