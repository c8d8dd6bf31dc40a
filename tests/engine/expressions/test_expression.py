"""Expressions: values from closed forms, units, one result in three ways, and nothing else runs."""

import math
import struct

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from railblocks.engine.expressions.expression import ExpressionError, parse_expression
from railblocks.engine.units.quantity import Quantity, parse_quantity
from railblocks.engine.units.unit import parse_unit

SCOPE = {
    "phi_l": Quantity(5.0),
    "L": parse_quantity("3 mm"),
    "omega": parse_quantity("150 rad/s"),
    "alpha": parse_quantity("30 deg"),
    "ratio": Quantity(2.0, parse_unit("1")),
    "v": Quantity(np.array([1.0, 2.0])),
    "on": Quantity(True),
}


def value(text, scope=SCOPE):
    return parse_expression(text).evaluate(scope)


def bits(number):
    """The bits of a float, all nan alike; truth values as they are."""
    if isinstance(number, bool | np.bool_):
        return bool(number)
    return "nan" if math.isnan(number) else struct.pack("<d", number)


def attempt(expression, scope):
    """The value and no message, or the message."""
    try:
        return expression.evaluate(scope).value, ""
    except ExpressionError as error:
        return None, error.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("phi_l^5", 3125.0),
        ("phi_l**2", 25.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("4^0.5", 2.0),
        ("(-8)^3", -512.0),
        ("(-8)^3.0", -512.0),
        ("1 - 2 - 3", -4.0),
        ("8 / 4 / 2", 1.0),
        ("2 + 3 * 4", 14.0),
        ("(2 + 3) * 4", 20.0),
        ("7 % 3", 1.0),
        ("-7 % 3", 2.0),
        ("+-+1", -1.0),
        (".5 + 1.", 1.5),
        ("1e3", 1000.0),
        ("pi", math.pi),
        ("e", math.e),
        ("inf", math.inf),
        ("-inf", -math.inf),
        ("sin(pi/6)", math.sin(math.pi / 6)),
        ("atan2(1, -1)", 3 * math.pi / 4),
        ("log(e^2)", 2.0),
        ("log10(1000)", math.log10(1000)),
        ("sqrt(2)", math.sqrt(2)),
        ("abs(-3)", 3.0),
        ("min(3, 1, 2)", 1.0),
        ("max(3, 1, 2)", 3.0),
        ("sign(-2) + sign(0) + sign(5)", 0.0),
        ("floor(-1.5)", -2.0),
        ("ceil(-1.5)", -1.0),
        ("round(2.5)", 3.0),
        ("round(-2.5)", -3.0),
        ("round(0.49999999999999994)", 0.0),
        ("hypot(3, 4)", 5.0),
        ("hypot(3e200, 4e200)", 5e200),
        ("1 if phi_l > 3 else 2", 1.0),
        ("1 if phi_l < 3 else 2 if phi_l < 6 else 4", 2.0),
        ("(phi_l > 3) * 7", 7.0),
        ("1 if on else 0", 1.0),
        ("1 if not on else 0", 0.0),
    ],
)
def test_values_are_those_of_arithmetic(text, expected):
    number = value(text)
    assert number.value == pytest.approx(expected, rel=1e-15)
    assert number.unit is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("phi_l > 3", True),
        ("1 < phi_l <= 5", True),
        ("1 < phi_l < 5", False),
        ("phi_l == 5 and not phi_l != 5", True),
        ("false or true", True),
        ("L < omega * 0", None),
        ("true", True),
        ("0 and 1/0 > 1", False),
        ("1 or 1/0 > 1", True),
    ],
)
def test_comparisons_and_logic_give_truth_values(text, expected):
    if expected is None:
        with pytest.raises(ExpressionError):
            value(text)
    else:
        assert value(text).value is expected


@pytest.mark.parametrize(
    ("text", "expected", "unit"),
    [
        ("2 * L", 0.006, "m"),
        ("L / 2", 0.0015, "m"),
        ("L + 0", 0.003, "m"),
        ("0 + L", 0.003, "m"),
        ("L * L", 9e-6, "m^2"),
        ("L^2", 9e-6, "m^2"),
        ("L^-1", 1 / 0.003, "1/m"),
        ("sqrt(L * L)", 0.003, "m"),
        ("(L^3)^(1/3)", 0.003, "m"),
        ("L / L", 1.0, "1"),
        ("L / L + 1", 2.0, "1"),
        ("omega * L", 0.45, "m/s"),
        ("sin(alpha)", 0.5, "1"),
        ("ratio * 2 + 1", 5.0, "1"),
        ("exp(ratio - 2)", 1.0, "1"),
        ("min(L, inf)", 0.003, "m"),
        ("max(0, -L)", 0.0, "m"),
        ("abs(-L)", 0.003, "m"),
        ("hypot(3 * L, 4 * L)", 0.015, "m"),
        ("atan2(L, L)", math.pi / 4, "1"),
        ("sign(-L)", -1.0, "1"),
        ("L % (2 * L)", 0.003, "m"),
        ("L if L > 0 else -L", 3.0, "mm"),
        ("L", 3.0, "mm"),
    ],
)
def test_units_propagate(text, expected, unit):
    number = value(text)
    assert number.value == pytest.approx(expected, rel=1e-14)
    assert number.unit.same(parse_unit(unit))


def test_vectors_and_matrices_go_element_by_element():
    assert value("2 * v").value.tolist() == [2.0, 4.0]
    assert value("v * v + 1").value.tolist() == [2.0, 5.0]
    assert value("[1, phi_l]").value.tolist() == [1.0, 5.0]
    assert value("[[1, 2], [3, 4]]").value.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert value("[v, v]").value.shape == (2, 2)
    assert value("v > 1").value.tolist() == [0.0, 1.0]
    lengths = value("[L, 0, 2 * L]")
    assert lengths.to(parse_unit("m")).tolist() == pytest.approx([0.003, 0.0, 0.006], rel=1e-15)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("phi + 1", 1, "'phi' is not known; did you mean 'phi_l'?"),
        ("1 + qq", 5, "'qq' is not known"),
        ("L + 1", 3, "0.003 m and 1 cannot be added: one is a length (m), the other a number"),
        ("1 + L", 3, "cannot be added: one is a length (m), the other a number without unit"),
        ("L - omega", 3, "cannot be subtracted: one is a length (m), the other an angular speed"),
        ("L < omega", 3, "cannot be compared"),
        ("min(L, 1)", 1, "cannot be put into min"),
        ("sin(L)", 1, "sin of 0.003 m, a length (m); expected a plain number"),
        ("floor(L)", 1, "floor of 0.003 m, a length (m); expected a plain number"),
        ("2^L", 2, "the exponent 0.003 m is a length (m); expected a plain number"),
        ("L^[1, 2]", 2, "has no one unit"),
        ("L^30", 2, "m to the power 30 goes beyond 24"),
        ("1/0", 2, "1 / 0 is a division by zero"),
        ("1 % 0", 3, "1 % 0 is a division by zero"),
        ("10**10**10", 3, "10 ^ 10000000000 is not a finite number"),
        ("exp(1000)", 1, "exp(1000) is not a finite number"),
        ("sqrt(-1)", 1, "sqrt(-1) is not a finite number"),
        ("log(0)", 1, "log(0) is not a finite number"),
        ("inf - inf", 5, "inf - inf is not a finite number"),
        ("(-1)^0.5", 5, "-1 ^ 0.5 is not a finite number"),
        ("[]", 1, "the list is empty; expected at least one number"),
        ("[1, L]", 1, "the list mixes a number without unit with a length (mm)"),
        ("[[1], [1, 2]]", 1, "the rows of the matrix have different lengths"),
        ("[[[1]]]", 1, "lists are nested deeper than a matrix"),
        ("v + [1, 2, 3]", 3, "lists of sizes 2 and 3 do not fit"),
        ("1 if v else 2", 3, "'if' has a list of 2; expected one truth value"),
    ],
)
def test_what_cannot_be_evaluated_says_why_and_where(text, column, message):
    with pytest.raises(ExpressionError) as caught:
        value(text)
    assert message in caught.value.message
    assert caught.value.column == column


def test_names_in_scope_hide_constants():
    assert value("e", {"e": Quantity(0.8)}).value == 0.8
    assert parse_expression("2 * e").function(("e",))(0.8) == 1.6
    assert parse_expression("2 * e").function(())() == 2 * math.e


def test_names_are_those_that_must_be_given():
    expression = parse_expression("a * sin(b) + pi * e - (c if d > 0 else inf)")
    assert expression.names == {"a", "b", "c", "d"}
    assert expression.all_names == {"a", "b", "c", "d", "pi", "e", "inf"}


# -- functions ------------------------------------------------------------------------------

UNARY = ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log"]
UNARY += ["log10", "sqrt", "abs", "sign", "floor", "ceil", "round", "-"]
BINARY = ["{x} + {y}", "{x} - {y}", "{x} * {y}", "{x} / {y}", "{x} % {y}", "{x} ^ {y}"]
BINARY += ["min({x}, {y})", "max({x}, {y})", "atan2({x}, {y})", "hypot({x}, {y})"]
SPECIAL = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.0, -2.0, 3.0, -3.0, 0.1, 1e-300, 1e-5, 7.25]
SPECIAL += [709.5, 709.9, 710.47, 1e3, -1e3, 1e15 + 0.5, -(2.0**52) - 1, 1e200, -1e200, 1.7e308]
SPECIAL += [math.inf, -math.inf, math.nan, 0.49999999999999994, -2.5, 1 / 3, math.pi, 5e-324]


def compiled(text, arguments):
    function = parse_expression(text).function(arguments)
    return function, numba.njit(error_model="numpy")(function)


def test_unary_kernels_agree_bit_for_bit_when_compiled_and_never_raise():
    text = "[" + ", ".join(f"{name}(x)" for name in UNARY) + "]"
    for item in text[1:-1].split(", "):
        function, fast = compiled(item, ("x",))
        points = SPECIAL + np.random.default_rng(1).normal(0, 3, 200).tolist()
        for x in points:
            assert bits(function(x)) == bits(fast(x)), (item, x)


def test_binary_kernels_agree_bit_for_bit_when_compiled_and_never_raise():
    generator = np.random.default_rng(2)
    points = [(x, y) for x in SPECIAL for y in SPECIAL]
    points += generator.normal(0, 3, (300, 2)).tolist()
    for form in BINARY:
        function, fast = compiled(form.format(x="x", y="y"), ("x", "y"))
        for x, y in points:
            assert bits(function(x, y)) == bits(fast(x, y)), (form, x, y)


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 5, 7, 16, -1, -2, -3])
def test_small_integer_powers_are_products(exponent):
    function = parse_expression(f"x^{exponent}").function(("x",))
    fast = numba.njit(error_model="numpy")(function)
    for x in [*SPECIAL, *np.random.default_rng(3).normal(0, 2, 200).tolist()]:
        assert bits(function(x)) == bits(fast(x))
        if 1e-3 < abs(x) < 1e3:
            assert function(x) == pytest.approx(x**exponent, rel=1e-14)
    assert function(3.0) == 3.0**exponent


def test_a_cube_is_exactly_x_x_x():
    cube = parse_expression("x^3").function(("x",))
    for x in np.random.default_rng(4).normal(0, 1, 1000).tolist():
        assert cube(x) == x * x * x


numbers = st.floats(-50, 50).map(lambda x: f"({x!r})") | st.sampled_from(["0", "1", "2.5", "pi"])
names = st.sampled_from(["x", "y"])


def deeper(inner):
    binary = st.sampled_from([*BINARY, "({x} if {x} > {y} else {y})", "({x} < {y}) * {y}"])
    return st.one_of(
        st.builds(lambda f, a: f"{f}({a})", st.sampled_from(UNARY), inner),
        st.builds(lambda f, a, b: "(" + f.format(x=a, y=b) + ")", binary, inner, inner),
        st.builds(lambda a, n: f"({a})^{n}", inner, st.integers(-3, 5)),
        st.builds(
            lambda a, b: f"(1 if {a} > 0 and not {b} < 0 or {a} == {b} else 2)", inner, inner
        ),
    )


expressions = st.recursive(numbers | names, deeper, max_leaves=8)


@settings(max_examples=300, deadline=None)
@given(expressions, st.floats(-50, 50), st.floats(-50, 50))
def test_evaluating_and_calling_give_the_same_bits(text, x, y):
    expression = parse_expression(text)
    called = expression.function(("x", "y"))(x, y)
    evaluated, message = attempt(expression, {"x": Quantity(x), "y": Quantity(y)})
    if message:
        assert "is not a finite number" in message or "division by zero" in message
    else:
        assert bits(evaluated) == bits(called)


@settings(max_examples=8, deadline=None)
@given(expressions)
def test_calling_and_compiling_give_the_same_bits(text):
    function, fast = compiled(text, ("x", "y"))
    for x, y in np.random.default_rng(5).normal(0, 5, (50, 2)).tolist():
        assert bits(function(x, y)) == bits(fast(x, y))


def test_only_the_chosen_branch_is_computed():
    function = parse_expression("1/x if x != 0 else 0").function(("x",))
    assert function(0.0) == 0.0
    assert function(4.0) == 0.25


def test_functions_of_comparisons_return_truth_values():
    function, fast = compiled("x > 1 and x < y", ("x", "y"))
    assert function(2.0, 3.0) is True
    assert fast(2.0, 3.0) is True
    assert function(2.0, 1.0) is False


def test_arguments_may_have_any_name():
    for name in ("math", "_1", "__2", "float", "result", "a", "b", "inf", "self"):
        function = parse_expression(f"sqrt({name}) + hypot({name}, 0)").function((name,))
        assert function(4.0) == 6.0
        assert function(**{name: 4.0}) == 6.0


def test_functions_refuse_lists_and_unknown_names():
    with pytest.raises(ExpressionError, match="a list cannot be used in a function of signals"):
        parse_expression("[x, 1]").function(("x",))
    with pytest.raises(ExpressionError, match="'uu' is not known; did you mean 'u'"):
        parse_expression("2 * uu").function(("u", "k"))


def test_functions_see_math_and_nothing_else():
    function = parse_expression("sin(x)").function(("x",))
    assert set(function.__globals__) == {"_math", "__builtins__"}
    assert function.__globals__["__builtins__"] == {}


@settings(max_examples=200, deadline=None)
@given(expressions | st.text(max_size=30) | st.text("xy()[]*/+-^<>=!,.1e \"'_:{}if", max_size=25))
def test_any_text_is_an_expression_or_an_expression_error(text):
    try:
        value = parse_expression(text).evaluate({"x": Quantity(1.0), "y": Quantity(2.0)})
    except ExpressionError:
        return
    assert isinstance(value, Quantity)
