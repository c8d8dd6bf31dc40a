"""Small diagrams through the engine, compiled and interpreted, against closed forms."""

import math

import numpy as np
import pytest
from diagram_runs import LOG, TIGHT, at, both, run
from railblocks.engine import SimulationError, check, loads


@both
def test_bouncing_ball_hits_the_floor_at_its_closed_form_times(compiled):
    text = "blocks: {ball: {type: mechanics.bouncing_ball}}"
    results = run(text, compiled, "solver: {rtol: 1.0e-10, atol: 1.0e-12, stop: 3 s}")
    v, t = results["ball.v"], results.time
    bounces = t[1:][(np.diff(v) > 1.0) & (np.diff(t) < 1e-9)]
    t_1 = math.sqrt(2 / 9.81)
    expected = [t_1 * (1 + 2 * sum(0.8**j for j in range(1, k))) for k in range(1, 6)]
    assert np.allclose(bounces[:5], expected, rtol=0, atol=1e-9)


@both
def test_pendulum_has_the_period_of_the_elliptic_integral(compiled):
    text = "blocks: {p: {type: mechanics.pendulum, L: 1 m, phi_0: 90 deg}}"
    period = 2.36784194757624
    results = run(text, compiled, f"solver: {{rtol: 1.0e-10, atol: 1.0e-12, stop: {period}}}")
    assert results["p.phi"][-1] == pytest.approx(math.pi / 2, abs=1e-7)
    assert results["p.omega"][-1] == pytest.approx(0.0, abs=1e-7)


@both
def test_step_response_of_a_second_order_lag_has_its_closed_form_peak(compiled):
    text = """
blocks:
  one: {type: sources.constant}
  lag: {type: continuous.second_order_lag, omega: 2 rad/s, zeta: 0.1}
  tf:  {type: continuous.transfer_function, num: [4], den: [1, 0.4, 4]}
wires: [one.y -> lag.u, one.y -> tf.u]"""
    results = run(
        text, compiled, f"solver: {{rtol: 1.0e-10, atol: 1.0e-12, stop: {1.57870970849914}}}"
    )
    assert results["lag.y"][-1] == pytest.approx(1.72924761428767, abs=1e-8)
    assert results["tf.y"][-1] == pytest.approx(1.72924761428767, abs=1e-8)


@both
def test_pulses_are_integrated_exactly_between_their_edges(compiled):
    text = """
blocks:
  pulse: {type: sources.pulse, period: 0.1 s, width: 30 %, delay: 0.05 s}
  saw:   {type: sources.sawtooth, period: 0.5 s}
  table: {type: sources.from_table, times: [0, 1, 2], values: [1, 3, -1], interpolation: hold,
          outside: repeat}
  area:  {type: continuous.integrator}
  ramp:  {type: continuous.integrator}
  steps: {type: continuous.integrator}
wires: [pulse.y -> area.u, saw.y -> ramp.u, table.y -> steps.u]"""
    results = run(text, compiled)
    assert results["area.y"][-1] == pytest.approx(40 * 0.03, abs=1e-7)
    assert results["ramp.y"][-1] == pytest.approx(0.0, abs=1e-7)
    assert results["steps.y"][-1] == pytest.approx(2 * (1 + 3), abs=1e-7)


def test_pulse_train_that_starts_in_the_past_still_meets_its_edges():
    text = """
blocks:
  pulse: {type: sources.pulse, period: 0.1 s, width: 30 %}
  area:  {type: continuous.integrator}
wires: [pulse.y -> area.u]"""
    results = run(text, True, "solver: {start: 7.31 s, stop: 9.31 s, rtol: 1.0e-9, atol: 1.0e-11}")
    assert results["area.y"][-1] == pytest.approx(20 * 0.03, abs=1e-7)


@both
def test_friction_mass_stops_where_its_energy_is_spent_and_sticks(compiled):
    text = """
blocks:
  zero: {type: sources.step, time: 2 s, before: 0, after: 2.5 N}
  body: {type: mechanics.friction_mass, m: 1 kg, F_c: 2 N, F_s: 3 N, v_0: 1 m/s}
wires: [zero.y -> body.F]"""
    results = run(text, compiled)
    assert results["body.x"][-1] == pytest.approx(1.0 / (2 * 2.0), abs=1e-6)
    assert np.all(results["body.v"][results.time > 0.51] == 0.0)


def test_friction_mass_breaks_away_at_the_static_force_and_slides_on():
    text = """
blocks:
  pull: {type: sources.ramp, slope: 2 N/s}
  body: {type: mechanics.friction_mass, m: 1 kg, F_c: 2 N, F_s: 3 N}
wires: [pull.y -> body.F]"""
    results = run(text + LOG)
    assert at(results, "body.v", 1.49) == 0.0
    t = 4.0 - 1.5
    assert results["body.v"][-1] == pytest.approx((3 - 2) * t + t * t, abs=1e-5)


@both
def test_relay_keeps_a_first_order_plant_between_its_levels(compiled):
    text = """
blocks:
  relay: {type: nonlinear.relay, switch_on: 1, switch_off: -1, high: -10, low: 10}
  plant: {type: continuous.integrator, x_0: -3}
wires: [relay.y -> plant.u, plant.y -> relay.u]"""
    results = run(text, compiled)
    settled = results["plant.y"][results.time > 0.41]
    assert settled.max() == pytest.approx(1.0, abs=1e-9)
    assert settled.min() == pytest.approx(-1.0, abs=1e-9)
    # From -3 to 1 in 0.4 s, then down and up again every 0.4 s.
    assert results["plant.y"][-1] == pytest.approx(1.0, abs=1e-8)


@both
def test_limited_integrator_stops_and_leaves_at_once(compiled):
    text = """
blocks:
  sine:  {type: sources.sine, omega: 3.141592653589793 rad/s}
  limit: {type: continuous.limited_integrator, upper: 0.3, lower: -0.1}
wires: [sine.y -> limit.u]"""
    results = run(text + LOG, compiled)
    assert at(results, "limit.y", 0.9) == 0.3
    # u < 0 from t = 1 on: x = 0.3 - (1 - cos(pi (t - 1))) / pi
    assert at(results, "limit.y", 1.3) == pytest.approx(
        0.3 - (1 - math.cos(0.3 * math.pi)) / math.pi, abs=1e-8
    )
    assert at(results, "limit.y", 1.9) == -0.1


@both
def test_counter_latch_and_timer_follow_their_events(compiled):
    text = """
blocks:
  sine:    {type: sources.sine, omega: 6.283185307179586 rad/s}
  up:      {type: logic.compare_to_constant, u2: 0.5}
  down:    {type: logic.compare_to_constant, relation: <, u2: -0.5}
  counter: {type: logic.counter}
  latch:   {type: logic.latch}
  late:    {type: logic.on_delay, delay: 0.2 s}
  int:     {type: continuous.integrator}
wires:
  - sine.y -> up.u1, down.u1, int.u
  - up.y -> counter.u, latch.on, late.u
  - down.y -> latch.off"""
    results = run(text + LOG, compiled)
    assert results["counter.y"][-1] == 4
    for k in range(4):  # up from k + 1/12 to k + 5/12, down from k + 7/12 to k + 11/12
        latch = [at(results, "latch.y", k + s) for s in (0.08, 0.09, 0.58, 0.59)]
        assert latch == [False, True, True, False]
        late = [at(results, "late.y", k + s) for s in (0.28, 0.29, 0.41, 0.42)]
        assert late == [False, True, True, False]


@both
def test_sampled_controller_moves_a_continuous_plant(compiled):
    text = """
blocks:
  one:   {type: sources.constant}
  error: {type: math.sum, signs: +-}
  pid:   {type: discrete.pid, K_p: 2, K_i: 4, every: 10 ms}
  plant: {type: continuous.first_order_lag, T: 0.5 s}
wires: [one.y -> error.u1, plant.y -> error.u2, error.y -> pid.e, pid.y -> plant.u]"""
    results = run(text, compiled)
    x, integral = 0.0, 0.0
    decay = math.exp(-0.01 / 0.5)
    for _ in range(400):
        e = 1.0 - x
        u = 2 * e + integral
        integral += 0.01 * 4 * e
        x = u + (x - u) * decay
    assert results["plant.y"][-1] == pytest.approx(x, abs=1e-8)


@both
def test_noise_is_repeatable_and_the_same_compiled_and_interpreted(compiled):
    text = """
blocks:
  noise: {type: sources.gaussian_noise, seed: 5, every: 0.1 s}"""
    from railblocks.blocks.sources.philox import normal
    from railblocks.engine.model.streams import stream_number

    stream = stream_number("sources.gaussian_noise", "noise")
    results = run(
        text + "\nlog: {every: 0.1 s, signals: all}", compiled, "solver: {stop: 1 s, seed: 3}"
    )
    assert np.array_equal(results["noise.y"][:10], [normal(k, stream, 5, 3) for k in range(10)])


@both
def test_truth_values_are_delayed_held_and_remembered(compiled):
    text = """
blocks:
  not:    {type: logic.not}
  delay:  {type: discrete.unit_delay, signal_type: bool, y_0: 1, every: 0.1 s}
  hold:   {type: discrete.zero_order_hold, signal_type: bool, every: 0.2 s}
  memory: {type: discrete.memory, signal_type: bool}
wires: [delay -> not -> delay, delay -> hold.u, hold -> memory.u, delay -> memory.trigger]
log: {every: 0.1 s, signals: all}"""
    results = run(text, compiled, "solver: {stop: 1 s}")
    assert np.array_equal(results["delay.y"], np.arange(11) % 2 == 0)
    assert np.all(results["hold.y"])
    assert np.array_equal(results["memory.y"], np.arange(11) >= 2)
    assert results["memory.y"].dtype == bool


def test_proper_and_strictly_proper_systems_live_in_one_diagram():
    text = """
blocks:
  one: {type: sources.constant}
  lag: {type: continuous.transfer_function, num: [1], den: [1, 1]}
  lead: {type: continuous.transfer_function, num: [2, 1], den: [1, 1]}
wires: [one.y -> lag.u, one.y -> lead.u]"""
    results = run(text)
    decay = math.exp(-4)
    assert results["lag.y"][-1] == pytest.approx(1 - decay, abs=1e-8)
    assert results["lead.y"][-1] == pytest.approx(1 + decay, abs=1e-8)


def test_strictly_proper_loop_is_no_algebraic_loop():
    text = """
blocks:
  one:  {type: sources.constant}
  sum:  {type: math.sum, signs: +-}
  tf:   {type: continuous.transfer_function, num: [1], den: [1, 0]}
wires: [one.y -> sum.u1, tf.y -> sum.u2, sum.y -> tf.u]"""
    model = check(loads(f"diagram: 1\n{text}\n{TIGHT}\n"))
    assert not model.schedule.program.loops
    assert run(text)["tf.y"][-1] == pytest.approx(1 - math.exp(-4), abs=1e-8)


def test_vectors_go_through_elementwise_blocks():
    text = """
blocks:
  c:    {type: sources.constant, value: [1, 2, 3]}
  gain: {type: math.gain, k: [2, 3, 4]}
  int:  {type: continuous.integrator}
  pick: {type: routing.selector, n: 3, indices: [2, 0]}
  sum:  {type: math.sum_of_elements}
  both: {type: math.sum}
wires:
  - c.y -> gain.u -> int.u
  - int.y -> pick.u -> sum.u
  - c.y -> both.u1
  - gain.y -> both.u2"""
    results = run(text)
    assert np.allclose(results["int.y"][-1], [8, 24, 48])
    assert results["sum.y"][-1] == pytest.approx(56)
    assert np.allclose(results["both.y"][-1], [3, 8, 15])


def test_assertion_ends_the_run_with_its_message():
    text = """
blocks:
  clock: {type: sources.clock}
  early: {type: logic.compare_to_constant, relation: <, u2: 1.5 s}
  claim: {type: sinks.assertion, message: it is too late}
wires: [clock.y -> early.u1, early.y -> claim.u]"""
    with pytest.raises(SimulationError, match="it is too late"):
        run(text)


@both
def test_stop_ends_the_run_at_the_event(compiled):
    text = """
blocks:
  clock: {type: sources.clock}
  late:  {type: logic.compare_to_constant, u2: 1.5 s}
  stop:  {type: sinks.stop}
wires: [clock.y -> late.u1, late.y -> stop.u]"""
    assert run(text, compiled).time[-1] == pytest.approx(1.5, abs=1e-9)


@both
def test_switching_and_routing_in_a_diagram(compiled):
    text = """
blocks:
  clock:  {type: sources.clock}
  late:   {type: logic.compare_to_constant, u2: 1 s}
  a:      {type: sources.constant, value: 1}
  b:      {type: sources.constant, value: 5}
  switch: {type: routing.switch}
  two:    {type: sources.integer_constant, value: 2}
  multi:  {type: routing.multiport_switch, n: 2}
  int:    {type: continuous.integrator}
  mux:    {type: routing.mux, n: 2}
  demux:  {type: routing.demux, n: 2}
wires:
  - clock.y -> late.u1
  - late.y -> switch.control
  - a.y -> switch.u2, multi.u1, mux.u1
  - b.y -> switch.u1, multi.u2, mux.u2
  - two.y -> multi.index
  - switch.y -> int.u
  - mux.y -> demux.u"""
    results = run(text, compiled)
    assert results["int.y"][-1] == pytest.approx(1 + 3 * 5, abs=1e-7)
    assert results["multi.y"][-1] == 5.0
    assert (results["demux.y1"][-1], results["demux.y2"][-1]) == (1.0, 5.0)


@both
def test_memory_and_resettable_integrator_act_on_triggers(compiled):
    text = """
blocks:
  one:    {type: sources.constant}
  clock:  {type: sources.clock}
  pulse:  {type: sources.pulse, period: 1 s}
  on:     {type: routing.float_to_bool}
  int:    {type: continuous.resettable_integrator}
  memory: {type: discrete.memory}
wires:
  - pulse.y -> on.u
  - on.y -> int.trigger, memory.trigger
  - one.y -> int.u
  - clock.y -> memory.u"""
    results = run(text + LOG, compiled)
    assert at(results, "int.y", 2.75) == pytest.approx(0.75, abs=1e-8)
    assert at(results, "memory.y", 2.75) == pytest.approx(2.0, abs=1e-9)


@both
def test_delays_delay_in_a_diagram(compiled):
    text = """
blocks:
  sine: {type: sources.sine, omega: 2 rad/s}
  pade: {type: continuous.pade_delay, T: 0.5 s, n: 6}
  dead: {type: continuous.transport_delay, delay: 0.5 s}
wires: [sine.y -> pade.u, sine.y -> dead.u]"""
    results = run(text, compiled, TIGHT.replace("4 s", "2 s"))
    expected = math.sin(2 * (2.0 - 0.5))
    assert results["pade.y"][-1] == pytest.approx(expected, abs=1e-4)
    assert results["dead.y"][-1] == pytest.approx(expected, abs=4 * 0.005**2 / 8 * 1.01)
