"""Random streams: independent by block, element and kind; seeds select the realisation.

The sample correlation of two independent series of n numbers has deviation 1 / sqrt(n); five of
them are allowed, at lags -1, 0 and 1, for the numbers and for their squares: two streams that share
bits through different formulas need not correlate themselves.
"""

import itertools
import math

import numpy as np
import pytest
from railblocks.engine import check, loads, standard_blocks
from railblocks.engine.model.streams import equal_streams, stream_number
from railblocks.engine.runs.simulation import Simulation

SAMPLES = 10_000
RANDOM = sorted(
    kind.declaration.id
    for kind in standard_blocks()
    if {"run_seed", "stream_number"} & {a for e in kind.declaration.equations for a in e.arguments}
)

# Parameters with which each random block shows nothing but its noise, its outputs, and its wires.
NOISES = {
    "sources.uniform_noise": ("", ("y",), ""),
    "sources.gaussian_noise": ("", ("y",), ""),
    "sources.band_limited_white_noise": ("", ("y",), ""),
    "rail.sampled_estimator": (
        "std_omega: 1 rad/s, std_T: 1 N",
        ("omega_w_hat", "T_hat"),
        "rest -> {name}.omega_rm;none -> {name}.T_mis",
    ),
}


def series_of(blocks, seed=0, extra="", compiled=True, samples=SAMPLES):
    """The noise of blocks {name: (kind, more parameters)}, a row for each output and element."""
    lines, wires, signals = [], [], []
    for name, (kind, more) in blocks.items():
        parameters, outputs, wire = NOISES[kind]
        given = ", ".join(part for part in (parameters, more, "every: 1 ms") if part)
        lines.append(f"  {name}: {{type: {kind}, {given}}}")
        wires += wire.format(name=name).split(";") if wire else []
        signals += [f"{name}.{output}" for output in outputs]
    text = "\n".join(
        [
            "diagram: 1",
            "blocks:",
            "  rest: {type: sources.constant, value: [0, 0, 0]}",
            "  none: {type: sources.constant, value: [0, 0, 0]}",
            *lines,
            extra,
            "wires:" if wires else "",
            *(f"  - {wire}" for wire in wires),
            f"solver: {{stop: {samples - 1} ms, seed: {seed}}}",
            f"log: {{signals: [{', '.join(signals)}], every: 1 ms}}",
        ]
    )
    simulation = Simulation(check(loads(text)), compiled)
    return np.concatenate(list(simulation.chunks()))[:, 1:].T


def dependence(one, other):
    """The largest correlation over lags and powers, in deviations of its estimator."""
    largest = 0.0
    for power, lag in itertools.product((1, 2), (-1, 0, 1)):
        a, b = (x**power for x in (one, other))
        a, b = a[max(lag, 0) : len(a) + min(lag, 0)], b[max(-lag, 0) : len(b) - max(lag, 0)]
        largest = max(largest, abs(np.corrcoef(a, b)[0, 1]) * math.sqrt(len(a)))
    return largest


@pytest.fixture(scope="module")
def series():
    """Two blocks of every kind, all with one seed."""
    blocks = {f"n{i}_{j}": (kind, "seed: 7") for i, kind in enumerate(RANDOM) for j in (1, 2)}
    return series_of(blocks)


def test_every_random_block_is_in_the_table():
    assert set(RANDOM) == set(NOISES), "name the parameters and outputs of its noise"


def test_blocks_elements_kinds_and_sensors_are_independent_although_seeds_are_equal(series):
    assert len(series) == 2 * (3 + 2 * 3)
    for one, other in itertools.combinations(series, 2):
        assert dependence(one, other) < 5.0


def test_dependence_is_found_where_there_is_some():
    """The test above sees that a normal and a uniform number come from the same bits."""
    rng = np.random.default_rng(5)
    u, v = rng.uniform(size=(2, SAMPLES))
    normal = np.sqrt(-2.0 * np.log(u)) * np.cos(2.0 * np.pi * v)
    assert dependence(normal, u) > 5.0
    assert dependence(u[1:], u[:-1]) > 5.0


@pytest.mark.parametrize("kind", RANDOM)
def test_a_stream_depends_on_no_other_block(kind):
    alone = series_of({"a": (kind, "")}, samples=50)
    other = "  z: {type: sources.uniform_noise, every: 1 ms, seed: 0}"
    renamed = "  before: {type: sources.gaussian_noise, every: 1 ms, seed: 0}"
    assert np.array_equal(alone, series_of({"a": (kind, "")}, extra=other, samples=50))
    assert np.array_equal(alone, series_of({"a": (kind, "")}, extra=renamed, samples=50))
    assert not np.array_equal(alone, series_of({"b": (kind, "")}, samples=50))


@pytest.mark.parametrize("kind", RANDOM)
def test_compiled_noise_is_interpreted_noise(kind):
    blocks = {"a": (kind, "seed: 4294967295, stream: wind"), "b": (kind, "")}
    fast, slow = (series_of(blocks, compiled=c, samples=60) for c in (True, False))
    assert np.array_equal(fast, slow)


@pytest.mark.parametrize("kind", RANDOM)
def test_seeds_of_block_and_run_select_another_realisation(kind):
    base = series_of({"a": (kind, "seed: 1")})
    for other in (series_of({"a": (kind, "seed: 2")}), series_of({"a": (kind, "seed: 1")}, seed=1)):
        for one, two in zip(base, other, strict=True):
            assert dependence(one, two) < 5.0


@pytest.mark.parametrize("kind", RANDOM)
def test_a_named_stream_gives_equal_numbers_on_purpose(kind):
    half = len(series_of({"a": (kind, "")}, samples=2))
    both = series_of({"a": (kind, "stream: wind"), "b": (kind, "stream: wind")}, samples=50)
    assert np.array_equal(both[:half], both[half:])
    both = series_of({"a": (kind, "stream: wind"), "b": (kind, "stream: rain")}, samples=50)
    assert not np.array_equal(both[:half], both[half:])


def test_check_names_blocks_with_equal_streams():
    text = """
diagram: 1
blocks:
  a: {type: sources.uniform_noise, every: 1 s, stream: wind}
  b: {type: sources.uniform_noise, every: 1 s, stream: wind}
  c: {type: sources.gaussian_noise, every: 1 s, stream: wind}
  d: {type: sources.uniform_noise, every: 1 s, stream: wind, seed: 1}
  e: {type: sources.uniform_noise, every: 1 s}
  f: {type: sources.uniform_noise, every: 1 s, stream: e}
"""
    assert equal_streams(check(loads(text)).model.blocks.values()) == [["a", "b"], ["e", "f"]]


def test_numbers_of_streams_fit_a_float_and_differ():
    numbers = {stream_number("sources.x", f"block_{i}", j) for i in range(500) for j in range(9)}
    assert len(numbers) == 4500
    assert max(numbers) < 2**52


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("sources.uniform_noise", "low: [-1, -1, -1]"),
        ("sources.gaussian_noise", "mean: [0, 0, 0]"),
        ("sources.band_limited_white_noise", "power: [1, 1, 1]"),
    ],
)
def test_elements_of_a_vector_of_noise_are_independent(kind, more):
    rows = series_of({"n": (kind, more)})
    assert rows.shape == (3, SAMPLES)
    assert len({row.tobytes() for row in rows}) == 3
    for a, b in itertools.combinations(rows, 2):
        assert abs(np.corrcoef(a, b)[0, 1]) < 5.0 / math.sqrt(SAMPLES)
