"""Contact networks: training, early stopping, files bound to two profiles."""

import numpy as np
import pytest
from railblocks.blocks.rail.contact.detectors import training
from railblocks.blocks.rail.contact.detectors.batch import diff_minima
from railblocks.blocks.rail.contact.detectors.classification import branch_ends, fit_classification
from railblocks.blocks.rail.contact.detectors.lookup import LookupTable
from railblocks.blocks.rail.contact.detectors.minima import X_B, Y_B, poses_of_table
from railblocks.blocks.rail.contact.detectors.networks import Networks
from railblocks.blocks.rail.contact.detectors.training import (
    Scaling,
    grown,
    targets,
    train,
    train_networks,
)
from railblocks.blocks.rail.contact.profiles.wheels import s1002
from railblocks.diagrams.falomi.points import pair_of

PAIR = pair_of(1 / 40)
POSES = poses_of_table()[::9]


@pytest.fixture(scope="module")
def small():
    classes = fit_classification(branch_ends(PAIR), 2)
    minima = diff_minima(PAIR, POSES)
    return train_networks(PAIR, classes, POSES, minima, (8, 6), (300, 150), epochs=25)


def single_minima(number):
    poses = np.random.default_rng(7).permutation(POSES)
    minima = diff_minima(PAIR, poses)
    chosen = np.flatnonzero(minima.counts == 1)[:number]
    return poses[chosen], targets(minima[chosen], 1)


def test_training_lowers_the_error(small):
    for training_run in small.trained:
        assert training_run.training[-1] < 0.05 * training_run.training[0]
        assert min(training_run.validation) < 0.2 * training_run.validation[0]


def test_classes_cover_all_poses(small):
    assert sum(small.available.values()) == len(POSES)
    assert set(small.errors) == {1, 2}
    assert all(0.0 <= error < 0.6 for error in small.errors.values())


def test_networks_find_points_near_those_of_diff(small):
    minima, expected = small.networks.minima(POSES), diff_minima(PAIR, POSES)
    same = minima.counts == expected.counts
    assert same.mean() > 0.99
    apart = np.abs(minima.points[same] - expected.points[same])
    assert np.nanmedian(apart[..., Y_B]) < 1e-3
    assert np.nanmedian(apart[..., X_B]) < 1e-3


def test_the_kernel_is_the_network_of_its_docstring(small):
    networks = small.networks
    pose = np.array([0.01, 0.002, -0.003])
    width = int(networks.widths[1])
    layer = np.tanh(networks.hidden[1, :width] @ [*pose, 1.0])
    expected = networks.outputs[1, :4, :width] @ layer + networks.outputs[1, :4, -1]
    points = networks.minima_of_class(pose[None, :], 2).points[0, :2]
    order = np.argsort(expected[1::2])
    assert np.allclose(points[:, Y_B], expected[1::2][order], rtol=0, atol=1e-15)
    assert np.allclose(points[:, X_B], expected[0::2][order], rtol=0, atol=1e-15)


def test_mirrored_yaw_mirrors_the_points_along_the_rail(small):
    poses = POSES[POSES[:, 0] > 0.0]
    one = small.networks.minima(poses).points
    other = small.networks.minima(poses * [-1.0, 1.0, 1.0]).points
    assert np.array_equal(other[..., X_B], -one[..., X_B], equal_nan=True)
    assert np.array_equal(other[..., Y_B], one[..., Y_B], equal_nan=True)


def test_training_stops_when_validation_grows_in_five_epochs_on_end():
    assert grown([3.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert not grown([1.0, 2.0, 3.0, 4.0, 5.0])
    assert not grown([3.0, 1.0, 2.0, 3.0, 2.5, 5.0, 6.0])


def test_training_on_few_poses_stops_early_and_keeps_the_best_weights():
    """As many weights as numbers to learn: the network learns them by heart."""
    poses, goals = single_minima(440)
    training_run = train(
        poses[:40], goals[:40], poses[40:], goals[40:], 13, np.random.default_rng(1), 150
    )  # fmt: skip
    assert training_run.stopped_early
    assert len(training_run.validation) < 150
    hidden, outputs = training_run.weights
    inputs = np.column_stack([poses[40:], np.ones(len(poses) - 40)])
    kept = np.tanh(inputs @ hidden.T) @ outputs[:, :-1].T + outputs[:, -1]
    error = np.mean(((kept - goals[40:]) / training.OUTPUT_SCALE) ** 2)
    assert error == pytest.approx(min(training_run.validation), rel=1e-6)


def test_training_ends_after_the_most_epochs():
    poses, goals = single_minima(300)
    training_run = train(
        poses[:200], goals[:200], poses[200:], goals[200:], 6, np.random.default_rng(0), 8
    )  # fmt: skip
    assert len(training_run.validation) == 9  # before the first epoch, and after each


def test_inputs_are_scaled_to_no_correlation_and_a_variance_of_one():
    strip = POSES[np.abs(POSES[:, 2] + 0.5 * POSES[:, 1]) < 1e-3]
    inputs = Scaling.of(strip).inputs(strip)[:, :3]
    assert np.allclose(np.cov(inputs.T, bias=True), np.eye(3), rtol=0, atol=1e-10)
    assert np.allclose(inputs.mean(axis=0), 0.0, rtol=0, atol=1e-10)


def test_derivatives_are_those_of_finite_differences():
    random = np.random.default_rng(8)
    inputs = np.column_stack([random.uniform(-1, 1, (7, 3)), np.ones(7)])
    flat = random.normal(size=5 * 4 + 4 * 6)
    weights = training._split(flat, 5)
    derivatives = training._jacobian(weights, inputs)
    for k in range(len(flat)):
        step = np.zeros(len(flat))
        step[k] = 1e-6
        ahead = training._outputs(training._split(flat + step, 5), inputs)
        behind = training._outputs(training._split(flat - step, 5), inputs)
        assert np.allclose(
            derivatives[:, k], ((ahead - behind) / 2e-6).T.ravel(), rtol=0, atol=1e-8
        )


def test_saved_and_loaded_they_give_the_same_bits(small, tmp_path):
    path = tmp_path / "networks.npz"
    small.networks.save(path)
    loaded = Networks.load(path, PAIR)
    minima, expected = loaded.minima(POSES), small.networks.minima(POSES)
    assert np.array_equal(minima.counts, expected.counts)
    assert np.array_equal(minima.points, expected.points, equal_nan=True)


def test_they_are_refused_for_another_rail_or_wheel(small, tmp_path):
    path = tmp_path / "networks.npz"
    small.networks.save(path)
    rail = pair_of(1 / 20)
    with pytest.raises(ValueError, match=f"{PAIR.rail.fingerprint}.*{rail.rail.fingerprint}"):
        Networks.load(path, rail)
    worn = type(PAIR)(s1002(0.45).moved(dy=0.75), PAIR.rail)
    with pytest.raises(ValueError, match=f"{PAIR.wheel.fingerprint}.*{worn.wheel.fingerprint}"):
        Networks.load(path, worn)


def test_a_file_that_is_no_network_is_refused(tmp_path):
    text = tmp_path / "notes.npz"
    text.write_text("no numbers here")
    with pytest.raises(ValueError, match=r"notes\.npz: is not a file of contact networks"):
        Networks.load(text, PAIR)
    other = tmp_path / "table.npz"
    LookupTable.of(PAIR).save(other)
    with pytest.raises(ValueError, match=r"table\.npz: is not a file of contact networks"):
        Networks.load(other, PAIR)


def test_a_file_with_pickled_objects_is_refused(tmp_path):
    path = tmp_path / "objects.npz"
    np.savez(path, kind=np.array([{"a": 1}], dtype=object))
    with pytest.raises(ValueError, match="is not a file of contact networks"):
        Networks.load(path, PAIR)
