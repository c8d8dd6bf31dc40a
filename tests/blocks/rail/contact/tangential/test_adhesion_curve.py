"""The adhesion curve of sliding: both branches, continuity, standstill."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from railblocks.blocks.rail.contact.tangential.adhesion_curve import adhesion_curve
from railblocks.engine import compiled

MU_0, MU_ASY, DELTA_0, LAM, V_MIN = 0.05, 0.03, 0.02, 0.1, 1e-3
speed = st.floats(-100, 100)


def curve(v_w, v):
    return adhesion_curve(v_w, v, MU_0, MU_ASY, DELTA_0, LAM, V_MIN)


def test_traction_falls_with_the_speed_of_the_wheel():
    """Third branch of Eq. 25 by hand: r omega = 40 m/s, v = 30 m/s, delta = 0.25."""
    mu, delta = curve(40.0, 30.0)
    assert delta == pytest.approx(0.25)
    assert mu == pytest.approx(0.03 + 0.02 * math.exp(-0.1 * 0.23 * 40.0))


def test_braking_falls_with_the_speed_of_the_train():
    """First branch of Eq. 25 by hand: r omega = 30 m/s, v = 40 m/s, delta = -0.25."""
    mu, delta = curve(30.0, 40.0)
    assert delta == pytest.approx(-0.25)
    assert mu == pytest.approx(-0.03 - 0.02 * math.exp(0.1 * (-0.25 + 0.02) * 40.0))


def test_small_sliding_gives_a_straight_line_to_the_top():
    for part in (-1.0, -0.4, 0.0, 0.7, 1.0):
        v = 50.0
        v_w = v / (1 - part * DELTA_0) if part >= 0 else v * (1 + part * DELTA_0)
        mu, delta = curve(v_w, v)
        assert delta == pytest.approx(part * DELTA_0)
        assert mu == pytest.approx(part * MU_0)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_curve_is_continuous_at_its_top(sign):
    v = 50.0
    edge = v / (1 - DELTA_0) if sign > 0 else v * (1 - DELTA_0)
    below, above = curve(edge - 1e-9, v)[0], curve(edge + 1e-9, v)[0]
    assert below == pytest.approx(above, abs=1e-9)
    assert below == pytest.approx(sign * MU_0, abs=1e-9)


def test_locked_wheel_at_high_speed_has_dynamic_friction():
    assert curve(0.0, 100.0)[0] == pytest.approx(-MU_ASY, abs=2e-6)
    assert curve(100.0, 0.0)[0] == pytest.approx(MU_ASY, abs=2e-6)


@given(speed, speed)
def test_backwards_is_the_mirror_of_forwards_and_sliding_takes_power(v_w, v):
    mu, delta = curve(v_w, v)
    assert curve(-v_w, -v) == (-mu, -delta)
    assert mu * (v_w - v) >= 0.0
    assert abs(mu) <= MU_0
    assert abs(delta) <= 2.0


@given(st.floats(-1e-6, 1e-6), st.floats(-1e-6, 1e-6))
def test_standstill_is_continuous(v_w, v):
    mu, _ = curve(v_w, v)
    assert abs(mu) <= MU_0 / DELTA_0 * abs(v_w - v) / V_MIN + 1e-15


@given(speed, speed)
def test_compiled_equals_interpreted(v_w, v):
    arguments = (v_w, v, MU_0, MU_ASY, DELTA_0, LAM, V_MIN)
    assert compiled(adhesion_curve)(*arguments) == adhesion_curve(*arguments)
