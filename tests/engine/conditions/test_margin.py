"""The margin of a condition is not negative exactly where the condition holds."""

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from railblocks.engine.conditions.margin import margin, truths
from railblocks.engine.expressions.expression import Expression
from railblocks.engine.expressions.grammar import read_expression
from railblocks.engine.expressions.tree import ExpressionError

RELATIONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
             "==": operator.eq, "!=": operator.ne}  # fmt: skip
NAMES = ("a", "b", "p", "q")


def value(text, **values):
    tree = margin(read_expression(text, signals=True))
    return Expression(text, tree).function(tuple(values))(*values.values())


@st.composite
def conditions(draw, depth=3):
    """A condition as text, and what it means in Python."""
    kind = draw(st.sampled_from(["relation", "truth", "not", "and", "or"][: 5 if depth else 2]))
    if kind == "relation":
        symbol = draw(st.sampled_from(sorted(RELATIONS)))
        return f"a {symbol} b", lambda v: RELATIONS[symbol](v["a"], v["b"])
    if kind == "truth":
        name = draw(st.sampled_from(["p", "q"]))
        return name, lambda v: v[name]
    left, means = draw(conditions(depth=depth - 1))
    if kind == "not":
        return f"not ({left})", lambda v: not means(v)
    right, also = draw(conditions(depth=depth - 1))
    if kind == "and":
        return f"({left}) and ({right})", lambda v: means(v) and also(v)
    return f"({left}) or ({right})", lambda v: means(v) or also(v)


@given(conditions(), st.integers(-2, 2), st.integers(-2, 2), st.booleans(), st.booleans())
def test_its_sign_is_the_truth_of_the_condition_also_where_sides_are_equal(condition, a, b, p, q):
    text, means = condition
    values = {"a": float(a), "b": float(b), "p": p, "q": q}
    assert (value(text, **values) >= 0.0) == means(values)


def test_it_is_the_distance_of_what_is_compared():
    assert value("a > b", a=3.5, b=1.0) == 2.5
    assert value("a < b", a=3.5, b=1.0) == -2.5
    assert value("0 < a <= 3", a=2.0) == 1.0
    assert value("not (a > b and p)", a=3.5, b=1.0, p=True) == -1.0
    assert value("abs(a) - 2 * b > 1", a=-5.0, b=1.0) == 2.0


@pytest.mark.parametrize("text", ["a + 1", "not (a + 1)", "3", "sin(a)", "p and a + 1"])
def test_a_number_is_not_a_condition(text):
    with pytest.raises(ExpressionError, match="this is a number; expected a condition"):
        margin(read_expression(text, signals=True))


def test_truth_values_are_told_from_numbers():
    tree = read_expression("p and (a > b or not q.on)", signals=True)
    assert truths(tree) == {"p", "q.on"}
