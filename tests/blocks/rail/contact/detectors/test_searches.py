"""Simplex and compass search: closed form, what they may miss, and what stays the same."""

import numpy as np
import pytest
from railblocks.blocks.rail.contact.detectors.batch import diff_minima
from railblocks.blocks.rail.contact.detectors.comparison import global_errors
from railblocks.blocks.rail.contact.detectors.compass import compass_minima
from railblocks.blocks.rail.contact.detectors.minima import HEIGHT, X_B, Y_B, poses_of_table
from railblocks.blocks.rail.contact.detectors.simplex import simplex_minima
from railblocks.blocks.rail.contact.detectors.starts import start_over
from railblocks.blocks.rail.contact.geometry.contour import frame
from railblocks.diagrams.falomi.points import EXAMPLE, pair_of
from two_arcs import contact_of, two_arcs

SEARCHES = pytest.mark.parametrize("search", [simplex_minima, compass_minima])
POSES = np.random.default_rng(4).permutation(poses_of_table())[:300]


@SEARCHES
@pytest.mark.parametrize("shift", [-0.009, 0.0, 0.004])
def test_two_arcs_touch_where_their_slopes_cancel(search, shift):
    minima = search(two_arcs(), np.array([[0.0, 0.0, shift]]))
    assert minima.counts.tolist() == [1]
    assert minima.points[0, 0, Y_B] == pytest.approx(contact_of(shift), abs=5e-6)
    assert minima.points[0, 0, X_B] == pytest.approx(0.0, abs=5e-5)


def test_compass_search_finds_all_three_minima_of_the_example():
    pair = pair_of(1 / 20)
    minima = compass_minima(pair, np.array([EXAMPLE]))
    expected = diff_minima(pair, np.array([EXAMPLE]))
    assert minima.counts.tolist() == [3]
    assert np.allclose(minima.points[0, :3], expected.points[0, :3], rtol=0, atol=1e-4)


@SEARCHES
def test_what_is_found_is_a_minimum(search):
    pair = pair_of(1 / 20)
    errors = global_errors(search(pair, POSES), diff_minima(pair, POSES), 1e-4)
    assert errors.false.sum() <= 2
    assert errors.missed.sum() < 0.1 * errors.points.sum()


@SEARCHES
def test_the_lowest_minimum_is_hardly_ever_missed(search):
    pair = pair_of(1 / 40)
    lowest = np.nanmin(diff_minima(pair, POSES).points[..., HEIGHT], axis=1)
    result = np.nanmin(search(pair, POSES).points[..., HEIGHT], axis=1)
    assert np.mean(result < lowest + 1e-7) > 0.97
    assert np.all(result > lowest - 1e-12)


def test_starts_lie_over_the_places_of_the_rail():
    pair = pair_of(1 / 40)
    pose = frame(0.0, 0.004, 0.0, 0.01, 0.008)
    y = start_over(0.74, pair.wheel.table, pose)
    _, G_y, _, _, _, _, _, r22, r23, _, _ = pose
    assert G_y + r22 * y - r23 * float(pair.wheel.height(y)) == pytest.approx(0.74, abs=1e-7)


def test_starts_beyond_the_wheel_are_taken_to_its_edge():
    pair = pair_of(1 / 40)
    assert start_over(0.9, pair.wheel.table, frame(0.0, 0.0, 0.0, 0.0, 0.0)) == pair.wheel.reach[1]
