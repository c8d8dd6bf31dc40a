"""Steady states: closed forms, what is held and free, and what is said where there is none."""

import math

import numpy as np
import pytest
from railblocks.engine import DiagramError, Simulation, SimulationError, check, loads, trim
from railblocks.engine.operating_points.starting import starting_at

HANGING = """\
diagram: 1
blocks:
  body:   {type: mechanics.mass, m: 2 kg, x_0: 1 m}
  spring: {type: math.gain, k: -50 N/m}
  weight: {type: sources.constant, value: -19.62 N}
  sum:    {type: math.sum, signs: "++"}
wires: [body.x -> spring -> sum.u1, weight -> sum.u2, sum -> body.F]
solver: {stop: 2 s}
"""
PENDULUM = """\
diagram: 1
blocks:
  speed: {type: continuous.integrator}
  angle: {type: continuous.integrator, x_0: 1}
  pull:  {type: math.expression, expression: "M - 9.81*sin(phi) - 0.1*w"}
  moment: {type: sources.constant, value: 4.905}
wires: [speed -> angle, angle -> pull.phi, speed -> pull.w, moment -> pull.M, pull -> speed]
solver: {stop: 1}
"""
SAMPLED = """\
diagram: 1
blocks:
  goal:  {type: sources.constant, value: 3}
  error: {type: math.sum, signs: "+-"}
  pid:   {type: discrete.pid, every: 0.1 s, K_p: 0.5, K_i: 0.8, K_d: 0, N: 10}
  plant: {type: continuous.first_order_lag, T: 1 s, k: 2}
wires: [goal -> error.u1, error -> pid -> plant -> error.u2]
solver: {stop: 1}
"""


def test_a_spring_carries_the_weight():
    point = trim(loads(HANGING))
    assert point.state("body.q") == pytest.approx(-19.62 / 50.0, rel=1e-15)
    assert point.state("body.dq") == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_pendulum_rests_where_its_moment_is_borne(compiled):
    point = trim(loads(PENDULUM), compiled=compiled)
    assert point.state("angle.x") == pytest.approx(math.pi / 6.0, rel=1e-14)


def test_a_start_chooses_among_steady_states():
    point = trim(loads(PENDULUM), free=["angle.x=2.5:2..4"])
    assert point.state("angle.x") == pytest.approx(math.pi * 5.0 / 6.0, rel=1e-14)


def test_bounds_are_kept():
    with pytest.raises(SimulationError, match="do not close"):
        trim(loads(PENDULUM), free=["angle.x=1.5:1..2"])


def test_a_parameter_is_found_for_a_value_that_is_held():
    point = trim(loads(HANGING), hold={"body.x": "10 mm"}, free=["weight.value"])
    value, unit = point.parameters["weight.value"].split()
    assert (float(value), unit) == (pytest.approx(0.5, rel=1e-12), "N")


@pytest.mark.parametrize("port", ["sum.u2", "weight.y", "weight"])
def test_a_port_is_found_for_a_value_that_is_held(port):
    point = trim(loads(HANGING), hold={"body.x": 0.1}, free=[port])
    assert list(point.ports.values()) == [pytest.approx(5.0, rel=1e-14)]


def test_a_port_that_is_held_and_free_takes_its_value():
    point = trim(loads(HANGING), hold={"sum.u1": "-19.62 N"}, free=["sum.u1", "weight.value"])
    assert point.ports == {"sum.u1": pytest.approx(-19.62)}
    assert float(point.parameters["weight.value"].split()[0]) == pytest.approx(19.62)


def test_a_rate_is_constant():
    point = trim(loads(HANGING), rates={"body.q": "36 km/h"})
    assert point.state("body.dq") == pytest.approx(10.0)


def test_a_rolled_angle_stays_where_it_is_and_is_named():
    text = """\
diagram: 1
blocks:
  push:  {type: math.expression, expression: "2 - w"}
  speed: {type: continuous.integrator}
  angle: {type: continuous.integrator, x_0: 7}
wires: [push -> speed -> angle, speed -> push.w]
"""
    checked = check(loads(text))
    with pytest.raises(SimulationError, match=r"rate of angle\.x is off by 1"):
        trim(checked)
    assert trim(checked, rates={"angle.x": "any"}).state("angle.x") == 7.0
    point = trim(checked, rates={"angle.x": 2})
    assert (point.state("angle.x"), point.state("speed.x")) == (7.0, pytest.approx(2.0))


def test_sampled_states_stay_from_sample_to_sample():
    point = trim(loads(SAMPLED))
    assert point.state("plant.x") == pytest.approx(3.0, rel=1e-13)
    assert float(point.held["pid", "y"][0]) == pytest.approx(1.5, rel=1e-13)


@pytest.mark.parametrize("text", [HANGING, PENDULUM, SAMPLED])
def test_a_run_from_a_steady_state_stays_there(text):
    checked = check(loads(text))
    point = trim(checked)
    simulation = Simulation(starting_at(checked, point))
    rows = np.concatenate(list(simulation.chunks()))
    assert len(rows) > 1
    assert np.abs(rows[:, 1:] - rows[0, 1:]).max() < 1e-9


def test_blocks_switch_to_the_side_where_the_steady_state_is():
    text = """\
diagram: 1
blocks:
  goal:  {type: sources.constant, value: 5}
  limit: {type: nonlinear.saturation, lower: -1, upper: 2}
  lag:   {type: continuous.first_order_lag, T: 1 s}
  gain:  {type: math.gain, k: 0.5}
  sum:   {type: math.sum, signs: "++"}
wires: [goal -> sum.u1, lag -> gain -> sum.u2, sum -> limit -> lag]
"""
    assert trim(loads(text)).state("lag.x") == pytest.approx(2.0)


def test_equations_that_do_not_close_are_named_with_what_is_left():
    text = """\
diagram: 1
blocks:
  goal: {type: sources.constant, value: 3 V}
  x:    {type: continuous.integrator}
wires: [goal -> x]
"""
    with pytest.raises(SimulationError) as raised:
        trim(loads(text))
    assert "1 of 1 equations do not close" in str(raised.value)
    assert "rate of x.x is off by 3 V" in str(raised.value)


def test_counters_and_random_numbers_are_told_apart():
    text = """\
diagram: 1
blocks:
  noise: {type: sources.gaussian_noise, every: 0.1 s, std: 1}
  lag:   {type: continuous.first_order_lag, T: 1 s}
wires: [noise -> lag]
"""
    point = trim(loads(text))
    assert point.state("lag.x") == pytest.approx(float(point.held["noise", "y"][0]))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"hold": {"body.x": "3 s"}}, r"3 s has unit s"),
        ({"hold": {"body.y": 1}}, r"'y' is not a port of body"),
        ({"hold": {"bodi.x": 1}}, r"'bodi' is not a block; did you mean 'body'"),
        ({"hold": ["body.x"]}, r"is not an assignment"),
        ({"hold": {"body.x": "nan"}}, r"nan|not"),
        ({"free": ["body.w"]}, r"'w' is not a port"),
        ({"free": ["weight.value=1:2..3"]}, r"is not between"),
        ({"free": ["body.q=1:3..2"]}, r"do not rise"),
        ({"rates": {"body.x": 1}}, r"'body.x' is not a state; did you mean 'body.q'"),
        ({"rates": {"body.q": "1 m"}}, r"has unit m"),
    ],
)
def test_what_is_asked_wrongly_is_told(given, message):
    with pytest.raises(DiagramError, match=message):
        trim(loads(HANGING), **given)
