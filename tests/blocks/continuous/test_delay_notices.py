"""A transport delay whose samples are too far apart for its input says so."""

import math

import numpy as np
import pytest
from diagram_runs import run
from railblocks.engine import loads, simulate


def delayed(source, delay=100.0, n=100, stop=400.0):
    text = (
        f"blocks:\n  u: {{type: sources.{source}}}\n"
        f"  it: {{type: continuous.transport_delay, delay: {delay}, n: {n}}}\n"
        "wires: [u.y -> it.u]\nlog: {signals: all, every: 0.5 s}"
    )
    return run(text, solver=f"solver: {{stop: {stop}}}")


def test_a_sine_of_six_samples_a_period_is_told_and_is_wrong():
    results = delayed("sine, omega: 1")
    (message,) = results.meta["notices"]
    assert message.startswith(
        "it (continuous.transport_delay): its input bends between samples 1 s"
    )
    assert message.endswith("give more of them, as in `n: 400`")
    late = results.time > 100.0
    error = np.max(np.abs(results["it.y"] - np.sin(results.time - 100.0))[late])
    assert error == pytest.approx(1.0 - math.cos(0.5), rel=0.05)  # a chord's distance from its arc


def test_what_the_message_says_is_right():
    results = delayed("sine, omega: 1", n=400)
    late = results.time > 100.0
    assert np.max(np.abs(results["it.y"] - np.sin(results.time - 100.0))[late]) < 0.01
    assert results.meta["notices"] == []


@pytest.mark.parametrize(
    "source",
    ["constant", "step, time: 50 s", "ramp, slope: 2 1/s", "sine, omega: 0.1",
     "pulse, period: 60 s, width: 0.5"],
)  # fmt: skip
def test_inputs_that_samples_follow_are_not_told(source):
    assert delayed(source).meta["notices"] == []


def test_interpreted_says_the_same():
    text = (
        "diagram: 1\nblocks:\n  u: {type: sources.sine, omega: 20}\n"
        "  it: {type: continuous.transport_delay, delay: 1, n: 10}\n"
        "wires: [u.y -> it.u]\nsolver: {stop: 4 s}\nlog: {signals: all, every: 0.1 s}"
    )
    notices = [simulate(loads(text), compiled=c).meta["notices"] for c in (True, False)]
    assert notices[0] == notices[1] != []
