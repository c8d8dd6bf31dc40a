"""All problems at once, each once, and no more than can be read."""

import pytest
from railblocks.engine.errors import DiagramError, Position, suggestion
from railblocks.engine.errors.problems import Problems

HERE = Position("f.yaml", 1, 2)


def test_a_place_is_shown_as_far_as_it_is_known():
    assert str(Position("f.yaml", 3, 4)) == "f.yaml:3:4"
    assert str(Position("<python>", 3)) == "<python>:3"
    assert str(Position("f.yaml")) == "f.yaml"


def test_problems_are_raised_together_and_each_once():
    problems = Problems()
    problems.raise_any()
    problems.add(HERE, "one")
    problems.add(HERE, "two")
    problems.add(HERE, "one")
    with pytest.raises(DiagramError) as caught:
        problems.raise_any()
    assert str(caught.value) == "f.yaml:1:2: one\nf.yaml:1:2: two"


def test_beyond_a_hundred_they_are_counted():
    problems = Problems()
    for number in range(250):
        problems.add(HERE, f"problem {number}")
    assert problems.is_full
    assert len(problems.all()) == 101
    assert str(problems.all()[-1]) == "f.yaml: and 150 more problems"


def test_suggestions_stop_when_problems_are_many():
    problems = Problems()
    assert problems.near("gian", ["gain", "sum"]) == "; did you mean 'gain'?"
    for number in range(60):
        problems.add(HERE, f"problem {number}")
    assert problems.near("gian", ["gain", "sum"]) == ""


def test_very_long_names_are_not_compared():
    assert suggestion("x" * 100_000, ["x" * 99_999]) == ""
    assert suggestion("gian", ["x" * 1_000_000, "gain"]) == "; did you mean 'gain'?"
