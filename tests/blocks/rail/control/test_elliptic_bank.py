"""The bank's design against frequency responses that SciPy computes by another way."""

import numpy as np
import pytest
from railblocks.blocks.rail.control.elliptic_bank import (
    band_holding,
    design,
    design_problem,
    outside,
    prototype,
    sampled_bands,
    sampled_low_pass,
    tuned,
)
from scipy import signal

LIMITS = {"f_low": 10.0, "f_high": 32.0, "ripple": 0.05, "stop": 40.0, "amplitude": 0.99}


def bank(degrees=10.0, W=6.0, overlap=0.02):
    return design(**LIMITS, phase=np.radians(degrees), overlap=overlap, W=W)


def by_scipy(f, centre, W, **options):
    """Response of SciPy's own band-pass: edges f_1 f_2 = centre^2, f_2 - f_1 = W."""
    half = np.sqrt(centre**2 + W**2 / 4)
    edges = 2 * np.pi * np.array([half - W / 2, half + W / 2])
    b, a = signal.ellip(3, 0.05, 40.0, edges, "bandpass", analog=True)
    return signal.freqs(b, a, 2 * np.pi * np.atleast_1d(f))[1]


def response(f, A, b, c, w, B):
    """Of (1) in the module."""
    system = np.block([[B * A, -w * np.eye(3)], [w * np.eye(3), np.zeros((3, 3))]])
    column, row = np.concatenate([B * b, np.zeros(3)]), np.concatenate([c, np.zeros(3)])
    s = 2j * np.pi * np.atleast_1d(f)
    return np.array([row @ np.linalg.solve(z * np.eye(6) - system, column) for z in s])


@pytest.mark.parametrize("centre", [10.0, 20.0, 32.0])
def test_a_band_is_scipys_elliptic_band_pass_of_sixth_order(centre):
    A, b, c, *_ = bank()
    f = np.linspace(1.0, 60.0, 300)
    ours = response(f, A, b, c, 2 * np.pi * centre, 2 * np.pi * 6.0)
    assert np.allclose(ours, by_scipy(f, centre, 6.0), atol=1e-6)


@pytest.mark.parametrize("degrees", [2.0, 5.0, 10.0])
def test_every_band_keeps_both_limits_over_its_usable_part(degrees):
    *_, reach, edges, width = bank(degrees)
    w, B = tuned(edges, width, reach)
    assert np.allclose(B, 2 * np.pi * 6.0)
    for edge, centre in zip(edges, w / (2 * np.pi), strict=True):
        H = by_scipy(np.linspace(edge, edge + width, 21), centre, 6.0)
        assert np.max(np.abs(np.degrees(np.angle(H)))) <= degrees * (1 + 1e-6)
        assert np.min(np.abs(H)) >= 0.99
        beyond = by_scipy([edge - 0.05 * width, edge + 1.05 * width], centre, 6.0)
        assert np.all(np.abs(np.degrees(np.angle(beyond))) > degrees)


@pytest.mark.parametrize("degrees", [2.0, 5.0, 10.0])
def test_usable_parts_cover_the_range_and_overlap(degrees):
    *_, edges, width = bank(degrees)
    assert edges[0] == 10.0
    assert edges[-2] + width < 32.0 <= edges[-1] + width
    assert np.allclose(np.diff(edges), 0.98 * width)


@pytest.mark.parametrize(
    ("degrees", "W", "number"), [(20.0, 6.0, 15), (10.0, 6.0, 29), (5.0, 6.0, 58), (2.0, 6.0, 147)]
)
def test_number_of_bands_follows_the_rule_of_the_usable_width(degrees, W, number):
    """Usable width 0.0125 phase[deg] W, which was found by hand for these four cases."""
    *_, edges, width = bank(degrees, W, overlap=1e-9)
    assert width == pytest.approx(0.0125 * degrees * W, rel=0.04)
    assert len(edges) == pytest.approx(number, rel=0.02)


def test_the_amplitude_limits_where_the_phase_does_not():
    *_, reach, _, _ = design(**LIMITS | {"ripple": 0.5}, phase=1.5, overlap=0.02, W=6.0)
    b, a = signal.ellip(3, 0.5, 40.0, 1.0, analog=True)
    H = abs(signal.freqs(b, a, [0.99 * reach, 1.01 * reach])[1])
    assert H[0] > 0.99 > H[1]


def test_energy_of_the_shared_states_never_grows_by_itself():
    """(3) of the module: A + A^T = -c^T c, so that carrying states over is safe."""
    A, _, c = prototype(0.05, 40.0)
    assert np.allclose(A + A.T, -np.outer(c, c), atol=1e-12)


@pytest.mark.parametrize("h", [1e-3, 4e-3])
def test_sampled_bands_keep_the_limits_exactly(h):
    A, b, c, reach, edges, width = bank(10.0)
    row = np.concatenate([c, np.zeros(3)])
    for edge, Phi, Gamma in zip(
        edges, *sampled_bands(A, b, *tuned(edges, width, reach, h), h), strict=True
    ):
        for f in np.linspace(edge, edge + width, 5):
            z = np.exp(2j * np.pi * f * h)
            H = row @ np.linalg.solve(np.eye(6) - Phi / z, Gamma * (1 + 1 / z))
            assert abs(np.degrees(np.angle(H))) <= 10.0 * (1 + 1e-6)
            assert abs(H) >= 0.99
        assert np.max(np.abs(np.linalg.eigvals(Phi))) < 1.0


def test_sampled_low_pass_is_scipys_butterworth():
    h = 1e-3
    Phi, Gamma = sampled_low_pass(50.0, h)
    f = np.array([1.0, 20.0, 50.0, 200.0])
    z = np.exp(2j * np.pi * f * h)
    ours = [np.linalg.solve(np.eye(2) - Phi / v, Gamma * (1 + 1 / v))[0] for v in z]
    b, a = signal.butter(2, 50.0, fs=1 / h)
    assert np.allclose(ours, signal.freqz(b, a, f, fs=1 / h)[1], atol=1e-9)


def test_every_frequency_has_a_band_that_holds_it_with_hysteresis():
    *_, edges, width = bank()
    margin = 0.02 * width
    for f in np.linspace(5.0, 40.0, 3001):
        band = band_holding(f, edges, width, margin)
        if f < 10.0:
            assert band == -1
        assert outside(f, band, edges, width, margin) < 0.0
    for k in range(len(edges) - 1):  # what leaves a band at its edge is well inside of the next
        assert band_holding(edges[k] + width, edges, width, margin) == k + 1
        assert band_holding(edges[k], edges, width, margin) == k - 1


def test_limits_that_make_no_sense_are_told():
    sane = {**LIMITS, "phase": 0.1, "overlap": 0.02, "W": 6.0}
    assert design_problem(**sane) is None
    assert "expected more than f_low" in design_problem(**sane | {"f_high": 9.0})
    assert "raise W" in design_problem(**sane | {"W": 0.01})
