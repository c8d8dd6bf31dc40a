"""Delays that are signals, against the input at the time that a pencil finds."""

import math

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run
from railblocks.engine import DiagramError, SimulationError


def diagram(block, tau, u="sine, omega: 2 rad/s", every="0.01 s", signals="it.y"):
    return f"""
blocks:
  u:   {{type: sources.{u}}}
  tau: {{type: {tau}}}
  it:  {{type: continuous.{block}}}
wires: [u -> it.u, tau -> it.tau]
log: {{signals: [{signals}], every: {every}}}"""


RISING = "sources.ramp, delay: 0 s, y_0: 0.5 s, slope: 0.25"  # 0.5 + t / 4
SWINGING = "sources.sine, bias: 0.5 s, amplitude: 0.3 s, omega: 3 rad/s"


@both
def test_transport_through_a_pipe_that_slows_down_takes_until_it_is_passed(compiled):
    """tau = a + b t: ln((a + b t) / (a + b t_d)) = b, so t_d = ((a + b t) exp(-b) - a) / b."""
    results = run(diagram("variable_transport_delay, n: 100, y_0: 9", RISING), compiled)
    t = results.time
    left = ((0.5 + 0.25 * t) * math.exp(-0.25) - 0.5) / 0.25
    late = left > 0.0
    assert np.allclose(results["it.y"][late], np.sin(2.0 * left[late]), atol=4e-4)
    filled = left < -0.01
    assert np.all(results["it.y"][filled] == 9.0)
    assert late.sum() > 300
    assert filled.sum() > 50


def test_error_of_transport_falls_with_the_square_of_the_samples():
    errors = []
    for n in (10, 20, 40):
        results = run(diagram(f"variable_transport_delay, n: {n}", RISING))
        left = ((0.5 + 0.25 * results.time) * math.exp(-0.25) - 0.5) / 0.25
        errors.append(np.max(np.abs(results["it.y"] - np.sin(2.0 * left))[left > 0.1]))
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.2)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.2)


def test_a_constant_time_of_transport_is_the_transport_delay():
    text = """
blocks:
  u:    {type: sources.sine, omega: 5 rad/s}
  tau:  {type: sources.constant, value: 0.4 s}
  it:   {type: continuous.variable_transport_delay, n: 20, y_0: 2}
  same: {type: continuous.transport_delay, delay: 0.4 s, n: 20, y_0: 2}
wires: [u -> it.u, u -> same.u, tau -> it.tau]
log: {signals: [it.y, same.y], every: 0.03 s}"""
    results = run(text)
    assert np.allclose(results["it.y"], results["same.y"], rtol=0, atol=1e-9)


def test_transport_stands_while_the_speed_is_zero():
    """L / v with v = 0 is infinite: nothing moves, and nothing comes out."""
    text = """
blocks:
  u:    {type: sources.clock}
  v:    {type: sources.from_table, times: [0, 1, 1, 2, 2, 4], values: [1, 1, 0, 0, 1, 1]}
  tau:  {type: math.reciprocal}
  unit: {type: math.expression, expression: 0.5 * u1}
  it:   {type: continuous.variable_transport_delay, n: 100}
wires: [v -> tau -> unit -> it.tau, u -> it.u]
log: {signals: [it.y], every: 0.125 s}"""
    results = run(text)
    t, y = results.time, results["it.y"]
    stands = (t > 1.0) & (t < 2.0)
    assert np.allclose(y[stands], 0.5, atol=1e-9)
    assert np.allclose(y[(t > 2.51)], t[t > 2.51] - 0.5, atol=1e-9)


@both
@pytest.mark.parametrize(("tau", "of"), [
    (RISING, lambda t: 0.5 + 0.25 * t),
    (SWINGING, lambda t: 0.5 + 0.3 * np.sin(3.0 * t)),
])  # fmt: skip
def test_variable_delay_is_the_input_that_much_earlier(tau, of, compiled):
    results = run(diagram("variable_delay, longest: 1.6 s, n: 400", tau), compiled)
    at = results.time - of(results.time)
    late = at > 0.01
    bound = (1.6 / 400) ** 2 / 8 * 4.0
    assert np.max(np.abs(results["it.y"] - np.sin(2.0 * at))[late]) <= bound * (1 + 1e-6) + 1e-12
    assert np.all(results["it.y"][at < -0.01] == 0.0)


@pytest.mark.parametrize("least", [0.0, 0.01])
def test_variable_delay_is_exact_for_straight_lines_down_to_no_delay(least):
    bench = Bench("continuous.variable_delay", longest=0.1, n=10, least=least, y_0=3.0)
    (out,) = bench.declaration.of_kind("out")
    assert ("u" in out.arguments) == (least == 0.0)
    bench.begin(t=2.0, u=3.0, tau=0.05)
    rng = np.random.default_rng(4)
    for now in 2.0 + np.arange(1, 400) / 1000:
        while (gap := bench.run("guard", t=now, tau=0.05)["sample"]) >= 0.0:
            bench.fire("sample", t=now - gap, u=3.0 + 5.0 * (now - gap - 2.0))
        for tau in (least, 0.1, rng.uniform(least, 0.1)):
            y = bench.y(t=now, u=3.0 + 5.0 * (now - 2.0), tau=tau)
            assert y == pytest.approx(3.0 + 5.0 * max(now - 2.0 - tau, 0.0), abs=1e-12)


def test_integral_of_a_delayed_line_with_kinks_needs_no_smaller_steps():
    text = """
blocks:
  u:   {type: sources.triangle, period: 2 s}
  tau: {type: sources.ramp, delay: 0 s, slope: 0.5}
  it:  {type: continuous.variable_delay, longest: 2 s, n: 100, y_0: -1}
  i:   {type: continuous.integrator}
wires: [u -> it.u, tau -> it.tau, it -> i]
log: {signals: [i.y]}"""
    results = run(text, solver="solver: {rtol: 1e-9, atol: 1e-11, stop: 4 s}")
    # y(t) = u(t / 2): a triangle of period 4 s from -1 to 1 and back, whose kinks lie on samples.
    assert results["i.y"][-1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("block", "tau", "message"),
    [
        ("variable_delay, longest: 1 s", RISING, "tau is not within `least` and `longest`"),
        ("variable_delay, longest: 9 s, least: 0.6 s", RISING, "tau is not within"),
        ("variable_transport_delay", "sources.step, before: 1 s, after: -1 s", "tau is not"),
    ],
)
def test_a_delay_out_of_its_range_ends_the_run(block, tau, message):
    with pytest.raises(SimulationError, match=message):
        run(diagram(block, tau))


def test_a_range_that_is_none_is_refused():
    with pytest.raises(DiagramError, match="least = 2 s is above longest = 1 s"):
        Bench("continuous.variable_delay", longest=1.0, least=2.0)
