"""Ends of wires, whole lines, and indices that compose."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from railblocks.engine.diagram.endpoints import (
    Endpoint,
    index_text,
    read_endpoint,
    read_index,
    read_wires,
)
from railblocks.engine.errors import DiagramError, Position
from railblocks.engine.text.source import Scalar

HERE = Position("f.yaml", 3, 5)


def line(text):
    return list(read_wires(Scalar(text, text, False, HERE)))


def shown(text):
    return [f"{source} -> {target}" for source, target in line(text)]


@pytest.mark.parametrize(
    ("text", "endpoint"),
    [
        ("a.y", Endpoint("a", "y")),
        ("a", Endpoint("a")),
        (" a.y ", Endpoint("a", "y")),
        ("a.y[0]", Endpoint("a", "y", (0,))),
        ("a.y[-1]", Endpoint("a", "y", (-1,))),
        ("a.y[0:2]", Endpoint("a", "y", (slice(0, 2),))),
        ("a.y[:]", Endpoint("a", "y", (slice(None),))),
        ("a.y[::2]", Endpoint("a", "y", (slice(None, None, 2),))),
        ("a.y[0, 1]", Endpoint("a", "y", (0, 1))),
        ("a[1:, 0]", Endpoint("a", None, (slice(1, None), 0))),
        ("ctl.pid.y", Endpoint("ctl.pid", "y")),
    ],
)
def test_endpoints_are_read(text, endpoint):
    end = read_endpoint(text, HERE)
    assert end == endpoint
    assert str(read_endpoint(str(end), HERE)) == str(end)


def test_endpoints_can_be_counted_even_with_slices():
    ends = {read_endpoint("a.y[0:2]", HERE), read_endpoint("a.y[0:2]", Position("g"))}
    assert len(ends) == 1


def test_each_end_of_a_line_has_its_own_column():
    ((source, target),) = line("a.y -> b.u")
    assert source.position == Position("f.yaml", 3, 5)
    assert target.position == Position("f.yaml", 3, 12)


def test_lines_fan_out_and_chain():
    assert shown("a.y -> b.u, c.u") == ["a.y -> b.u", "a.y -> c.u"]
    assert shown("a -> b -> c") == ["a -> b", "b -> c"]
    assert shown("a.y -> b.u -> c.u, d") == ["a.y -> b.u", "b -> c.u", "b -> d"]
    assert shown("a.y[0, 1] -> b.u[0], c.u[1, 2]") == [
        "a.y[0, 1] -> b.u[0]",
        "a.y[0, 1] -> c.u[1, 2]",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a.y", "f.yaml:3:5: 'a.y' is not a wire; expected `block.port -> block.port`"),
        ("a.y ->", "f.yaml:3:11: an end of the wire is missing; expected `block.port`"),
        ("-> b", "f.yaml:3:5: an end of the wire is missing"),
        ("a -> b, -> c", "f.yaml:3:13: an end of the wire is missing"),
        ("a, b -> c", "f.yaml:3:5: 'a, b -> c' has several sources; write one line for each"),
        ("a -> b, c -> d", "goes on after a fan-out; write one line per branch"),
        ("a -> 1b", "f.yaml:3:10: '1b' is not a port; expected `block.port` or `block.port[0]`"),
        ("a -> b..c", "'b..c' is not a port"),
        ("a -> b c", "'b c' is not a port"),
        ("a -> b[x]", "[x] is not an index; expected for example [0], [0:2] or [0, 1]"),
        ("a -> b[]", "[] is not an index"),
        ("a -> b[1:2:0]", "[1:2:0] has step 0; expected another step"),
        ("a -> b[1,2,3]", "[1,2,3] has 3 parts; a matrix has two"),
        ("a -> b[9999999999]", "is not an index"),
        ("a -> " + "b, " * 9999 + "b", "is longer than 10000 characters; write several lines"),
    ],
)
def test_lines_that_are_no_wires_say_why(text, message):
    with pytest.raises(DiagramError) as caught:
        line(text)
    assert message in str(caught.value)


@given(
    st.lists(
        st.integers(-9, 9) | st.slices(20).filter(lambda s: s.step != 0 and (s.step or 1) < 10**8),
        min_size=1,
        max_size=2,
    )
)
def test_index_texts_read_back(parts):
    index = tuple(parts)
    assert read_index(index_text(index)[1:-1]) == index


def test_indices_mean_what_they_mean_in_numpy():
    grid = np.arange(12).reshape(3, 4)
    for text in itertools.chain(["0", "-1", "1:", ":2", "::2"], ["0, 1", "1:, 2", ":, 0:2"]):
        assert np.array_equal(grid[read_index(text)], eval_index(grid, text))


def eval_index(grid, text):
    """The same by hand, for the texts above."""
    return {
        "0": grid[0],
        "-1": grid[-1],
        "1:": grid[1:],
        ":2": grid[:2],
        "::2": grid[::2],
        "0, 1": grid[0, 1],
        "1:, 2": grid[1:, 2],
        ":, 0:2": grid[:, 0:2],
    }[text]
