"""Nonlinear blocks against their definitions and scipy."""

import math

import numpy as np
import pytest
from bench import Bench
from hypothesis import given
from hypothesis import strategies as st
from railblocks.engine import DiagramError

numbers = st.floats(-100, 100)


@given(numbers)
def test_saturation_and_dead_zone_share_the_input_between_them(u):
    limits = {"lower": -1.5, "upper": 2.0}
    kept, cut = Bench("nonlinear.saturation", **limits), Bench("nonlinear.dead_zone", **limits)
    assert kept.y(u=u) == min(max(u, -1.5), 2.0)
    assert kept.y(u=u) + cut.y(u=u) == pytest.approx(u)
    assert Bench("nonlinear.dynamic_saturation").y(u=u, **limits) == kept.y(u=u)


def test_saturation_refuses_crossed_limits():
    with pytest.raises(DiagramError, match="lower <= upper"):
        Bench("nonlinear.saturation", lower=1.0, upper=0.0)


@given(numbers, st.floats(1e-3, 10))
def test_quantiser_is_a_multiple_of_its_step_and_no_further_than_half_of_it(u, q):
    y = Bench("nonlinear.quantiser").y(u=u, q=q)
    assert abs(y - u) <= 0.5 * q * (1 + 1e-9)
    assert y / q == pytest.approx(round(y / q))


@given(st.floats(-1e4, 1e4))
def test_wrapped_angle_is_the_same_angle_within_one_turn(u):
    y = Bench("nonlinear.wrap_angle").y(u=u)
    assert -math.pi <= y <= math.pi
    assert math.cos(y - u) == pytest.approx(1.0, abs=1e-9)


def test_rate_limit_has_both_rates_and_tracks_in_between():
    bench = Bench("nonlinear.rate_limiter", rising=1.0, falling=2.0, T=0.01)
    assert bench.run("der", u=10.0, x=0.0)["x"] == 1.0
    assert bench.run("der", u=-10.0, x=0.0)["x"] == -2.0
    assert bench.run("der", u=0.005, x=0.0)["x"] == pytest.approx(0.5)


def test_relay_keeps_its_mode_until_the_next_event():
    bench = Bench("nonlinear.relay", switch_on=1.0, switch_off=-1.0, high=5.0, low=-5.0)
    for guard, expected in (("on", 5.0), ("off", -5.0), ("on", 5.0)):
        bench.fire(guard)
        assert bench.y() == expected
    assert bench.run("guard", u=1.0) == {"on": 0.0, "off": -2.0}
    assert bench.run("guard", u=-1.0) == {"on": -2.0, "off": 0.0}


@pytest.mark.parametrize(("on_0", "between"), [(False, -5.0), (True, 5.0)])
def test_relay_that_starts_beyond_a_level_is_on_or_off_accordingly(on_0, between):
    for u, expected in ((-0.5, -5.0), (0.0, between), (0.5, 5.0)):
        assert Bench("nonlinear.relay", high=5.0, low=-5.0, on_0=on_0).begin(u=u).y() == expected


def test_relay_refuses_levels_without_hysteresis():
    with pytest.raises(DiagramError, match="expected more than switch_off"):
        Bench("nonlinear.relay", switch_on=0.0, switch_off=0.0)


def test_backlash_follows_by_half_its_width_and_rests_on_the_way_back():
    u = np.concatenate([np.linspace(0, 3, 31), np.linspace(3, 0, 31)])
    y = Bench("nonlinear.backlash", width=1.0).sampled(u=u)
    assert y[30] == pytest.approx(2.5)
    resting = y[31:41]
    assert np.allclose(resting, 2.5)
    assert y[-1] == pytest.approx(0.5)
    assert np.all(abs(u - y) <= 0.5 + 1e-12)


def test_coulomb_friction_opposes_motion_with_its_force():
    bench = Bench("nonlinear.coulomb_friction", F_c=5.0, d=2.0, v_0=1e-3)
    for v in (0.1, -0.1, 3.0):
        assert bench.out(v=v)["F"] == pytest.approx(math.copysign(5.0, v) + 2.0 * v)
    assert bench.out(v=0.0)["F"] == 0.0


POINTS = np.array([0.0, 1.0, 2.5, 3.0, 5.0])
VALUES = np.array([1.0, -2.0, 0.5, 4.0, 3.0])


@pytest.mark.parametrize("outside", ["clip", "extrapolate"])
def test_lookup_joins_its_points_by_lines(outside):
    bench = Bench("nonlinear.lookup_1d", points=POINTS, values=VALUES, outside=outside)
    u = np.linspace(0, 5, 101)
    assert np.allclose([bench.y(u=v) for v in u], np.interp(u, POINTS, VALUES))
    beyond = [bench.y(u=-1.0), bench.y(u=7.0)]
    assert beyond == ([1.0, 3.0] if outside == "clip" else [4.0, 2.0])


def test_cubic_lookup_is_the_spline_of_scipy():
    from scipy.interpolate import CubicSpline

    options = {"points": POINTS, "values": VALUES, "method": "cubic"}
    spline = CubicSpline(POINTS, VALUES)
    bench = Bench("nonlinear.lookup_1d", **options, outside="extrapolate")
    u = np.linspace(-1, 6, 141)
    assert np.allclose([bench.y(u=v) for v in u], spline(u), rtol=1e-12, atol=1e-12)
    clipped = Bench("nonlinear.lookup_1d", **options)
    assert clipped.y(u=-3.0) == pytest.approx(VALUES[0])
    assert clipped.y(u=9.0) == pytest.approx(VALUES[-1])


def grid(method, outside="clip"):
    x, y = np.array([0.0, 1.0, 3.0, 4.0]), np.array([-1.0, 0.0, 0.5, 2.0, 3.0])
    values = np.random.default_rng(5).normal(size=(4, 5))
    options = {"points_1": x, "points_2": y, "values": values}
    return x, y, values, Bench("nonlinear.lookup_2d", **options, method=method, outside=outside)


def test_bilinear_lookup_is_that_of_scipy():
    from scipy.interpolate import RegularGridInterpolator

    x, y, values, bench = grid("linear")
    reference = RegularGridInterpolator((x, y), values)
    for u1, u2 in np.random.default_rng(6).uniform([0, -1], [4, 3], (100, 2)):
        assert bench.y(u1=u1, u2=u2) == pytest.approx(reference((u1, u2)).item(), abs=1e-12)


def test_bicubic_lookup_is_the_tensor_spline_of_scipy():
    from scipy.interpolate import CubicSpline

    x, y, values, bench = grid("cubic", "extrapolate")
    along_1 = CubicSpline(x, values)
    for u1, u2 in np.random.default_rng(6).uniform([-0.5, -1.5], [4.5, 3.5], (100, 2)):
        expected = CubicSpline(y, along_1(u1))(u2)
        assert bench.y(u1=u1, u2=u2) == pytest.approx(float(expected), abs=1e-10)


def test_lookup_is_clipped_at_the_edges_of_its_grid():
    _, _, values, bench = grid("cubic")
    assert bench.y(u1=-9.0, u2=-9.0) == pytest.approx(values[0, 0])
    assert bench.y(u1=9.0, u2=9.0) == pytest.approx(values[-1, -1])


@pytest.mark.parametrize("points", [[0.0, 2.0, 1.0, 3.0], [1.0]])
def test_lookup_refuses_points_that_do_not_increase(points):
    with pytest.raises(DiagramError, match=r"increasing|at least 2"):
        Bench("nonlinear.lookup_1d", points=points)
