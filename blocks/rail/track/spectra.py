"""Spectra of track irregularities, and irregularities that have them.

Each spectrum S is one-sided and over the angular wave number Omega = 2 pi / wavelength, in
m^2/(rad/m): the variance of waves between two lengths is the integral of S over their Omega alone,
without a factor. All are

    S = A Omega^(2 m) / prod of (Omega^2 + p_i^2)                          (1)

which is a sum of r_i / (Omega^2 + p_i^2), so that with arc tangents the integral is closed:

    integral of S = sum of r_i / p_i arctan(Omega / p_i),  -r_i / Omega where p_i = 0     (2)

erri_low, erri_high, with Omega_r = 0.0206, Omega_s = 0.4380 and Omega_c = 0.8246 rad/m:

    lateral, vertical   A Omega_c^2 / ((Omega^2 + Omega_r^2) (Omega^2 + Omega_c^2))       (3)
    cross level, gauge  the same times Omega^2 / (Omega^2 + Omega_s^2), 4 A_v or A_g for A

fra_1 to fra_6, classes of the Federal Railroad Administration, with Omega_c = 0.8245 rad/m:

    lateral, vertical   k A Omega_c^2 / (Omega^2 (Omega^2 + Omega_c^2))                   (4)
    cross level, gauge  4 k A_v Omega_c^2 / ((Omega^2 + Omega_s^2) (Omega^2 + Omega_c^2))

Sources: ORE (ERRI) B 176, as SIMPACK predefines it with S = b_0 / (2.8855e-4 + 0.6803895 Omega^2 +
Omega^4), b_0 = A Omega_c^2; GENSYS' manual of trc_ipsd has the same numbers for the high level, as
2 pi S over cycles a metre. Cross level and gauge are those of the German spectra that B 176 took
(Claus, Schiehlen, Vehicle System Dynamics 29 (1998), supplement; Zhai, Vehicle-Track Coupled
Dynamics, 2020): roll of the rails S / b^2 with b = 0.75 m, and so a height of one rail above the
other of 4 S. FRA: Garg, Dukkipati, Dynamics of Railway Vehicle Systems, 1984, k = 0.25; the form of
gauge is that of cross level.

Generated irregularities have a wave for each whole number of waves on their length, with the
amplitude of the integral (2) over its band, and a random phase: so their variance is that of the
spectrum to the last digit, whatever the seed. All four are independent of each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .irregularities import CROSS, DEVIATIONS, GAUGE, LATERAL, VERTICAL

ROWS_PER_WAVE = 12
"""Rows for each wave of the shortest length: a spline through them misses 2e-4 of it."""


@dataclass(frozen=True)
class Spectrum:
    """S of (1): A, m and the p_i."""

    A: float
    poles: tuple[float, ...]
    m: int = 0

    def __call__(self, Omega: np.ndarray) -> np.ndarray:
        value = self.A * np.power(Omega, 2 * self.m)
        for p in self.poles:
            value = value / (np.square(Omega) + p * p)
        return value

    def variance(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """The integral (2) between wave numbers."""
        total = np.zeros(np.shape(low))
        for p in self.poles:
            r = self.A * (-p * p) ** self.m
            for other in self.poles:
                r = r / (other * other - p * p) if other != p else r
            total += r * (_primitive(high, p) - _primitive(low, p))
        return total


def _primitive(Omega: np.ndarray, p: float) -> np.ndarray:
    return np.arctan(Omega / p) / p if p > 0.0 else -1.0 / np.asarray(Omega)


def _erri(A_a: float, A_v: float, A_g: float) -> dict[int, Spectrum]:
    """Lateral, vertical, cross level and gauge, of A in m rad."""
    Omega_c, Omega_r, Omega_s = 0.8246, 0.0206, 0.4380
    square, poles = Omega_c * Omega_c, (Omega_r, Omega_c)
    return {
        LATERAL: Spectrum(A_a * square, poles),
        VERTICAL: Spectrum(A_v * square, poles),
        CROSS: Spectrum(4.0 * A_v * square, (*poles, Omega_s), m=1),
        GAUGE: Spectrum(A_g * square, (*poles, Omega_s), m=1),
    }


def _fra(A_v: float, A_a: float, Omega_s: float) -> dict[int, Spectrum]:
    """The same, of A in cm^2 rad/m."""
    k, Omega_c = 0.25e-4, 0.8245
    square = k * Omega_c * Omega_c
    level = Spectrum(4.0 * A_v * square, (Omega_s, Omega_c))
    return {
        LATERAL: Spectrum(A_a * square, (0.0, Omega_c)),
        VERTICAL: Spectrum(A_v * square, (0.0, Omega_c)),
        CROSS: level,
        GAUGE: level,
    }


SPECTRA = {
    "erri_low": _erri(2.119e-7, 4.032e-7, 5.32e-8),
    "erri_high": _erri(6.125e-7, 10.80e-7, 10.32e-8),
    "fra_1": _fra(1.2107, 3.3634, 0.6046),
    "fra_2": _fra(1.0181, 1.2107, 0.9308),
    "fra_3": _fra(0.6816, 0.4128, 0.8520),
    "fra_4": _fra(0.5376, 0.3027, 1.1312),
    "fra_5": _fra(0.2095, 0.0762, 0.8209),
    "fra_6": _fra(0.0339, 0.0339, 0.4380),
}


@dataclass(frozen=True)
class Stretch:
    """Where a line is irregular, and how: waves from `shortest` to `longest`, all in metres.

    Beyond both ends irregularities fade to nothing on `fade`.
    """

    spectrum: str
    seed: int
    start: float
    end: float
    shortest: float
    longest: float
    fade: float
    kinds: tuple[int, ...] = tuple(range(len(DEVIATIONS)))


def generated(stretch: Stretch) -> np.ndarray:
    """Rows of position and all irregularities of a stretch."""
    L = stretch.end - stretch.start
    steps = math.ceil(ROWS_PER_WAVE * L / stretch.shortest)
    beyond = math.ceil(stretch.fade / L * steps)
    number = np.arange(-beyond, steps + beyond + 1)
    rows = np.zeros((len(number), 1 + len(DEVIATIONS)))
    rows[:, 0] = stretch.start + L / steps * number
    for kind in stretch.kinds:
        wave = one_wave(stretch, kind, steps)
        rows[:, 1 + kind] = wave[number % steps]
    outside = np.maximum(stretch.start - rows[:, 0], rows[:, 0] - stretch.end)
    part = np.clip(outside / stretch.fade, 0.0, 1.0)
    rows[:, 1:] *= (0.5 + 0.5 * np.cos(math.pi * part))[:, None]
    return rows


def one_wave(stretch: Stretch, kind: int, steps: int) -> np.ndarray:
    """An irregularity at `steps` positions of the stretch; it goes on as it began."""
    spectrum, unit = SPECTRA[stretch.spectrum][kind], 2.0 * math.pi / (stretch.end - stretch.start)
    low, high = 2.0 * math.pi / stretch.longest, 2.0 * math.pi / stretch.shortest
    waves = np.arange(math.ceil(low / unit - 0.5), math.floor(high / unit + 0.5) + 1)
    edges = np.clip((waves[0] - 0.5 + np.arange(len(waves) + 1)) * unit, low, high)
    amplitudes = np.sqrt(2.0 * spectrum.variance(edges[:-1], edges[1:]))
    random = np.random.default_rng((stretch.seed, kind))
    phases = 2.0 * math.pi * random.random(len(waves))
    coefficients = np.zeros(steps // 2 + 1, complex)
    coefficients[waves] = 0.5 * steps * amplitudes * np.exp(1j * phases)
    return np.fft.irfft(coefficients, steps)
