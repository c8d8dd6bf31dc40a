"""GRID against a closed form, and against DIFF, with which it shares nothing but the profiles."""

import numpy as np
import pytest
from railblocks.blocks.rail.contact.detectors.batch import diff_minima
from railblocks.blocks.rail.contact.detectors.difference import difference
from railblocks.blocks.rail.contact.detectors.grid import grid_minima
from railblocks.blocks.rail.contact.detectors.minima import HEIGHT, X_B, Y_B, poses_of_table
from railblocks.blocks.rail.contact.geometry.contour import frame
from railblocks.diagrams.falomi.points import EXAMPLE, pair_of
from two_arcs import contact_of, two_arcs

POSES = np.random.default_rng(3).permutation(poses_of_table())[:250]


@pytest.fixture(scope="module", params=[1 / 40, 1 / 20], ids=["1:40", "1:20"])
def both_methods(request):
    pair = pair_of(request.param)
    return pair, grid_minima(pair, POSES), diff_minima(pair, POSES)


@pytest.mark.parametrize("shift", [-0.009, 0.0, 0.004])
def test_two_arcs_touch_where_their_slopes_cancel(shift):
    minima = grid_minima(two_arcs(), np.array([[0.0, 0.0, shift]]))
    assert minima.counts.tolist() == [1]
    assert minima.points[0, 0, Y_B] == pytest.approx(contact_of(shift), abs=2e-6)
    assert minima.points[0, 0, X_B] == pytest.approx(0.0, abs=2e-5)


def test_points_are_those_of_diff_where_both_see_as_many(both_methods):
    """To the last grid: 1.25 micrometres across and some 15 along a valley that is flat there."""
    _, grid, diff = both_methods
    same = grid.counts == diff.counts
    assert same.mean() > 0.98
    apart = np.abs(grid.points[same] - diff.points[same])
    assert np.nanmax(apart[..., X_B]) < 3e-5
    assert np.nanmax(apart[..., Y_B]) < 5e-6
    assert np.nanmax(apart[..., HEIGHT]) < 2e-9


def test_a_valley_askew_to_the_grid_gives_no_false_minima(both_methods):
    _, grid, diff = both_methods
    assert np.all(grid.counts <= diff.counts)


def test_no_place_around_a_minimum_is_lower(both_methods):
    """On circles of 0.05 mm, in coordinates of the wheel."""
    pair, grid, _ = both_methods
    for pose, count, points in zip(POSES[:40], grid.counts, grid.points, strict=False):
        at = frame(0.0, pose[2], 0.0, pose[0], pose[1])
        for x_b, y_b, D in points[:count]:
            x, y = _wheel_place(pair, at, x_b, y_b)
            for angle in np.linspace(0.0, 2.0 * np.pi, 12):
                around = x + 5e-5 * np.cos(angle), y + 5e-5 * np.sin(angle)
                assert difference(*around, pair.wheel.table, pair.rail.table, at) > D - 1e-10


def _wheel_place(pair, at, x_b, y_b):
    """The place of the wheel over a place of the rail, by fixed-point iteration."""
    _, G_y, _, r11, r12, r13, r21, r22, r23, _, _ = at
    x, y = 0.0, y_b - G_y
    for _ in range(50):
        s = np.sqrt(float(pair.wheel.height(y)) ** 2 - x**2)
        x, y = (x_b - r12 * y + r13 * s) / r11, (y_b - G_y - r21 * x + r23 * s) / r22
    return x, y


def test_all_three_minima_of_the_example_are_found():
    pair = pair_of(1 / 20)
    minima = grid_minima(pair, np.array([EXAMPLE]))
    assert minima.counts.tolist() == [3]


def test_mirrored_yaw_mirrors_the_points_along_the_rail(both_methods):
    pair, grid, _ = both_methods
    mirrored = grid_minima(pair, POSES[:30] * [-1.0, 1.0, 1.0])
    assert np.array_equal(mirrored.counts, grid.counts[:30])
    assert np.allclose(mirrored.points[..., X_B], -grid.points[:30, :, X_B], 0, 3e-5, True)
    assert np.allclose(mirrored.points[..., Y_B], grid.points[:30, :, Y_B], 0, 5e-6, True)
