"""The binary search: as numpy's, interpreted and compiled, and the only one in the library."""

import ast

import numpy as np
import pytest
from imports import source_modules
from railblocks.blocks.base.search import interval, last_reached, row_of
from railblocks.blocks.sources.tables import points_passed
from railblocks.engine import compiled

HALVING = ("low + high", "high + low")
POINTS = [-np.inf, -1.0, 0.0, 0.0, 0.5, 3.0, 1e300]
ASKED = [-2.0, -1.0, -0.5, -0.0, 0.25, 0.5, 2.0, 3.0, 1e300, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize("make", [lambda f: f, compiled], ids=["interpreted", "compiled"])
def test_intervals_are_those_of_searchsorted(make):
    search = make(interval)
    points = np.array(POINTS)
    for x in ASKED:
        expected = np.clip(np.searchsorted(points, x, "right") - 1, 0, len(points) - 2)
        assert search(points, x) == (0 if np.isnan(x) else expected)


@pytest.mark.parametrize("make", [lambda f: f, compiled], ids=["interpreted", "compiled"])
@pytest.mark.parametrize("rows", [1, 2, 3, 7])
def test_rows_are_those_of_searchsorted(make, rows):
    search = make(row_of)
    table = np.zeros((rows, 3))
    table[:, 0] = np.arange(rows)
    for x in np.arange(-1.0, rows + 1.0, 0.25):
        expected = np.clip(np.searchsorted(table[:, 0], x, "right") - 1, 0, None)
        assert search(table, x) == expected


def test_an_empty_range_gives_its_beginning():
    assert last_reached(lambda *_: True, (), 4, 4, 0.0) == 4
    assert last_reached(lambda *_: False, (), 4, 9, 0.0) == 4
    assert last_reached(lambda *_: True, (), 4, 9, 0.0) == 8


def test_the_points_of_a_signal_are_found_by_the_same_search():
    times = np.array([0.0, 1.0, 1.0, 2.5])
    for t in (-1.0, 0.0, 0.5, 1.0, 2.0, 2.5, 9.0):
        expected = np.searchsorted(times, t, "right")
        assert points_passed(t, times, 1.0, 0) == expected
        assert compiled(points_passed)(t, times, 1.0, 0) == expected


def test_nobody_else_halves_indices():
    """Whole numbers are halved by // alone; roots of functions are halved by 0.5."""
    places = [
        module
        for module, path in source_modules().items()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv)
        and ast.unparse(node.left) in HALVING
    ]  # fmt: skip
    assert places == ["railblocks.blocks.base.search"]
