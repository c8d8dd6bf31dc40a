"""Times are the fractions that were meant: from text, through expressions, and around floats."""

import math
from fractions import Fraction

import numpy as np
import pytest
from railblocks.engine import DiagramError, check, loads
from railblocks.engine.units.times import (
    Time,
    nearest_times,
    recovered,
    seconds,
    simplest_between,
    time_text,
)

F = Fraction


def times_of(every, time="0 s", solver="stop: 1 s", parameters="T: 0.1 s"):
    """Period, step time and settings of a diagram in which they are written so."""
    checked = check(
        loads(
            f"""diagram: 1
parameters: {{{parameters}}}
blocks:
  hold: {{type: discrete.zero_order_hold, every: {every}}}
  step: {{type: sources.step, time: {time}}}
wires: [step -> hold]
solver: {{{solver}}}
"""
        )
    )
    (rate,) = checked.schedule.rates
    return rate[0], checked.model.blocks["step"].values["time"], checked.settings


@pytest.mark.parametrize("tenths", range(1, 1000, 3))
def test_a_literal_in_milliseconds_is_its_decimal(tenths):
    text = f"{tenths // 10}.{tenths % 10} ms"
    period, time, _ = times_of(text, text)
    assert period == F(tenths, 10_000)
    assert time == tenths / 10_000


@pytest.mark.parametrize(
    ("text", "parameters", "meant"),
    [
        ("3 * T", "T: 0.1 s", F(3, 10)),
        ("T / 7 * 3", "T: 1 ms", F(3, 7000)),
        ("a - b", "a: 10 s, b: 9.9 s", F(1, 10)),
        ("a - 1234.4", "a: 1234.5", F(1, 10)),
        ("T^3 / T^2", "T: 0.7 ms", F(7, 10_000)),
        ("'min(T, 2 * T) + max(T, 2 * T)'", "T: 0.1 s", F(3, 10)),
        ("abs(-T) * 3 if n > 2 else T", "T: 0.1 s, n: 3", F(3, 10)),
        ("1 / f", "f: 44.1 kHz", F(1, 44_100)),
        ("n / f", "f: 60 Hz, n: 7", F(7, 60)),
        ("h / 3", "h: 0.1 h", F(120)),
        ("7 * T", "T: 1 / 3", F(7, 3)),
        ("2 * pi / omega", "omega: 2 * pi * 50", F(1, 50)),
        ("2 * pi / omega", "omega: 3000 rpm", F(1, 50)),
    ],
)
def test_expressions_give_the_fraction_that_was_meant(text, parameters, meant):
    period, time, _ = times_of(text, text, parameters=parameters)
    assert period == meant
    assert time == float(meant)


@pytest.mark.parametrize("n", [3, 6, 7, 12, 14, 17, 19, 23, 24, 28])
@pytest.mark.parametrize("tenth", [0.1, 0.2, 0.7, 1.1, 1e-3, 0.7e-3])
def test_products_of_floats_are_recovered(n, tenth):
    assert seconds(n * tenth) == n * F(repr(tenth))
    assert seconds(n * (1 / 3)) == F(n, 3)


def test_settings_are_times_too():
    solver = "start: 3 * T, stop: 1.7 s - T - T, method: rk4, step: T / 10"
    _, _, settings = times_of("T", solver=solver.replace("1.7 s", "17 * T"))
    assert seconds(settings.start) == F(3, 10)
    assert seconds(settings.stop) == F(15, 10)
    assert seconds(settings.step) == F(1, 100)
    assert settings.start == 0.3


def test_an_irrational_time_stays_the_float_it_is():
    for number in (math.sqrt(2), math.pi / 1000, 0.1234567890123456):
        assert float(seconds(number)) == number


def test_chance_finds_a_simple_fraction_for_few_numbers():
    """Of random numbers one in a thousand is near a simple one; five sigma above that is allowed.

    Decimals of 12 digits lie 1e-12 to 1e-13 apart in (0.1, 1), so that 8 ulp of 1.1e-16 around them
    cover at most 0.9 % / 10 of it; fractions p/q with p q <= 1e12 as many again.
    """
    rng = np.random.default_rng(3)
    numbers = rng.uniform(0.1, 1.0, 4000).tolist()
    moved = sum(recovered(x) != F(repr(x)) for x in numbers)
    assert moved <= 4000 * 0.002 + 5 * math.sqrt(4000 * 0.002)


def test_the_simplest_fraction_of_an_interval():
    assert simplest_between(F(1, 10), F(1, 2)) == F(1, 2)
    assert simplest_between(F(314, 100), F(315, 100)) == F(22, 7)
    assert simplest_between(F(2), F(3)) == 2
    low, high = F(355, 113) - F(1, 10**7), F(355, 113) + F(1, 10**7)
    assert simplest_between(low, high) == F(355, 113)


def test_arrays_of_times_are_recovered_at_once():
    k = np.arange(200_000)
    assert np.array_equal(nearest_times(k * 0.1), k / 10)
    assert np.array_equal(nearest_times(np.cumsum(np.full(6, 0.1))), np.arange(1, 7) / 10)
    assert nearest_times(np.array([7 * (1 / 3), -0.1 * 3, np.inf])).tolist() == [
        7 / 3,
        -0.3,
        np.inf,
    ]


def test_a_time_is_the_float_nearest_to_its_fraction():
    time = Time(F(3, 10))
    assert time == 0.3
    assert isinstance(time, float)
    assert time.fraction == F(3, 10)


@pytest.mark.parametrize(
    ("fraction", "text"),
    [
        (F(21, 10_000), "0.0021 s"),
        (F(1, 3), "1/3 s"),
        (F(5), "5 s"),
        (F(1, 1024), "0.0009765625 s"),
        (F(1_000_001, 1_000_000), "1.000001 s"),
        (F(0), "0 s"),
        (F(-1, 8), "-0.125 s"),
        (F(1, 10**300), "1e-300 s"),
    ],
)
def test_times_are_printed_without_rounding(fraction, text):
    assert time_text(fraction) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b: {type: discrete.unit_delay, every: .inf}", "b.every = inf s; expected a finite time"),
        (
            "b: {type: discrete.unit_delay, every: 1, offset: .inf}",
            "b.offset = inf s",
        ),
        ("b: {type: sources.pulse, period: .inf}", "a time of inf s; expected a finite one"),
    ],
)
def test_infinite_times_are_refused_where_a_run_counts_by_them(text, message):
    diagram = f"diagram: 1\nblocks: {{u: {{type: sources.constant, value: 1}}, {text}}}\n"
    diagram += "wires: [u -> b]\n" if "delay" in text else ""
    with pytest.raises(DiagramError, match=message):
        check(loads(diagram))


@pytest.mark.parametrize("setting", ["solver: {method: rk4, step: .inf}", "log: {every: .inf}"])
def test_infinite_steps_and_log_periods_are_refused(setting):
    diagram = f"diagram: 1\nblocks: {{u: {{type: sources.clock}}}}\n{setting}\n"
    with pytest.raises(DiagramError, match="= inf s; expected a finite time"):
        check(loads(diagram))


def test_times_far_from_all_decimals_stay_as_they_are():
    far = np.array([1e300, 5e-324, 3e12])
    assert np.array_equal(nearest_times(far), far)
