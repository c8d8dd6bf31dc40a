"""Transitions against their formulas: curvature, cant, heading, positions, kinks, invariances."""

import math

import numpy as np
import pytest
from railblocks.blocks.rail.track.centreline import alignment_at, track_at
from railblocks.blocks.rail.track.files import read_track
from railblocks.blocks.rail.track.layout import Segment, laid_out
from railblocks.engine import DiagramError
from scipy.integrate import quad

FORMULAS = {
    "clothoid": (lambda x: x, lambda x: x**2 / 2),
    "bloss": (lambda x: 3 * x**2 - 2 * x**3, lambda x: x**3 - x**4 / 2),
    "hermite_3": (lambda x: x * x * (3 - 2 * x), lambda x: x**3 - x**4 / 2),
    "hermite_5": (lambda x: x**3 * (10 + x * (6 * x - 15)), lambda x: x**4 * (2.5 + x * (x - 3))),
}
"""Part of the change at a part of the length, and its integral."""
each_shape = pytest.mark.parametrize("shape", FORMULAS)
L, KAPPA, CANT, GRADE, BASE = 90.0, 1 / 280, 0.12, 0.015, 1.5


def transition(shape, start=(0.0, 0.0, 0.0), end=(KAPPA, CANT, GRADE), length=L):
    curvature, cant, gradient = zip(start, end, strict=True)
    return laid_out([Segment(length, curvature, cant, gradient, shape)], BASE)


@each_shape
def test_curvature_roll_gradient_and_heading_follow_the_formula(shape):
    line, (f, F) = transition(shape), FORMULAS[shape]
    for s in (0.0, 3.1, 22.5, 45.0, 71.7, 90.0):
        x = s / L
        _, _, _, psi, kappa, gradient, phi = alignment_at(line, s)
        assert kappa == pytest.approx(KAPPA * f(x), abs=1e-17)
        assert gradient == pytest.approx(GRADE * f(x), abs=1e-15)
        assert phi == pytest.approx(-math.asin(CANT / BASE) * f(x), abs=1e-15)
        assert psi == pytest.approx(KAPPA * L * F(x), abs=1e-15)
        (_, _, z), _, _, _ = track_at(line, s)
        assert z == pytest.approx(GRADE * L * F(x), abs=1e-13)


@each_shape
def test_heading_at_the_end_is_that_of_the_mean_curvature(shape):
    """All shapes are point-symmetric about their middle."""
    line = transition(shape, (-KAPPA, 0.0, 0.0), (2.0 * KAPPA, 0.0, 0.0))
    assert alignment_at(line, L)[3] == pytest.approx(0.5 * KAPPA * L, abs=1e-15)
    assert alignment_at(line, 0.5 * L)[4] == pytest.approx(0.5 * KAPPA, abs=1e-17)


@each_shape
@pytest.mark.parametrize(("length", "radius"), [(30.0, 2000.0), (90.0, 280.0), (150.0, 100.0)])
def test_positions_are_the_integral_of_the_heading(shape, length, radius):
    """Rounding, for slow transitions and for one that turns by 0.75 rad."""
    F = FORMULAS[shape][1]
    line = transition(shape, end=(1 / radius, 0.0, 0.0), length=length)
    for s in (0.31 * length, length):
        expected = [
            quad(lambda u, way=way: way(length / radius * F(u / length)), 0.0, s, epsabs=1e-13)[0]
            for way in (math.cos, math.sin)
        ]
        assert track_at(line, s)[0][:2] == pytest.approx(expected, abs=2e-12)


@each_shape
def test_axes_turn_as_the_kernel_says(shape):
    """Omega x = R^T dR/ds, by differences; also where pieces meet."""
    line = transition(shape)
    for s in (1.0, 7.5, 31.0, 67.0, 89.0):
        h = 1e-4
        R = np.reshape(track_at(line, s)[1], (3, 3))
        ahead, behind = (np.reshape(track_at(line, s + d)[1], (3, 3)) for d in (h, -h))
        skew = R.T @ (ahead - behind) / (2 * h)
        turn = track_at(line, s)[2]
        assert (skew[2, 1], skew[0, 2], skew[1, 0]) == pytest.approx(turn, abs=1e-9)


@pytest.mark.parametrize(("shape", "order"), [("clothoid", 0), ("bloss", 1), ("hermite_5", 2)])
def test_ends_have_no_kink_up_to_their_order(shape, order):
    """The twist of a clothoid jumps at its ends; the others' grows by x (1 - x), or its square."""
    line, mean = transition(shape, end=(0.0, CANT, 0.0)), -math.asin(CANT / BASE) / L
    for x in (0.0, 0.01, 0.99, 1.0):
        part = {0: 1.0, 1: 6 * x * (1 - x), 2: 30 * (x * (1 - x)) ** 2}[order]
        assert track_at(line, x * L)[2][0] == pytest.approx(mean * part, abs=1e-15)


@each_shape
def test_a_transition_run_backwards_is_the_one_from_its_end(shape):
    """Start and end swapped: seen from the other end, the same curve turning the other way."""
    there, back = transition(shape), transition(shape, (-KAPPA, 0.0, 0.0), (0.0, 0.0, 0.0))
    (x, y, _), R, _, _ = track_at(there, L)
    heading = math.atan2(R[3], R[0])
    c, d = math.cos(heading), math.sin(heading)
    for s in (10.0, 44.0, 80.0):
        (px, py, _), _, _, _ = track_at(there, L - s)
        along, left = c * (x - px) + d * (y - py), d * (px - x) - c * (py - y)
        assert track_at(back, s)[0][:2] == pytest.approx((along, left), abs=1e-11)


@each_shape
def test_a_mirrored_transition_is_mirrored(shape):
    left, right = transition(shape), transition(shape, end=(-KAPPA, -CANT, GRADE))
    for s in (10.0, 44.0, 90.0):
        (x, y, z), R, turn, _ = track_at(left, s)
        (x_1, y_1, z_1), R_1, turn_1, _ = track_at(right, s)
        assert (x_1, y_1, z_1) == pytest.approx((x, -y, z), abs=1e-12)
        flip = np.array([1, -1, 1, -1, 1, -1, 1, -1, 1])
        assert pytest.approx(flip * R, abs=1e-14) == R_1
        assert turn_1 == pytest.approx(np.array([-1, 1, -1]) * turn, abs=1e-15)


def test_files_name_the_shape(tmp_path):
    path = tmp_path / "line.yaml"
    text = "track: 1\nsegments:\n  - {length: 10 m}\n  - {length: 90 m, transition: %s}\n"
    text += "  - {length: 9 m, radius: 280 m, cant: 0.12 m}\n"
    lines = {}
    for shape in ("true", "clothoid", "bloss", "hermite_3", "hermite_5"):
        path.write_text(text % shape, encoding="utf-8")
        lines[shape] = read_track(path).line
        f = FORMULAS[shape if shape != "true" else "clothoid"][0]
        assert alignment_at(lines[shape], 32.5)[4] == pytest.approx(KAPPA * f(0.25))
    assert np.array_equal(lines["true"], lines["clothoid"])
    assert np.array_equal(lines["bloss"], lines["hermite_3"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("blos", "transition is 'blos'; did you mean 'bloss'?; expected one of clothoid, bloss"),
        ("[1]", "transition is a list; expected true or false"),
        ("3", "expected true or false"),
        ("'true'", "transition is 'true'; expected one of clothoid, bloss, hermite_3, hermite_5"),
    ],
)
def test_a_shape_that_does_not_exist_is_told_with_its_line(tmp_path, given, message):
    path = tmp_path / "line.yaml"
    text = "track: 1\nsegments:\n  - {length: 9 m}\n  - {length: 9 m, transition: %s}\n"
    path.write_text(text % given + "  - {length: 9 m}\n", encoding="utf-8")
    with pytest.raises(DiagramError) as error:
        read_track(path)
    assert message in str(error.value)
    assert "line.yaml:4:31: " in str(error.value)
