"""Creepages: ratios of velocities, and standstill."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from railblocks.blocks.rail.contact.tangential.creepages import creepages
from railblocks.engine import compiled

velocity = st.floats(-10, 10)


@given(velocity, velocity, velocity, st.floats(10, 100))
def test_creepages_are_velocities_over_speed(v_x, v_y, omega, V):
    expected = (v_x / V, v_y / V, omega / V)
    assert creepages(v_x, v_y, omega, V, 0.01) == pytest.approx(expected, rel=1e-6)


@given(velocity, velocity, velocity, velocity)
def test_creepages_keep_direction_and_stay_finite_at_standstill(v_x, v_y, omega, V):
    xi, eta, phi = creepages(v_x, v_y, omega, V, 0.1)
    assert creepages(v_x, v_y, omega, -V, 0.1) == (xi, eta, phi)
    assert xi * v_y == pytest.approx(eta * v_x)
    assert xi * omega == pytest.approx(phi * v_x)
    assert math.hypot(xi, eta) <= math.hypot(v_x, v_y) / 0.1 * (1 + 1e-12)


def test_at_standstill_velocities_are_divided_by_the_least_speed():
    assert creepages(0.1, -0.2, 0.3, 0.0, 0.5) == pytest.approx((0.2, -0.4, 0.6))


@given(velocity, velocity, velocity, velocity)
def test_compiled_equals_interpreted(v_x, v_y, omega, V):
    arguments = (v_x, v_y, omega, V, 0.1)
    assert compiled(creepages)(*arguments) == creepages(*arguments)
