"""Python values as nodes, and nodes as Python values."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from railblocks.engine.diagram.values import node_of, plain_data
from railblocks.engine.diagram.writing import value_text
from railblocks.engine.errors import DiagramError, Position
from railblocks.engine.text.source import Mapping, Scalar, Sequence, read_text

HERE = Position("<python>", 1)

data = st.recursive(
    st.floats(allow_nan=False) | st.booleans() | st.none() | st.text("ab \n:'\"#,é", max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", min_size=1), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("value", "text", "read"),
    [
        (3, "3", 3),
        (0.1, "0.1", 0.1),
        (np.float64(0.1), "0.1", 0.1),
        (np.int64(4), "4", 4),
        (np.bool_(True), "true", True),
        (True, "true", True),
        (math.inf, ".inf", math.inf),
        ("3 m", "3 m", "3 m"),
        ("1e-3", "1e-3", 0.001),
        ("true", "true", True),
        (None, "", None),
        ("", "", None),
        ("'3'", "3", "3"),
        ('"a b"', "a b", "a b"),
        ("'a' + 'b'", "'a' + 'b'", "'a' + 'b'"),
    ],
)
def test_values_become_the_scalar_that_yaml_would_read(value, text, read):
    node = node_of(value, HERE)
    assert isinstance(node, Scalar)
    assert (node.text, node.value) == (text, read)


def test_arrays_become_lists():
    node = node_of(np.array([[1.0, 2.0], [3.0, 4.5]]), HERE)
    assert isinstance(node, Sequence)
    assert value_text(node) == "[[1.0, 2.0], [3.0, 4.5]]"


def test_nodes_pass_as_they_are():
    node = read_text("a: {b: [1]}", "f").entries["a"].node
    assert isinstance(node, Mapping)
    assert node_of(node, HERE) is node


@settings(deadline=None)
@given(data)
def test_values_survive_being_written_and_read(value):
    node = node_of(value, HERE)
    again = read_text(f"a: {value_text(node)}\n", "f").entries["a"].node
    assert again == node


def test_data_is_plain_python():
    node = read_text("a: {x: [1, 2.5, true, t > 3, ~], y: {z: 'q'}}", "f").entries["a"].node
    assert plain_data(node) == {"x": [1.0, 2.5, True, "t > 3", None], "y": {"z": "q"}}
    assert type(plain_data(node)["x"][0]) is float


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (object, "is not a value; expected a number, text, a list or a mapping"),
        (1j, "complex '1j' is not a value"),
        ({1: 2}, "the key 1 is not text"),
        (10**400, "is too large for a number"),
        ("1e999", "'1e999' is too large for a number"),
        ("a\ud800", "the text contains U+D800, which is not a character"),
    ],
)
def test_other_values_are_refused(value, message):
    with pytest.raises(DiagramError) as caught:
        node_of(value, HERE)
    assert message in str(caught.value)
    assert str(caught.value).startswith("<python>:1: ")


def test_lists_that_contain_themselves_end():
    circle: list = []
    circle.append(circle)
    with pytest.raises(DiagramError, match="nested deeper than 64"):
        node_of(circle, HERE)
