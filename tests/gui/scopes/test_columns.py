"""Curves as columns of pixels."""

import numpy as np
from hypothesis import example, given, strategies
from railblocks.gui.scopes.columns import columns, mask

PLACE = strategies.integers(-40, 200).map(lambda eighths: eighths / 8)


@example([(0.0, 0.0), (1.0, 0.125), (1.0, 0.0)])
@given(strategies.lists(strategies.tuples(PLACE, PLACE), min_size=2, max_size=60))
def test_columns_hold_all_of_the_lines_and_no_more(points):
    points.sort(key=lambda point: point[0])
    x, y = np.array(points).T
    lowest, highest = columns(x, y, 20)
    share = np.linspace(0, 1, 400)
    fine_x = (x[:-1, None] + np.diff(x)[:, None] * share).ravel()
    fine_y = (y[:-1, None] + np.diff(y)[:, None] * share).ravel()
    for column in range(20):
        inside = fine_y[(fine_x >= column) & (fine_x < column + 1)]
        if len(inside):
            assert lowest[column] <= inside.min() + 1e-9
            assert highest[column] >= inside.max() - 1e-9
        near = fine_y[(fine_x >= column - 1e-6) & (fine_x <= column + 1 + 1e-6)]
        if not np.isnan(lowest[column]) and len(near) > 100:
            steepest = np.abs(np.diff(y)).max() / 399
            assert lowest[column] >= near.min() - steepest - 1e-9
            assert highest[column] <= near.max() + steepest + 1e-9


def test_nothing_is_covered_beside_the_curve_and_where_values_are_missing():
    x = np.array([2.2, 3.5, 4.5, 5.5, 6.5, 8.4])
    y = np.array([1.0, 1.0, np.nan, 1.0, 1.0, 1.0])
    covered = mask(*columns(x, y, 12), 3)
    assert covered.any(axis=0).nonzero()[0].tolist() == [2, 3, 5, 6, 7, 8]
    assert covered.any(axis=1).tolist() == [False, True, False]


def test_what_lies_outside_the_window_is_cut_off():
    covered = mask(np.array([-1e9, -5.0, 7.0, 2.0]), np.array([1e9, -4.0, 9.0, 2.0]), 4)
    assert covered.sum(axis=0).tolist() == [4, 0, 0, 1]
