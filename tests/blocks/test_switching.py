"""Jumps, kinks and modes in a run: the solver lands on them, and no step sees beyond."""

import math

import numpy as np
import pytest
from railblocks.engine import Simulation, check, loads

METHODS = ["ode45", "ode23", "ode853", "radau5"]


def run(blocks, wires, log, method="ode45", start=0.0, stop=4.0, every=None, compiled=True):
    """Log rows and statistics of a small diagram."""
    rows = f", every: {every}" if every else ""
    text = f"""
diagram: 1
blocks: {{{blocks}}}
wires: [{wires}]
solver: {{method: {method}, rtol: 1.0e-9, atol: 1.0e-11, start: {start}, stop: {stop}}}
log: {{signals: [{log}]{rows}}}
"""
    simulation = Simulation(check(loads(text)), compiled)
    return np.concatenate(list(simulation.chunks())), simulation.statistics


def integral(source, **options):
    return run(
        f"s: {{type: {source}}}, i: {{type: continuous.integrator}}", "s -> i", "i.y", **options
    )


SOURCES = {
    "step, time: 1.234567 s, before: -1, after: 3": -1.234567 + 3 * (4 - 1.234567),
    "step, time: 0 s": 4.0,
    "step, time: 9 s": 0.0,
    "ramp, delay: 0.7 s, slope: 2, limit: 1.1": 1.1 * (4 - 0.7 - 0.275),
    "pulse, period: 0.3 s, width: 40 %, delay: 0.1 s": 13 * 0.12,
    "square, period: 0.5 s": 0.0,
    "triangle, period: 0.5 s, width: 0.3": 0.0,
    "sawtooth, period: 0.5 s": 0.0,
    "from_table, times: [0.5, 1, 2.5], values: [1, 3, -1]": 0.5 + 1.0 + 1.5 - 1.5,
    "from_table, times: [0.5, 1, 2], values: [1, 3, -1], interpolation: hold": 0.5 + 0.5 + 3 - 2,
    "from_table, times: [0, 0.4, 1], values: [1, 3, 1], outside: repeat": 4 * 2.0,
    "from_table, times: [0, 1, 1, 2], values: [0, 1, 5, 3]": 0.5 + 4.0 + 2 * 3.0,
    "from_table, times: [0, 1, 1, 2], values: [0, 1, 5, 3], outside: repeat": 2 * 4.5,
}  # fmt: skip


@pytest.mark.parametrize("source", SOURCES)
def test_no_step_is_rejected_at_the_jumps_of_a_source_and_its_integral_is_exact(source):
    rows, statistics = integral(f"sources.{source}")
    assert statistics.rejected == 0
    assert rows[-1, 1] == pytest.approx(SOURCES[source], abs=1.2e-13)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_integrates_a_step_exactly(method):
    rows, statistics = integral("sources.step, time: 1.3 s", method=method)
    assert statistics.rejected == 0
    assert rows[-1, 1] == pytest.approx(2.7, abs=1e-13)


STARTS = [
    *("step, time: 4.9 s", "step, time: 5 s", "step, time: 6.3 s"),
    *("ramp, delay: 1 s, limit: 5.5", "ramp, delay: 1 s, limit: 1.5", "ramp, delay: 5.05 s"),
    *("pulse, period: 0.3 s, delay: 0.1 s", "square, period: 0.7 s, delay: -1 s"),
    *("triangle, period: 0.9 s, width: 0.3", "sawtooth, period: 0.5 s, delay: 5.25 s"),
    "from_table, times: [1, 2, 4], values: [3, 5, -1], outside: repeat",
    "from_table, times: [1, 2, 5.5], values: [3, 5, -1], outside: extrapolate",
    "from_table, times: [1, 2, 5.5], values: [3, 5, -1], interpolation: hold",
    "from_table, times: [1, 2, 2, 3.5], values: [3, 5, -1, 4], outside: repeat",
]


@pytest.mark.parametrize("source", STARTS)
def test_a_run_that_starts_later_is_the_tail_of_one_that_starts_at_zero(source):
    blocks = f"s: {{type: sources.{source}}}, z: {{type: discrete.zero_order_hold, every: 0.1 s}}"
    whole, tail = (
        run(blocks, "s -> z", "s.y, z.y", start=start, stop=7.0, every="0.1 s")[0]
        for start in (0.0, 5.0)
    )
    assert np.array_equal(whole[-len(tail) :], tail)


def test_pulses_are_sampled_on_the_side_of_their_edges_that_is_meant():
    rows, _ = run(
        "p: {type: sources.pulse, period: 0.2 s, delay: 0.1 s},"
        " z: {type: discrete.zero_order_hold, every: 0.1 s}",
        "p -> z",
        "z.y",
        stop=20.0,
        every="0.1 s",
    )
    assert np.array_equal(rows[:, 1], np.arange(201) % 2)


def switched(block, **options):
    """The integral of what a block makes of sin 3t."""
    return run(
        f"q: {{type: sources.sine, omega: 3 rad/s}}, one: {{type: sources.constant}},"
        f" two: {{type: sources.constant, value: -2}}, b: {block},"
        " i: {type: continuous.integrator}",
        ("q -> b.control, one -> b.u1, two -> b.u2" if "switch" in block else "q -> b")
        + ", b -> i",
        "i.y",
        **options,
    )


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_threshold_switch_is_smooth_between_its_events(compiled):
    rows, statistics = switched(
        "{type: routing.threshold_switch, threshold: 0.3}", compiled=compiled
    )
    on = 2 * (math.pi - 2 * math.asin(0.3)) / 3
    assert statistics.rejected == 0
    assert rows[-1, 1] == pytest.approx(on - 2 * (4 - on), abs=1e-11)


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_relay_is_smooth_between_its_events(compiled):
    rows, statistics = switched("{type: nonlinear.relay, on_0: true}", compiled=compiled)
    assert statistics.rejected == 0
    assert rows[-1, 1] == pytest.approx((7 + 6) / 18 * math.pi, abs=1e-11)


def test_a_switch_that_starts_above_its_threshold_passes_its_first_input():
    rows, _ = switched("{type: routing.threshold_switch, threshold: -0.1}", stop=1.0)
    assert rows[-1, 1] == pytest.approx(1.0, abs=1e-12)


def test_limited_integrator_needs_few_steps_around_its_limits():
    rows, statistics = run(
        "q: {type: sources.sine, omega: 3 rad/s},"
        " i: {type: continuous.limited_integrator, upper: 0.3, lower: -0.1}",
        "q -> i",
        "i.y",
    )
    assert statistics.rejected < 10
    assert rows[:, 1].min() == pytest.approx(-0.1, abs=1e-12)
    assert rows[:, 1].max() == pytest.approx(0.3, abs=1e-12)


def test_limited_integrator_stays_on_a_limit_that_the_input_only_touches():
    rows, _ = run(
        "s: {type: sources.from_table, times: [0, 1, 2, 3], values: [1, 0, 1, -1]},"
        " i: {type: continuous.limited_integrator, upper: 0.2}",
        "s -> i",
        "i.y",
        every="0.1 s",
    )
    assert np.all(rows[(rows[:, 0] > 0.3) & (rows[:, 0] < 2.45), 1] == 0.2)
    assert rows[-1, 1] == pytest.approx(0.2 - 0.25 - 1.0, abs=1e-9)


def test_friction_mass_sticks_and_slips_as_its_closed_form_says():
    """F = 4 sin t: rest until asin(3/4), then m v' = F - 2 until v = 0, then rest again."""
    rows, statistics = run(
        "f: {type: sources.sine, amplitude: 4 N}, b: {type: mechanics.friction_mass, m: 1 kg,"
        " F_c: 2 N, F_s: 3 N}",
        "f -> b",
        "b.v",
        stop=3.5,
        every="0.01 s",
    )
    t, v = rows.T
    begin = math.asin(0.75)
    expected = 4 * (math.cos(begin) - np.cos(t)) - 2 * (t - begin)
    sliding = (t > begin) & (np.maximum.accumulate((t > 1) & (expected < 0)) == 0)
    assert np.allclose(v[sliding], expected[sliding], atol=1e-8)
    assert np.all(v[~sliding] == 0.0)
    assert statistics.rejected < 10


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_on_delay_that_starts_true_counts_from_the_start_of_the_run(compiled):
    rows, _ = run(
        "u: {type: sources.boolean_constant}, d: {type: logic.on_delay, delay: 0.5 s}",
        "u -> d",
        "d.y",
        start=3.0,
        every="0.2 s",
        compiled=compiled,
    )
    assert np.array_equal(rows[:, 1], rows[:, 0] > 3.5)
