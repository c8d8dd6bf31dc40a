"""Sides of guards as modes: right at the start and at hits, constant within steps."""

import numpy as np
import pytest
from event_systems import run


@pytest.mark.parametrize("compiled", [True, False])
def test_a_mode_is_right_at_the_start_and_changes_at_events_only(compiled):
    rows, simulation = run(
        "r: {type: sources.ramp, slope: 1, y_0: -0.5}, s: {type: events.switching},"
        " x: {type: continuous.integrator}",
        "stop: 2, rtol: 1.0e-6",
        "[r -> s -> x]",
        compiled=compiled,
        log="signals: [s.y, x.y]",
    )
    late = rows[:, 0] > 0.5
    assert set(rows[late, 1]) == {1.0}
    assert set(rows[~late, 1]) <= {-1.0, 1.0}
    assert rows[-1, 2] == pytest.approx(-0.5 + 1.5, abs=1e-12)
    assert simulation.statistics.rejected == 0


def test_modes_of_a_vector_are_kept_for_each_element():
    rows, _ = run(
        "c: {type: sources.constant, value: [-1, 0, 2]}, s: {type: events.switching}",
        "stop: 1",
        "[c -> s]",
        log="signals: [s.y]",
    )
    assert rows[0, 1:].tolist() == [-1.0, 1.0, 1.0]


def test_a_mode_between_two_sampled_blocks_is_up_to_date_at_the_hit():
    rows, _ = run(
        "u: {type: sources.sine, omega: 7}, a: {type: discrete.zero_order_hold, every: 0.1 s},"
        " s: {type: events.switching}, b: {type: discrete.zero_order_hold, every: 0.1 s}",
        "stop: 2",
        "[u -> a -> s -> b]",
        log="signals: [a.y, b.y], every: 0.1 s",
    )
    assert rows[:, 2].tolist() == [1.0 if value >= 0 else -1.0 for value in rows[:, 1]]


def test_a_held_mode_slides_in_few_steps():
    """x' = -sign(x) as a wired diagram: after the surface is reached, steps are dwell times."""
    rows, simulation = run(
        "x: {type: continuous.integrator, x_0: 0.5}, s: {type: events.switching},"
        " k: {type: math.gain, k: -1}",
        "stop: 3, zeno: hold, dwell: 1 ms",
        "[x -> s -> k -> x]",
        log="signals: [x.y]",
    )
    late = rows[:, 0] > 0.51
    assert np.max(np.abs(rows[late, 1])) < 2e-3
    assert simulation.statistics.steps < 20_000
