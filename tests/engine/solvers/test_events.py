"""Events: located, not missed, not doubled, and never an endless loop."""

import math

import numpy as np
import pytest
from event_systems import event_times, run
from railblocks.engine import SimulationError

METHODS = ["ode45", "ode23", "ode853", "radau5"]


@pytest.mark.parametrize("method", METHODS)
def test_bounces_happen_at_their_closed_form_times(method):
    rows, _ = run(
        "ball: {type: mechanics.bouncing_ball, e: 0.8, h_0: 1 m, g: 9.81}",
        f"method: {method}, stop: 3.8, rtol: 1.0e-8",
    )
    t_1 = 0.451523640985731
    closed = [t_1 * (1 + 2 * sum(0.8**j for j in range(1, k))) for k in range(1, 11)]
    assert closed[4] == pytest.approx(2.58416010208954)
    assert closed[9] == pytest.approx(3.57889295102044)
    assert event_times(rows)[:10] == pytest.approx(closed, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_every_crossing_of_a_fast_sine_is_counted_once(method):
    rows, simulation = run(
        "s: {type: events.ticker, omega: 50}", f"method: {method}, stop: 10, rtol: 1.0e-9"
    )
    expected = math.floor(10 * 50 / math.pi)
    assert rows[-1, 1] == expected
    assert simulation.statistics.events == expected
    times = np.arange(1, expected + 1) * math.pi / 50
    assert event_times(rows) == pytest.approx(times, abs=1e-6)


def test_a_crossing_that_returns_within_one_step_is_not_missed():
    """A parabola dips below zero for 0.2 s in mid-step; ode45 integrates it in one long step."""
    rows, simulation = run(
        "a: {type: sources.constant, value: 2}, v: {type: continuous.integrator, x_0: -2},"
        " x: {type: continuous.integrator, x_0: 0.99}, c: {type: logic.compare_to_constant,"
        " relation: <, u2: 0}, n: {type: logic.counter}",
        "stop: 2, rtol: 1.0e-3, max_step: 2",
        "[a -> v -> x -> c, c -> n.u]",
        log="signals: [n.y]",
    )
    assert rows[-1, 1] == 1
    assert simulation.statistics.steps < 15


def test_simultaneous_resets_see_the_values_before_the_event():
    rows, _ = run("s: {type: events.swap}", "stop: 2")
    assert rows[0, 1:].tolist() == [1.0, 2.0]
    assert rows[-1, 1:].tolist() == [2.0, 1.0]


def test_two_blocks_that_cross_at_one_time_fire_together():
    rows, simulation = run(
        "a: {type: events.swap}, b: {type: events.swap}, c: {type: events.swap, at: 1.5}", "stop: 2"
    )
    assert simulation.statistics.events == 3
    assert event_times(rows) == pytest.approx([1.0, 1.5], abs=1e-12)


def test_an_event_that_trips_another_is_followed_at_the_same_time():
    rows, _ = run(
        "s: {type: sources.step, time: 1 s}, c: {type: logic.compare_to_constant, relation: '>',"
        " u2: 0.5}, n: {type: events.follower}",
        "stop: 2",
        "[s -> c -> n]",
    )
    assert rows[-1, -1] == 1
    assert event_times(rows)[0] == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("compiled", [True, False])
def test_chattering_stops_with_a_message_that_names_guard_and_block(compiled):
    with pytest.raises(SimulationError, match=r"t = 0\.5.* 'switch' of c .*zeno: hold"):
        run("c: {type: events.chatter}", "stop: 1", compiled=compiled)


def test_chattering_held_stays_near_the_surface_and_ends():
    rows, simulation = run("c: {type: events.chatter}", "stop: 1, zeno: hold, dwell: 1 ms")
    late = rows[:, 0] > 0.5001
    assert simulation.outcome == "done"
    assert np.max(np.abs(rows[late, 1])) < 2.5e-3
    assert simulation.statistics.events < 1500


def test_zeno_point_of_the_ball_is_at_its_closed_form_time():
    with pytest.raises(SimulationError) as caught:
        run("ball: {type: mechanics.bouncing_ball, e: 0.8, h_0: 1 m, g: 9.81}", "stop: 5")
    time = float(str(caught.value).split()[2])
    assert time == pytest.approx(4.06371276887158, abs=1e-7)


def test_zeno_point_held_lets_the_ball_rest():
    rows, simulation = run(
        "ball: {type: mechanics.bouncing_ball, e: 0.8, h_0: 1 m, g: 9.81}",
        "stop: 6, zeno: hold, dwell: 0.1 ms",
    )
    late = rows[:, 0] > 4.1
    assert simulation.outcome == "done"
    assert np.max(np.abs(rows[late, 1])) < 1e-6


def test_stop_block_ends_the_run_at_the_crossing():
    rows, simulation = run(
        "r: {type: sources.ramp, slope: 1}, c: {type: logic.compare_to_constant, relation: '>=',"
        " u2: 0.7}, end: {type: sinks.stop}",
        "stop: 2",
        "[r -> c -> end]",
    )
    assert simulation.outcome == "stopped"
    assert "end" in simulation.reason
    assert rows[-1, 0] == pytest.approx(0.7, abs=1e-9)


def test_assertion_fails_the_run_with_its_message():
    with pytest.raises(SimulationError, match=r"t = 0\.7.*too fast"):
        run(
            "r: {type: sources.ramp, slope: 1}, c: {type: logic.compare_to_constant,"
            " relation: <, u2: 0.7}, a: {type: sinks.assertion, message: too fast}",
            "stop: 2",
            "[r -> c -> a]",
        )


def test_assertion_that_is_violated_at_once_fails_at_the_start():
    with pytest.raises(SimulationError, match="t = 0 s"):
        run(
            "r: {type: sources.constant, value: 1}, c: {type: logic.compare_to_constant,"
            " relation: <, u2: 0.7}, a: {type: sinks.assertion, message: too fast}",
            "stop: 2",
            "[r -> c -> a]",
        )


@pytest.mark.parametrize("method", METHODS)
def test_events_are_equal_compiled_and_interpreted(method):
    blocks = "ball: {type: mechanics.bouncing_ball}, s: {type: events.ticker, omega: 7}"
    solver = f"method: {method}, stop: 2, rtol: 1.0e-6"
    compiled, _ = run(blocks, solver)
    plain, _ = run(blocks, solver, compiled=False)
    assert np.array_equal(compiled, plain)


def test_a_fixed_step_returns_to_its_grid_after_an_event():
    rows, _ = run("ball: {type: mechanics.bouncing_ball}", "method: rk4, step: 0.1, stop: 1")
    times = [t for t in rows[:, 0] if t not in event_times(rows)]
    assert times == [k / 10 for k in range(11)]
    assert len(event_times(rows)) == 1


@pytest.mark.parametrize("compiled", [True, False])
def test_guards_of_one_block_that_fire_together_see_the_values_before(compiled):
    rows, _ = run("c: {type: events.crossed}", "stop: 2", compiled=compiled)
    assert rows[-1, 1:].tolist() == [10.0, 1.0]


def test_events_far_from_zero_time_are_located_and_not_taken_for_chattering():
    rows, simulation = run(
        "p: {type: sources.pulse, period: 1 ms}, x: {type: continuous.integrator}",
        "start: 100000, stop: 100000.1",
        "[p -> x]",
        log="signals: [x.y]",
    )
    assert simulation.outcome == "done"
    assert rows[-1, 1] == pytest.approx(0.05, abs=1e-3)


def test_an_event_in_a_very_long_step_is_located():
    rows, _ = run(
        "p: {type: sources.step, time: -5000.3}, x: {type: continuous.integrator}",
        "start: -1000000, stop: 0",
        "[p -> x]",
        log="signals: [x.y]",
    )
    assert rows[-1, 1] == pytest.approx(5000.3, rel=1e-9)


@pytest.mark.parametrize(
    ("start", "stop", "step"), [(1e5, 1e5 + 0.05, 1e-3), (0.0, 168.0, 1e-5), (16777.0, 16778, 1e-3)]
)
def test_a_fixed_step_never_stands_still(start, stop, step):
    _, simulation = run(
        "c: {type: sources.constant}, x: {type: continuous.integrator}",
        f"method: euler, step: {step!r}, start: {start!r}, stop: {stop!r}",
        "[c -> x]",
        log="signals: [x.y], every: 1 s",
    )
    assert simulation.outcome == "done"
    assert simulation.statistics.steps == pytest.approx((stop - start) / step, abs=2)
