"""Small motions of the MDM rig with its whole loop, and what each estimator makes of them.

The filtered scenario is linearised in steady rolling without torque, by central differences of the
compiled equations: rig, estimators, filters at the band that holds the speed, virtual train,
control within its boundary layer. Axles on their springs shake along x near 27 Hz; a loop that
takes their motion for torque feeds them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from railblocks.blocks.rail.control.elliptic_bank import band_holding
from railblocks.blocks.rail.rig.axle_boxes import DESIGN
from railblocks.diagrams.conti2012.runs import ESTIMATOR
from railblocks.diagrams.figures import BLUE, GREEN, RED, legend_above
from railblocks.diagrams.runs import Tell, shipped
from railblocks.engine.operating_points.rates import Rates
from railblocks.engine.reproduction.result import Figure, Row

FILTERS = tuple(f"simulator.estimation.filter_{k}" for k in (1, 2, 3, 4))
AT_REST = {
    "simulator.traction.slope": "0 N*m/s", "me_w": "0 kg*m", "me_r": "0 kg*m", "dJ": "0 kg*m^2",
}  # fmt: skip
RANGE_HZ = (10.0, 32.0)
"""Frequencies of the wheels at which the filter works: section 3.1.3."""
MODES_HZ = (10.0, 50.0)
"""Frequencies of the modes that are looked at: those of bogie and axles, and not of noise."""
SIZE = 1e-4
"""Size of small changes of all states, in SI units."""


@dataclass(frozen=True)
class Choice:
    """An estimator, by the values that make it."""

    words: str
    values: Mapping[str, Any]


def off(name: str, part: float) -> Choice:
    """The axle model with a wrong number."""
    value = (1.0 + part) * DESIGN[name]
    return Choice(
        f"axle, {name} {100.0 * part:+.0f} %", {"model": "axle", f"{ESTIMATOR}.{name}": value}
    )


MODELS = (
    Choice("printed: Eqs 29 and 30 with J_w", {"model": "printed"}),
    Choice("rollers: T_hat = u / R, Eq. 30 with J_B", {"model": "rollers"}),
    Choice("axle: with the rig's axle boxes", {"model": "axle"}),
)
WRONG = (off("k_x", 0.1), off("k_x", -0.1), off("kappa", 0.1), off("kappa", -0.1))


def modes(values: Mapping[str, Any], hertz: float) -> np.ndarray:
    """Eigenvalues of modes within `MODES_HZ` at a speed of the wheels, the least damped first."""
    omega = {"omega_init": f"{2.0 * math.pi * hertz} rad/s"}
    checked = shipped("conti2012", "scenario_2_filtered", {**AT_REST, **omega, **values})
    rates = Rates(checked)
    x = rates.start
    for name in FILTERS:
        bank = checked.model.blocks[name].values
        width, overlap = bank["width"], bank["overlap"]
        rates.discrete(name, "k")[...] = band_holding(hertz, bank["edges"], width, overlap * width)
        x[rates.slice_of(name, "g")] = 1.0
    found = np.linalg.eigvals(rates.jacobian(x, SIZE, most=2))
    low, high = (2.0 * math.pi * f for f in MODES_HZ)
    found = found[(found.imag > low) & (found.imag < high)]
    return found[np.argsort(-found.real)]


@dataclass(frozen=True)
class Growth:
    """Growth of the least damped mode of a choice over the speeds of the wheels."""

    choice: Choice
    hertz: np.ndarray
    least_damped: np.ndarray

    @classmethod
    def of(cls, choice: Choice, step: float = 1.0) -> Growth:
        hertz = np.arange(RANGE_HZ[0], RANGE_HZ[1] + 0.5 * step, step)
        return cls(choice, hertz, np.array([modes(choice.values, f)[0] for f in hertz]))

    @property
    def worst(self) -> float:
        """Growth of the least damped mode at all speeds, in 1/s."""
        return float(np.max(self.least_damped.real))

    @property
    def note(self) -> str:
        worst = int(np.argmax(self.least_damped.real))
        mode, hertz = self.least_damped[worst], self.hertz[worst]
        return (
            f"least damped mode over {RANGE_HZ[0]:g} to {RANGE_HZ[1]:g} Hz of the wheels: "
            f"{mode.imag:.0f} rad/s where they turn at {hertz:g} Hz; below 0: stable"
        )

    @property
    def row(self) -> Row:
        name = f"loop with filter, {self.choice.words}: growth"
        return Row.not_compared(name, self.worst, "1/s", self.note, source="eigenvalues")

    @property
    def goal(self) -> Row:
        return Row.goal("rig with its loop and filter: growth", 0.0, self.worst, "1/s", self.note)


def stability(tell: Tell) -> tuple[tuple[Row, ...], tuple[Figure, ...]]:
    """Rows and figure of all estimators, as they are and with wrong numbers."""
    growths = []
    for choice in (*MODELS, *WRONG):
        tell(f"eigenvalues: {choice.words}")
        growths.append(Growth.of(choice))
    return tuple(growth.row for growth in growths), (stability_figure(growths[: len(MODELS)]),)


def stability_figure(growths: Sequence[Growth]) -> Figure:
    """Growth over speed for each of the estimators in `MODELS`."""
    return Figure("stability", CAPTION, lambda canvas: _draw(canvas, growths), (8.4, 4.0))


CAPTION = (
    "Growth of the least damped mode of the rig with its loop and filter over the frequency of the "
    "wheels, from eigenvalues: above 0 small motions grow."
)


def _draw(figure: Any, growths: Sequence[Growth]) -> None:
    ax = figure.subplots()
    for growth, colour in zip(growths, (RED, GREEN, BLUE), strict=True):
        ax.plot(growth.hertz, growth.least_damped.real, color=colour, label=growth.choice.words)
    ax.axhline(0.0, color="black", lw=0.8)
    ax.set_xlabel("frequency of the wheels / Hz")
    ax.set_ylabel("growth / (1/s)")
    ax.margins(x=0.0)
    legend_above(ax, columns=1)
