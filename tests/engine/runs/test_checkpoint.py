"""Going back in a run: from the very time asked for, with the values in force now or then."""

import numpy as np
import pytest
from railblocks.engine import DiagramError, Simulation, check, loads

DECAY = """
diagram: 1
blocks:
  rate: {type: math.gain, k: -1 1/s}
  x: {type: continuous.integrator, x_0: 1}
wires: [x -> rate -> x]
solver: {method: %s, %s, stop: 4 s}
log: {signals: [x.y, rate.y]%s}
"""
TIGHT = "rtol: 1e-10, atol: 1e-12"
STEP = "step: 10 ms"
METHODS = [
    ("ode45", TIGHT),
    ("ode853", TIGHT),
    ("radau5", TIGHT),
    ("rk4", STEP),
    ("ode5", STEP),
    ("BDF", TIGHT),
]
SAMPLED = """
diagram: 1
blocks:
  noise: {type: sources.gaussian_noise, every: 0.1 s}
  delay: {type: discrete.unit_delay, every: 0.1 s}
  dead: {type: continuous.transport_delay, delay: 0.35 s}
  lag: {type: continuous.first_order_lag, T: 0.5 s}
wires: [noise -> delay, noise -> lag -> dead]
solver: {stop: 4 s}
log: {every: 50 ms}
"""


def simulation_of(text, compiled=False):
    return Simulation(check(loads(text)), compiled)


def rows_of(simulation):
    return np.concatenate([simulation.log[:0], *simulation.chunks()])


@pytest.mark.parametrize(("method", "more"), METHODS)
def test_the_continued_run_follows_the_present_value_from_the_very_time(method, more):
    """x' = -k x: x(t) = x(t0) exp(-k_new (t - t0)), with x(t0) = exp(-k_old t0)."""
    simulation = simulation_of(DECAY % (method, more, ""))
    start = simulation.checkpoint()
    before = rows_of(simulation)
    simulation.set({"rate.k": "-3 1/s"})
    t0 = 1.2345
    repeated = simulation.restore(start, t0)
    assert simulation.time == t0
    assert repeated[-1, 0] == t0
    earlier = before[before[:, 0] < t0 - 0.2]
    np.testing.assert_array_equal(repeated[: len(earlier)], earlier)
    after = rows_of(simulation)
    assert simulation.outcome == "done"
    assert after[0, 0] > t0
    assert after[-1, 0] == 4.0
    expected = np.exp(-t0) * np.exp(-3 * (after[:, 0] - t0))
    np.testing.assert_allclose(after[:, 1], expected, rtol=1e-6)
    np.testing.assert_allclose(after[:, 2], -3 * expected, rtol=1e-6)


def test_the_values_of_the_checkpoint_come_back_when_they_are_asked_for():
    simulation = simulation_of(DECAY % ("ode45", TIGHT, ", every: 0.1 s"))
    start = simulation.checkpoint()
    before = rows_of(simulation)
    simulation.set({"rate.k": "-3 1/s"})
    simulation.restore(start, values="checkpoint")
    np.testing.assert_array_equal(rows_of(simulation), before)
    assert simulation.checked is start.checked
    simulation.set({"x.x_0": 5})  # leaves the gain as it is now
    simulation.restore(start)
    np.testing.assert_array_equal(rows_of(simulation), before)


def test_a_checkpoint_alone_does_not_bring_values_back():
    simulation = simulation_of(DECAY % ("ode45", TIGHT, ", every: 0.1 s"))
    start = simulation.checkpoint()
    simulation.set({"rate.k": "-2 1/s"})
    simulation.restore(start)
    rows = rows_of(simulation)
    np.testing.assert_allclose(rows[:, 1], np.exp(-2 * rows[:, 0]), rtol=1e-7)


def test_a_change_in_mid_run_is_in_force_only_after_it():
    """k = 1 until t1 = 2, then 2; back to t0 < t1 with k = 3: exp(-t0) exp(-3 (t - t0))."""
    simulation = simulation_of(DECAY % ("rk4", "step: 1 ms", ", every: 0.1 s"))
    start = simulation.checkpoint()
    while simulation.time < 2.0:
        simulation.advance(100)
    simulation.set({"rate.k": "-2 1/s"})
    changed = simulation.checkpoint()
    rows_of(simulation)
    simulation.set({"rate.k": "-3 1/s"})
    simulation.restore(start, 1.5)
    rows = rows_of(simulation)
    np.testing.assert_allclose(rows[:, 1], np.exp(-1.5 - 3 * (rows[:, 0] - 1.5)), rtol=1e-8)
    simulation.restore(changed, 2.5)
    rows = rows_of(simulation)
    expected = np.exp(-2.0 - 2 * 0.5 - 3 * (rows[:, 0] - 2.5))
    np.testing.assert_allclose(rows[:, 1], expected, rtol=1e-8)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("t0", [0.0, 0.1, 1.0, 1.23, "2.5 s", "2500 ms", 4.0])
def test_samples_delays_and_random_streams_go_on_as_they_were(compiled, t0):
    simulation = simulation_of(SAMPLED, compiled)
    start = simulation.checkpoint()
    full = rows_of(simulation)
    repeated = simulation.restore(start, t0)
    assert simulation.time == (2.5 if isinstance(t0, str) else t0)
    after = rows_of(simulation)
    times = np.concatenate([repeated, after])[:, 0]
    np.testing.assert_array_equal(times, full[:, 0])
    exact = [1 + i for i, c in enumerate(simulation.columns) if c.name[:5] in ("noise", "delay")]
    np.testing.assert_array_equal(np.concatenate([repeated, after])[:, exact], full[:, exact])
    np.testing.assert_allclose(np.concatenate([repeated, after]), full, rtol=1e-4, atol=1e-5)


def test_going_back_from_the_end_of_a_run_that_failed():
    text = """
diagram: 1
blocks:
  ramp: {type: sources.ramp, slope: -1 1/s}
  root: {type: math.sqrt}
  gain: {type: math.gain, k: 1}
wires: [ramp -> gain -> root]
solver: {stop: 3 s}
log: {every: 0.1 s}
"""
    simulation = simulation_of(text)
    start = simulation.checkpoint()
    while not simulation.outcome:
        simulation.advance()
    assert simulation.outcome == "failed"
    simulation.set({"gain.k": -1})
    simulation.restore(start)
    assert rows_of(simulation)[-1, 0] == 3.0


@pytest.mark.parametrize("time", ["soon", "1 m", float("nan"), float("inf"), 5.0, -1.0, "5000 ms"])
def test_a_time_outside_of_the_run_is_refused(time):
    simulation = simulation_of(DECAY % ("ode45", TIGHT, ""))
    start = simulation.checkpoint()
    with pytest.raises(DiagramError, match="time"):
        simulation.restore(start, time)
    with pytest.raises(DiagramError, match="'then' is not known"):
        simulation.restore(start, values="then")
    assert rows_of(simulation)[-1, 0] == 4.0


def test_values_at_a_time_after_a_checkpoint():
    simulation = simulation_of(DECAY % ("ode45", TIGHT, ""))
    start = simulation.checkpoint()
    last = rows_of(simulation)[-1]
    simulation.set({"rate.k": "-7 1/s"})
    values = simulation.values_at(start, 0.75)
    assert values["x", "y"] == pytest.approx(np.exp(-0.75), rel=1e-8)
    assert values["rate", "y"] == pytest.approx(-np.exp(-0.75), rel=1e-8)
    assert (simulation.outcome, simulation.time) == ("done", last[0])
    assert simulation.values_at(simulation.checkpoint())["rate", "y"] == pytest.approx(-7 * last[1])


def test_the_real_time_factor_counts_what_was_repeated_once():
    simulation = simulation_of(DECAY % ("ode45", TIGHT, ""))
    start = simulation.checkpoint()
    rows_of(simulation)
    simulation.wall = 5.0
    simulation.restore(start)
    assert simulation.wall == 0.0
    later = simulation.checkpoint()
    rows_of(simulation)
    assert simulation.wall > 0.0
    simulation.restore(later)
    assert simulation.wall == 0.0


def test_only_a_checkpoint_of_this_run_is_taken_and_nothing_changes_otherwise():
    text = "diagram: 1\nblocks: {a: {type: sources.sine, omega: 2}}\nsolver: {stop: STOP}\n"
    simulation = Simulation(check(loads(text.replace("STOP", "2 s"))), compiled=False)
    shorter = Simulation(check(loads(text.replace("STOP", "1 s"))), compiled=False)
    other = text.replace("blocks: {", "blocks: {b: {type: sources.constant, value: [1, 2]}, ")
    larger = Simulation(check(loads(other.replace("STOP", "2 s"))), compiled=False)
    for foreign in (shorter.checkpoint(), larger.checkpoint(), simulation.w.copy()):
        with pytest.raises(DiagramError, match="not a checkpoint of this run"):
            simulation.restore(foreign)
    list(simulation.chunks())
    assert simulation.time == 2.0
