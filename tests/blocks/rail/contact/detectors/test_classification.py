"""Lines between numbers of minima: on made-up lines, and against DIFF."""

from functools import cache

import numpy as np
import pytest
from railblocks.blocks.rail.contact.detectors.batch import diff_minima
from railblocks.blocks.rail.contact.detectors.classification import (
    NEVER_M,
    Classification,
    branch_ends,
    branches,
    fit_classification,
    number_of_minima,
)
from railblocks.blocks.rail.contact.detectors.comparison import classification_error
from railblocks.blocks.rail.contact.detectors.minima import poses_of_table
from railblocks.diagrams.falomi.point_rows import CLASSES
from railblocks.diagrams.falomi.points import CANTS, MAX_MINIMA, pair_of

POSES = poses_of_table(2)
MADE_UP = Classification(
    np.array([[-NEVER_M, 0.0, 0.0], [0.001, -0.5, 2.0]]),
    np.array([[0.003, -0.5, 0.0], [NEVER_M, 0.0, 0.0]]),
    2,
)


@cache
def ends_of(name):
    return branch_ends(pair_of(CANTS[name]))


@pytest.fixture(scope="module", params=[(name, yaw) for name in CANTS for yaw in (False, True)])
def fitted(request):
    name, yaw = request.param
    pair = pair_of(CANTS[name])
    classes = fit_classification(ends_of(name), MAX_MINIMA[name], yaw)
    return name, yaw, classes, diff_minima(pair, POSES).counts


def test_between_birth_and_death_of_two_branches_there_are_two_minima():
    shifts = np.array([0.0009, 0.0011, 0.0029, 0.0031])
    poses = np.column_stack([np.zeros(4), np.zeros(4), shifts])
    assert MADE_UP.counts(poses).tolist() == [1, 2, 2, 1]
    rolled = poses + np.array([0.0, 0.002, -0.001])
    assert MADE_UP.counts(rolled).tolist() == [1, 2, 2, 1]
    yawed = poses + np.array([0.01, 0.0, 0.0])
    assert MADE_UP.counts(yawed).tolist() == [1, 1, 2, 1]


def test_the_kernel_counts_the_same():
    poses = POSES[::1001]
    counts = [number_of_minima(*pose, MADE_UP.lines, MADE_UP.most) for pose in poses]
    assert counts == MADE_UP.counts(poses).tolist()


def test_branches_are_cut_in_the_middle_of_gaps():
    places = np.array([[0.1, np.nan], [0.1002, 0.2], [0.2003, 0.3]])
    assert np.ravel(branches(places)) == pytest.approx(
        [-np.inf, 0.1501, 0.1501, 0.25015, 0.25015, np.inf]
    )


def test_fewer_poses_are_counted_wrong_than_in_the_paper(fitted):
    name, _, classes, counts = fitted
    paper = dict(zip(CANTS, CLASSES, strict=True))[name]
    assert 100.0 * classification_error(classes.counts(POSES), counts) <= paper


def test_lines_without_yaw_do_not_depend_on_it(fitted):
    _, yaw, classes, _ = fitted
    assert (np.abs(classes.born[:, 2]).max() > 0.0) == yaw


def test_there_are_never_more_minima_than_networks(fitted):
    name, _, classes, _ = fitted
    counts = classes.counts(POSES)
    assert counts.min() == 1
    assert counts.max() == MAX_MINIMA[name]
