"""Scalars follow YAML 1.2, and what is written reads back as the same value."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from railblocks.engine.text.scalars import NumberTooLarge, number_text, plain_value, scalar_text
from railblocks.engine.text.source import read_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.text(
    " -?:#{}[],&*!|>'\"%@`~.0123eEx_a\n\t+=\\", max_size=8
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001),
        ("1.5", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("-3", -3),
        ("+3", 3),
        ("012", 12),
        ("0o17", 15),
        ("0x1F", 31),
        ("1e3", 1000.0),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        ("true", True),
        ("FALSE", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("1:30", "1:30"),
        ("1_000", "1_000"),
        ("3 m", "3 m"),
        ("1e", "1e"),
        ("e1", "e1"),
        ("nan", "nan"),
        ("inf", "inf"),
        ("-", "-"),
        (".", "."),
        ("0b1", "0b1"),
        ("2026-01-01", "2026-01-01"),
    ],
)
def test_plain_scalars_follow_yaml_1_2(text, value):
    number = plain_value(text)
    assert number == value
    assert type(number) is type(value)


def test_not_a_number_is_one():
    assert math.isnan(plain_value(".nan"))


@pytest.mark.parametrize("text", ["1e999", "-1e400", "9" * 301, "0x" + "f" * 300])
def test_numbers_beyond_float64_are_refused(text):
    with pytest.raises(NumberTooLarge):
        plain_value(text)


@given(st.floats() | st.integers(-(10**30), 10**30) | st.booleans())
def test_numbers_are_written_so_that_they_read_back(number):
    value_read = plain_value(number_text(number))
    assert type(value_read) is type(number)
    assert value_read == number or (math.isnan(number) and math.isnan(value_read))


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_any_text_reads_back_inside_braces(text):
    written = scalar_text(text, text, flow=True)
    entries = read_text(f"a: {{k: {written}, z: 1}}\n", "f").entries["a"].node.entries
    assert list(entries) == ["k", "z"]
    assert entries["k"].node.value == text


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_any_text_reads_back_on_a_line_of_its_own(text):
    written = scalar_text(text, text, flow=False)
    assert read_text(f"a: {written}\nb: 1\n", "f").entries["a"].node.value == text


@pytest.mark.parametrize("text", ["150 rad/s", "phi_l^5", "a if b else c", "N*m", "-x"])
def test_common_values_need_no_quotes(text):
    assert scalar_text(text, text) == text


def test_a_comma_needs_quotes_only_inside_braces():
    assert scalar_text("a.y -> b.u, c.u", "a.y -> b.u, c.u", flow=False) == "a.y -> b.u, c.u"
    assert scalar_text("min(a, b)", "min(a, b)", flow=True) == '"min(a, b)"'
