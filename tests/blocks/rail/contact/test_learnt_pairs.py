"""Training networks for a pair from the command line."""

import math

import numpy as np
import pytest
from railblocks.blocks.rail.contact.contact_methods import networks_named
from railblocks.blocks.rail.contact.detectors.batch import diff_minima
from railblocks.blocks.rail.contact.detectors.minima import MAX_POINTS, Minima, poses_of_table
from railblocks.blocks.rail.contact.learnt_pairs import (
    OPTIONS,
    classes_worth_a_network,
    command,
    fast_poses,
    learn,
    main,
)
from railblocks.diagrams.falomi.points import pair_of


def test_rare_numbers_of_minima_get_no_network():
    assert classes_worth_a_network(np.repeat([1, 2, 3], [900, 95, 5])) == 2
    assert classes_worth_a_network(np.repeat([1, 3], [500, 500])) == 1
    assert classes_worth_a_network(np.zeros(10)) == 0
    assert classes_worth_a_network(np.repeat([1, 2, 3, 4], 25)) == 3


def test_the_command_names_what_is_not_usual():
    usual = [default for _, default, _ in OPTIONS.values()]
    start = "python -m railblocks.blocks.rail.contact.learnt_pairs FILE.npz"
    assert command(usual) == start
    assert command(["cone 1/20", *usual[1:-1], 1.45]) == f"{start} --wheel 'cone 1/20' --gauge 1.45"


def test_fast_poses_lie_around_the_jump_of_a_point():
    """One minimum that jumps by 5 mm at a shift of 3.1 mm, and goes with the shift elsewhere."""
    grid = poses_of_table(2)
    points = np.full((len(grid), MAX_POINTS, 3), math.nan)
    points[:, 0] = 0.0
    points[:, 0, 1] = 0.7 + grid[:, 2] + 5e-3 * (grid[:, 2] > 3.1e-3)
    result = fast_poses(grid, Minima(np.ones(len(grid)), points))
    assert result.shape == grid.shape
    assert np.abs(result[:, 2] - 3.125e-3).max() <= 0.375e-3 + 1e-12
    assert result[:, 0].min() >= 0.0


def test_a_file_in_no_folder_is_refused_before_the_training(tmp_path, capsys):
    assert main([str(tmp_path / "nowhere" / "networks.npz")]) == 2
    assert "networks.npz: there is no such folder; check the path" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--wheel", "s1003"], "'s1003' is not a profile; did you mean 's1002'?"),
        (["--y_0", "0.2"], "check y_0, gauge and scale"),
    ],
)
def test_a_pair_that_is_none_is_refused(options, part, tmp_path, capsys):
    assert main([str(tmp_path / "networks.npz"), *options]) == 2
    output = capsys.readouterr().err
    assert part in output
    assert output.count("\n") == 1


@pytest.mark.slow
def test_training_anew_gives_networks_as_good_as_those_shipped():
    pair = pair_of(1 / 40)
    poses = poses_of_table()[::7]
    expected = diff_minima(pair, poses)
    shares = []
    for networks in (
        learn(pair, tell=lambda text: None).networks,
        networks_named("s1002_uic60", pair),
    ):
        minima = networks.minima(poses)
        same = minima.counts == expected.counts
        apart = np.abs(minima.points[same] - expected.points[same])[..., 1]
        shares.append([same.mean(), np.nanmean(apart < 1e-3)])
    assert shares[0] == pytest.approx(shares[1], abs=0.02)
