"""Straight on straight: lines of contact, and where their pressure has its centre."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from railblocks.blocks.rail.contact.geometry.contacts import GAP, HALF_LENGTH, Y_R, A, B
from railblocks.blocks.rail.contact.geometry.pair import Pair
from railblocks.blocks.rail.contact.geometry.straight import pressure_centre
from railblocks.blocks.rail.contact.profiles.wheels import conical, cylindrical

R_0 = 0.46


def test_parallel_cylinders_touch_along_a_line_at_its_middle():
    wheel = cylindrical(R_0, -0.04, 0.06)
    roller = cylindrical(1.0, -0.03, 0.05)
    (row,) = Pair(wheel, roller, roller=True).contacts((0, 0, 1.46 - 5e-5))
    assert row[GAP] == pytest.approx(-5e-5, abs=1e-15)
    assert row[Y_R] == pytest.approx(0.01)
    assert row[HALF_LENGTH] == pytest.approx(0.04)
    assert row[A] == pytest.approx(0.5 * (1 / R_0 + 1.0))
    assert row[B] == 0.0


def test_equal_cones_touch_along_a_line():
    """Wheel and roller cones that fit: radius falls on the one as it grows on the other."""
    wheel, roller = conical(R_0, 1 / 20, -0.04, 0.06), conical(1.0, -1 / 20, -0.04, 0.06)
    (row,) = Pair(wheel, roller, roller=True).contacts((0, 0, 1.46 - 1e-4))
    assert row[GAP] == pytest.approx(-1e-4 * math.cos(math.atan(1 / 20)), rel=1e-9)
    assert row[HALF_LENGTH] == pytest.approx(0.05 * math.hypot(1, 1 / 20))


def test_a_tilted_cylinder_touches_nearer_to_its_deeper_end_without_a_jump():
    pair = Pair(cylindrical(R_0), cylindrical(1.0), roller=True)
    places = []
    for beta in np.linspace(-4e-3, 4e-3, 41):
        (row,) = pair.contacts((0, 0.46 * beta * 0.0, 1.46 - 8e-5), beta=beta, limit=1e-3)
        places.append(row[Y_R])
    assert np.all(np.diff(places) < 0)
    assert np.max(np.abs(np.diff(places))) < 0.012
    assert places[20] == pytest.approx(0.01, abs=1e-6)


@given(st.floats(-1e-4, 1e-4), st.floats(-1e-4, 1e-4))
def test_the_pressure_centre_is_that_of_the_integrals(g_0, g_1):
    centre, overlap = pressure_centre(g_0, g_1)
    u = (np.arange(20000) + 0.5) / 20000
    d = np.maximum(-(g_0 + (g_1 - g_0) * u), 0.0)
    assert overlap == pytest.approx(d.mean(), abs=1e-11)
    if d.mean() > 1e-9:
        assert centre == pytest.approx((u * d).mean() / d.mean(), abs=1e-3)
