"""Sources against closed forms, known-answer vectors and statistics."""

import math

import numpy as np
import pytest
from bench import Bench
from hypothesis import given, settings
from hypothesis import strategies as st
from railblocks.blocks.sources.philox import normal, philox, product, uniform_pair
from railblocks.blocks.sources.waves import clock_of, edge, edges_passed, edges_per_period
from railblocks.engine import DiagramError, compiled

# Random123 1.14, file kat_vectors: counter, key, result.
VECTORS = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000",
     "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff",
     "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0",
     "d16cfe09 94fdcceb 5001e420 24126ea1"),
]  # fmt: skip


def words(text):
    return [int(word, 16) for word in text.split()]


@pytest.mark.parametrize(("counter", "key", "expected"), VECTORS)
def test_philox_gives_the_known_answers_interpreted_and_compiled(counter, key, expected):
    for function in (philox, compiled(philox)):
        assert list(function(*words(counter), *words(key))) == words(expected)


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_word_product_is_exact(a, b):
    high, low = product(a, b)
    assert (high << 32) + low == a * b


def test_uniform_numbers_never_reach_0_or_1():
    from railblocks.blocks.sources.philox import unit_interval

    assert 0.0 < unit_interval(0, 0) < unit_interval(2**32 - 1, 2**32 - 1) < 1.0


def test_uniform_numbers_pass_a_kolmogorov_smirnov_test():
    from scipy.stats import kstest

    numbers = [r for k in range(10_000) for r in uniform_pair(k, 5, 7, 3)]
    assert kstest(numbers, "uniform").pvalue > 0.001


def test_normal_numbers_have_mean_deviation_and_distribution_of_a_normal_one():
    from scipy.stats import kstest

    numbers = np.array([normal(k, 5, 7, 3) for k in range(20_000)])
    n = len(numbers)
    assert abs(numbers.mean()) < 4 / math.sqrt(n)
    assert abs(numbers.var() - 1) < 4 * math.sqrt(2 / n)
    assert kstest(numbers, "norm").pvalue > 0.001


def test_noise_is_white():
    numbers = Bench("sources.gaussian_noise", mean=0.0).sampled(none=range(5000))
    for lag in (1, 2, 3, 10):
        correlation = np.mean(numbers[lag:] * numbers[:-lag])
        assert abs(correlation) < 4 / math.sqrt(len(numbers))


def test_other_seeds_and_other_runs_give_other_independent_noise():
    def noise(seed, run_seed):
        bench = Bench("sources.gaussian_noise", seed=seed)
        return np.array([bench.y(k=k, run_seed=run_seed) for k in range(3000)])

    base = noise(1, 0)
    assert np.array_equal(base, noise(1, 0))
    for other in (noise(2, 0), noise(1, 1), noise(0, 1)):
        assert abs(np.mean(base * other)) < 4 / math.sqrt(3000)


def test_band_limited_white_noise_has_the_variance_power_over_sample_time():
    bench = Bench("sources.band_limited_white_noise", power=0.3, every=0.01)
    numbers = bench.sampled(none=range(5000))
    assert numbers.var() == pytest.approx(30.0, rel=4 * math.sqrt(2 / 5000))


def test_uniform_noise_stays_between_its_bounds_with_their_mean():
    numbers = Bench("sources.uniform_noise", low=2.0, high=5.0).sampled(none=range(5000))
    assert 2.0 < numbers.min() < 2.01
    assert 4.99 < numbers.max() < 5.0
    assert numbers.mean() == pytest.approx(3.5, abs=4 * 3 / math.sqrt(12 * 5000))


def test_step_jumps_exactly_at_its_time():
    bench = Bench("sources.step", time=0.3, before=-1.0, after=2.0)
    assert bench.y(t=np.nextafter(0.3, 0)) == -1.0
    assert bench.y(t=0.3) == 2.0
    bench.begin(t=0.0)
    assert bench.run("guard", t=0.3) == {"jump": 0.0}
    assert bench.y(t=0.4) == -1.0
    bench.fire("jump", t=0.3)
    assert bench.y(t=0.2) == 2.0


@pytest.mark.parametrize(("slope", "limit"), [(5.0, 12.0), (-5.0, -8.0)])
def test_ramp_waits_rises_and_ends_at_its_limit(slope, limit):
    bench = Bench("sources.ramp", delay=0.5, slope=slope, y_0=2.0, limit=limit)
    assert bench.y(t=0.2) == 2.0
    assert bench.y(t=1.5) == 2.0 + slope
    assert bench.y(t=100.0) == limit
    assert visited(bench, "kink", 2) == [0.5, 2.5]
    assert bench.run("guard", t=100.0)["kink"] > 0.0


def test_ramp_without_limit_goes_on():
    bench = Bench("sources.ramp", slope=-3.0, delay=0.0, limit=math.inf)
    assert bench.y(t=1e6) == -3e6


def test_ramp_refuses_a_limit_behind_its_start():
    with pytest.raises(DiagramError, match="never reached"):
        Bench("sources.ramp", slope=-1.0, limit=3.0)


def test_chirp_has_its_frequencies_at_both_ends():
    bench = Bench("sources.chirp", f_0=1.0, f_1=3.0, T=10.0)

    def frequency(t, h=1e-5):
        phase = [2 * math.pi * s * (1 + (3 - 1) * s / 20) for s in (t - h, t + h)]
        assert bench.y(t=t) == pytest.approx(math.sin(sum(phase) / 2), abs=1e-9)
        return (phase[1] - phase[0]) / (4 * math.pi * h)

    assert frequency(0.0) == pytest.approx(1.0)
    assert frequency(10.0) == pytest.approx(3.0)


@settings(max_examples=300)
@given(
    st.integers(0, 10_000),
    st.floats(1e-3, 1e3),
    st.floats(0.01, 0.99),
    st.floats(0, 10),
)
def test_an_edge_is_passed_from_its_very_time_on(k, period, width, delay):
    clock = np.array(clock_of(period, width, delay))
    time, n = edge(k, clock), edges_per_period(clock)
    assert time == pytest.approx(delay + (k // n + k % n * width) * period)
    assert edges_passed(time, clock) > k
    assert edges_passed(np.nextafter(time, -1), clock) <= k


def test_edges_that_coincide_with_samples_on_paper_do_so_in_a_run():
    clock = np.array(clock_of(0.2, 0.5, 0.1))
    assert [edge(k, clock) for k in range(1000)] == [(k + 1) / 10 for k in range(1000)]
    bench = table(outside="repeat", times=[0.1, 0.2, 0.4])
    assert visited(bench, "point", 5) == [0.1, 0.2, 0.4, 0.5, 0.7]


def test_pulse_square_triangle_and_sawtooth_have_their_shapes():
    from scipy import signal

    t = np.linspace(0, 4, 1001)[:-1] + 1e-3
    for block, reference in {
        "sources.pulse": 3.0 * (signal.square(2 * np.pi * t / 0.8, 0.25) + 1) / 2,
        "sources.square": 3.0 * signal.square(2 * np.pi * t / 0.8, 0.25),
        "sources.triangle": 3.0 * signal.sawtooth(2 * np.pi * t / 0.8, 0.25),
    }.items():
        bench = Bench(block, period=0.8, width=0.25, amplitude=3.0)
        assert np.allclose([bench.y(t=s) for s in t], reference, atol=1e-9), block
    bench = Bench("sources.sawtooth", period=0.8)
    reference = signal.sawtooth(2 * np.pi * t / 0.8)
    assert np.allclose([bench.y(t=s) for s in t], reference, atol=1e-9)


def visited(bench, guard, number):
    """Times at which a guard fires after the start, in a run from t = 0."""
    bench.begin(t=0.0)
    times, t = [], 0.0
    for _ in range(number):
        t -= bench.run("guard", t=t)[guard]
        while bench.run("guard", t=t)[guard] < 0.0:
            t = np.nextafter(t, np.inf)
        assert bench.run("guard", t=np.nextafter(t, -np.inf))[guard] < 0.0
        bench.fire(guard, t=t)
        times.append(t)
    return times


def test_pulse_waits_for_its_delay_and_counts_its_edges():
    bench = Bench("sources.pulse", period=1.0, width=0.25, delay=2.0)
    assert bench.y(t=1.999) == 0.0
    assert visited(bench, "edge", 5) == [2.0, 2.25, 3.0, 3.25, 4.0]
    assert Bench("sources.sawtooth", period=1.0).y(t=7.5) == 0.0
    assert visited(Bench("sources.sawtooth", period=1.0), "edge", 3) == [1.0, 2.0, 3.0]


def test_pulse_holds_its_value_until_its_edge_is_an_event():
    bench = Bench("sources.pulse", period=1.0)
    bench.fire("edge", t=0.5)
    assert bench.y(t=1.01) == 0.0
    bench.fire("edge", t=1.0)
    assert bench.y(t=1.01) == 1.0


def table(times=(1.0, 2.0, 4.0), **options):
    return Bench("sources.from_table", times=times, values=[3.0, 5.0, -1.0], **options)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [3.0, 3.0, 4.0, 2.0, -1.0, -1.0]),
        ({"outside": "zero"}, [0.0, 3.0, 4.0, 2.0, 0.0, 0.0]),
        ({"outside": "extrapolate"}, [1.0, 3.0, 4.0, 2.0, -1.0, -4.0]),
        ({"outside": "repeat"}, [3.0, 3.0, 4.0, 2.0, 3.0, 5.0]),
        ({"interpolation": "hold"}, [3.0, 3.0, 3.0, 5.0, -1.0, -1.0]),
        ({"interpolation": "hold", "outside": "repeat"}, [3.0, 3.0, 3.0, 5.0, 3.0, 5.0]),
        ({"interpolation": "hold", "outside": "extrapolate"}, [3.0, 3.0, 3.0, 5.0, -1.0, -1.0]),
    ],
)
def test_table_between_and_outside_its_points(options, expected):
    bench = table(**options)
    assert [bench.y(t=t) for t in (0.0, 1.0, 1.5, 3.0, 4.0, 5.0)] == expected


def test_table_visits_every_point_with_its_guard():
    assert visited(table(), "point", 3) == [1.0, 2.0, 4.0]
    assert visited(table(outside="repeat"), "point", 5) == [1.0, 2.0, 4.0, 5.0, 7.0]
    ended = table()
    assert ended.run("guard", t=9.0, k=3) == ended.run("guard", t=99.0, k=3)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"times": [0.0, 2.0, 1.0]}, "from 2 to 1 at entry 3"),
        ({"times": [0.0, 2.0, 2.0]}, "begins or ends with a jump"),
        ({"times": [0.0]}, "at least 2"),
        ({"values": [1.0, 2.0]}, "shape"),
    ],
)
def test_table_refuses(values, message):
    with pytest.raises(DiagramError, match=message):
        Bench("sources.from_table", **values)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [0.0, 0.5, 4.0, 3.0, 2.0, 2.0]),
        ({"interpolation": "hold"}, [0.0, 0.0, 4.0, 4.0, 2.0, 2.0]),
        ({"outside": "extrapolate"}, [-1.0, 0.5, 4.0, 3.0, 2.0, 0.0]),
        ({"outside": "repeat"}, [0.0, 0.5, 4.0, 3.0, 0.0, 4.0]),
    ],
)
def test_a_time_that_stands_twice_is_a_jump(options, expected):
    table = {"times": [0.0, 1.0, 1.0, 2.0], "values": [0.0, 1.0, 4.0, 2.0]}
    bench = Bench("sources.from_table", **table, **options)
    times = [-1.0, 0.5, 1.0, 1.5, 2.0, 3.0]
    assert [bench.y(t=t) for t in times] == expected
    assert bench.y(t=np.nextafter(1.0, 0.0)) == pytest.approx(
        0.0 if "interpolation" in options else 1.0
    )


def test_file_columns_are_read_by_name(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("time, speed ,force\n0,1,10\n\n1,3,20\n")
    bench = Bench("sources.from_file", path=str(path), time="time", column="speed", unit="km/h")
    assert bench.y(t=0.5) == 2.0
    assert bench.declaration.outputs["y"].unit == "km/h"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("t,v\n0,1\n1,2\n", "no column 'u'; its columns are t, v"),
        ("t,u\n0,1\n1,x\n", r"bad\.csv:3: 'u' has 'x'; expected a number"),
        ("t,u\n0,1\n1,\n", r"bad\.csv:3: no number in 'u'"),
        ("t,u\n0,1\n1\n", r"bad\.csv:3: the line has 1 cells; expected 2"),
        ("t,u\n1,1\n0,2\n", "increasing"),
        ("", "no column"),
    ],
)
def test_file_that_cannot_be_used_is_named(tmp_path, text, message):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(DiagramError, match=message):
        Bench("sources.from_file", path=str(path), column="u")


def test_missing_file_is_named():
    with pytest.raises(DiagramError, match=r"nowhere\.csv: there is no such file"):
        Bench("sources.from_file", path="nowhere.csv", column="u")


def test_a_level_ramp_without_limit_says_nothing(recwarn):
    assert Bench("sources.ramp", slope=0.0, y_0=2.0).y(t=5.0) == 2.0
    assert len(recwarn) == 0


def test_free_running_counter_counts_samples_and_starts_again():
    assert Bench("sources.free_running_counter", most=3).sampled(none=range(9)).tolist() == [
        *(0, 1, 2, 3, 0, 1, 2, 3, 0)
    ]
