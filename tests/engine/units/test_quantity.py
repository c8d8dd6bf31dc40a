"""Values with units: reading, converting, and refusing to mix dimensions."""

import contextlib
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from railblocks.engine.units.quantity import Quantity, parse_quantity
from railblocks.engine.units.unit import UnitError, parse_unit


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("150 rad/s", 150.0, "rad/s"),
        ("20s", 20.0, "s"),
        ("1e-3 m", 0.001, "m"),
        ("-5 %", -5.0, "%"),
        ("+.5 mm", 0.5, "mm"),
        ("5 1/s", 5.0, "1/s"),
        ("5 (m/s)", 5.0, "m/s"),
        ("3. N*m", 3.0, "N*m"),
        ("1e3N", 1000.0, "N"),
        ("90 °", 90.0, "deg"),
    ],
)
def test_a_number_with_a_unit_is_read(text, value, unit):
    quantity = parse_quantity(text)
    assert quantity.value == value
    assert quantity.unit.same(parse_unit(unit))


@pytest.mark.parametrize(
    "text", ["5", "x", "2*x", "5 % 3", "5%2", "5 if x else 3", "5 m < 3", "1/s", "", "m", "(3 m)"]
)
def test_other_shapes_are_left_to_expressions(text):
    assert parse_quantity(text) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5 foo", "unit 'foo' is not known"),
        ("3 N m", "write products with *, as in N*m"),
        ("20 degC", "has an offset"),
        ("1e999 m", "1e999 is too large for a number"),
        ("2 mm + 3", "a number with a unit cannot be used in an expression"),
    ],
)
def test_bad_units_are_errors(text, message):
    with pytest.raises(UnitError) as caught:
        parse_quantity(text)
    assert message in str(caught.value)


def test_conversion_goes_through_the_scales():
    assert parse_quantity("72 km/h").to(parse_unit("m/s")) == pytest.approx(20.0, rel=1e-15)
    assert parse_quantity("180 deg").to(parse_unit("rad")) == math.pi
    assert parse_quantity("1 m").to(parse_unit("mm")) == 1000.0
    assert parse_quantity("60 rpm").to(parse_unit("rad/s")) == pytest.approx(2 * math.pi, rel=1e-15)


@given(st.integers(-(10**6), 10**6))
def test_decimal_prefixes_give_the_nearest_float(number):
    """35 mm is the float that 0.035 is, not 35 * 0.001."""
    assert parse_quantity(f"{number} mm").to(parse_unit("m")) == float(f"{number}e-3")
    assert parse_quantity(f"{number} um").to(parse_unit("m")) == float(f"{number}e-6")
    assert parse_quantity(f"{number} km").to(parse_unit("m")) == float(f"{number}e3")


def test_a_bare_number_passes_unchanged():
    assert Quantity(3.0).to(parse_unit("mm")) == 3.0
    assert Quantity(True).to(parse_unit("m")) is True


def test_another_dimension_is_an_error_that_names_both():
    with pytest.raises(UnitError) as caught:
        parse_quantity("6 s").to(parse_unit("m"))
    assert str(caught.value) == "6 s has unit s; expected a length (m)"


def test_vectors_are_converted_element_by_element():
    quantity = Quantity(np.array([1.0, 2.5]), parse_unit("km")).to(parse_unit("m"))
    assert quantity.tolist() == [1000.0, 2500.0]


def test_si_keeps_coherent_units_as_they_are():
    torque = parse_quantity("3 N*m")
    assert torque.si() is torque
    assert parse_quantity("3 kN").si() == Quantity(3000.0, parse_unit("N"))


def test_equality_is_of_values_and_units():
    assert Quantity(np.array([1.0, math.nan])) == Quantity(np.array([1.0, math.nan]))
    assert Quantity(1.0) != Quantity(1.0, parse_unit("m"))
    assert Quantity(np.array([1.0])) != Quantity(1.0)
    assert Quantity(1.0) != 1.0
    assert hash(Quantity(1.0)) == hash(Quantity(1.0))


@pytest.mark.parametrize(
    ("quantity", "text"),
    [
        (Quantity(0.1), "0.1"),
        (Quantity(3.0, parse_unit("N*m")), "3 N*m"),
        (Quantity(True), "true"),
        (Quantity(2.0, parse_unit("1")), "2"),
        (Quantity(np.array([1.0, 2.0]), parse_unit("m")), "[1., 2.] m"),
    ],
)
def test_quantities_are_shown_as_people_write_them(quantity, text):
    assert str(quantity) == text


@settings(deadline=None)
@given(
    st.floats(-1e9, 1e9),
    st.sampled_from(["m", "mm", "km", "um", "cm"]),
    st.sampled_from(["m", "mm", "km", "um", "cm"]),
)
def test_converting_there_and_back_returns_the_value(value, one, other):
    there = Quantity(value, parse_unit(one)).to(parse_unit(other))
    back = Quantity(there, parse_unit(other)).to(parse_unit(one))
    assert back == pytest.approx(value, rel=1e-14, abs=1e-300)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=30) | st.text("0123456789.e+-*/%^() msNifor", max_size=20))
def test_any_text_is_a_quantity_or_none_or_a_unit_error(text):
    with contextlib.suppress(UnitError):
        quantity = parse_quantity(text)
        assert quantity is None or isinstance(quantity.value, float)
