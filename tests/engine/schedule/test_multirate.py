"""Sample times are whole numbers of ticks: hits are exact, the last one included."""

import numpy as np
import pytest
from railblocks.engine import (
    Block,
    Discrete,
    Out,
    Sample,
    Simulation,
    check,
    loads,
    out,
    standard_blocks,
    update,
)


class Stamp(Block):
    """Writes down the time of its hits and counts them."""

    id = "multirate.stamp"
    last = Out("s", "time of the last hit")
    n = Out("1", "hits so far, this one included")
    every = Sample()
    count = Discrete("1", "hits before this one")

    @out("last", "n")
    def read(t, count):
        return t, count + 1.0

    @update("count")
    def more(count):
        return count + 1.0


REGISTRY = standard_blocks().copy()
REGISTRY.add(Stamp)


def run(text, compiled=True):
    simulation = Simulation(check(loads("diagram: 1\n" + text), REGISTRY), compiled)
    return np.concatenate(list(simulation.chunks())), simulation


@pytest.mark.parametrize("method", ["ode45", "radau5", "ode853"])
@pytest.mark.parametrize("period", [0.1, 0.001, 1 / 3, 0.7])
def test_hits_are_the_exact_multiples_of_the_period(method, period):
    rows, simulation = run(
        f"""
blocks:
  s: {{type: multirate.stamp, every: {period!r} s}}
  x: {{type: continuous.integrator}}
  one: {{type: sources.constant}}
wires: [one -> x]
solver: {{method: {method}, stop: 2.1 s}}
log: {{signals: [s.last, s.n]}}
"""
    )
    from fractions import Fraction

    exact = Fraction(1, 3) if period == 1 / 3 else Fraction(str(period))
    hits = int(Fraction("2.1") / exact) + 1
    assert rows[-1, 2] == hits
    assert simulation.statistics.hits == hits
    expected = {float(k * exact) for k in range(hits)}
    assert set(rows[:, 1]) == expected


def test_the_hit_at_the_stop_time_happens():
    rows, _ = run(
        """
blocks: {s: {type: multirate.stamp, every: 0.1 s}}
solver: {stop: 1 s}
log: {signals: [s.last, s.n]}
"""
    )
    assert rows[-1].tolist() == [1.0, 1.0, 11.0]


def test_two_rates_with_an_offset_meet_where_they_should():
    rows, _ = run(
        """
blocks:
  a: {type: multirate.stamp, every: 0.02 s}
  b: {type: multirate.stamp, every: 0.03 s, offset: 0.01 s}
solver: {stop: 60 ms}
log: {signals: [a.last, b.last]}
"""
    )
    assert rows[:, 0].tolist() == [0.0, 0.01, 0.02, 0.04, 0.06]
    assert rows[:, 1].tolist() == [0.0, 0.0, 0.02, 0.04, 0.06]
    assert rows[:, 2].tolist() == [0.0, 0.01, 0.01, 0.04, 0.04]


def test_hits_before_the_start_time_do_not_happen():
    rows, _ = run(
        """
blocks: {s: {type: multirate.stamp, every: 0.4 s}}
solver: {start: 1 s, stop: 2 s}
log: {signals: [s.last, s.n]}
"""
    )
    assert rows[-1].tolist() == [2.0, 2.0, 3.0]
    assert rows[0, 0] == 1.0


def test_a_unit_delay_is_late_by_one_sample():
    rows, _ = run(
        """
blocks:
  t: {type: sources.clock}
  d: {type: discrete.unit_delay, every: 0.25 s}
wires: [t -> d]
solver: {stop: 1 s}
log: {signals: [d.y], every: 0.25 s}
"""
    )
    assert rows[:, 1].tolist() == [0.0, 0.0, 0.25, 0.5, 0.75]


def test_a_sampled_block_sees_the_output_of_another_at_the_same_hit():
    rows, _ = run(
        """
blocks:
  t:  {type: sources.clock}
  z2: {type: discrete.zero_order_hold, every: 0.5 s}
  z1: {type: discrete.zero_order_hold, every: 0.5 s}
wires: [t -> z1 -> z2]
solver: {stop: 1 s}
log: {signals: [z2.y], every: 0.25 s}
"""
    )
    assert rows[:, 1].tolist() == [0.0, 0.0, 0.5, 0.5, 1.0]


def test_a_fast_log_between_slow_hits_shows_held_values_and_smooth_states():
    rows, _ = run(
        """
blocks:
  t: {type: sources.clock}
  z: {type: discrete.zero_order_hold, every: 0.5 s}
  x: {type: continuous.integrator}
wires: [t -> z -> x]
solver: {stop: 1 s}
log: {signals: [z.y, x.y], every: 0.1 s}
"""
    )
    assert rows[:, 0].tolist() == [k / 10 for k in range(11)]
    held = [0.0] * 5 + [0.5] * 5 + [1.0]
    assert rows[:, 1].tolist() == held
    assert rows[:, 2] == pytest.approx([0.0] * 6 + [0.05, 0.1, 0.15, 0.2, 0.25], abs=1e-12)


def test_exact_discretisation_of_a_lag_under_zero_order_hold():
    """A lag behind a hold has a closed form: x_k+1 = a x_k + (1 - a) u_k, a = exp(-h/T)."""
    rows, _ = run(
        """
blocks:
  u:   {type: sources.sine, omega: 3}
  z:   {type: discrete.zero_order_hold, every: 0.1 s}
  lag: {type: continuous.first_order_lag, T: 0.4}
wires: [u -> z -> lag]
solver: {stop: 5 s, rtol: 1.0e-11, atol: 1.0e-13}
log: {signals: [z.y, lag.y], every: 0.1 s}
"""
    )
    a = np.exp(-0.1 / 0.4)
    x = 0.0
    for k in range(50):
        assert rows[k, 2] == pytest.approx(x, abs=1e-9)
        x = a * x + (1 - a) * np.sin(3 * k / 10)


def test_multirate_runs_are_equal_compiled_and_interpreted():
    text = """
blocks:
  u:   {type: sources.sine, omega: 3}
  z:   {type: discrete.zero_order_hold, every: 0.03 s}
  pid: {type: discrete.pid, every: 0.02 s, offset: 0.01 s}
  lag: {type: continuous.first_order_lag, T: 0.4}
  e:   {type: math.sum, signs: +-}
wires: [u -> z -> e.u1, lag -> e.u2, e -> pid.e, pid -> lag]
solver: {stop: 1 s}
log: {signals: all}
"""
    assert np.array_equal(run(text)[0], run(text, compiled=False)[0])


def test_rates_that_coincide_do_so_compiled_and_interpreted():
    text = """
parameters: {T: 0.7 ms}
blocks:
  t:    {type: sources.clock}
  slow: {type: discrete.zero_order_hold, every: 2.1 ms}
  fast: {type: discrete.zero_order_hold, every: T}
wires: [t -> slow -> fast]
solver: {stop: 30 * T}
log: {signals: [slow.y, fast.y], every: T}
"""
    rows = run(text)[0]
    assert rows[:, 1].tolist() == [21 * (k // 3) / 10_000 for k in range(31)]
    assert np.array_equal(rows[:, 1], rows[:, 2])
    assert np.array_equal(rows, run(text, compiled=False)[0])
