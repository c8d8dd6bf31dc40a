"""Rows of a comparison: when each kind of row is met."""

import math

import pytest
from railblocks.engine.reproduction.result import Row


def test_what_is_not_compared_is_neither_met_nor_missed():
    row = Row.not_compared("mass", 3.5, "kg", "not printed")
    assert row == Row("mass", None, 3.5, "kg", None, "not printed")


@pytest.mark.parametrize(
    ("ours", "met"), [(199.0, True), (200.0, True), (200.1, False), (math.nan, False)]
)
def test_at_most_is_met_up_to_the_papers_value(ours, met):
    assert Row.at_most("error", 200.0, ours, "N m", "largest").met is met


@pytest.mark.parametrize(
    ("ours", "met"), [(9.5, True), (10.5, True), (10.6, False), (9.4, False), (math.nan, False)]
)
def test_near_is_met_within_a_distance_on_both_sides(ours, met):
    row = Row.near("length", 10.0, ours, 0.5, "m")
    assert (row.paper, row.unit, row.met) == (10.0, "m", met)


@pytest.mark.parametrize(
    ("ours", "met"), [(9.5, True), (10.5, True), (10.6, False), (9.4, False), (math.nan, False)]
)
def test_a_reference_is_not_the_papers(ours, met):
    row = Row.matching("length", 10.0, ours, 0.5, "m", source="closed form")
    assert (row.paper, row.reference, row.met, row.source) == (None, 10.0, met, "closed form")


def test_a_goal_is_no_number_of_the_paper():
    row = Row.goal("time", 0.25, 0.3, "ms", "ours")
    assert (row.paper, row.reference, row.source) == (None, "at most 0.25", "goal of this project")
    assert Row.goal("speed", 100.0, 90.0, "", "", least=True).reference == "at least 100"
    assert [Row.goal("time", 0.25, t, "ms", "").met for t in (0.2, 0.25, 0.3)] == [
        True, True, False,
    ]  # fmt: skip
    speeds = [Row.goal("speed", 100.0, v, "", "", least=True).met for v in (90.0, 100.0, 110.0)]
    assert speeds == [False, True, True]
