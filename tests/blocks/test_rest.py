"""Bodies that come to rest are exactly at rest, with every solver."""

import math

import numpy as np
import pytest
from diagram_runs import run

METHODS = ("ode45", "ode23", "ode853", "radau5")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("F", [0.0, 1.5])
def test_friction_mass_that_has_stopped_stands_still(F, method):
    """v' = -a - d v with a = F_c - F, on 1 kg: at rest after ln(1 + d v_0 / a) / d."""
    text = (
        f"blocks:\n  F: {{type: sources.constant, value: {F}}}\n"
        "  it: {type: mechanics.friction_mass, m: 1, F_c: 2, F_s: 3, v_0: 1, d: 0.5}\n"
        "wires: [F.y -> it.F]\nlog: {signals: all, every: 0.01 s}"
    )
    results = run(text, solver=f"solver: {{method: {method}, stop: 4 s}}")
    a, d = 2.0 - F, 0.5
    end = math.log(1.0 + d / a) / d
    late = results.time > end + 1e-4
    assert np.all(results["it.v"][late] == 0.0)
    assert np.all(results["it.x"][late] == results["it.x"][-1])
    assert results["it.x"][-1] == pytest.approx((1.0 - a * end) / d, abs=1e-5)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("h_0", [1.0, 0.0])
def test_ball_that_does_not_bounce_rests_where_it_falls(method, h_0):
    text = (
        f"blocks:\n  ball: {{type: mechanics.bouncing_ball, e: 0, h_0: {h_0}}}\n"
        "log: {signals: all, every: 0.01 s}"
    )
    results = run(text, solver=f"solver: {{method: {method}, stop: 2 s}}")
    end = math.sqrt(2.0 * h_0 / 9.81)
    late = results.time > end + 1e-9
    assert np.all(results["ball.h"][late] == 0.0)
    assert np.all(results["ball.v"][late] == 0.0)
    early = results.time < end
    fallen = h_0 - 0.5 * 9.81 * results.time**2
    assert np.allclose(results["ball.h"][early], fallen[early], rtol=0, atol=1e-7)
