"""Modes of a linear model: frequency, damping, and which states take part.

The part of state k in mode i is |w_ik v_ki| of left and right eigenvectors w and v, scaled to a sum
of 1 over the states: it depends on no unit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .model import LinearModel, as_rates

ROUNDING = 1e-9
"""Imaginary part, over the size of an eigenvalue, that is nothing but rounding."""


@dataclass(frozen=True)
class Mode:
    """One motion: its rate in 1/s, its shape over the states, and the part of each in it."""

    rate: complex
    shape: np.ndarray
    parts: dict[str, float]

    @property
    def frequency(self) -> float:
        """In Hz; 0 where it does not oscillate."""
        return abs(self.rate.imag) / (2.0 * math.pi)

    @property
    def damping(self) -> float:
        """Damping ratio; negative where it grows."""
        if self.rate == 0.0:
            return 0.0
        return -self.rate.real / abs(self.rate) if math.isfinite(abs(self.rate)) else 1.0

    @property
    def main_parts(self) -> list[tuple[str, float]]:
        """States with the largest parts, until they make up nine tenths."""
        ordered = sorted(self.parts.items(), key=lambda item: -item[1])
        total, chosen = 0.0, []
        for name, part in ordered:
            chosen.append((name, part))
            total += part
            if total > 0.9 or len(chosen) == 4:
                break
        return chosen


def modes(model: LinearModel) -> list[Mode]:
    """The modes, the least damped first; of a pair, the one above the real axis."""
    if not len(model.states):
        return []
    values, vectors = np.linalg.eig(model.A.astype(complex))
    rates = as_rates(values, model.sample_time)
    left = np.linalg.pinv(vectors)
    found = []
    for i in np.lexsort((-rates.imag, -rates.real)):
        if values[i].imag < -ROUNDING * abs(values[i]):
            continue
        rate = complex(rates[i])
        if abs(rate.imag) <= ROUNDING * abs(rate):
            rate = complex(rate.real, 0.0)
        weights = np.abs(left[i] * vectors[:, i])
        total = float(weights.sum()) or 1.0
        parts = dict(zip(model.states, map(float, weights / total), strict=True))
        largest = vectors[np.argmax(np.abs(vectors[:, i])), i]
        found.append(Mode(rate, vectors[:, i] / largest, parts))
    return found
