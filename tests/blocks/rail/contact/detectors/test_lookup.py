"""The table of contact points: exact at its nodes, near between them, bound to its profiles."""

import numpy as np
import pytest
from railblocks.blocks.rail.contact.detectors.batch import diff_minima
from railblocks.blocks.rail.contact.detectors.comparison import global_errors
from railblocks.blocks.rail.contact.detectors.lookup import LookupTable
from railblocks.blocks.rail.contact.detectors.minima import X_B, Y_B, poses_of_table
from railblocks.diagrams.falomi.points import pair_of

PAIR = pair_of(1 / 40)
NODES = poses_of_table()[::31]


@pytest.fixture(scope="module")
def table():
    return LookupTable.of(PAIR)


def test_at_its_nodes_it_gives_the_points_of_diff(table):
    minima, expected = table.minima(NODES), diff_minima(PAIR, NODES)
    assert np.array_equal(minima.counts, expected.counts)
    for column in (X_B, Y_B):
        assert np.allclose(minima.points[..., column], expected.points[..., column], 0, 1e-12, True)


def test_between_nodes_it_is_near_diff():
    """Half a step of shift is 0.25 mm: strips of two minima are 1 to 2 mm wide."""
    table = LookupTable.of(PAIR)
    random = np.random.default_rng(6)
    poses = NODES + random.uniform(-0.5, 0.5, NODES.shape) * [8e-4, 6e-4, 5e-4]
    poses = np.clip(poses, NODES.min(axis=0), NODES.max(axis=0))
    assert global_errors(table.minima(poses), diff_minima(PAIR, poses)).fraction < 0.06


def test_it_is_linear_between_nodes_of_one_branch(table):
    ends = np.array([[0.0, 0.0, -0.006], [0.0, 0.0, -0.0055]])
    middle = table.minima(ends.mean(axis=0)[None, :])
    expected = diff_minima(PAIR, ends).points[:, 0, Y_B].mean()
    assert middle.points[0, 0, Y_B] == pytest.approx(expected, abs=1e-12)


def test_mirrored_yaw_mirrors_the_points_along_the_rail(table):
    one, other = table.minima(NODES), table.minima(NODES * [-1.0, 1.0, 1.0])
    assert np.array_equal(one.counts, other.counts)
    turned = np.where(NODES[:, :1] > 0.0, -1.0, 1.0)
    assert np.array_equal(other.points[..., X_B], turned * one.points[..., X_B], equal_nan=True)


def test_outside_it_takes_the_nearest_pose_inside(table):
    inside, outside = np.array([[0.01, 0.0, 0.01]]), np.array([[0.01, 0.0, 0.02]])
    one, other = table.minima(inside), table.minima(outside)
    assert np.array_equal(one.points, other.points, equal_nan=True)


def test_saved_and_loaded_it_gives_the_same_bits(table, tmp_path):
    path = tmp_path / "table.npz"
    table.save(path)
    loaded = LookupTable.load(path, PAIR)
    assert np.array_equal(loaded.minima(NODES).points, table.minima(NODES).points, equal_nan=True)


def test_it_is_refused_for_another_rail(table, tmp_path):
    path = tmp_path / "table.npz"
    table.save(path)
    other = pair_of(1 / 20)
    with pytest.raises(ValueError, match=f"{PAIR.rail.fingerprint}.*{other.rail.fingerprint}"):
        LookupTable.load(path, other)
