"""Runs of the S-curve of falomi, section 5: the Manchester wagon by all methods of detection.

Forces are shown as they are, and below 20 Hz (a Butterworth filter of order 4, forth and back), as
the forces of vehicles on track are judged.

The paper says neither what bears the rails nor how contacts are damped: the same wagon runs on
other supports, on rails that do not give, and with damping of half a decade less and more.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from railblocks.blocks.rail.contact.contact_methods import METHODS
from railblocks.diagrams.runs import Run, Tell, shipped, signal, silent

CUTOFF_HZ = 20.0
"""Frequency of the filter, in Hz."""
CURVE_M = (72.0, 80.0)
"""Positions of the first axle while the whole wagon is in the first curve, in m."""


STEADY_M = (57.0, 68.0)
"""Positions of the first axle when its own entry into the first curve has died away, in m."""
VARIANTS = {
    "ye2022": {"wagon.support": "ye2022"},
    "one layer": {"wagon.support": "zhai2004_one_layer"},
    "rigid": {"wagon.support": "rigid"},
    "c 3e4": {"c": "3e4 N*s/m"},
    "c 3e5": {"c": "3e5 N*s/m"},
}
"""What the paper leaves open: values of the diagram for each other reading."""


class WagonRun(Run):
    """One run over the S-curve."""

    y = signal("wagon.body_y")  # lateral displacement of the car body

    @cached_property
    def s(self) -> np.ndarray:
        """Position of the first axle."""
        return self["wagon.s"][:, 0]

    @property
    def mu(self) -> float:
        """Friction coefficient."""
        return float(self.blocks["wagon"]["mu"])

    def slow(self, signal: str) -> np.ndarray:
        """A signal of all wheels below the cut-off."""
        from scipy.signal import butter, sosfiltfilt

        rate = 1.0 / (self.t[1] - self.t[0])
        filtering = butter(4, CUTOFF_HZ, fs=rate, output="sos")
        return sosfiltfilt(filtering, self[f"wagon.{signal}"], axis=0)

    def mean_in_curve(self, signal: str) -> float:
        """Mean of a slow signal of the first left wheel in the first curve."""
        inside = (self.s >= CURVE_M[0]) & (self.s <= CURVE_M[1])
        return self.slow(signal)[inside, 0].mean()

    def largest(self, signal: str) -> float:
        """The largest value of a slow signal of all wheels."""
        return float(self.slow(signal).max())

    def peak(self, signal: str) -> float:
        """The largest size of a slow signal of the first left wheel."""
        return float(np.abs(self.slow(signal)[:, 0]).max())

    @property
    def restlessness(self) -> float:
        """Standard deviation of Q of the first left wheel, as computed, in the steady curve."""
        inside = (self.s >= STEADY_M[0]) & (self.s <= STEADY_M[1])
        return float(self["wagon.Q"][inside, 0].std())

    @property
    def step(self) -> float:
        """Wall-clock milliseconds per step."""
        statistics = self.results.statistics
        return 1e3 * statistics.wall / statistics.steps


def runs(tell: Tell = silent) -> dict[str, WagonRun]:
    """Runs by each method with fixed steps, and by DIFF with steps of ode45."""
    by_method = {m: _run(m, "s_curve", {"wagon.method": m}, tell) for m in METHODS}
    return {**by_method, "ode45": _run("ode45", "s_curve_ode45", {}, tell)}


def variants(tell: Tell = silent) -> dict[str, WagonRun]:
    """Runs by DIFF for the other readings of what the paper leaves open."""
    return {name: _run(name, "s_curve", values, tell) for name, values in VARIANTS.items()}


def _run(name: str, diagram: str, values: dict[str, str], tell: Tell) -> WagonRun:
    return WagonRun.of(shipped("falomi", diagram, values), f"S-curve, {name}", tell)
