"""Many poses in one call give what each gives alone; tables of points keep their order."""

import math

import numpy as np
import pytest
from railblocks.blocks.rail.contact.detectors.batch import (
    diff_detection,
    diff_minima,
    dist_contacts,
)
from railblocks.blocks.rail.contact.detectors.heights import (
    LARGEST_OVERLAP,
    height_of_contact,
    in_contact,
)
from railblocks.blocks.rail.contact.detectors.minima import (
    HEIGHT,
    LARGEST_ROLL,
    LARGEST_SHIFT,
    LARGEST_YAW,
    X_B,
    Y_B,
    Minima,
    add_point,
    poses_of_table,
)
from railblocks.blocks.rail.contact.geometry.contacts import GAP, N_Z, X_R, Y_R
from railblocks.diagrams.falomi.points import EXAMPLE, pair_of

PAIR = pair_of(1 / 20)
POSES = np.vstack([EXAMPLE, np.random.default_rng(5).permutation(poses_of_table())[:40]])


def test_diff_gives_the_minima_of_single_poses():
    minima = diff_minima(PAIR, POSES)
    assert minima.counts[0] == 3
    for pose, count, points in zip(POSES, minima.counts, minima.points, strict=True):
        alone = PAIR.contacts((0.0, pose[2], 0.0), pose[0], pose[1], "diff", math.inf)
        assert count == len(alone)
        assert np.array_equal(points[:count, [X_B, Y_B]], alone[:, [X_R, Y_R]])
        assert np.allclose(points[:count, HEIGHT], alone[:, GAP] / alone[:, N_Z], rtol=1e-15)
        assert np.isnan(points[count:]).all()


def test_dist_gives_the_contacts_of_single_poses_at_their_heights():
    G_z = height_of_contact(diff_minima(PAIR, POSES))
    contacts = dist_contacts(PAIR, POSES, G_z)
    for pose, z, count, points in zip(POSES, G_z, contacts.counts, contacts.points, strict=True):
        alone = PAIR.contacts((0.0, pose[2], z), pose[0], pose[1], "dist")
        assert np.array_equal(points[:count, [X_B, Y_B]], alone[:, [X_R, Y_R]])


def test_table_1_has_35301_poses_and_a_quarter_of_its_steps_2099601():
    poses = poses_of_table()
    assert poses.shape == (35301, 3)
    assert np.allclose(poses.max(axis=0), [LARGEST_YAW, LARGEST_ROLL, LARGEST_SHIFT])
    assert np.allclose(poses.min(axis=0), [0.0, -LARGEST_ROLL, -LARGEST_SHIFT])
    assert np.allclose(np.unique(np.diff(np.unique(poses[:, 2]))), 0.5e-3)
    assert 81 * 161 * 161 == 2099601 == len(poses_of_table(4))


def test_the_lowest_point_overlaps_as_wanted_and_no_other_more():
    minima = diff_minima(PAIR, POSES)
    G_z = height_of_contact(minima, 1e-4)
    gaps = minima.points[..., HEIGHT] + G_z[:, None]
    assert np.allclose(np.nanmin(gaps, axis=1), -1e-4, rtol=1e-9)
    touching = in_contact(minima, G_z)
    assert np.array_equal(touching.counts, np.nansum(gaps <= 0.0, axis=1))
    assert np.all(touching.counts >= 1)


def test_overlaps_of_dist_stay_within_the_bound():
    G_z = height_of_contact(diff_minima(PAIR, POSES))
    gaps = dist_contacts(PAIR, POSES, G_z).points[..., HEIGHT]
    assert np.nanmin(gaps) > -1.02 * LARGEST_OVERLAP


def test_points_are_ordered_across_the_rail_and_empty_behind_the_count():
    points = np.zeros((1, 4, 3))
    points[0, :, Y_B] = 0.3, 0.1, 0.2, 0.05
    minima = Minima.of(np.array([3.0]), points)
    assert np.array_equal(minima.points[0, :3, Y_B], [0.1, 0.2, 0.3])
    assert np.isnan(minima.points[0, 3]).all()
    some = minima.where(np.array([[True, False, True, False]]))
    assert some.counts.tolist() == [2]
    assert np.array_equal(some.points[0, :2, Y_B], [0.1, 0.3])


def test_of_two_points_at_one_place_the_lower_stays():
    points = np.zeros((2, 3))
    count = add_point(points, 0, 0.0, 0.70, -1.0, 1e-3)
    count = add_point(points, count, 0.0005, 0.70, -2.0, 1e-3)
    assert (count, points[0, HEIGHT]) == (1, -2.0)
    count = add_point(points, count, 0.0, 0.71, -1.0, 1e-3)
    assert count == 2
    assert add_point(points, count, 0.0, 0.72, -1.0, 1e-3) == 2


def test_a_detection_can_be_timed():
    assert diff_detection(PAIR, POSES).seconds(2) > 0.0


@pytest.mark.parametrize("cant", [1 / 40, 1 / 20])
def test_some_poses_have_several_minima_and_none_has_no_minimum(cant):
    counts = diff_minima(pair_of(cant), poses_of_table()[::7]).counts
    assert counts.min() == 1
    assert counts.max() >= 2
