"""The centreline against closed forms: circles, Fresnel's integrals, frames by differences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from railblocks.blocks.rail.track.centreline import COLUMNS, rates_along, track_at
from railblocks.blocks.rail.track.layout import Segment, laid_out, length_of
from scipy.special import fresnel

S_CURVE = laid_out(
    [
        Segment(50.0),
        Segment(30.0, (-1 / 190, -1 / 190)),
        Segment(4.0),
        Segment(30.0, (1 / 190, 1 / 190)),
        Segment(100.0),
    ],
    1.5,
)
HILLY = laid_out(
    [
        Segment(20.0),
        Segment(40.0, (0.0, 1 / 250), (0.0, 0.12), (0.0, 0.02)),
        Segment(50.0, (1 / 250, 1 / 250), (0.12, 0.12), (0.02, 0.02)),
        Segment(40.0, (1 / 250, -1 / 300), (0.12, -0.1), (0.02, -0.01)),
        Segment(30.0, (-1 / 300, -1 / 300), (-0.1, -0.1), (-0.01, -0.01)),
    ],
    1.5,
)


def test_an_s_curve_ends_with_the_heading_it_began_with():
    (x, y, z), R, _, _ = track_at(S_CURVE, 214.0)
    angle = 30.0 / 190.0
    side = 2.0 * 190.0 * (1.0 - math.cos(angle)) + 4.0 * math.sin(angle)
    ahead = 50.0 + 2.0 * 190.0 * math.sin(angle) + 4.0 * math.cos(angle) + 100.0
    assert (x, y, z) == pytest.approx((ahead, -side, 0.0), abs=1e-12)
    assert pytest.approx(np.eye(3).ravel(), abs=1e-15) == R
    assert length_of(S_CURVE) == 214.0


def test_a_transition_is_a_clothoid():
    """X = A sqrt(pi) C(t), Y = A sqrt(pi) S(t) with t = s / (A sqrt(pi)), A^2 = R L."""
    L, radius = 60.0, 200.0
    line = laid_out([Segment(L, (0.0, 1 / radius))], 1.5)
    scale = math.sqrt(math.pi * radius * L)
    for s in (0.0, 7.3, 31.0, 60.0):
        S, C = fresnel(s / scale)
        (x, y, _), R, _, _ = track_at(line, s)
        assert (x, y) == pytest.approx((scale * C, scale * S), abs=1e-13)
        assert math.atan2(R[3], R[0]) == pytest.approx(s * s / (2 * radius * L), abs=1e-14)


def test_axes_are_orthonormal_and_x_is_the_tangent():
    for s in np.linspace(0.0, 180.0, 37):
        _, R, _, length = track_at(HILLY, s)
        axes = np.reshape(R, (3, 3))
        assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-15)
        assert np.linalg.det(axes) == pytest.approx(1.0)
        if 0.0 < s < 180.0 and min(abs(s - e) for e in (20, 60, 110, 150)) > 0.01:
            h = 1e-3
            ahead, behind = (np.array(track_at(HILLY, s + d)[0]) for d in (h, -h))
            assert (ahead - behind) / (2 * h) == pytest.approx(length * axes[:, 0], abs=1e-9)


def test_axes_turn_as_the_kernel_says():
    """Omega x = R^T dR/ds, by differences."""
    for s in (5.0, 33.0, 80.0, 128.0, 170.0):
        h = 1e-4
        R = np.reshape(track_at(HILLY, s)[1], (3, 3))
        ahead, behind = (np.reshape(track_at(HILLY, s + d)[1], (3, 3)) for d in (h, -h))
        skew = R.T @ (ahead - behind) / (2 * h)
        turn = track_at(HILLY, s)[2]
        assert (skew[2, 1], skew[0, 2], skew[1, 0]) == pytest.approx(turn, abs=1e-9)


def test_cant_raises_the_outer_rail():
    """In a left curve with cant the right rail lies higher, by just the cant."""
    _, R, _, _ = track_at(HILLY, 90.0)
    along_sleeper = np.reshape(R, (3, 3))[:, 1]
    assert -along_sleeper[2] * 1.5 == pytest.approx(0.12 / math.sqrt(1.0 + 0.02**2), rel=1e-9)


def test_line_goes_on_straight_beyond_its_ends():
    end, R, _, _ = track_at(HILLY, 180.0)
    beyond, R_1, turn, length = track_at(HILLY, 190.0)
    assert np.array(beyond) - end == pytest.approx(10.0 * length * np.array([R[0], R[3], R[6]]))
    assert R_1 == R
    assert turn == (0.0, 0.0, 0.0)
    assert track_at(HILLY, -3.0)[0] == pytest.approx((-3.0, 0.0, 0.0))


def test_rates_follow_a_point_that_moves_in_space():
    """A point on a straight flight past a curved, canted line: its s, y, z by differences."""
    P, v = np.array([60.0, 3.0, 1.5]), np.array([12.0, 1.0, -0.4])

    def coordinates(point, s):
        for _ in range(50):
            origin, R, turn, length = track_at(HILLY, s)
            d = np.reshape(R, (3, 3)).T @ (point - origin)
            s += d[0] / (length + turn[1] * d[2] - turn[2] * d[1])
        return np.array([s, d[1], d[2]])

    h = 1e-5
    here = coordinates(P, 60.0)
    measured = (coordinates(P + h * v, here[0]) - coordinates(P - h * v, here[0])) / (2 * h)
    _, R, turn, length = track_at(HILLY, here[0])
    rates = rates_along(turn, length, here[1], here[2], *(np.reshape(R, (3, 3)).T @ v))
    assert measured == pytest.approx(rates, abs=1e-7)


def test_a_piece_takes_a_row():
    assert S_CURVE.shape == (5, COLUMNS)
