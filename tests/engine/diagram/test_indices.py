"""A part of a part is a part: checked against numpy on arrays of many sizes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from railblocks.engine.diagram.indices import composed

parts = st.integers(0, 5) | st.builds(
    slice,
    st.none() | st.integers(0, 4),
    st.none() | st.integers(0, 12),
    st.none() | st.integers(1, 3),
)


@settings(max_examples=400)
@given(parts, parts)
def test_a_part_of_a_part_of_a_vector(inner, outer):
    vector = np.arange(200)
    first = vector[inner]
    if first.ndim == 0:
        return
    try:
        expected = first[outer]
    except IndexError:
        with pytest.raises(ValueError, match="there are only"):
            composed((inner,), (outer,))
        return
    assert np.array_equal(vector[composed((inner,), (outer,))], expected)


@settings(max_examples=400)
@given(st.lists(parts, min_size=1, max_size=2), st.lists(parts, min_size=1, max_size=2))
def test_a_part_of_a_part_of_a_matrix(inner, outer):
    grid = np.arange(40000).reshape(200, 200)
    try:
        expected = grid[tuple(inner)][tuple(outer)]
    except IndexError:
        with pytest.raises(ValueError, match="there are"):
            composed(tuple(inner), tuple(outer))
        return
    assert np.array_equal(grid[composed(tuple(inner), tuple(outer))], expected)


def test_the_whole_is_neutral():
    assert composed(None, (1,)) == (1,)
    assert composed((1,), None) == (1,)
    assert composed(None, None) is None


@pytest.mark.parametrize(
    ("inner", "outer"), [(slice(-3, None), 0), (slice(None), -1), (slice(0, 4, -1), 0)]
)
def test_parts_counted_from_the_end_cannot_be_joined(inner, outer):
    with pytest.raises(ValueError, match="counted from the end has no fixed position"):
        composed((inner,), (outer,))


def test_parts_counted_from_a_known_end_can():
    assert composed((slice(2, 6),), (-1,)) == (5,)
    with pytest.raises(ValueError, match="a reversed part has no fixed position"):
        composed((slice(2, 6),), (slice(None, None, -1),))
