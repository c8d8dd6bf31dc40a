"""Extremes of stretches of a signal."""

import numpy as np
import pytest
from hypothesis import given, strategies
from railblocks.gui.recording.pyramid import Pyramid


@given(strategies.lists(strategies.integers(1, 3000), min_size=1, max_size=6), strategies.data())
def test_an_envelope_has_the_extremes_of_what_it_shows(lengths, data):
    rng = np.random.default_rng(sum(lengths))
    values = rng.normal(size=sum(lengths))
    time = np.arange(len(values)) * 0.5
    pyramid = Pyramid()
    for end in np.cumsum(lengths):
        pyramid.extend(values[:end])
    start = data.draw(strategies.floats(0, time[-1]))
    stop = data.draw(strategies.floats(start, time[-1]))
    x, y = pyramid.envelope(time, values, start, stop, 20)
    inside = values[(time >= start) & (time <= stop)]
    assert len(x) == len(y)
    assert (np.diff(x) >= 0).all()
    if len(inside):
        assert y.min() <= inside.min()
        assert y.max() >= inside.max()
    assert set(y) <= set(values)


@pytest.mark.parametrize("way", [1, -1])
def test_steps_up_and_down_are_equally_steep(way):
    values = way * (np.arange(100_000) >= 50_100).astype(float)
    pyramid = Pyramid()
    pyramid.extend(values)
    x, y = pyramid.envelope(np.arange(100_000.0), values, -np.inf, np.inf, 100)
    (step,) = np.flatnonzero(np.diff(y))
    assert x[step] == x[step + 1]


def test_an_envelope_of_a_million_points_is_short():
    values = np.sin(np.arange(1_000_000))
    pyramid = Pyramid()
    pyramid.extend(values)
    x, _ = pyramid.envelope(np.arange(1_000_000.0), values, -np.inf, np.inf, 800)
    assert 800 <= len(x) <= 2 * 800 + 2 * 16**3


@given(strategies.integers(1, 6000))
def test_limits_are_the_extremes_of_all_values(count):
    values = np.random.default_rng(count).normal(size=count)
    pyramid = Pyramid()
    pyramid.extend(values)
    assert pyramid.limits(values) == (values.min(), values.max())
    assert pyramid.limits(np.append(values, 99.0)) == (values.min(), values.max())
