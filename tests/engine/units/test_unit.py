"""Units: known values, algebra, and texts that read back as the same unit."""

import contextlib
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from railblocks.engine.units.unit import ONE, UnitError, UnitPattern, parse_pattern, parse_unit

SYMBOLS = ["m", "kg", "s", "A", "K", "mol", "cd", "N", "Pa", "J", "W", "V", "ohm", "mm", "km", "h"]
SYMBOLS += ["deg", "rpm", "kN", "MPa", "um", "t", "min", "%", "rad", "Hz", "bar", "g", "T", "F"]

powers = st.fractions(-3, 3, max_denominator=3).filter(bool)
factors = st.dictionaries(st.sampled_from(SYMBOLS), powers, min_size=1, max_size=3)


@st.composite
def units(draw):
    unit = ONE
    for symbol, power in draw(factors).items():
        unit = unit * parse_unit(symbol) ** power
    return unit


@pytest.mark.parametrize(
    ("text", "scale", "base"),
    [
        ("1", 1.0, "1"),
        ("rad", 1.0, "1"),
        ("deg", math.pi / 180, "1"),
        ("°", math.pi / 180, "1"),
        ("rev", 2 * math.pi, "1"),
        ("%", 0.01, "1"),
        ("rpm", 2 * math.pi / 60, "1/s"),
        ("Hz", 1.0, "1/s"),
        ("km", 1e3, "m"),
        ("mm", 1e-3, "m"),
        ("um", 1e-6, "m"),
        ("µm", 1e-6, "m"),
        ("g", 1e-3, "kg"),
        ("t", 1e3, "kg"),
        ("ms", 1e-3, "s"),
        ("min", 60.0, "s"),
        ("h", 3600.0, "s"),
        ("km/h", 1 / 3.6, "m/s"),
        ("N", 1.0, "kg*m/s^2"),
        ("Pa", 1.0, "N/m^2"),
        ("bar", 1e5, "Pa"),
        ("J", 1.0, "N*m"),
        ("W", 1.0, "J/s"),
        ("V", 1.0, "W/A"),
        ("ohm", 1.0, "V/A"),
        ("Ω", 1.0, "V/A"),
        ("H", 1.0, "V*s/A"),
        ("F", 1.0, "A*s/V"),
        ("C", 1.0, "A*s"),
        ("T", 1.0, "Wb/m^2"),
        ("Wb", 1.0, "V*s"),
        ("kN", 1e3, "N"),
        ("MPa", 1e6, "N/m^2"),
        ("GPa", 1e9, "Pa"),
        ("N*m/s^2", 1.0, "J/s^2"),
        ("N·m", 1.0, "J"),
        ("1/s", 1.0, "Hz"),
        ("1/(s*K)", 1.0, "1/s/K"),
        ("m**2", 1.0, "m^2"),
        ("m^-2", 1.0, "1/m^2"),
        ("m^(1/2)*m^0.5", 1.0, "m"),
        ("mm^2", 1e-6, "m^2"),
        ("L", 1e-3, "m^3"),
    ],
)
def test_known_units_have_their_scale_and_dimension(text, scale, base):
    unit = parse_unit(text)
    assert unit.scale == pytest.approx(scale, rel=1e-15)
    assert unit.same_dimension(parse_unit(base))
    assert unit.text == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the unit is empty; expected a unit such as m, or 1 for a plain number"),
        ("m2", "unit 'm2': write m^2 instead of m2"),
        ("N m", "has 'm' without an operator before it; write products with *, as in N*m"),
        ("Nm", "unit 'Nm' is not known; did you mean 'N*m'?"),
        ("kgm", "unit 'kgm' is not known; did you mean 'kg*m'?"),
        ("degC", "unit 'degC' has an offset and cannot be scaled; write temperatures"),
        ("°C", "has an offset"),
        ("sec", "unit 'sec' is not known; did you mean 's'?"),
        ("kmh", "unit 'kmh' is not known; did you mean 'km/h'?"),
        ("ohms", "unit 'ohms' is not known; did you mean 'ohm'?"),
        ("m^", "unit 'm^' ends too early"),
        ("m*", "unit 'm*' ends too early"),
        ("(m", "unit '(m' has no closing ')'"),
        ("m)", "unit 'm)' has a ')' without '('"),
        ("m^x", "unit 'm^x' has exponent 'x'; expected a number"),
        ("m^(50/2)", "has an exponent beyond 24"),
        ("m^99", "has an exponent beyond 24"),
        ("m^(1/0)", "has a zero under its exponent"),
        ("2*m", "unit '2*m' has '2'; expected a symbol such as m, or 1"),
        ("m$", "unit 'm$' contains '$'"),
        ("?u", "has a variable ?u; expected a plain unit"),
        ("m*" * 150 + "m", "is longer than 200 characters"),
        ("(" * 99 + "m", "is too complicated"),
        ("Tm^24*Ts^24", "is too large or too small"),
        ("fm^24", "is too large or too small"),
        ("1/fm^24", "is too large or too small"),
    ],
)
def test_unreadable_units_say_what_to_write(text, message):
    with pytest.raises(UnitError) as caught:
        parse_unit(text)
    assert message in str(caught.value)


@settings(deadline=None)
@given(units())
def test_the_text_of_a_unit_reads_back_as_the_same_unit(unit):
    again = parse_unit(unit.text)
    assert again == unit
    assert again.text == unit.text


@settings(deadline=None)
@given(units(), units(), units())
def test_units_form_an_abelian_group(a, b, c):
    assert a * b == b * a
    assert ((a * b) * c).same(a * (b * c))
    assert (a / a).same(ONE)
    assert (a * ONE).same(a)
    assert (a / b).same(a * b**-1)


@settings(deadline=None)
@given(units(), st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(2), Fraction(-1)]))
def test_powers_multiply_dimensions_and_raise_scales(unit, power):
    raised = unit**power
    assert raised.dims == tuple(d * power for d in unit.dims)
    assert raised.scale == pytest.approx(unit.scale ** float(power), rel=1e-12)
    assert (raised ** (1 / power)).same(unit)


def test_equal_units_of_different_text_are_the_same():
    assert parse_unit("N*m").same(parse_unit("J"))
    assert parse_unit("N*m") == parse_unit("J")
    assert not parse_unit("mm").same(parse_unit("m"))
    assert parse_unit("mm").same_dimension(parse_unit("m"))


def test_products_merge_equal_symbols():
    assert (parse_unit("N*m") / parse_unit("m")).text == "N"
    assert (parse_unit("mm") * parse_unit("mm")).text == "mm^2"
    assert (parse_unit("s") / parse_unit("s")).text == "1"


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("m", "a length (m)"),
        ("mm", "a length (mm)"),
        ("N", "a force (N)"),
        ("N*m", "a torque or an energy (N*m)"),
        ("rad/s", "an angular speed or a frequency (rad/s)"),
        ("1", "a plain number (1)"),
        ("N*m/s", "a power (N*m/s)"),
        ("m^5", "a value in m^5"),
    ],
)
def test_units_describe_themselves(text, description):
    assert parse_unit(text).describe() == description


@pytest.mark.parametrize(
    ("text", "si"),
    [("km/h", "m/s"), ("kN", "N"), ("deg", "1"), ("mm^2", "m^2"), ("g*mm^2", "kg*m^2")],
)
def test_si_units_are_named_as_people_name_them(text, si):
    assert parse_unit(text).si().text == si
    assert parse_unit(text).si().scale == 1.0


def test_powers_too_large_to_mean_anything_are_refused():
    with pytest.raises(UnitError, match="m to the power 1e\\+300 goes beyond 24"):
        parse_unit("m") ** 1e300
    with pytest.raises(UnitError, match="to the power nan"):
        parse_unit("m") ** math.nan
    with pytest.raises(UnitError, match="has an exponent beyond 24"):
        parse_unit("m^20") * parse_unit("m^20")


def test_patterns_carry_variables():
    assert parse_pattern("?u*s") == UnitPattern(parse_unit("s"), (("u", Fraction(1)),))
    assert parse_pattern("1/?u^2").powers == (("u", Fraction(-2)),)
    assert parse_pattern("?a*?b/s").names == {"a", "b"}
    assert parse_pattern("?u/?u").powers == ()
    assert str(parse_pattern("?u*s/m")) == "s*?u/m"


def test_a_plain_unit_is_a_pattern_without_variables():
    pattern = parse_pattern("N*m")
    assert pattern == UnitPattern(parse_unit("N*m"), ())
    assert pattern.base.text == "N*m"


def test_patterns_become_units_once_their_variables_are_bound():
    pattern = parse_pattern("?u*s")
    assert pattern.unit({}) is None
    assert pattern.unit({"u": parse_unit("m/s")}).same(parse_unit("m"))


def test_a_question_mark_needs_a_name():
    with pytest.raises(UnitError, match="'\\?'"):
        parse_pattern("?*s")


@settings(max_examples=300, deadline=None)
@given(st.text("mkgsfTN*/^()-.12 °%?u$é", max_size=20))
def test_any_text_is_a_unit_or_a_unit_error(text):
    with contextlib.suppress(UnitError):
        unit = parse_unit(text)
        assert parse_unit(unit.text) == unit
