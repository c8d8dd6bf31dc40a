"""Errors of methods on hand-made cases."""

import numpy as np
import pytest
from railblocks.blocks.rail.contact.detectors.comparison import (
    classification_error,
    global_errors,
    network_error,
    total_network_error,
)
from railblocks.blocks.rail.contact.detectors.minima import X_B, Y_B, Minima

MM = 1e-3


def minima(*poses):
    """From the points (x, y) in mm of each pose."""
    points = np.zeros((len(poses), 4, 3))
    for k, pose in enumerate(poses):
        for i, (x, y) in enumerate(pose):
            points[k, i, [X_B, Y_B]] = x * MM, y * MM
    return Minima.of(np.array([len(pose) for pose in poses]), points)


def counted(tested, reference):
    errors = global_errors(tested, reference)
    return errors.missed.tolist(), errors.false.tolist(), errors.fraction


def test_equal_points_are_no_errors():
    points = minima([(0, 720), (1, 740)], [(0, 750)])
    assert counted(points, points) == ([0, 0], [0, 0], 0.0)


def test_a_point_within_the_tolerance_is_found():
    assert counted(minima([(1.4, 741.4)]), minima([(0, 740)])) == ([0], [0], 0.0)


def test_a_point_beyond_the_tolerance_is_missed_and_false():
    assert counted(minima([(1.5, 741.5)]), minima([(0, 740)])) == ([1], [1], 2.0)


def test_missed_and_false_points_count_against_those_of_the_reference():
    reference = minima([(0, 720), (0, 740)], [(0, 750)], [(0, 750)])
    tested = minima([(0, 740)], [(0, 750), (0, 760)], [(0, 750)])
    assert counted(tested, reference) == ([1, 0, 0], [0, 1, 0], 2 / 4)


def test_one_point_does_not_serve_for_two():
    assert counted(minima([(0, 740)]), minima([(0, 739), (0, 741)])) == ([1], [0], 0.5)


def test_points_are_matched_with_the_nearest_first():
    reference, tested = minima([(0, 740), (0, 741.5)]), minima([(0, 741.4), (0, 743)])
    assert counted(tested, reference) == ([1], [1], 1.0)


def test_a_pose_without_points_misses_all():
    assert counted(minima([]), minima([(0, 720), (0, 740)])) == ([2], [0], 1.0)


def test_comparing_changes_nothing():
    one, other = minima([(0, 740)]), minima([(0, 741)])
    before = one.points.copy(), other.points.copy()
    global_errors(one, other)
    assert np.array_equal(one.points, before[0], equal_nan=True)
    assert np.array_equal(other.points, before[1], equal_nan=True)


def test_classification_counts_how_many_minima_are_wrong():
    assert classification_error(np.array([1, 2, 1, 1]), np.array([1, 1, 3, 1])) == 3 / 4


def test_a_network_errs_where_it_is_more_than_a_millimetre_off():
    reference = minima([(0, 720), (0, 740)], [(0, 720), (0, 740)])
    tested = minima([(0, 720.9), (0.8, 740.8)], [(0, 720), (0, 740)])
    assert network_error(tested, reference) == 1 / 4


def test_total_error_weighs_networks_by_their_points():
    errors, available = {1: 0.01, 2: 0.04}, {1: 800, 2: 100}
    assert total_network_error(errors, available) == pytest.approx((8 + 8) / 1000)


def test_a_class_without_a_network_is_wrong_altogether():
    assert total_network_error({1: 0.0}, {1: 98, 2: 1}) == pytest.approx(2 / 100)
