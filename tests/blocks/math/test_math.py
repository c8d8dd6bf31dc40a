"""Math blocks against Python's own arithmetic."""

import math

import numpy as np
import pytest
from bench import Bench
from hypothesis import given
from hypothesis import strategies as st
from railblocks.engine import DiagramError

numbers = st.floats(-1e6, 1e6)


def test_sum_takes_its_signs():
    assert Bench("math.sum", signs="+-+").y(u1=1.0, u2=2.0, u3=4.0) == 3.0
    assert Bench("math.sum", signs="-").y(u1=4.0) == -4.0


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=16, max_size=16))
def test_sum_of_few_inputs_has_the_bits_of_a_sum_of_many(u):
    few, many = Bench("math.sum", signs="+--+" * 4), Bench("math.sum", signs="+--+" * 4 + "+")
    y = few.y(**{f"u{i}": v for i, v in enumerate(u, 1)})
    assert np.float64(y).tobytes() == np.float64(many.y(u=[*u, 0.0])).tobytes()


def test_sum_refuses_other_signs():
    with pytest.raises(DiagramError, match="expected one \\+ or -"):
        Bench("math.sum", signs="+x")


def test_product_multiplies_and_divides_with_units_of_its_own():
    bench = Bench("math.product", operations="*/*")
    assert bench.y(u1=6.0, u2=4.0, u3=5.0) == 7.5
    assert list(bench.declaration.inputs) == ["u1", "u2", "u3"]
    assert bench.declaration.outputs["y"].unit == "1*?a/?b*?c"


def test_product_may_begin_with_a_division():
    assert Bench("math.product", operations="/").y(u1=4.0) == 0.25


def test_product_refuses_other_operations():
    with pytest.raises(DiagramError, match="expected one \\* or /"):
        Bench("math.product", operations="+")


@given(numbers, st.floats(1e-3, 1e3))
def test_modulo_lies_between_zero_and_its_divisor(u, m):
    y = Bench("math.modulo").y(u=u, m=m)
    assert 0.0 <= y <= m
    assert (u - y) / m == pytest.approx(round((u - y) / m), abs=1e-6)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("floor", [-3.0, -3.0, 2.0, 2.0]),
        ("ceil", [-2.0, -2.0, 3.0, 3.0]),
        ("round", [-3.0, -2.0, 3.0, 2.0]),
        ("fix", [-2.0, -2.0, 2.0, 2.0]),
    ],
)
def test_rounding(function, expected):
    bench = Bench("math.round", function=function)
    assert [bench.y(u=u) for u in (-2.5, -2.4, 2.5, 2.4)] == expected


@pytest.mark.parametrize("function", ["floor", "ceil", "round", "fix"])
def test_rounding_keeps_numbers_beyond_all_fractions(function):
    bench = Bench("math.round", function=function)
    for u in (2.0**60, -(2.0**60), 1e300):
        assert bench.y(u=u) == u


@pytest.mark.parametrize(
    "name", ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"]
)
@given(u=st.floats(-1, 1))
def test_trigonometry_is_that_of_python(name, u):
    assert Bench("math.trigonometry", function=name).y(u=u) == getattr(math, name)(u)


def test_logarithms_have_their_bases():
    assert Bench("math.logarithm").y(u=math.e) == 1.0
    assert Bench("math.logarithm", base="10").y(u=1000.0) == pytest.approx(3.0, abs=1e-15)


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300))
def test_hypot_neither_overflows_nor_loses_digits(a, b):
    assert Bench("math.hypot").y(u1=a, u2=b) == pytest.approx(math.hypot(a, b), rel=1e-15)


def test_smallest_and_largest():
    for function, expected in (("min", -1.0), ("max", 5.0)):
        bench = Bench("math.min_max", n=3, function=function)
        assert bench.y(u1=2.0, u2=-1.0, u3=5.0) == expected
        assert (
            Bench("math.min_max", n=20, function=function).y(u=[2.0, -1.0, *[5.0] * 18]) == expected
        )
        assert Bench("math.min_max", n=1, function=function).y(u1=2.0) == 2.0


@pytest.mark.parametrize(("u", "p"), [(2.0, 3.0), (2.0, -1.5), (-2.0, 3.0), (0.0, 0.5)])
def test_power_is_that_of_python(u, p):
    assert Bench("math.power", p=p).y(u=u) == u**p


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=6), st.floats(-2, 2))
def test_polynomial_is_that_of_numpy(c, u):
    assert Bench("math.polynomial", c=c).y(u=u) == pytest.approx(np.polyval(c, u), abs=1e-9)


def test_matrix_and_vector_products_are_those_of_numpy():
    rng = np.random.default_rng(3)
    A, B = rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    a, b = rng.normal(size=3), rng.normal(size=3)
    assert np.allclose(Bench("math.matrix_gain", K=A).y(u=a), A @ a)
    assert np.allclose(Bench("math.matrix_product").out(A=A, B=B)["Y"], A @ B)
    assert Bench("math.dot").y(u1=a, u2=b) == pytest.approx(a @ b)
    assert np.allclose(Bench("math.cross").y(u1=a, u2=b), np.cross(a, b))
    assert Bench("math.norm").y(u=a) == pytest.approx(np.linalg.norm(a))
    assert Bench("math.sum_of_elements").y(u=a) == pytest.approx(a.sum())


@pytest.mark.parametrize("n", [1, 2, 5, 20])
def test_inverse_and_solve_are_those_of_numpy(n):
    rng = np.random.default_rng(n)
    A, b = rng.normal(size=(n, n)), rng.normal(size=n)
    assert np.allclose(solved(A, b), np.linalg.solve(A, b), rtol=1e-10)
    assert np.allclose(inverted(A), np.linalg.inv(A), rtol=1e-9)


def solved(A, b):
    x = np.zeros(len(b))
    Bench("math.solve").declaration.of_kind("out")[0].function(A, b, x)
    return x


def inverted(A):
    Y = np.zeros_like(A)
    Bench("math.inverse").declaration.of_kind("out")[0].function(A, Y)
    return Y


def test_solve_exchanges_rows_where_a_pivot_is_zero():
    A = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 4.0], [1.0, 0.0, 0.0]])
    assert solved(A, np.array([2.0, 8.0, 5.0])).tolist() == [5.0, 1.0, 2.0]
    assert inverted(A).tolist() == [[0.0, 0.0, 1.0], [0.5, 0.0, 0.0], [0.0, 0.25, 0.0]]


def test_singular_and_large_matrices_are_no_numbers_and_a_message():
    with np.errstate(all="ignore"):
        singular = solved(np.array([[1.0, 2.0], [2.0, 4.0]]), np.array([1.0, 1.0]))
    assert not np.any(np.isfinite(singular))
    with pytest.raises(ValueError, match="more than 64 rows"):
        solved(np.eye(65), np.ones(65))


def test_transpose_swaps_rows_and_columns():
    A = np.arange(6.0).reshape(2, 3)
    Y = np.zeros((3, 2))
    Bench("math.transpose").declaration.of_kind("out")[0].function(A, Y)
    assert np.array_equal(Y, A.T)


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=6))
def test_least_and_largest_elements_are_those_of_numpy(u):
    u = np.array(u)
    for function, place in (("min", np.argmin), ("max", np.argmax)):
        out = Bench("math.min_max_of_elements", function=function).out(u=u)
        assert out == {"y": u[place(u)], "index": place(u)}


def test_expression_makes_ports_of_its_names_but_not_of_time():
    bench = Bench("math.expression", expression="a * sin(omega * t) + max(b, 0)")
    assert list(bench.declaration.inputs) == ["a", "b", "omega"]
    assert bench.y(a=2.0, b=-1.0, omega=3.0, t=0.5) == 2.0 * math.sin(1.5)


def test_inputs_of_an_expression_have_any_name_that_is_not_taken():
    text = "id + 2 * symbol + 4 * example + 8 * specialise + 16 * evaluate + 32 * u + 64 * input_1"
    bench = Bench("math.expression", expression=text)
    names = ["evaluate", "example", "id", "input_1", "specialise", "symbol", "u"]
    assert list(bench.declaration.inputs) == names
    assert bench.y(id=1, symbol=2, example=4, specialise=8, evaluate=16, u=32, input_1=64) == sum(
        4**k for k in range(7)
    )


@pytest.mark.parametrize(
    ("text", "message"), [("y + 1", "uses 'y'"), ("u +", "ends too early"), ("open(u)", "open")]
)
def test_expression_refuses(text, message):
    with pytest.raises(DiagramError, match=message):
        Bench("math.expression", expression=text)


@pytest.mark.parametrize("size", [1e-320, 1e-300, 1e-160, 1.0, 1e155, 1e300])
def test_norm_neither_overflows_nor_vanishes(size):
    assert Bench("math.norm").y(u=[3.0 * size, 0.0, -4.0 * size]) == pytest.approx(
        5.0 * size, rel=1e-15, abs=5e-324
    )


def test_norm_of_nothing_and_of_infinity():
    assert Bench("math.norm").y(u=[0.0, 0.0]) == 0.0
    assert Bench("math.norm").y(u=[-math.inf, 1.0]) == math.inf
    assert math.isnan(Bench("math.norm").y(u=[math.nan, 1e300]))
    assert Bench("math.hypot").y(u1=math.inf, u2=-math.inf) == math.inf
