"""Measures of signals against closed forms, and what must not change them."""

import math

import numpy as np
import pytest
from railblocks.engine import DiagramError, Results, parse_limits, parse_measure
from railblocks.engine.measures import KINDS, Curve
from railblocks.engine.units.unit import ONE, parse_unit
from scipy.optimize import brentq

ZETA, OMEGA = 0.3, 2.0
OMEGA_D = OMEGA * math.sqrt(1 - ZETA**2)
OVERSHOOT = math.exp(-math.pi * ZETA / math.sqrt(1 - ZETA**2))


def second_order(t):
    """The step response of omega^2 / (s^2 + 2 zeta omega s + omega^2)."""
    lean = ZETA / math.sqrt(1 - ZETA**2)
    return 1 - np.exp(-ZETA * OMEGA * t) * (np.cos(OMEGA_D * t) + lean * np.sin(OMEGA_D * t))


def value(text, t, y, unit="A", held=False):
    measure = parse_measure(text)
    values = np.asarray(y, dtype=bool if held else float)
    return measure.of(Results.from_arrays(t, {"x.y": values}, {"x.y": unit}))


def number(text, t, y, **more):
    measured = value(text, t, y, **more)
    assert not measured.reason
    return measured.value


T = np.linspace(0, 40, 40001)
STEP = second_order(T)


def level_time(level, low, high):
    return brentq(lambda t: second_order(t) - level, low, high)


# The last time at which the response is 2 % away from 1 lies on the way down to its last large
# extreme; extremes are pi / omega_d apart, their sizes exp(-zeta omega t).
LAST_EXTREME = math.floor(-math.log(0.02) / (ZETA * math.pi / math.sqrt(1 - ZETA**2)))
SETTLED = brentq(
    lambda t: abs(second_order(t) - 1) - 0.02,
    LAST_EXTREME * math.pi / OMEGA_D,
    (LAST_EXTREME + 0.5) * math.pi / OMEGA_D,
)

SECOND_ORDER = {
    "overshoot(x.y, final=1 A)": OVERSHOOT,
    "max(x.y)": 1 + OVERSHOOT,
    "rise_time(x.y, final=1 A)": level_time(0.9, 0, 1.5) - level_time(0.1, 0, 1.5),
    "rise_time(x.y, low=20 %, high=0.8, final=1)": level_time(0.8, 0, 1.5)
    - level_time(0.2, 0, 1.5),
    "delay_time(x.y, final=1 A)": level_time(0.5, 0, 1.5),
    "settling_time(x.y, final=1 A)": SETTLED,
    "settling_time(x.y, within=0.02 A, final=1 A)": SETTLED,
    "undershoot(x.y)": 0.0,
    "steady_error(x.y, 1.25 A)": 0.25,
    "period(x.y, level=1 A, to=20 s)": 2 * math.pi / OMEGA_D,
    "frequency(x.y, level=1 A, to=20 s)": OMEGA_D / (2 * math.pi),
    "ise(1 A - x.y)": (4 * ZETA**2 + 1) / (4 * ZETA * OMEGA),
}


@pytest.mark.parametrize("text", SECOND_ORDER)
def test_a_second_order_step_is_measured_as_its_closed_form_says(text):
    assert number(text, T, STEP) == pytest.approx(SECOND_ORDER[text], rel=2e-6, abs=1e-6)


def test_the_peak_is_the_largest_row():
    """Between rows the signal is straight, so the peak is known to half a step of 1 ms."""
    assert number("peak_time(x.y)", T, STEP) == pytest.approx(math.pi / OMEGA_D, abs=5e-4)


TAU = 0.7
FIRST_ORDER = {
    "rise_time(x.y, final=3 A)": TAU * math.log(9),
    "delay_time(x.y, final=3 A)": TAU * math.log(2),
    "settling_time(x.y, final=3 A)": TAU * math.log(50),
    "settling_time(x.y, band=5 %, final=3 A)": TAU * math.log(20),
    "iae(3 A - x.y)": 3 * TAU,
    "ise(3 A - x.y)": 9 * TAU / 2,
    "itae(3 A - x.y)": 3 * TAU**2,
    "itse(3 A - x.y)": 9 * TAU**2 / 4,
    "overshoot(x.y)": 0.0,
    "final(x.y)": 3.0,
    "time_above(x.y, 1.5 A)": 40 - TAU * math.log(2),
    "time_below(x.y, 1.5 A)": TAU * math.log(2),
    "crossing_time(x.y, 1.5 A)": TAU * math.log(2),
    "at(x.y, 0.35 s)": 3 * (1 - math.exp(-0.5)),
}


@pytest.mark.parametrize("text", FIRST_ORDER)
def test_a_first_order_step_is_measured_as_its_closed_form_says(text):
    y = 3 * (1 - np.exp(-T / TAU))
    assert number(text, T, y) == pytest.approx(FIRST_ORDER[text], rel=2e-6, abs=1e-6)


SINE = {
    "mean(x.y, to=4 s)": 1.0,
    "rms(x.y, to=4 s)": math.sqrt(1 + 2.0),
    "std(x.y, to=4 s)": math.sqrt(2.0),
    "range(x.y)": 4.0,
    "min(x.y)": -1.0,
    "variation(x.y, to=4 s)": 2 * 8.0,
    "integral(x.y, from=1 s, to=3 s)": 2.0,
    "frequency(x.y)": 0.5,
    "period(x.y)": 2.0,
    "crossings(x.y, 1 A, from=0.5 s, to=8.25 s)": 8,
    "crossings(x.y, 1 A, rising, from=0.5 s, to=8.25 s)": 4,
    "crossings(x.y, level=1 A, direction=falling, from=0.5 s, to=8.25 s)": 4,
    "time_above(x.y, 1 A, to=4 s)": 2.0,
    "time_above(x.y, 2 A, to=4 s)": 4 / 3,
}


@pytest.mark.parametrize("text", SINE)
def test_a_sine_is_measured_as_its_closed_form_says(text):
    y = 1 + 2 * np.sin(np.pi * T)
    assert number(text, T, y) == pytest.approx(SINE[text], rel=3e-6, abs=1e-9)


@pytest.mark.parametrize("name", ["iae", "ise", "itae", "itse"])
def test_integrals_of_straight_lines_are_exact_however_few_rows(name):
    """y = 1 - t on [0, 2]: the integrals of |y|, y^2, t |y|, t y^2 by hand."""
    exact = {"iae": 1.0, "ise": 2 / 3, "itae": 1.0, "itse": 2 / 3}[name]
    assert number(f"{name}(x.y)", [0.0, 2.0], [1.0, -1.0]) == pytest.approx(exact, rel=1e-14)


def test_a_jump_takes_no_time_and_belongs_to_the_window_that_starts_there():
    t, y = [0.0, 1.0, 1.0, 3.0], [1.0, 1.0, 5.0, 5.0]
    assert number("integral(x.y)", t, y) == 11.0
    assert number("max(x.y, to=1 s)", t, y) == 1.0
    assert number("min(x.y, from=1 s)", t, y) == 5.0
    assert number("at(x.y, 1 s)", t, y) == 5.0
    assert number("time_above(x.y, 2 A)", t, y) == 2.0
    assert number("crossing_time(x.y, 2 A)", t, y) == 1.0
    assert number("rise_time(x.y)", t, y) == 0.0
    assert number("variation(x.y)", t, y) == 4.0


def test_windows_that_adjoin_share_no_part_of_an_integral():
    y = np.where(T < 10, T, 20 - T)
    whole = number("integral(x.y)", T, y)
    before = number("integral(x.y, to=9.1234567 s)", T, y)
    after = number("integral(x.y, from=9.1234567 s)", T, y)
    assert before + after == pytest.approx(whole, rel=1e-12)


def test_truth_values_are_held_until_the_next_row():
    t, y = [0.0, 1.0, 3.0, 4.0], [False, True, False, False]
    assert number("integral(x.y)", t, y, unit="", held=True) == 2.0
    assert number("time_above(x.y, 0.5)", t, y, unit="", held=True) == 2.0
    assert number("at(x.y, 0.9 s)", t, y, unit="", held=True) == 0.0


def test_noise_around_a_level_is_one_crossing_with_hysteresis():
    y = np.array([-1.0, 0.1, -0.1, 0.1, 1.0, 0.05, -1.0])
    t = np.arange(7.0)
    assert number("crossings(x.y)", t, y) == 4
    assert number("crossings(x.y, hysteresis=0.5 A)", t, y) == 2


def test_a_touch_of_the_level_is_no_crossing():
    assert number("crossings(x.y)", [0.0, 1.0, 2.0], [1.0, 0.0, 1.0]) == 0
    assert number("crossings(x.y)", [0.0, 1.0, 2.0, 3.0], [1.0, 0.0, 0.0, -1.0]) == 1


NEEDED = {
    "at": ", 3 s",
    "time_above": ", 0.5 A",
    "time_below": ", 0.5 A",
    "crossing_time": ", 1 A",
    "steady_error": ", 1 A",
}
OSCILLATION = STEP + 0.3 * np.sin(3 * T)
SCALED = {"iae": 1, "ise": 2, "itae": 1, "itse": 2}


@pytest.mark.parametrize("name", KINDS)
def test_what_a_measure_counts_from_its_window_does_not_depend_on_the_clock(name):
    text = f"{name}(x.y{NEEDED.get(name, '')}, from=2 s, to=30 s)"
    later = text.replace("3 s", "103 s").replace("from=2", "from=102").replace("to=30", "to=130")
    here, there = number(text, T, OSCILLATION), number(later, T + 100.0, OSCILLATION)
    assert there == pytest.approx(here, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", KINDS)
def test_a_measure_follows_the_unit_of_its_signal(name):
    """In mA all numbers are 1000 times larger, and the unit says so."""
    text = f"{name}(x.y{NEEDED.get(name, '')}, from=2 s, to=30 s)"
    amperes = value(text, T, OSCILLATION)
    milli = value(text, T, 1000 * OSCILLATION, unit="mA")
    power = SCALED.get(name, 1) if KINDS[name].unit.startswith("?u") else 0
    assert milli.value == pytest.approx(1000**power * amperes.value, rel=1e-9)
    assert parse_unit(milli.unit).dims == parse_unit(amperes.unit).dims
    assert parse_unit(milli.unit).scale == pytest.approx(1000.0**-power)


@pytest.mark.parametrize("name", KINDS)
def test_rows_more_on_straight_lines_change_nothing(name):
    t = np.linspace(0, 40, 401)
    y = np.interp(t, T, OSCILLATION)
    dense = np.linspace(0, 40, 4001)
    text = f"{name}(x.y{NEEDED.get(name, '')}, from=2.03 s, to=30.07 s)"
    few, many = number(text, t, y), number(text, dense, np.interp(dense, t, y))
    assert many == pytest.approx(few, rel=1e-9, abs=1e-9)


UNITS = {
    "max(x.y)": "A",
    "iae(x.y)": "C",
    "ise(x.y)": "A^2*s",
    "settling_time(x.y)": "s",
    "overshoot(x.y)": "1",
    "frequency(x.y)": "Hz",
    "max(x.y)*5 V": "W",
    "ise(w.y)/iae(w.y)": "rad/s",
    "iae(w.y)": "rad",
    "final(time)": "s",
}


@pytest.mark.parametrize("text", UNITS)
def test_units_are_known_before_a_run(text):
    units = {"x.y": "A", "w.y": "rad/s", "time": "s"}
    assert parse_measure(text).unit(units) == UNITS[text]


def test_signals_are_named_as_they_are_written_wherever_they_stand():
    measure = parse_measure("r = iae(a.y[0] - 2*b.y) / max(c, from=crossing_time(d.x))")
    assert set(measure.signals) == {"a.y[0]", "b.y", "c", "d.x"}
    assert measure.name == "r"


def test_measures_are_put_into_signals_and_options():
    y = 2 + np.sin(np.pi * T)
    assert number("max(x.y - mean(x.y, to=4 s))", T, y) == pytest.approx(1.0, abs=1e-6)
    assert number("at(x.y, crossing_time(x.y, 2.5 A))", T, y) == pytest.approx(2.5)
    assert number("max(max(x.y), 5 A)", T, y) == 5.0
    assert number("max(max(x.y, 2.5 A), from=0.9 s, to=1.1 s)", T, y) == 2.5
    assert number("final(x.y)/(1 A)*50 % + 2 %", T, y) == pytest.approx(1.02)


NO_VALUE = {
    "overshoot(x.y - x.y)": "starts and ends at 0",
    "settling_time(x.y, final=9 A)": "still 8.* away from its final value 9",
    "rise_time(x.y, final=9 A)": "reaches only .* % of the step",
    "period(x.y, level=7 A)": "0 rising crossings",
    "crossing_time(x.y, 7 A)": "does not cross 7: it is from",
    "max(x.y, from=50 s)": "rows from 0 s to 40 s, but not at 50 s",
    "max(x.y, from=3 s, to=2 s)": "the window from 3 s to 2 s is empty",
    "mean(x.y, from=2 s, to=2 s)": "only one time, 2 s",
    "max(x.y)/(final(x.y)-final(x.y))": "division by zero",
}


@pytest.mark.parametrize("text", NO_VALUE)
def test_nan_comes_with_its_reason(text):
    import re

    measured = value(text, T, STEP)
    assert math.isnan(measured.value)
    assert re.search(NO_VALUE[text], measured.reason)


def test_a_signal_that_is_nan_has_no_measures_there():
    y = np.where(T > 3, np.nan, 1.0)
    assert "the signal is nan at t = 3.001 s" in value("max(x.y)", T, y).reason
    assert number("max(x.y, to=2 s)", T, y) == 1.0


def test_no_rows_have_no_measures():
    assert "no rows" in value("max(x.y)", np.zeros(0), np.zeros(0)).reason
    assert number("max(x.y)", [1.0], [3.0]) == 3.0


LIMITS = {
    "max(x.y) < 2 A": True,
    "max(x.y) < 1.2 A": False,
    "overshoot(x.y, final=1 A) < 40 %": True,
    "overshoot(x.y, final=1 A) >= 0.4": False,
    "crossings(x.y, 1 A, to=4 s) == 2": True,
    "crossings(x.y, 1 A, to=4 s) != 2": False,
    "final(x.y) >= final(x.y)": True,
    "final(x.y) > final(x.y)": False,
    "settling_time(x.y, final=5 A) < 100 s": False,
    "settling_time(x.y, final=5 A) > 100 s": False,
}


@pytest.mark.parametrize("text", LIMITS)
def test_a_limit_holds_or_not(text):
    (limit,) = parse_limits(text)
    results = Results.from_arrays(T, {"x.y": STEP}, {"x.y": "A"})
    assert limit.holds(results) is LIMITS[text]
    assert limit.signals == ("x.y",)


def test_a_chain_is_several_limits_with_their_own_margins():
    low, high = parse_limits("1 A < max(x.y) <= 1.5 A")
    results = Results.from_arrays(T, {"x.y": STEP}, {"x.y": "A"})
    assert str(low) == "1 A < max(x.y)"
    assert str(high) == "max(x.y) <= 1.5 A"
    assert low.margin.value(results) == pytest.approx(OVERSHOOT, rel=1e-6)
    assert high.margin.value(results) == pytest.approx(0.5 - OVERSHOOT, rel=1e-6)
    assert high.unit({"x.y": "A"}) == "A"


REFUSED = {
    "max(x.y) + 3 V": r"max\(x.y\) and 3 V cannot be added: one is a current",
    "max(x.y + 3 V)": "cannot be added",
    "max(x.y, from=3 A)": "from of max.* is a current .*; expected a time",
    "time_above(x.y, 3 V)": "level of time_above.* is a voltage",
}


@pytest.mark.parametrize("text", REFUSED)
def test_units_that_do_not_fit_are_refused_before_a_run(text):
    with pytest.raises(DiagramError, match=REFUSED[text]):
        parse_measure(text).unit({"x.y": "A"})


UNREADABLE = {
    "": "ends too early",
    "x.y": "'x.y' is a signal; expected a measure of it",
    "max()": "expected a number, a name",
    "max(3 A)": "measures no signal",
    "max(mean(x.y))": "measures no signal",
    "mx(x.y)": "'mx' is not a measure; did you mean 'max'",
    "max(x.y, frm=1 s)": "has no option 'frm'; did you mean 'from'",
    "max(x.y, from=1 s, from=2 s)": "given twice",
    "max(x.y, from=x.z)": "from has the signal 'x.z'",
    "at(x.y)": "at needs a time",
    "crossings(x.y, direction=up)": "expected both or rising or falling",
    "crossings(x.y, direction=)": "expected both or rising or falling",
    "3 zz + max(x.y)": "'zz' is not a unit",
    "max(x.y) <": "ends too early",
    "max(x.y) < 3 A": "true or false",
    "2": "measures no signal",
    "max(x.y": r"ends too early; expected '\)'",
    "max(x.y)]": "unexpected",
    "overshoot(x.y, 1, 2, 3)": "takes no further values",
    "(" * 200 + "max(x.y)": "nested deeper",
    "max(" * 200 + "x.y": "nested deeper|no signal",
    "max(x.y)" + " + 1" * 2000: "longer than",
    "__import__('os')": "cannot be used",
    "max(x.__class__)": None,
    "max(x.y, from=1 s; 2)": "cannot be used",
}


@pytest.mark.parametrize("text", UNREADABLE, ids=lambda text: text[:30])
def test_what_cannot_be_read_is_told(text):
    if UNREADABLE[text] is None:
        assert parse_measure(text).signals == ("x.__class__",)
        return
    with pytest.raises(DiagramError, match=UNREADABLE[text]):
        parse_measure(text)


@pytest.mark.parametrize("text", ["max(x.y)", "3 A < 4 A", "max(x.y) if 1 < 2 else 3", "a < b"])
def test_what_is_not_a_limit_is_told(text):
    with pytest.raises(DiagramError, match="expected"):
        parse_limits(text)


def test_vectors_and_unknown_signals_are_told():
    results = Results.from_arrays([0.0, 1.0], {"x.y": np.ones((2, 3))})
    assert parse_measure("max(x.y[2])").value(results) == 1.0
    with pytest.raises(DiagramError, match=r"'x.y' has 3 elements; name one, as x.y\[0\]"):
        parse_measure("max(x.y)").value(results)
    with pytest.raises(DiagramError, match="'z' is not a logged signal"):
        parse_measure("max(z)").value(results)


def test_curves_of_any_origin_can_be_measured():
    curve = Curve(T, STEP, ONE)
    assert parse_measure("overshoot(y, final=1)").of_curves({"y": curve}).value == pytest.approx(
        OVERSHOOT, rel=1e-6
    )
