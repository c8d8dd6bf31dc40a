"""Responses by shaking: linear and sampled ones are met; a relay has its describing function."""

import math

import numpy as np
import pytest
from railblocks.engine import DiagramError, loads, respond

LAG = """\
diagram: 1
blocks:
  goal: {type: sources.constant, value: 3}
  lag:  {type: continuous.first_order_lag, T: 0.5 s, k: 4}
wires: [goal -> lag]
solver: {stop: 1 s, rtol: 1e-9, atol: 1e-12}
"""
MULTIRATE = """\
diagram: 1
blocks:
  r:     {type: sources.constant, value: 0}
  sum:   {type: math.sum, signs: "+-"}
  fast:  {type: discrete.unit_delay, every: 0.1 s}
  ctl:   {type: discrete.zero_order_hold, every: 0.2 s}
  plant: {type: continuous.first_order_lag, T: 1 s, k: 2}
wires: [r -> sum.u1, plant.y -> fast -> sum.u2, sum -> ctl -> plant.u]
solver: {stop: 1, rtol: 1e-10, atol: 1e-13}
"""


@pytest.mark.parametrize("compiled", [True, False])
def test_sines_meet_the_closed_form_of_a_lag(compiled):
    found = respond(loads(LAG), "goal.y", "lag.y", band=(0.1, 1.0), points=2, compiled=compiled)
    s = 2j * np.pi * found.frequencies
    assert found.values == pytest.approx(4.0 / (0.5 * s + 1.0), rel=1e-4)
    assert np.all(found.coherence > 0.999999)
    assert np.all(found.settled)


def test_a_chirp_meets_the_closed_form_of_a_lag():
    found = respond(loads(LAG), "goal.y", "lag.y", band=(0.05, 3.0), points=8, method="chirp")
    s = 2j * np.pi * found.frequencies
    assert found.values == pytest.approx(4.0 / (0.5 * s + 1.0), rel=0.02)
    assert np.all(found.coherence > 0.995)


def test_a_sampled_diagram_meets_its_linear_model():
    found = respond(loads(MULTIRATE), "r.y", "plant.y", band=(0.1, 2.0), points=4)
    assert found.sample_time == pytest.approx(0.2)
    assert found.values == pytest.approx(found.linear, rel=1e-4)


def test_a_relay_has_the_gain_of_its_describing_function():
    """A sine of amplitude A through a sign has the fundamental 4 / (pi A)."""
    text = """\
diagram: 1
blocks:
  zero:  {type: sources.constant, value: 0}
  relay: {type: math.sign}
  lag:   {type: continuous.first_order_lag, T: 1 ms}
wires: [zero -> relay -> lag]
solver: {stop: 1 s, rtol: 1e-9, atol: 1e-12}
"""
    found = respond(loads(text), "zero.y", "relay.y", band=(1.0, 2.0), points=2, amplitude=0.5)
    assert np.abs(found.values) == pytest.approx([4.0 / (math.pi * 0.5)] * 2, rel=3e-3)
    power = 8.0 / math.pi**2  # of a square wave, in its fundamental
    assert found.coherence == pytest.approx([power] * 2, rel=1e-2)
    assert any("jumps" in note for note in found.notes)


def test_noise_takes_coherence():
    text = LAG.replace("goal -> lag", "goal -> both.u1, noise -> both.u2, both -> lag")
    noise = "both: {type: math.sum}\n  noise: {type: sources.gaussian_noise, every: 10 ms, std: 1}"
    text = text.replace("  lag:", f"  {noise}\n  lag:")
    quiet = respond(loads(text), "goal.y", "lag.y", band=(1.0, 4.0), points=2, amplitude=10)
    loud = respond(loads(text), "goal.y", "lag.y", band=(1.0, 4.0), points=2, amplitude=0.1)
    assert np.all(quiet.coherence > loud.coherence)
    assert np.all(loud.coherence < 0.9)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"band": (2.0, 1.0)}, "expected a rising pair"),
        ({"points": 1}, "1 frequencies"),
        ({"amplitude": 0.0}, "expected one above 0"),
        ({"amplitude": math.nan}, "expected one above 0"),
        ({"method": "noise"}, "is not a method"),
    ],
)
def test_what_is_asked_wrongly_is_told(given, message):
    with pytest.raises(DiagramError, match=message):
        respond(loads(LAG), "goal.y", "lag.y", **given)


def test_an_element_of_a_vector_is_shaken_alone():
    """The second lag has the gain 2 and the first one is left alone."""
    text = """\
diagram: 1
blocks:
  goal: {type: sources.constant, value: [3, 4]}
  lag:  {type: continuous.first_order_lag, T: 0.5 s, k: [1, 2]}
wires: [goal -> lag]
solver: {stop: 1 s, rtol: 1e-9, atol: 1e-12}
"""
    for port in ("goal.y[1]", "lag.u[1]"):
        found = respond(loads(text), port, "lag.y[1]", band=(0.1, 1.0), points=2)
        s = 2j * np.pi * found.frequencies
        assert found.values == pytest.approx(2.0 / (0.5 * s + 1.0), rel=1e-4)
        other = respond(loads(text), port, "lag.y[0]", band=(0.1, 1.0), points=2)
        assert np.abs(other.values).max() < 1e-9
