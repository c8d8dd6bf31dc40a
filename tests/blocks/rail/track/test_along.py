"""Tables along a line against NumPy's interpolation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from railblocks.blocks.base.search import row_of
from railblocks.blocks.rail.track.along import value_along
from railblocks.engine import compiled

TABLE = np.array([[-2.0, 5.0, 0.0], [0.0, 1.0, 3.0], [1.5, -1.0, 3.0], [4.0, 0.0, 8.0]])
PLACES = (-7.0, -2.0, -1.9, 0.0, 0.7, 1.5, 3.9, 4.0, 1e6)


@pytest.mark.parametrize("column", [1, 2])
@pytest.mark.parametrize("s", PLACES)
def test_values_are_linear_between_rows_and_constant_outside(column, s):
    expected = np.interp(s, TABLE[:, 0], TABLE[:, column])
    assert value_along(TABLE, column, s, math.nan) == pytest.approx(expected, abs=1e-15)


def test_a_table_without_rows_gives_what_is_said_otherwise():
    none = np.zeros((0, 3))
    assert value_along(none, 1, 3.0, 0.25) == 0.25


def test_a_single_row_holds_everywhere():
    one = TABLE[:1]
    assert [value_along(one, 1, s, 0.0) for s in PLACES] == [5.0] * len(PLACES)


def test_rows_are_found_by_their_starts():
    assert [row_of(TABLE, s) for s in PLACES] == [0, 0, 0, 1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("table", [TABLE, TABLE[:1], np.zeros((0, 3))])
def test_compiled_equals_interpreted(table):
    for s in PLACES:
        assert compiled(value_along)(table, 1, s, 0.5) == value_along(table, 1, s, 0.5)
