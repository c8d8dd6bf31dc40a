"""Parameters recovered from synthetic measurements, with closed forms of their errors."""

import math

import numpy as np
import pytest
from railblocks.engine import (
    DiagramError,
    Results,
    Simulation,
    check,
    loads,
    standard_blocks,
)
from railblocks.engine.measurements.calibration import calibrate
from railblocks.engine.measurements.comparison import SignalPair, Window
from railblocks.engine.measurements.misfit import Misfit
from railblocks.engine.measurements.tunables import Tunable, read_tunable
from railblocks.engine.units import Quantity, parse_unit

LINE = loads("""\
diagram: 1
parameters: {a: 1 m/s, b: 500 mm}
blocks: {line: {type: sources.ramp, slope: a, y_0: b, delay: 0}}
solver: {stop: 4 s}
log: {signals: [line.y], every: 100 ms}
""")
OTHER = loads("""\
diagram: 1
parameters: {a: 1 m/s, b: 500 mm, twice: 2*a, many: [1, 2], word: "text"}
blocks:
  mass: {type: mechanics.mass, x_0: 3 mm}
  law:  {type: rail.local_adhesion}
""")
Y, V = (SignalPair("line.y", "y"),), (SignalPair("body.v", "y"),)
METRE = Quantity(1.0, parse_unit("m"))


def misfit(measured, *tunables, diagram=LINE, pairs=Y, stop=4.0):
    start = {t.path: t.text(t.start) for t in tunables}
    checked = check(diagram.with_values(start))
    return Misfit(checked, tunables, measured, pairs, Window(0.0, stop), compiled=False)


def tunable(text, diagram=LINE, log=False):
    return read_tunable(text, diagram, standard_blocks(), log)


def line(noise=0.0, count=41, unit="m"):
    """2.5 m/s t + 0.3 m, with noise."""
    time = np.linspace(0.0, 4.0, count)
    y = 2.5 * time + 0.3 + noise * np.random.default_rng(3).normal(size=count)
    return Results.from_arrays(time, {"y": y}, {"y": unit})


def test_a_line_is_recovered_with_the_standard_errors_of_linear_regression():
    measured = line(noise=0.05)
    calibration = calibrate(
        misfit(measured, tunable("a=1"), tunable("b=500")), measured, "least_squares", 100
    )
    (a, b), t, y = calibration.parameters, measured.time, measured["y"]
    spread = np.sum((t - t.mean()) ** 2)
    slope = np.sum((t - t.mean()) * y) / spread
    offset = y.mean() - slope * t.mean()
    s = math.sqrt(np.sum((y - slope * t - offset) ** 2) / (len(t) - 2))
    assert a.value == pytest.approx(slope, rel=1e-6)
    assert b.value == pytest.approx(1e3 * offset, rel=1e-5)
    assert a.error == pytest.approx(s / math.sqrt(spread), rel=1e-3)
    assert b.error == pytest.approx(
        1e3 * s * math.sqrt(1 / len(t) + t.mean() ** 2 / spread), rel=1e-3
    )
    assert calibration.outcome == "done"
    assert calibration.after[0].statistics.rms < 0.05 < calibration.before[0].statistics.rms


def test_signals_with_noise_of_different_size_have_standard_errors_of_their_own():
    """Of two copies of a line one has all the noise: Eqs. (1) and (2) by hand."""
    clean, noisy = line(), line(noise=0.5)
    measured = Results.from_arrays(clean.time, {"y": noisy["y"], "z": clean["y"]})
    shifted = "line.y - 0.2*metre"
    fit = misfit(
        measured, tunable("a=2"), pairs=(SignalPair(shifted, "y"), SignalPair(shifted, "z"))
    )
    fit.given = {"metre": METRE}
    (a,) = calibrate(fit, measured, "least_squares", 100).parameters
    t, y = clean.time, [measured["y"] - 0.3, measured["z"] - 0.3]
    weights = 1 / np.var(y, axis=1)
    whole = weights.sum() * np.sum(t * t)
    best = np.dot(weights, y @ t) / whole
    variances = np.mean((y - best * t) ** 2, axis=1) * 82 / 81
    assert a.value == pytest.approx(best, rel=1e-6)
    spread = np.sqrt(np.sum(t * t) * np.dot(weights**2, variances))
    assert a.error == pytest.approx(spread / whole, rel=1e-3)


@pytest.mark.parametrize("method", ["least_squares", "bounded", "differential_evolution"])
def test_every_method_finds_the_slope(method):
    measured = line()
    fit = misfit(measured, tunable("a=1:0.5..10"), diagram=LINE.with_values({"b": "30 cm"}))
    calibration = calibrate(fit, measured, method, 200)
    assert calibration.parameters[0].value == pytest.approx(2.5, rel=2e-3)


def test_a_parameter_over_decades_is_found_by_its_logarithm():
    measured = line()
    decades = tunable("a=1e-4:1e-6..1e3", log=True)
    fit = misfit(measured, decades, diagram=LINE.with_values({"b": "0.3 m"}))
    calibration = calibrate(fit, measured, "bounded", 200)
    assert calibration.parameters[0].value == pytest.approx(2.5, rel=1e-4)


def test_the_diagram_is_prepared_once(monkeypatch):
    made = []
    prepare = Simulation.__init__

    def counted(self, *arguments, **options):
        made.append(self)
        prepare(self, *arguments, **options)

    monkeypatch.setattr(Simulation, "__init__", counted)
    measured = line()
    calibration = calibrate(
        misfit(measured, tunable("a"), tunable("b")), measured, "least_squares", 50
    )
    assert calibration.runs > 5
    assert len(made) == 1


def test_runs_that_fail_count_as_bad():
    """m > 0 is what the block takes; most of the range that is searched is refused."""
    text = (
        "diagram: 1\nparameters: {m: 6 kg}\n"
        "blocks: {f: {type: sources.constant, value: 6 N}, body: {type: mechanics.mass, m: m}}\n"
        "wires: [f -> body.F]\nsolver: {stop: 2 s}\nlog: {signals: [body.v], every: 0.1 s}\n"
    )
    time = np.linspace(0, 2, 21)
    measured = Results.from_arrays(time, {"y": 2.0 * time})
    diagram = loads(text)
    fit = misfit(measured, tunable("m:-20..10", diagram), diagram=diagram, pairs=V, stop=2.0)
    calibration = calibrate(fit, measured, "differential_evolution", 100)
    assert calibration.failed > 0
    assert "out of range" in fit.reason
    assert calibration.parameters[0].value == pytest.approx(3.0, rel=1e-2)


def test_a_parameter_that_changes_the_program_is_fitted_too():
    text = (
        "diagram: 1\n"
        "blocks: {u: {type: sources.ramp}, hold: {type: discrete.zero_order_hold, every: 0.5}}\n"
        "wires: [u -> hold]\nsolver: {stop: 2 s}\nlog: {signals: [hold.y], every: 0.05 s}\n"
    )
    diagram = loads(text)
    measured = Results.from_arrays(np.array([0.0, 1.0, 2.0]), {"y": [0.0, 1.0, 2.0]})
    every = tunable("hold.every:0.1..1", diagram)
    fit = misfit(measured, every, diagram=diagram, pairs=(SignalPair("hold.y", "y"),), stop=2.0)
    values = fit.run(np.array([0.5]))["hold.y"]  # half of 0.5 s
    assert len(np.unique(values)) == 9
    assert not fit.failed


def test_the_number_of_runs_is_bounded_and_the_best_is_kept():
    measured = line()
    calibration = calibrate(
        misfit(measured, tunable("a"), tunable("b")), measured, "least_squares", 3
    )
    assert (calibration.outcome, calibration.runs) == ("most runs", 3)
    assert calibration.parameters[0].error is None
    assert calibration.after[0].statistics.rms <= calibration.before[0].statistics.rms


def test_what_signals_do_not_tell_has_no_standard_error():
    measured = line()
    nothing = (SignalPair("0*line.y", "y"),)
    fit = misfit(measured, tunable("a"), tunable("b"), pairs=nothing)
    calibration = calibrate(fit, measured, "least_squares", 20)
    assert [p.error for p in calibration.parameters] == [None, None]
    assert {p.note for p in calibration.parameters} == {"the signals do not determine it"}


def test_a_parameter_at_its_bound_has_no_standard_error():
    measured = line()
    fit = misfit(measured, tunable("a=1:0..2"), diagram=LINE.with_values({"b": "0.3 m"}))
    (a,) = calibrate(fit, measured, "least_squares", 100).parameters
    assert a.value == pytest.approx(2.0, rel=1e-6)
    assert (a.error, a.note) == (None, "at its bound")


def test_a_run_that_stops_itself_keeps_its_last_values():
    time = np.array([0.0, 1.0, 3.0])
    short = Results.from_arrays(np.array([0.0, 1.0]), {"line.y": [0.0, 2.0]})
    fit = misfit(Results.from_arrays(time, {"y": [0.0, 2.0, 2.0]}), tunable("a"), stop=3.0)
    np.testing.assert_allclose(fit.compared(short), 0.0)


# --- what is fitted ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "start", "low", "high", "unit"),
    [
        ("a", 1.0, -math.inf, math.inf, "m/s"),
        ("b", 500.0, -math.inf, math.inf, "mm"),
        ("b=0.4 m:10 cm..0.6 m", 0.4, 0.1, 0.6, "m"),
        ("b=40:1..60", 40.0, 1.0, 60.0, "mm"),
        ("mass.x_0", 3.0, -math.inf, math.inf, "mm"),
        ("mass.m=2", 2.0, 0.0, math.inf, None),
        ("law.tau_x", 8.1e-9, 0.0, math.inf, None),
        ("law.nu", 0.3, 0.0, 0.5, None),
        ("twice=3", 3.0, -math.inf, math.inf, None),
    ],
)
def test_start_bounds_and_unit_come_from_the_diagram_and_the_block(text, start, low, high, unit):
    parameter = tunable(text, OTHER)
    assert (parameter.start, parameter.low, parameter.high) == pytest.approx((start, low, high))
    assert (str(parameter.unit) if parameter.unit else None) == unit


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("aa", "'aa' is not a parameter of the diagram; did you mean 'a'?"),
        ("mass", "but a block; name one of its parameters"),
        ("solver.rtol", "is a setting"),
        ("twice", "twice is not a single number with or without unit in the diagram; give a start"),
        ("many", "is not a single number"),
        ("word", "is not a single number"),
        ("mass.m", "is not a single number"),
        ("law.n_x", "is not a real number"),
        ("law.bound", "is not a real number"),
        ("a=fast", "'fast' is not known"),
        ("a=[1, 2]", "is not a finite number"),
        ("a=1:2", "are not bounds; expected LOW..HIGH"),
        ("a=1:2..3", "the start 1 is not between 2 and 3"),
        ("a=1:3..0", "the range from 3 to 0 is empty"),
        ("a=1 kg", "1 kg has unit kg; expected a speed (m/s)"),
        ("a=1:1 s..2", "has unit s; expected a speed"),
    ],
)
def test_what_cannot_be_fitted_is_told(text, message):
    with pytest.raises(DiagramError) as caught:
        tunable(text, OTHER)
    assert message in str(caught.value)


def test_a_logarithm_that_runs_away_stays_a_number():
    assert tunable("a=2", log=True).value(1e6) == pytest.approx(2 * math.exp(700.0))


def test_a_logarithm_needs_a_positive_start():
    with pytest.raises(DiagramError, match="the start -1 is not positive"):
        tunable("a=-1", log=True)


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("x", [1e-9, 0.03, 70.0])
def test_what_is_sought_and_the_value_belong_together(log, x):
    parameter = Tunable("a", 0.5, log=log)
    assert parameter.value(parameter.sought(x)) == pytest.approx(x, rel=1e-8)
    step = 1e-4
    slope = (parameter.value(parameter.sought(x) + step) - x) / step
    assert slope == pytest.approx(parameter.slope(x), rel=1e-3)


def test_a_signal_that_the_best_run_does_not_explain_is_told():
    """A line is fitted to a parabola about its middle, of which no line explains anything."""
    time = np.linspace(0.0, 4.0, 41)
    measured = Results.from_arrays(time, {"y": (time - 2.0) ** 2 + 50.0}, {"y": "m"})
    fit = misfit(measured, tunable("a=1"), tunable("b=500"))
    assert calibrate(fit, measured, "least_squares", 100).unexplained == Y
    explained = line(noise=0.05)
    fit = misfit(explained, tunable("a=1"), tunable("b=500"))
    assert calibrate(fit, explained, "least_squares", 100).unexplained == ()
