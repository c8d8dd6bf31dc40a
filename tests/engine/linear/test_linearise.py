"""Linear models against closed forms: continuous, sampled, with loops opened and algebraic."""

import numpy as np
import pytest
from railblocks.engine import DiagramError, check, linearise, loads, trim

MASS = """\
diagram: 1
blocks:
  body:   {type: mechanics.mass, m: 2 kg, x_0: 1 m}
  spring: {type: math.gain, k: -50 N/m}
  damper: {type: math.gain, k: -4 N*s/m}
  push:   {type: sources.constant, value: 0 N}
  sum:    {type: math.sum, signs: "+++"}
wires: [body.x -> spring -> sum.u1, body.v -> damper -> sum.u2, push -> sum.u3, sum -> body.F]
solver: {stop: 2 s}
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
solver: {stop: 1}
"""


@pytest.mark.parametrize("compiled", [True, False])
def test_a_mass_on_a_spring_has_its_matrices(compiled):
    model = linearise(loads(MASS), "push.y", ["body.x", "sum.y"], compiled=compiled)
    assert model.states == ("body.q", "body.dq")
    assert np.abs(model.A - [[0.0, 1.0], [-25.0, -2.0]]).max() < 1e-12
    assert np.abs(model.B - [[0.0], [0.5]]).max() < 1e-13
    assert np.abs(model.C - [[1.0, 0.0], [-50.0, -4.0]]).max() < 1e-11
    assert np.abs(model.D - [[0.0], [1.0]]).max() < 1e-13
    assert [model.units[n] for n in ("body.q", "body.dq", "push.y", "sum.y")] == (
        ["m", "m/s", "N", "N"]
    )
    assert model.poles == pytest.approx([-1 + 24**0.5 * 1j, -1 - 24**0.5 * 1j], rel=1e-13)


def test_an_input_of_a_block_is_changed_for_it_alone():
    model = linearise(loads(MASS), "spring.u", ["body.x", "spring.u", "spring.y"])
    assert model.B.ravel() == pytest.approx([0.0, -25.0])
    assert model.D.ravel() == pytest.approx([0.0, 0.0, -50.0])


def test_an_output_is_changed_for_all_that_it_drives():
    text = MASS.replace("damper: {type: math.gain", "damper: {type: math.gain").replace(
        "body.v -> damper", "body.x -> damper"
    )
    text = text.replace("k: -4 N*s/m", "k: -4 N/m")
    model = linearise(loads(text), "body.x", ["body.x", "spring.u", "sum.y"])
    assert model.B.ravel() == pytest.approx([0.0, -27.0])
    assert model.D.ravel() == pytest.approx([0.0, 1.0, -54.0])


def test_wires_are_opened():
    closed = linearise(loads(MASS), "push.y", "body.x")
    opened = linearise(loads(MASS), "push.y", "body.x", opened="body.x -> spring")
    assert pytest.approx(np.array([[0.0, 1.0], [0.0, -2.0]])) == opened.A
    assert closed.A[1, 0] == pytest.approx(-25.0)


@pytest.mark.parametrize("wire", ["body.x -> spring.u", "spring.u", "spring", "spring.y"])
def test_a_loop_has_the_sign_of_negative_feedback(wire):
    model = linearise(loads(MASS), loop=wire)
    omega = np.array([0.3, 3.0, 30.0])
    s = 1j * omega
    assert model.response(omega)[:, 0, 0] == pytest.approx(50.0 / (2.0 * s**2 + 4.0 * s), rel=1e-12)


def test_a_sampled_multirate_loop_is_that_derived_by_hand():
    """y1 = a y + 2 (1 - a) (r - z), z1 = y1, y2 = a y1 + 2 (1 - a) (r - z) with a = exp(-0.1)."""
    model = linearise(loads(MULTIRATE), "r.y", ["plant.y", "ctl.y"])
    a = np.exp(-0.1)
    b = 2.0 * (1.0 - a)
    assert model.sample_time == pytest.approx(0.2)
    assert model.states == ("plant.x", "fast.last")
    assert pytest.approx(np.array([[a * a, -b * (1 + a)], [a, -b]]), abs=1e-13) == model.A
    assert model.B.ravel() == pytest.approx([b * (1 + a), b], abs=1e-13)
    assert pytest.approx(np.array([[1.0, 0.0], [0.0, -1.0]]), abs=1e-13) == model.C
    assert model.D.ravel() == pytest.approx([0.0, 1.0], abs=1e-13)


def test_held_outputs_of_groups_that_are_not_due_are_states():
    """The hold keeps r from 0.1 s before: x+ = e^-0.2 x + (e^-0.1 - e^-0.2) h + (1 - e^-0.1) u."""
    text = """\
diagram: 1
blocks:
  r:     {type: sources.constant, value: 0}
  hold:  {type: discrete.zero_order_hold, every: 0.2 s, offset: 0.1 s}
  other: {type: discrete.zero_order_hold, every: 0.2 s}
  both:  {type: math.sum}
  plant: {type: continuous.first_order_lag, T: 1 s}
wires: [r -> hold, hold -> both.u1, plant -> other -> both.u2, both -> plant]
"""
    model = linearise(loads(text), "r.y", "plant.y")
    assert model.states == ("plant.x", "hold.y (held)")
    half, whole = np.exp(-0.1), np.exp(-0.2)
    own = whole + (1.0 - whole)
    expected = np.array([[own, half - whole], [0.0, 0.0]])
    assert pytest.approx(expected, abs=1e-13) == model.A
    assert model.B.ravel() == pytest.approx([1.0 - half, 1.0], abs=1e-13)


def test_an_algebraic_loop_is_solved_for():
    """u = r - 3 u is r/4, so that x' = r/4."""
    text = """\
diagram: 1
blocks:
  r:   {type: sources.constant, value: 1}
  sum: {type: math.sum, signs: "+-"}
  k:   {type: math.gain, k: 3}
  x:   {type: continuous.integrator}
wires: [r -> sum.u1, sum -> k -> sum.u2, sum -> x]
"""
    model = linearise(loads(text), "r.y", ["x.y", "k.y"])
    assert model.B.ravel() == pytest.approx([0.25], abs=1e-13)
    assert model.D.ravel() == pytest.approx([0.0, 0.75], abs=1e-13)


def test_a_pendulum_has_its_small_frequency_about_where_it_rests():
    text = """\
diagram: 1
blocks:
  speed: {type: continuous.integrator}
  angle: {type: continuous.integrator, x_0: 1}
  pull:  {type: math.expression, expression: "M - 9.81*sin(phi)"}
  moment: {type: sources.constant, value: 4.905}
wires: [speed -> angle, angle -> pull.phi, moment -> pull.M, pull -> speed]
solver: {stop: 1}
"""
    checked = check(loads(text))
    model = linearise(checked, "moment.y", "angle.y", point=trim(checked, free=["speed.x=0.1"]))
    omega = (9.81 * np.cos(np.pi / 6.0)) ** 0.5
    assert model.poles == pytest.approx([1j * omega, -1j * omega], abs=1e-10)
    assert model.error < 1e-9


def test_a_model_about_a_time_of_a_run_has_the_slope_there():
    """x' = -x^2 from 1 is 1 / (1 + t)."""
    text = """\
diagram: 1
blocks:
  x:    {type: continuous.integrator, x_0: 1}
  rate: {type: math.expression, expression: "-x^2"}
wires: [x -> rate.x, rate -> x]
solver: {stop: 5 s, rtol: 1e-12, atol: 1e-14}
"""
    model = linearise(loads(text), at="3 s")
    assert (model.A[0, 0], model.time) == (pytest.approx(-0.5, rel=1e-9), 3.0)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_slopes_of_bent_functions_are_known_to_1e_8_at_any_size(scale):
    text = f"""\
diagram: 1
blocks:
  x: {{type: continuous.integrator, x_0: {0.3 * scale}}}
  f: {{type: math.expression, expression: "sin(3*x/{scale}) + exp(-x/{scale})*x/{scale}"}}
wires: [x -> f.x, f -> x]
"""
    model = linearise(loads(text))
    exact = (3.0 * np.cos(0.9) + np.exp(-0.3) * 0.7) / scale
    assert model.A[0, 0] == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"inputs": "push.z"}, "'z' is not a port of push"),
        ({"inputs": ["push.y", "push"]}, "named twice"),
        ({"opened": "push.y -> spring.u"}, "there is no such wire"),
        ({"loop": "spring", "inputs": "push.y"}, "a loop says by itself"),
        ({"at": "3 s"}, "not a time of the run"),
        ({"outputs": "body.x[1]"}, "indices start at 0|has"),
    ],
)
def test_what_is_asked_wrongly_is_told(given, message):
    with pytest.raises(DiagramError, match=message):
        linearise(loads(MASS), **given)


def test_a_point_that_is_not_at_rest_with_other_values_is_noted():
    checked = check(loads(MASS))
    point = trim(checked)
    assert linearise(checked, point=point).notes == ()
    other = check(loads(MASS).with_values({"push.value": "4 N"}))
    (note,) = linearise(other, point=point).notes
    assert note == "at the point body.dq changes by 2 m/s^2"
