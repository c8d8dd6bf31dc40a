"""Statistics and spectra."""

import numpy as np
import pytest
from railblocks.gui.scopes.measures import spectrum, statistics


def test_statistics_of_a_sine_over_whole_periods():
    time = np.linspace(0, 2, 20001)
    numbers = statistics(time, 3 * np.sin(2 * np.pi * 5 * time), 0, 2)
    assert numbers.mean == pytest.approx(0, abs=1e-6)
    assert numbers.rms == pytest.approx(3 / np.sqrt(2), rel=1e-4)
    assert numbers.span == pytest.approx(6, rel=1e-5)


def test_the_spectrum_of_a_sine_shows_its_amplitude_at_its_frequency():
    time = np.arange(0, 4, 1e-3)
    frequencies, amplitudes = spectrum(time, 2 * np.sin(2 * np.pi * 25 * time) + 7, -np.inf, np.inf)
    at = np.argmax(amplitudes)
    assert frequencies[at] == pytest.approx(25, abs=0.3)
    assert amplitudes[at] == pytest.approx(2, rel=0.02)
