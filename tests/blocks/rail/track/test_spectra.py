"""Irregularities from spectra: closed integrals, variance, spectra of what is generated, seeds."""

import math

import numpy as np
import pytest
from railblocks.blocks.rail.track.files import read_track, track_named
from railblocks.blocks.rail.track.irregularities import (
    CROSS,
    DEVIATIONS,
    GAUGE,
    LATERAL,
    VERTICAL,
    deviation_at,
    pieces_between,
)
from railblocks.blocks.rail.track.spectra import SPECTRA, Stretch, generated
from railblocks.engine import DiagramError, compiled
from scipy.integrate import quad

LONG = Stretch("erri_low", 3, 50.0, 1050.0, 3.0, 100.0, 10.0)
LOW, HIGH = 2.0 * math.pi / 100.0, 2.0 * math.pi / 3.0


def inside(rows, stretch):
    """Rows of one round of a stretch, without those in which it fades."""
    return rows[(rows[:, 0] >= stretch.start - 1e-9) & (rows[:, 0] < stretch.end - 1e-9)]


@pytest.mark.parametrize("name", SPECTRA)
@pytest.mark.parametrize("kind", range(4))
def test_the_closed_integral_is_that_of_the_spectrum(name, kind):
    S = SPECTRA[name][kind]
    for low, high in ((LOW, 0.3), (0.3, HIGH), (LOW, HIGH)):
        number = quad(S, low, high, epsabs=0.0, epsrel=1e-9, limit=200)[0]
        assert S.variance(low, high) == pytest.approx(number, rel=1e-7)


def test_erri_spectra_are_those_of_two_programs():
    """SIMPACK's b_0 / (a_0 + a_2 Omega^2 + Omega^4); GENSYS' table of trc_ipsd for the high level,
    which has 2 pi S over cycles a metre."""
    b_0 = {
        "erri_low": (1.440846e-7, 2.741619e-7),
        "erri_high": (4.164787e-7, 7.343623e-7),
    }
    for name, numbers in b_0.items():
        for kind, b in zip((LATERAL, VERTICAL), numbers, strict=True):
            for Omega in (0.05, 0.3, 2.0):
                simpack = b / (2.8855e-4 + 0.6803895 * Omega**2 + Omega**4)
                assert SPECTRA[name][kind](Omega) == pytest.approx(simpack, rel=2e-4)
    gensys = {
        0.02: (2.3194e-4, 4.0897e-4),
        0.1: (6.1608e-6, 1.0863e-5),
        0.2: (7.3333e-7, 1.2931e-6),
    }
    for cycles, numbers in gensys.items():
        for kind, value in zip((LATERAL, VERTICAL), numbers, strict=True):
            ours = 2.0 * math.pi * SPECTRA["erri_high"][kind](2.0 * math.pi * cycles)
            assert ours == pytest.approx(value, rel=1e-4)


def test_cross_level_is_the_height_of_a_roll_over_the_base():
    """S / b^2 with b = 0.75 m is that of the roll: over 1.5 m, its height has 4 S."""
    Omega = np.array([0.1, 0.5, 1.5])
    vertical, cross = (SPECTRA["erri_high"][kind](Omega) for kind in (VERTICAL, CROSS))
    roll = vertical / 0.75**2 * Omega**2 / (Omega**2 + 0.438**2)
    assert cross == pytest.approx(1.5**2 * roll, rel=1e-12)


def test_classes_get_better_with_their_number():
    for kind in range(4):
        sizes = [float(SPECTRA[f"fra_{n}"][kind].variance(LOW, HIGH)) for n in range(1, 7)]
        assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("name", SPECTRA)
def test_what_is_generated_has_the_variance_of_the_closed_integral(name):
    """Rows to rounding, whatever the seed; splines through them to a thousandth."""
    for seed in (0, 7):
        stretch = Stretch(name, seed, 50.0, 550.0, 3.0, 60.0, 10.0)
        rows = generated(stretch)
        pieces = pieces_between(rows, "spline")
        positions = np.linspace(stretch.start, stretch.end, 20000, endpoint=False)
        for kind in range(4):
            S = SPECTRA[name][kind]
            expected = float(S.variance(2.0 * math.pi / 60.0, 2.0 * math.pi / 3.0))
            assert np.var(inside(rows, stretch)[:, 1 + kind]) == pytest.approx(expected, rel=1e-9)
            if kind == LATERAL:
                between = [compiled(deviation_at)(pieces, kind, s)[0] for s in positions]
                assert np.var(between) == pytest.approx(expected, rel=1e-3)


def test_what_is_generated_has_the_spectrum_in_every_band():
    """Power by Fourier's sums over bands of ten waves, against the closed integral over each."""
    rows = inside(generated(LONG), LONG)
    L = LONG.end - LONG.start
    unit = 2.0 * math.pi / L
    for kind in range(4):
        power = 2.0 * np.abs(np.fft.rfft(rows[:, 1 + kind]) / len(rows)) ** 2
        S = SPECTRA["erri_low"][kind]
        for first in range(15, 320, 10):
            band = (first - 0.5) * unit, (first + 9.5) * unit
            expected = float(S.variance(*band))
            assert power[first : first + 10].sum() == pytest.approx(expected, rel=1e-6)
        assert power[:10].sum() + power[335:].sum() < 1e-12 * power.sum()


def test_seeds_make_other_tracks_and_the_same_one_again():
    one, again = generated(LONG), generated(LONG)
    other = generated(Stretch(*("erri_low", 4), *(50.0, 1050.0, 3.0, 100.0, 10.0)))
    assert np.array_equal(one, again)
    mixed = np.corrcoef(inside(one, LONG)[:, 1:].T, inside(other, LONG)[:, 1:].T)
    assert np.abs(mixed - np.eye(8)).max() < 0.5


def test_irregularities_fade_beyond_both_ends():
    rows = generated(LONG)
    assert rows[0, 0] == pytest.approx(40.0, abs=0.5)
    assert rows[-1, 0] == pytest.approx(1060.0, abs=0.5)
    assert np.abs(rows[[0, -1], 1:]).max() < 1e-12
    steps = np.abs(np.diff(rows[:, 1:], axis=0)).max(axis=0)
    whole = np.abs(np.diff(inside(rows, LONG)[:, 1:], axis=0)).max(axis=0)
    assert np.all(steps <= 1.2 * whole)


def read(folder, text):
    (folder / "line.yaml").write_text(f"track: 1\nsegments: [{{length: 900 m}}]\n{text}", "utf-8")
    return read_track(folder / "line.yaml")


def test_a_line_takes_its_irregularities_from_a_spectrum(tmp_path):
    fields = "spectrum: fra_5, seed: 2, from: 100 m, to: 600 m, only: 'vertical, gauge'"
    table = read(tmp_path, f"irregularities: {{{fields}}}\n").deviations
    expected = generated(
        Stretch("fra_5", 2, 100.0, 600.0, 3.0, 100.0, 10.0, kinds=(VERTICAL, GAUGE))
    )
    assert table[:, [0, 1, 5, 9, 13]] == pytest.approx(expected, abs=1e-15)
    assert np.all(table[:, [1 + 4 * LATERAL, 1 + 4 * CROSS]] == 0.0)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("spectrum: erri_lo, seed: 1, to: 500", "did you mean 'erri_low'?"),
        ("spectrum: erri_low, to: 500", "'seed' is missing"),
        ("spectrum: erri_low, seed: 1.5, to: 500", "seed = 1.5; expected 0, 1, 2, ..."),
        ("spectrum: erri_low, seed: 1, to: 50", "is shorter than 100 m, its longest wave"),
        ("spectrum: erri_low, seed: 1, to: 500, longest: 2 m", "more than 3 m, the shortest"),
        ("spectrum: erri_low, seed: 1, to: 1e9", "more than 100000 waves of 3 m"),
        ("spectrum: erri_low, seed: 1, to: 500, only: height", "'height' is not an irregularity"),
        ("spectrum: erri_low, seed: 1, to: 500, file: a.csv", "'file' is not a field here"),
    ],
)  # fmt: skip
def test_a_bad_spectrum_is_told(tmp_path, fields, message):
    with pytest.raises(DiagramError) as refused:
        read(tmp_path, f"irregularities: {{{fields}}}\n")
    assert message in str(refused.value)
    assert "line.yaml:3:" in str(refused.value)


def test_two_shipped_lines_have_irregularities_from_spectra():
    for name in ("main_line", "main_line_curve"):
        deviations = track_named(name).deviations
        assert np.all(deviations[:, 1::4].std(axis=0) > 1e-4)
        assert len(DEVIATIONS) == 4
