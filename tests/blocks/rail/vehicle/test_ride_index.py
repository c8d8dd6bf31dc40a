"""Sperling's ride index against its closed form for a sine."""

import math

import numpy as np
import pytest
from railblocks.engine import loads, simulate


def weighting(f, k):
    """|B(f)| as codes for railway vehicles print it."""
    above = 1.911 * f**2 + (0.25 * f**2) ** 2
    below = (1 - 0.277 * f**2) ** 2 + (1.563 * f - 0.0368 * f**3) ** 2
    return k * math.sqrt(above / below)


def ride(f, k, size):
    """The run of a sine."""
    text = f"""
diagram: 1
blocks:
  shake: {{type: sources.sine, amplitude: {size} m/s^2, omega: {2 * math.pi * f} rad/s}}
  ride:  {{type: rail.ride_index, k: {k}}}
wires: [shake -> ride]
solver: {{stop: 400 s, rtol: 1e-8, atol: 1e-10}}
log: {{signals: [ride.W_z, ride.a_w], every: 10 ms}}
"""
    return simulate(loads(text))


@pytest.mark.parametrize(("f", "k"), [(1.2, 0.737), (5.0, 0.588), (12.0, 0.737)])
def test_a_sine_has_the_index_of_its_peak(f, k):
    """Sperling: W_z = (a^2 B^2)^(1 / 6.67), a the amplitude in cm/s^2."""
    results = ride(f, k, 0.4)
    size = 0.4 * weighting(f, k)
    assert np.abs(results["ride.a_w"][-200:]).max() == pytest.approx(size, rel=2e-2)
    assert results["ride.W_z"][-1] == pytest.approx((100 * size) ** (2.0 / 6.67), rel=1e-3)


def test_half_a_metre_per_second_squared_at_one_hertz():
    """By hand: |B| = 0.588 sqrt(1.9735 / 2.8520) = 0.4891, (24.46 cm/s^2)^(2 / 6.67) = 2.608."""
    assert ride(1.0, 0.588, 0.5)["ride.W_z"][-1] == pytest.approx(2.608, abs=2e-3)
