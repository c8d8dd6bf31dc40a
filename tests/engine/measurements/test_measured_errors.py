"""Errors of runs against measurements: closed forms, units, expressions, data that do not fit."""

import numpy as np
import pytest
from railblocks.engine import DiagramError, Results
from railblocks.engine.measurements.comparison import SignalPair, compare, read_pair, same_names
from railblocks.engine.measurements.series import SignalScope
from railblocks.engine.units import Quantity, parse_unit


def results(time, file="data", units=None, **signals):
    named = {name.replace("__", "."): values for name, values in signals.items()}
    result = Results.from_arrays(np.asarray(time, float), named, units or {})
    result.file = file
    return result


def errors(run, measured, *pairs, **options):
    return [c.statistics for c in compare(run, measured, [read_pair(p) for p in pairs], **options)]


def test_a_straight_error_has_the_closed_form_of_its_moments():
    """e = 2 t - 1 on [0, 3]: mean 2, variance 4 * 9 / 12 = 3, mean square 7, largest 5."""
    run = results([0, 3], x=[0.0, 9.0])  # 3 t
    measured = results([0, 0.4, 1.7, 3], x=[1.0, 1.4, 2.7, 4.0])  # t + 1
    (comparison,) = errors(run, measured)
    assert comparison.mean == pytest.approx(2.0, rel=1e-14)
    assert comparison.deviation == pytest.approx(3**0.5, rel=1e-14)
    assert comparison.rms == pytest.approx(7**0.5, rel=1e-14)
    assert (comparison.largest, comparison.at) == (5.0, 3.0)


def test_both_time_grids_count():
    """Triangles of height 1 with a tip at 1 and at 2: e falls 0, 1/2, -1/2, 0 at 0, 1, 2, 3."""
    run, measured = results([0, 1, 3], x=[0.0, 1.0, 0.0]), results([0, 2, 3], x=[0.0, 1.0, 0.0])
    (comparison,) = errors(run, measured)
    assert comparison.mean == pytest.approx(0.0, abs=1e-15)
    # two outer pieces h/3 * 1/4 and the middle h/3 * (1/4 - 1/4 + 1/4), over 3 s
    assert comparison.deviation == pytest.approx((3 / 12 / 3) ** 0.5, rel=1e-14)
    assert comparison.largest == pytest.approx(0.5)


def test_sampling_does_not_change_the_statistics_of_straight_signals():
    coarse = results([0, 1, 4], x=[0.0, 2.0, 1.0])
    times = np.unique(np.r_[np.linspace(0, 4, 37), 1.0])
    fine = results(times, x=np.interp(times, coarse.time, coarse["x"]))
    other = results([0, 4], x=[0.5, 0.25])
    (a,), (b,) = errors(coarse, other), errors(fine, other)
    for name in ("mean", "deviation", "rms", "largest"):
        assert getattr(a, name) == pytest.approx(getattr(b, name), rel=1e-12)


def test_a_jump_has_no_width():
    """x jumps from 0 to 1 at 1 s of 2 s: mean 1/2, deviation 1/2."""
    run = results([0, 1, 1, 2], x=[0.0, 0.0, 1.0, 1.0])
    (comparison,) = errors(run, results([0, 2], x=[0.0, 0.0]))
    assert comparison.mean == pytest.approx(0.5, rel=1e-15)
    assert comparison.deviation == pytest.approx(0.5, rel=1e-15)


def test_whole_numbers_and_truth_values_are_held_between_rows():
    run = results([0, 1, 2], on=np.array([False, True, True]))
    (comparison,) = errors(run, results([0, 2], on=[0.0, 0.0]))
    assert comparison.mean == pytest.approx(0.5, rel=1e-15)


def test_a_part_of_the_time_is_compared():
    run, measured = results([0, 10], x=[0.0, 10.0]), results([0, 10], x=[0.0, 0.0])
    (comparison,) = errors(run, measured, start=2.0, stop=4.0)
    assert comparison.mean == pytest.approx(3.0)
    assert (comparison.largest, comparison.at) == (4.0, 4.0)


def test_units_are_converted_to_those_of_the_run():
    run = results([0, 1], units={"v": "m/s"}, v=[10.0, 10.0])
    measured = results([0, 1], units={"v": "km/h"}, v=[36.0, 72.0])
    (comparison,) = compare(run, measured)
    assert comparison.unit == "m/s"
    assert comparison.statistics.mean == pytest.approx(-5.0)


def test_sliding_and_adhesion_are_expressions():
    """s = v - r omega (Eq. 17) and f = T / N of Meacci et al. (2020)."""
    time = np.linspace(0, 2, 21)
    units = {"v": "m/s", "w.omega": "rad/s", "T": "kN", "N": "kN", "speed": "km/h", "slide": "m/s"}
    run = results(
        time, "run", units, v=30 - time, w__omega=(30 - 3 * time) / 0.5, T=time, N=0 * time + 50
    )
    measured = results(time, "m", units, slide=2 * time, f=0.02 * time + 0.01)
    given = {"r": Quantity(500.0, parse_unit("mm"))}
    slide, adhesion = errors(run, measured, "v - r*w.omega = slide", "T/N = f", given=given)
    assert slide.largest == pytest.approx(0.0, abs=1e-13)
    assert adhesion.mean == pytest.approx(-0.01, rel=1e-12)
    assert adhesion.deviation == pytest.approx(0.0, abs=1e-15)


def test_elements_of_vectors_belong_together_by_name():
    time = [0.0, 1.0]
    run = results(time, rig__y=np.array([[1.0, 2.0], [1.0, 2.0]]))
    measured = Results.from_arrays(np.array(time), {"rig.y[1]": [1.5, 1.5], "other": [0.0, 0.0]})
    assert same_names(run, measured) == (SignalPair("rig.y[1]", "rig.y[1]"),)
    assert compare(run, measured)[0].statistics.mean == pytest.approx(0.5)


def test_columns_with_blanks_are_reached():
    scope = SignalScope(Results.from_arrays(np.array([0.0, 1.0]), {"Axle 1 speed": [1.0, 2.0]}))
    np.testing.assert_array_equal(scope.series("Axle 1 speed").values, [1.0, 2.0])
    np.testing.assert_array_equal(scope.series("2*Axle_1_speed").values, [2.0, 4.0])


UNITS = {"v": "m/s", "x": "m", "w": "kph"}


def measured(time=(0, 2), **signals):
    return results(time, "m.csv", UNITS, **signals or {"x": np.zeros(len(time))})


APART = "the times do not overlap: run.h5 from 0 s to 2 s, m.csv from 5 s to 6 s"


@pytest.mark.parametrize(
    ("other", "pair", "message"),
    [
        (measured([5, 6]), "x", APART),
        (measured([0, 1, 0.5]), "x", "m.csv: time goes from 1 s to 0.5 s at row 3"),
        (measured([0, np.nan, 2]), "x", "m.csv: time goes from 0 s to nan s"),
        (measured([1]), "x", "m.csv: has 1 times; expected at least two"),
        (measured(x=[0, np.nan]), "x", "m.csv: 'x' is nan at t = 2 s and in 1 of 2 rows"),
        (measured(), "x=y", "m.csv: there is no signal 'y'; there are x"),
        (measured(v=[0, 0]), "x=v", "m.csv: 'v' is a speed (m/s); expected a length (m)"),
        (measured(x=[0, 0], v=[1, 1]), "x=x+v", "m.csv: in 'x+v': "),
        (measured(w=[0, 0]), "x=w", "m.csv: 'w': "),
        (measured(z=[0, 0]), None, "no signal (z) is named as one of the run (x, rig)"),
        (measured(), "rig=x", "run.h5: 'rig' has 2 elements; name one, as rig[0]"),
        (measured(), "x/(x-x)=x", "run.h5: in 'x/(x-x)': "),
        (measured(), "x*=x", "run.h5: in 'x*': the expression ends too early"),
        (measured(), "x=", "is not a pair; expected RUN=MEASURED"),
    ],
)
def test_what_cannot_be_compared_is_told_in_one_line(other, pair, message):
    run = results([0, 2], "run.h5", UNITS, x=[1.0, 1.0], rig=np.ones((2, 2)))
    with pytest.raises(DiagramError) as caught:
        errors(run, other, *([pair] if pair else []))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_number_matters_only_where_it_is_used():
    run = results([0, 1, 2, 3], x=[0.0, 0.0, 0.0, 0.0])
    other = results([0, 1, 2, 3], x=[1.0, 1.0, 1.0, np.nan], y=[np.nan] * 4)
    assert errors(run, other, "x", stop=1.5)[0].mean == pytest.approx(-1.0)
    with pytest.raises(DiagramError, match="do not cover all times from 0 s to 5 s"):
        errors(run, other, "x", stop=5.0)
