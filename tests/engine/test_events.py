"""Events: located, not missed, not doubled, and never an endless loop."""

import math

import numpy as np
import pytest
from railblocks.engine import (
    EACH,
    Block,
    Discrete,
    In,
    Out,
    Param,
    Simulation,
    SimulationError,
    State,
    check,
    der,
    guard,
    loads,
    out,
    reset,
    standard_blocks,
)

METHODS = ["ode45", "ode23", "ode853", "radau5"]


class Ticker(Block):
    """Counts zero crossings of sin(omega t); n rises at t = k pi / omega, k = 1, 2, ..."""

    id = "events.ticker"
    n = Out("1", "crossings so far", type=int)
    omega = Param("rad/s", "angular frequency", default=1.0)
    x = State("1", "sine", start=0.0)
    v = State("1", "cosine", start=1.0)
    count = Discrete("1", "crossings", type=int, start=0)

    @der("x")
    def sine(v, omega):
        return omega * v

    @der("v")
    def cosine(x, omega):
        return -omega * x

    @guard("crossing", direction="both")
    def crossing(x):
        return x

    @reset("crossing", "count")
    def tick(count):
        return count + 1

    @out("n")
    def read(count):
        return count


class Swap(Block):
    """Two states that exchange their values when the clock passes `at`: resets are simultaneous."""

    id = "events.swap"
    y1 = Out("1", "first")
    y2 = Out("1", "second")
    at = Param("s", "time of the exchange", default=1.0)
    a = State("1", "first", start=1.0)
    b = State("1", "second", start=2.0)

    @der("a", "b")
    def still():
        return 0.0, 0.0

    @guard("now")
    def now(t, at):
        return t - at

    @reset("now", "a")
    def first(b):
        return b

    @reset("now", "b")
    def second(a):
        return a

    @out("y1", "y2")
    def read(a, b):
        return a, b


class Chatter(Block):
    """x' = -sign(x): slides on x = 0, and switches without end."""

    id = "events.chatter"
    y = Out("1", "x")
    x = State("1", "x", start=0.5)
    sign = Discrete("1", "sign of x", start=1.0)

    @der("x")
    def slide(sign):
        return -sign

    @guard("switch", direction="both")
    def switch(x):
        return x

    @reset("switch", "sign")
    def turn(x):
        return 1.0 if x >= 0.0 else -1.0

    @out("y")
    def read(x):
        return x


class Follower(Block):
    """Counts rising edges of a truth value."""

    id = "events.follower"
    u = In("1", "edge", type=bool)
    n = Out("1", "edges so far", type=int)
    count = Discrete("1", "edges", type=int, start=0)

    @guard("rise")
    def rise(u):
        return 0.5 if u else -0.5

    @reset("rise", "count")
    def more(count):
        return count + 1

    @out("n")
    def read(count):
        return count


REGISTRY = standard_blocks().copy()
for block in (Ticker, Swap, Chatter, Follower):
    REGISTRY.add(block)


def run(blocks, solver, wires="[]", compiled=True, log="signals: all"):
    text = f"diagram: 1\nblocks: {{{blocks}}}\nwires: {wires}\nsolver: {{{solver}}}\nlog: {{{log}}}"
    simulation = Simulation(check(loads(text), REGISTRY), compiled)
    parts = list(simulation.chunks())
    return np.concatenate(parts), simulation


def event_times(rows):
    """Times that stand twice in the log: before and after an event."""
    t = rows[:, 0]
    return t[1:][np.diff(t) == 0]


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


class Switching(Block):
    """y = 1 for u >= 0, else -1, held between events: its guard's name is its side."""

    id = "events.switching"
    u = In("1", "input", shape=EACH)
    y = Out("1", "side", shape=EACH)

    @guard("side", direction="both")
    def at_zero(u):
        return u

    @out("y")
    def give(side):
        return 1.0 if side else -1.0


REGISTRY.add(Switching)


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


class Crossed(Block):
    """Two guards that fire together and exchange two states."""

    id = "events.crossed"
    y = Out("1", "both states", shape=(2,))
    p = Discrete("1", "first", start=1.0)
    q = Discrete("1", "second", start=10.0)

    @guard("g1")
    def first(t):
        return t - 1.0

    @guard("g2")
    def second(t):
        return t - 1.0

    @reset("g1", "p")
    def take_q(q):
        return q

    @reset("g2", "q")
    def take_p(p):
        return p

    @out("y")
    def read(p, q, y):
        y[0] = p
        y[1] = q


REGISTRY.add(Crossed)


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
