"""Tables with jumps, of the nearest point and by Akima, against scipy and formulas of their own."""

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run
from railblocks.engine import DiagramError
from scipy.interpolate import Akima1DInterpolator, RegularGridInterpolator

POINTS = np.array([0.0, 1.0, 2.5, 3.0, 5.0, 5.5, 7.0])
VALUES = np.array([1.0, -2.0, 0.5, 4.0, 4.0, 4.0, 1.0])


def akima(u):
    """Akima (1970): cubics with slopes from the four slopes around each point, by hand."""
    m = np.diff(VALUES) / np.diff(POINTS)
    m = np.concatenate([[3 * m[0] - 2 * m[1], 2 * m[0] - m[1]], m])
    m = np.concatenate([m, [2 * m[-1] - m[-2], 3 * m[-1] - 2 * m[-2]]])
    slopes = []
    for i in range(len(POINTS)):
        w_1, w_2 = abs(m[i + 3] - m[i + 2]), abs(m[i + 1] - m[i])
        even = w_1 + w_2 < 1e-12
        mean = 0.5 * (m[i + 1] + m[i + 2])
        slopes.append(mean if even else (w_1 * m[i + 1] + w_2 * m[i + 2]) / (w_1 + w_2))
    i = min(max(int(np.searchsorted(POINTS, u, side="right")) - 1, 0), len(POINTS) - 2)
    h, r = POINTS[i + 1] - POINTS[i], (u - POINTS[i]) / (POINTS[i + 1] - POINTS[i])
    rise = VALUES[i + 1] - VALUES[i]
    return (
        VALUES[i]
        + rise * r * r * (3 - 2 * r)
        + h * r * (1 - r) * (slopes[i] * (1 - r) - slopes[i + 1] * r)
    )


def test_akima_lookup_is_that_of_scipy_and_of_the_paper():
    bench = Bench("nonlinear.lookup_1d", points=POINTS, values=VALUES, method="akima")
    u = np.linspace(0.0, 7.0, 141)
    y = np.array([bench.y(u=v) for v in u])
    assert np.allclose(y, Akima1DInterpolator(POINTS, VALUES)(u), atol=1e-12)
    assert np.allclose(y, [akima(v) for v in u], atol=1e-12)
    flat = (u >= 3.0) & (u <= 5.0)
    assert np.allclose(y[flat], 4.0, atol=1e-12)
    assert (bench.y(u=-1.0), bench.y(u=9.0)) == pytest.approx((1.0, 1.0))


def test_akima_lookup_through_two_points_is_a_line():
    bench = Bench("nonlinear.lookup_1d", points=[1.0, 3.0], values=[0.0, 4.0], method="akima")
    assert [bench.y(u=u) for u in (1.0, 1.5, 3.0)] == pytest.approx([0.0, 1.0, 4.0])


def test_nearest_lookup_is_that_of_scipy_with_halves_to_the_larger_point():
    bench = Bench("nonlinear.lookup_1d", points=POINTS, values=VALUES, method="nearest")
    reference = RegularGridInterpolator((POINTS,), VALUES, method="nearest")
    for u in np.random.default_rng(1).uniform(0.0, 7.0, 200):
        assert bench.y(u=u) == reference([u]).item()
    assert bench.y(u=0.5) == -2.0
    assert [bench.y(u=u) for u in (-9.0, 9.0)] == [1.0, 1.0]


def test_nearest_lookup_on_a_grid_is_that_of_scipy():
    x, y = np.array([0.0, 1.0, 3.0]), np.array([-1.0, 0.0, 0.5, 2.0])
    values = np.random.default_rng(5).normal(size=(3, 4))
    bench = Bench("nonlinear.lookup_2d", points_1=x, points_2=y, values=values, method="nearest")
    reference = RegularGridInterpolator((x, y), values, method="nearest")
    for u1, u2 in np.random.default_rng(6).uniform([0, -1], [3, 2], (200, 2)):
        assert bench.y(u1=u1, u2=u2) == reference((u1, u2)).item()
    assert bench.y(u1=0.5, u2=0.25) == values[1, 2]


STEPS = {"points": [0.0, 1.0, 1.0, 2.0, 2.0, 3.0], "values": [0.0, 1.0, 5.0, 5.0, 2.0, 3.0]}


@pytest.mark.parametrize("outside", ["clip", "extrapolate"])
def test_two_equal_points_are_a_jump_at_which_the_second_value_holds(outside):
    bench = Bench("nonlinear.lookup_1d", **STEPS, outside=outside)
    below = np.nextafter([1.0, 2.0], 0.0)
    assert [bench.y(u=u) for u in below] == pytest.approx([1.0, 5.0])
    assert [bench.y(u=u) for u in (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)] == [0.5, 5.0, 5.0, 2.0, 2.5, 3.0]
    assert [bench.y(u=u) for u in (-1.0, 4.0)] == ([0.0, 3.0] if outside == "clip" else [-1.0, 4.0])


@both
@pytest.mark.parametrize(
    ("table", "expected"),
    [
        # 3 sin t passes 1 and 2 upwards and downwards; sums of times times values.
        ("points: [-4, 1, 1, 2, 2, 4], values: [0, 0, 7, 7, -1, -1]", (0.0, 7.0, -1.0)),
        ("points: [-4, 6, -4], values: [0]", None),
        ("points: [0, 2], values: [3, 8], method: nearest", (3.0, 8.0, 8.0)),
    ],
)
def test_solver_lands_on_every_jump_in_both_directions(table, expected, compiled):
    text = f"""
blocks:
  s: {{type: sources.sine, amplitude: 3}}
  f: {{type: nonlinear.lookup_1d, {table}}}
  i: {{type: continuous.integrator}}
wires: [s -> f -> i]
log: {{signals: [i.y]}}"""
    if expected is None:
        with pytest.raises(DiagramError, match="goes from 6 to -4 at entry 3"):
            run(text, compiled)
        return
    results = run(text, compiled, "solver: {rtol: 1e-9, atol: 1e-11, stop: 6.283185307179586}")
    one, two = np.arcsin(1 / 3), np.arcsin(2 / 3)
    low, middle, high = expected
    total = low * (np.pi + 2 * one) + middle * 2 * (two - one) + high * (np.pi - 2 * two)
    assert results["i.y"][-1] == pytest.approx(total, abs=1e-10)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"points": [0.0, 0.0, 1.0, 2.0, 3.0, 4.0]}, "begins or ends with a jump"),
        ({"points": [0.0, 1.0, 2.0, 3.0, 4.0, 4.0]}, "begins or ends with a jump"),
        ({"points": [0.0, 1.0, 1.0, 1.0, 2.0, 3.0]}, "has 1 three times; expected at most two"),
        ({"points": [0.0, 1.0, 1.0, 0.5, 2.0, 3.0]}, "goes from 1 to 1 at entry 3"),
        ({"method": "cubic"}, "goes from 1 to 1 at entry 3"),
        ({"method": "akima"}, "goes from 1 to 1 at entry 3"),
        ({"method": "nearest"}, "goes from 1 to 1 at entry 3"),
    ],
)
def test_jumps_that_cannot_be_are_refused(values, message):
    with pytest.raises(DiagramError, match=message):
        Bench("nonlinear.lookup_1d", **{**STEPS, **values})
