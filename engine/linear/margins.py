"""Margins of a loop that is closed with negative feedback: how far L(j omega) stays from -1.

    gain margin   1 / |L| where L crosses the negative real axis                (1)
    phase margin  180 + arg L where |L| = 1                                     (2)
    delay margin  phase margin / omega                                          (3)
    distance      min |1 + L|, one over the peak of the sensitivity              (4)

Crossings are found between frequencies that lie densely about all poles and zeros, and narrowed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..errors import DiagramError
from .frequencies import frequencies_of
from .model import LinearModel


@dataclass(frozen=True)
class Margins:
    """Margins of a loop; infinite where there is no crossing, frequencies then nan.

    Of several crossings the most critical counts: the gain margin nearest to 1, by factor, and the
    phase margin that is least in size.
    """

    gain: float
    gain_omega: float
    phase_deg: float
    phase_omega: float
    delay: float
    distance: float
    distance_omega: float

    @property
    def gain_db(self) -> float:
        return 20.0 * math.log10(self.gain) if 0.0 < self.gain < math.inf else self.gain

    def data(self) -> dict[str, Any]:
        return {**asdict(self), "gain_db": self.gain_db}


def margins(model: LinearModel) -> Margins:
    """The margins of a model with one input and one output, taken as the gain of a loop."""
    if len(model.inputs) != 1 or len(model.outputs) != 1:
        raise DiagramError(
            f"margins are those of one loop; the model has {len(model.inputs)} inputs and "
            f"{len(model.outputs)} outputs; choose with model.only(output, input)"
        )
    omega = frequencies_of(model)

    def loop(w: float) -> complex:
        return complex(model.response(w)[0, 0, 0])

    L = model.response(omega)[:, 0, 0]
    phase_at = _roots(lambda w: loop(w).imag, omega, L.imag)
    gains = [(1.0 / abs(loop(w)), w) for w in phase_at if loop(w).real < 0.0]
    gain_at = _roots(lambda w: abs(loop(w)) - 1.0, omega, np.abs(L) - 1.0)
    phases = [(_phase(loop(w)), w) for w in gain_at]
    gain, gain_omega = min(gains, key=lambda g: abs(math.log(g[0])), default=(math.inf, math.nan))
    phase, phase_omega = min(phases, key=lambda p: abs(p[0]), default=(math.inf, math.nan))
    delays = [math.radians(p % 360.0) / w for p, w in phases if w > 0.0]
    distance, distance_omega = _closest(loop, omega, L)
    return Margins(
        gain,
        gain_omega,
        phase,
        phase_omega,
        min(delays, default=math.inf),
        distance,
        distance_omega,
    )


def _phase(value: complex) -> float:
    """Degrees from -1 to a point of the unit circle, between -180 and 180."""
    return math.degrees(math.remainder(math.atan2(value.imag, value.real) + math.pi, 2 * math.pi))


def _roots(f: Callable[[float], float], omega: np.ndarray, values: np.ndarray) -> list[float]:
    from scipy.optimize import brentq

    found = []
    for a, b, low, high in zip(omega, omega[1:], values, values[1:], strict=False):
        if not (math.isfinite(low) and math.isfinite(high)):
            continue
        if low == 0.0:
            found.append(float(a))
        elif low * high < 0.0:
            found.append(float(brentq(f, a, b, xtol=1e-13 * b, rtol=1e-14)))
    return found


def _closest(
    loop: Callable[[float], complex], omega: np.ndarray, L: np.ndarray
) -> tuple[float, float]:
    from scipy.optimize import minimize_scalar

    distances = np.abs(1.0 + L)
    k = int(np.nanargmin(distances))
    low, high = omega[max(k - 1, 0)], omega[min(k + 1, len(omega) - 1)]
    found = minimize_scalar(
        lambda w: abs(1.0 + loop(w)), bounds=(low, high), method="bounded",
        options={"xatol": 1e-10 * high},
    )  # fmt: skip
    if found.fun < distances[k]:
        return float(found.fun), float(found.x)
    return float(distances[k]), float(omega[k])
