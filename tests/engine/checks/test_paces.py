"""Sample times on both sides of a rate transition: those that fit run, all others are refused."""

import numpy as np
import pytest
from railblocks.engine import DiagramError, check, loads, simulate


def diagram(to, source, own, reader, between=""):
    """A counter, through a rate transition, to a hold; with a gain on both sides."""
    return f"""
diagram: 1
blocks:
  n:    {{type: sources.free_running_counter, {source}}}
  real: {{type: routing.int_to_float}}
  in:   {{type: math.gain}}
  it:   {{type: discrete.rate_transition, to: {to}, y_0: -1, {own}}}
  out:  {{type: math.gain}}
  z:    {{type: discrete.zero_order_hold, {reader}}}
wires:
  - n -> real -> in -> it -> out -> z
solver: {{stop: 0.6 s}}
log: {{signals: [n.y, it.y, z.y], every: 0.1 s}}
"""


def y_of(*given, compiled=False):
    results = simulate(loads(diagram(*given)), compiled=compiled)
    return results["it.y"].tolist(), results["z.y"].tolist()


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_faster_to_slower_takes_the_value_at_the_hit(compiled):
    held, read = y_of("slower", "every: 0.1 s", "every: 0.3 s", "every: 0.3 s", compiled=compiled)
    assert held == read == [0, 0, 0, 3, 3, 3, 6]


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_slower_to_faster_hands_over_one_slow_period_later(compiled):
    held, read = y_of("faster", "every: 0.3 s", "every: 0.3 s", "every: 0.1 s", compiled=compiled)
    assert held == read == [-1, -1, -1, 0, 0, 0, 1]


def test_hits_may_begin_later_as_long_as_they_coincide():
    check(loads(diagram("slower", "every: 0.1 s", "every: 0.3 s, offset: 0.2 s",
                        "every: 0.3 s, offset: 0.2 s")))  # fmt: skip


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("slower", "every: 0.2 s", "every: 0.3 s", "every: 0.3 s"),
         "it.u is driven by n, which runs every 0.2 s; expected a block that runs at all hits of "
         "it, every 0.3 s, and between them; take a sample time that divides 0.3 s"),
        (("slower", "every: 0.1 s, offset: 0.05 s", "every: 0.3 s", "every: 0.3 s"),
         "n, which runs every 0.1 s from 0.05 s on; expected a block that runs at all hits of it"),
        (("slower", "every: 0.6 s", "every: 0.3 s", "every: 0.3 s"), "which runs every 0.6 s"),
        (("slower", "every: 0.1 s", "every: 0.3 s", "every: 0.1 s"),
         "it.y is read by z, which runs every 0.1 s; expected a block that runs every 0.3 s"),
        (("faster", "every: 0.1 s", "every: 0.3 s", "every: 0.1 s"),
         "it.u is driven by n, which runs every 0.1 s; expected a block that runs every 0.3 s"),
        (("faster", "every: 0.3 s", "every: 0.3 s", "every: 0.2 s"),
         "it.y is read by z, which runs every 0.2 s; expected a block that runs at all hits of it"),
    ],
)  # fmt: skip
def test_other_sample_times_are_refused_at_the_wire(given, message):
    with pytest.raises(DiagramError) as caught:
        check(loads(diagram(*given)))
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.position.line == 11


def test_what_is_not_sampled_may_drive_it_and_read_it():
    text = """
diagram: 1
blocks:
  u:  {type: sources.clock}
  it: {type: discrete.rate_transition, to: slower, every: 0.5 s}
  i:  {type: continuous.integrator}
wires: [u -> it -> i]
solver: {stop: 2 s}
log: {signals: [i.y], every: 0.5 s}
"""
    y = simulate(loads(text), compiled=False)["i.y"]
    assert np.allclose(y, 0.5 * np.cumsum([0.0, 0.0, 0.5, 1.0, 1.5]))


def test_truth_values_pass_too():
    text = """
diagram: 1
blocks:
  u:  {type: sources.boolean_constant}
  it: {type: discrete.rate_transition, to: faster, every: 0.5 s, signal_type: bool}
  z:  {type: discrete.zero_order_hold, every: 0.1 s, signal_type: bool}
wires: [u -> it -> z]
solver: {stop: 1 s}
log: {signals: [z.y], every: 0.5 s}
"""
    assert simulate(loads(text), compiled=False)["z.y"].tolist() == [0, 1, 1]
