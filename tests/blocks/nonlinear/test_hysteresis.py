"""Backlash in continuous time: the loop, its area and its turns."""

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run


def loop(amplitude, width, solver, compiled=True, y_0=0.0):
    """u = a sin t; y and the work, the integral of y du, over time."""
    text = f"""
blocks:
  du:   {{type: sources.sine, amplitude: {amplitude}, phase: {np.pi / 2!r}}}
  u:    {{type: continuous.integrator}}
  it:   {{type: nonlinear.continuous_backlash, width: {width}, y_0: {y_0}}}
  dW:   {{type: math.product}}
  W:    {{type: continuous.integrator}}
wires: [du -> u, u -> it.u, du -> it.du, it -> dW.u1, du -> dW.u2, dW -> W]
log: {{signals: [u.y, it.y, W.y], every: {np.pi / 200!r} s}}"""
    return run(text, compiled, solver)


def play(u, width, y=0.0):
    """The play operator over closely sampled inputs."""
    result = []
    for value in u:
        y = min(max(y, value - 0.5 * width), value + 0.5 * width)
        result.append(y)
    return np.array(result)


@both
@pytest.mark.parametrize(("amplitude", "width"), [(1.0, 0.4), (2.0, 3.0), (1.0, 2.5), (1.0, 0.0)])
def test_loop_is_that_of_the_play_operator_and_loses_its_area(amplitude, width, compiled):
    solver = f"solver: {{rtol: 1e-10, atol: 1e-12, stop: {5 * np.pi!r}}}"
    results = loop(amplitude, width, solver, compiled)
    u, y = amplitude * np.sin(results.time), results["it.y"]
    fine = amplitude * np.sin(np.linspace(0.0, 5 * np.pi, 100_001))
    assert np.allclose(y, play(fine, width)[::100][: len(y)], atol=1e-6)
    assert np.all(np.abs(y - u) <= 0.5 * width + 1e-9)
    # A cycle from one turn to the same turn, here from t = pi / 2 + 2 pi on.
    work = dict(zip(np.round(results.time / np.pi, 6), results["W.y"], strict=True))
    area = 2.0 * width * max(amplitude - 0.5 * width, 0.0)
    assert work[2.5] - work[4.5] == pytest.approx(area, abs=1e-7)


def test_turns_are_where_the_output_rests():
    results = loop(1.0, 0.4, "solver: {rtol: 1e-10, atol: 1e-12, stop: 7}")
    t, y = results.time, results["it.y"]
    end = np.pi / 2 + np.arccos(1.0 - 0.4)  # u has fallen by the width
    rests = (t > np.pi / 2) & (t < end)
    assert np.allclose(y[rests], 0.8, atol=1e-12)
    falls = (t > end) & (t < 1.5 * np.pi)
    assert np.allclose(y[falls], np.sin(t[falls]) + 0.2, atol=1e-9)


@pytest.mark.parametrize(("y_0", "y"), [(0.0, 0.0), (0.15, 0.15), (5.0, 0.2), (-5.0, -0.2)])
def test_output_at_the_start_is_moved_to_where_the_input_allows_it(y_0, y):
    assert Bench("nonlinear.continuous_backlash", width=0.4, y_0=y_0).y(u=0.0) == y


def test_sampled_backlash_comes_near_with_short_samples():
    text = """
blocks:
  du:   {type: sources.sine, phase: 90 deg}
  u:    {type: continuous.integrator}
  it:   {type: nonlinear.continuous_backlash, width: 0.4}
  near: {type: nonlinear.backlash, width: 0.4, every: 1 ms}
wires: [du -> u, u -> it.u, u -> near.u, du -> it.du]
log: {signals: [it.y, near.y], every: 10 ms}"""
    results = run(text, solver="solver: {rtol: 1e-9, atol: 1e-11, stop: 7 s}")
    assert np.max(np.abs(results["it.y"] - results["near.y"])) < 1.1e-3
