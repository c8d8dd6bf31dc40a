"""The difference of heights, against matrices written out and its own definition."""

import math

import numpy as np
import pytest
from railblocks.blocks.rail.contact.detectors.difference import difference, point_below, tabulate
from railblocks.blocks.rail.contact.geometry.contour import frame
from railblocks.diagrams.falomi.points import pair_of
from railblocks.engine import compiled
from scipy.spatial.transform import Rotation

PAIR = pair_of(1 / 40)
WHEEL, RAIL = PAIR.wheel, PAIR.rail
POSES = [(0.0, 0.0, 0.0), (0.017, 0.013, -0.004), (-0.01, -0.008, 0.009)]
PLACES = [(0.0, 0.74), (0.02, 0.715), (-0.013, 0.77), (0.004, 0.73)]


def over(pose, G_z=0.46):
    alpha, beta, G_y = pose
    return frame(0.0, G_y, G_z, alpha, beta)


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("place", PLACES)
def test_it_is_the_height_of_the_turned_wheel_point_over_the_profile_below(pose, place):
    alpha, beta, G_y = pose
    x, y = place
    radius = float(WHEEL.height(y))
    turn = Rotation.from_euler("z", alpha) * Rotation.from_euler("x", beta)
    turned = turn.apply([x, y, -math.sqrt(radius**2 - x**2)])
    P = turned + np.array([0.0, G_y, 0.46])
    expected = P[2] - float(RAIL.height(P[1]))
    result = difference(x, y, WHEEL.table, RAIL.table, over(pose))
    if math.isnan(expected):
        assert result == math.inf
    else:
        assert result == pytest.approx(expected, abs=1e-15)
        assert point_below(x, y, WHEEL.table, over(pose)) == pytest.approx(P[:2], abs=1e-15)


def test_height_of_the_wheelset_is_added_and_nothing_else():
    pose, (x, y) = POSES[1], PLACES[1]
    low = difference(x, y, WHEEL.table, RAIL.table, over(pose, 0.1))
    high = difference(x, y, WHEEL.table, RAIL.table, over(pose, 0.6))
    assert high - low == pytest.approx(0.5, abs=1e-15)


@pytest.mark.parametrize("place", [(0.0, 0.5), (0.0, 0.9), (0.0, 0.69), (0.5, 0.74)])
def test_beside_the_rail_and_beyond_the_wheel_it_is_infinite(place):
    assert difference(*place, WHEEL.table, RAIL.table, over(POSES[0])) == math.inf


def test_table_holds_the_same_values():
    table = np.zeros((60, 9))
    compiled(tabulate)(
        -0.02, 0.005, 0.67, 0.0025, WHEEL.table, RAIL.table, over(POSES[1]), table
    )  # fmt: skip
    for j, row in enumerate(table):
        for i, value in enumerate(row):
            at = -0.02 + i * 0.005, 0.67 + j * 0.0025
            single = difference(*at, WHEEL.table, RAIL.table, over(POSES[1]))
            assert value == single or value == pytest.approx(single, abs=1e-15)
    assert np.isinf(table).any()
    assert np.isfinite(table).any()
