"""Bands around baselines, as Simulink Test has them: worked by hand, and by brute force."""

import numpy as np
import pytest
from railblocks.engine.measurements.series import Series
from railblocks.engine.test_files.comparing import band_at, misfit


def series(t, y):
    return Series("x", np.asarray(t, dtype=float), np.asarray(y, dtype=float))


RAMP = series([0, 10], [0, 10])


def off(run, baseline=RAMP, absolute=0.0, relative=0.0, leading=0.0, lagging=0.0):
    return misfit(run, baseline, absolute, relative, leading, lagging)


def test_an_equal_run_is_inside_whatever_its_rows_are():
    assert off(RAMP) is None
    assert off(series([0, 2.5, 10], [0, 2.5, 10])) is None


def test_the_larger_of_both_tolerances_counts():
    """At 1 the band is 1 +- 0.5 (absolute), at 9 it is 9 +- 0.9 (relative)."""
    band = band_at(np.array([1.0, 9.0]), RAMP, 0.5, 0.1, 0.0, 0.0)
    np.testing.assert_allclose(band.low, [0.5, 8.1])
    np.testing.assert_allclose(band.high, [1.5, 9.9])
    assert off(series([0, 10], [0.5, 10.9]), absolute=0.5, relative=0.1) is None
    assert off(series([0, 10], [0.51, 10.0]), absolute=0.5, relative=0.1).time == 0.0


def test_a_run_that_is_early_needs_a_leading_tolerance():
    """The run is 1 s ahead: y(t) = b(t + 1)."""
    early = series([0, 9, 10], [1, 10, 10])
    assert off(early, leading=1.0) is None
    assert off(early, lagging=1.0) is not None
    assert off(early, leading=0.99).count == 2  # at 0 and 9; at 10 both are 10


def test_a_run_that_is_late_needs_a_lagging_tolerance():
    late = series([0, 1, 10], [0, 0, 9])
    assert off(late, lagging=1.0) is None
    assert off(late, leading=1.0) is not None


def test_a_jump_may_come_late_by_the_lagging_tolerance():
    step = series([0, 5, 5, 10], [0, 0, 1, 1])
    late = series([0, 5.2, 5.2, 10], [0, 0, 1, 1])
    assert off(late, step, lagging=0.2) is None
    missed = off(late, step, lagging=0.1)
    assert missed.value == 0.0
    assert missed.low == 1.0
    assert 5.1 <= missed.time <= 5.2


def test_rows_of_the_baseline_between_those_of_the_run_are_looked_at():
    peak = series([0, 4.9, 5, 5.1, 10], [0, 0, 3, 0, 0])
    missed = off(series([0, 10], [0, 0]), peak)
    assert (missed.time, missed.low, missed.count) == (5.0, 3.0, 1)


def test_nan_is_outside():
    assert off(series([0, 5, 10], [0, np.nan, 10]), absolute=100.0).count == 1


@pytest.mark.parametrize("seed", range(20))
def test_the_band_is_that_of_a_fine_search(seed):
    """Equation (1) by brute force: the baseline at 20000 times of each interval."""
    random = np.random.default_rng(seed)
    baseline = series(np.sort(random.uniform(0, 10, 30)), random.normal(size=30))
    leading, lagging, absolute, relative = random.uniform(0, [1, 1, 0.5, 0.5])
    time = random.uniform(baseline.time[0], baseline.time[-1], 5)
    band = band_at(time, baseline, absolute, relative, leading, lagging)
    for k, t in enumerate(time):
        fine = np.linspace(t - lagging, t + leading, 20001)
        b = np.interp(fine, baseline.time, baseline.values)
        d = np.maximum(absolute, relative * np.abs(b))
        assert band.low[k] == pytest.approx((b - d).min(), abs=2e-2)
        assert band.low[k] <= (b - d).min() + 1e-12
        assert band.high[k] == pytest.approx((b + d).max(), abs=2e-2)
        assert band.high[k] >= (b + d).max() - 1e-12
