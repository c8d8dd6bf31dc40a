"""Tables of many variables, against scipy."""

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run
from railblocks.engine import DiagramError
from scipy.interpolate import RegularGridInterpolator

GRIDS = [[0.0, 1.0, 3.0], [-1.0, 0.0, 0.5, 2.0], [0.0, 2.0], [1.0, 1.5, 4.0], [0.0, 1.0]]


def table(n, **options):
    points = GRIDS[:n]
    values = np.random.default_rng(n).normal(size=[len(p) for p in points])
    return values, Bench("nonlinear.lookup_nd", points=points, values=values.tolist(), **options)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("method", ["linear", "nearest"])
def test_lookup_is_that_of_scipy(n, method):
    values, bench = table(n, method=method)
    reference = RegularGridInterpolator(GRIDS[:n], values, method=method)
    low, high = [p[0] for p in GRIDS[:n]], [p[-1] for p in GRIDS[:n]]
    for u in np.random.default_rng(6).uniform(low, high, (50, n)):
        inputs = {f"u{i + 1}": v for i, v in enumerate(u)}
        assert bench.y(**inputs) == pytest.approx(reference(u).item(), abs=1e-12)


def test_outside_inputs_are_clipped_or_the_outer_cells_go_on():
    values, bench = table(3)
    assert bench.y(u1=9.0, u2=-9.0, u3=9.0) == values[-1, 0, -1]
    values, bench = table(3, outside="extrapolate")
    reference = RegularGridInterpolator(GRIDS[:3], values, bounds_error=False, fill_value=None)
    u = np.array([4.0, -2.0, 3.0])
    assert bench.y(u1=u[0], u2=u[1], u3=u[2]) == pytest.approx(reference(u).item(), rel=1e-12)


def test_two_inputs_are_those_of_the_bilinear_lookup():
    values, bench = table(2)
    plain = Bench("nonlinear.lookup_2d", points_1=GRIDS[0], points_2=GRIDS[1], values=values)
    for u1, u2 in np.random.default_rng(2).uniform(-2.0, 4.0, (50, 2)):
        assert bench.y(u1=u1, u2=u2) == pytest.approx(plain.y(u1=u1, u2=u2), abs=1e-12)


@both
def test_inputs_have_units_of_their_own_and_elements(compiled):
    text = """
blocks:
  v: {type: sources.constant, value: [1 m/s, 2 m/s]}
  F: {type: sources.constant, value: 3 N}
  f:
    type: nonlinear.lookup_nd
    points: [[0, 4], [0, 10]]
    values: [[0, 10], [4, 14]]
wires: [v -> f.u1, F -> f.u2]
log: {signals: [f.y]}"""
    assert run(text, compiled)["f.y"][-1] == pytest.approx([4.0, 5.0])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"points": 3.0}, "expected 1 to 8 lists"),
        ({"points": []}, "expected 1 to 8 lists"),
        ({"points": [[0.0, 1.0]] * 9}, "expected 1 to 8 lists"),
        ({"points": [[0.0, 1.0], 2.0]}, "entry 2 of points is 2.0; expected a list"),
        ({"points": [[0.0, 1.0], [1.0, 0.0]]}, "entry 2 of points goes from 1 to 0"),
        ({"points": [[0.0, "1 m"]]}, "a point of input 1 is '1 m'; expected a plain number"),
        ({"values": [1.0, 2.0]}, r"values\[0\] is 1.0; expected a list of 3"),
        ({"values": [[1.0]]}, "values is 1 entries; expected a list of 2"),
    ],
)
def test_tables_that_do_not_fit_are_refused(values, message):
    with pytest.raises(DiagramError, match=message):
        Bench("nonlinear.lookup_nd", **values)
