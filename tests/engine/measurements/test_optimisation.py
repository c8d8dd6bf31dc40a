"""Best parameters against closed forms of a second-order lag."""

import math

import pytest
from railblocks.engine import (
    DiagramError,
    check,
    loads,
    parse_limits,
    parse_measure,
    simulate,
    standard_blocks,
)
from railblocks.engine.measurements.objective import Objective
from railblocks.engine.measurements.optimisation import METHODS, optimise
from railblocks.engine.measurements.tunables import read_range

STEP = loads("""\
diagram: 1
parameters: {zeta: 0.9, omega: 1 rad/s}
blocks:
  u:     {type: sources.constant, value: 1}
  error: {type: math.sum, signs: +-}
  lag:   {type: continuous.second_order_lag, omega: omega, zeta: zeta}
wires: [u -> error.u1, u -> lag, lag -> error.u2]
solver: {stop: 30 s, rtol: 1e-9, atol: 1e-11}
log: {signals: [lag.y, error.y], every: 10 ms}
""")


def objective(measure, *over, limits=(), diagram=STEP, **options):
    registry = standard_blocks()
    tunables = [read_range(text, diagram, registry) for text in over]
    checked = check(diagram.with_values({t.path: t.text(t.start) for t in tunables}))
    parsed = [limit for text in limits for limit in parse_limits(text)]
    return Objective(checked, tunables, parse_measure(measure), parsed, **options)


@pytest.mark.parametrize("method", ["nelder_mead", "cobyla", "slsqp"])
def test_the_integral_of_the_squared_error_is_least_at_half_the_critical_damping(method):
    """ISE = (zeta + 1/(4 zeta)) / omega, which is 1 at zeta = 1/2."""
    best = optimise(objective("ise(error.y)", "zeta=0.1..2"), method, 200)
    assert best.numbers[0] == pytest.approx(0.5, abs=3e-3)
    assert best.after.value == pytest.approx(1.0, rel=1e-4)
    assert best.after.unit == "s"
    assert best.before.value == pytest.approx(0.9 + 1 / 3.6, rel=1e-4)
    assert best.outcome == "done"


@pytest.mark.parametrize("method", ["cobyla", "slsqp", "differential_evolution"])
def test_the_fastest_rise_with_little_overshoot_is_at_the_limit(method):
    """Overshoot is exp(-pi zeta / sqrt(1 - zeta^2)): 10 % at zeta = 0.5912."""
    limit = "overshoot(lag.y, final=1) < 10 %"
    sought = objective("rise_time(lag.y, final=1)", "zeta=0.3..0.95", limits=[limit])
    best = optimise(sought, method, 150)
    ln = math.log(0.1)
    assert best.numbers[0] == pytest.approx(-ln / math.sqrt(math.pi**2 + ln * ln), abs=4e-3)
    assert all(best.met)
    assert best.limits_after[0].value == pytest.approx(0.0, abs=4e-3)


def test_a_measure_can_be_made_large():
    best = optimise(objective("max(lag.y)", "zeta=0.2..0.9", maximise=True), "nelder_mead", 100)
    assert best.numbers[0] == pytest.approx(0.2, abs=1e-3)
    peak = 1 + math.exp(-math.pi * 0.2 / math.sqrt(1 - 0.04))
    assert best.after.value == pytest.approx(peak, rel=1e-4)


def test_two_parameters_are_found_by_differential_evolution_in_logarithms():
    """ISE over omega falls as 1/omega: its upper end is best."""
    sought = objective("ise(error.y)", "zeta=0.1..2", "omega=1 rad/s:0.5..4:log")
    best = optimise(sought, "differential_evolution", 300)
    assert best.numbers[0] == pytest.approx(0.5, abs=0.05)
    assert best.numbers[1] == pytest.approx(4.0, rel=0.01)


def test_what_was_found_can_be_pasted_into_a_run():
    sought = objective("ise(error.y)", "omega=0.5..2 rad/s")
    best = optimise(sought, "nelder_mead", 40)
    again = parse_measure("ise(error.y)").of(simulate(STEP, best.values))
    assert best.values["omega"].endswith(" rad/s")
    assert again.value == best.after.value


def test_as_many_runs_are_made_as_are_allowed():
    best = optimise(objective("ise(error.y)", "zeta=0.1..2"), "nelder_mead", 7)
    assert best.runs == 7
    assert best.outcome == "most runs"


def test_ctrl_c_keeps_the_best():
    def press(runs, values, value):
        if runs == 9:
            raise KeyboardInterrupt

    best = optimise(objective("ise(error.y)", "zeta=0.1..2", report=press), "nelder_mead", 100)
    assert best.outcome == "interrupted"
    assert best.after.value < best.before.value


def test_runs_that_fail_are_counted_and_left_behind():
    diagram = loads("""\
diagram: 1
blocks:
  u:    {type: sources.ramp, slope: 1}
  root: {type: math.expression, expression: 1/(u1 - 0.5) - 1/(u1 - 0.5) + (u2 - 0.4)^2}
  k:    {type: sources.constant, value: 0.9}
wires: [u -> root.u1, k -> root.u2]
solver: {stop: 0.4 s}
log: {signals: [root.y]}
""")
    sought = objective("final(root.y)", "k.value=0..1", diagram=diagram)
    best = optimise(sought, "nelder_mead", 60)
    assert best.numbers[0] == pytest.approx(0.4, abs=1e-3)
    assert best.failed == 0
    wrong = objective("final(root.y)", "k.value=0..1", diagram=diagram.with_values({"u.slope": 0}))
    wrong.measure = parse_measure("period(root.y)")
    with pytest.raises(DiagramError, match="a period needs two"):
        optimise(wrong, "nelder_mead", 60)


def test_nelder_mead_takes_no_limits():
    sought = objective("ise(error.y)", "zeta=0.1..2", limits=["max(lag.y) < 2"])
    with pytest.raises(DiagramError, match="nelder_mead takes no limits; use cobyla"):
        optimise(sought, "nelder_mead", 10)


def test_a_start_outside_the_range_is_its_middle():
    registry = standard_blocks()
    assert read_range("zeta=0.1..0.5", STEP, registry).start == pytest.approx(0.3)
    assert read_range("zeta=0.01..0.25:log", STEP, registry).start == pytest.approx(0.05)
    assert read_range("zeta=0.2:0.1..0.5", STEP, registry).start == 0.2
    for text, message in (
        ("zeta=0.5..0.1", "the range from 0.5 to 0.1 is empty"),
        ("zeta=3:0.1..0.5", "the start 3 is not between 0.1 and 0.5"),
        ("zeta", "is not a range"),
        ("zeta=1..2..3", "is not a range"),
    ):
        with pytest.raises(DiagramError, match=message):
            read_range(text, STEP, registry)


def test_every_method_of_the_command_is_one_of_the_search():
    from railblocks.engine.cli.optimise import METHODS as NAMES

    assert set(NAMES) == set(METHODS)
