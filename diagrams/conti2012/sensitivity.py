"""What changes if one reads Conti et al. (2012) otherwise: one ambiguity at a time, by runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from railblocks.blocks.rail.rig.axle_boxes import DESIGN, design
from railblocks.diagrams.conti2012.runs import ESTIMATOR, FAST, STEADY_FROM_S, RigRun, run
from railblocks.diagrams.figures import BLUE, GREY, named_rows
from railblocks.diagrams.runs import Tell
from railblocks.engine.errors import SimulationError
from railblocks.engine.reproduction.result import Figure, Row

CONTROL, ESTIMATION, TRACTION, TRAIN = (
    f"simulator.{part}" for part in ("control", "estimation", "traction", "train")
)


@dataclass(frozen=True)
class Reading:
    """A scenario with other values; none for the one that others are compared with."""

    scenario: str
    words: str
    values: Mapping[str, Any] = field(default_factory=dict)
    spatial: bool = False  # exists on the three-dimensional rig only


MIN_BAR = 10.0
"""Error at which bars begin, in N m."""

K_HIGH, K_LOW = ({f"{ESTIMATOR}.k_x": part * DESIGN["k_x"]} for part in (1.1, 0.9))
NO_REACTION = {
    "rig.reaction": 0.0,
    f"{ESTIMATOR}.reaction": 0.0,
    f"{ESTIMATOR}.kappa": design(reaction=0.0)["kappa"],
}
ONE, WITHOUT, WITH = "scenario_1", "scenario_2", "scenario_2_filtered"
READINGS = (
    Reading(ONE, "as shipped"),
    Reading(ONE, "load factor 1: the plain wagon", {"load_factor": 1.0}),
    Reading(ONE, "sign of u_disc as printed", {f"{CONTROL}.controller.sign": "printed"}),
    Reading(ONE, "estimator with J_B, as printed", {f"{ESTIMATION}.estimator.inertia": "total"}),
    Reading(ONE, "ramps in N m/s of the rig", {f"{TRACTION}.device.C_ramp": "1 N*m"}),
    Reading(ONE, "ramps in kN m/s of the train", {f"{TRACTION}.device.C_ramp": "0.32 N*m"}),
    Reading(ONE, "speed of each wheelset in Eq. 24", {f"{TRAIN}.vehicle.speed": "wheelsets"}),
    Reading(ONE, "anti-skid releases at 0.95", {f"{TRACTION}.device.release": 0.95}),
    Reading(ONE, "anti-skid averages over 20 ms", {f"{TRACTION}.T_f": "20 ms"}),
    Reading(ONE, "estimator as printed: axles held", {"model": "printed"}, True),
    Reading(ONE, "estimator by the rollers' torque", {"model": "rollers"}, True),
    Reading(ONE, "stiffness in the estimator 10 % too high", K_HIGH, True),
    Reading(ONE, "stiffness in the estimator 10 % too low", K_LOW, True),
    Reading(ONE, "no reaction of the motors on the bogie", NO_REACTION, True),
    Reading(ONE, "axle boxes without series stiffness", {"rig.k_ps": [0.0, 0.0, 0.0]}, True),
    Reading(ONE, "cant 1/40", {"rig.cant": 0.025}, True),
    Reading(WITHOUT, "as shipped"),
    Reading(WITHOUT, "half the unbalance", {"me_w": "0.8e-4 kg*m", "me_r": "0.8e-4 kg*m"}),
    Reading(WITHOUT, "twice the unbalance", {"me_w": "3.2e-4 kg*m", "me_r": "3.2e-4 kg*m"}),
    Reading(WITHOUT, "estimator as printed: axles held", {"model": "printed"}, True),
    Reading(WITHOUT, "estimator by the rollers' torque", {"model": "rollers"}, True),
    Reading(WITHOUT, "with the low-pass at 50 Hz", {"low_pass": True}),
    Reading(WITH, "as shipped: phase limit 2°"),
    Reading(WITH, "estimator as printed: axles held", {"model": "printed"}, True),
    Reading(WITH, "estimator by the rollers' torque", {"model": "rollers"}, True),
    Reading(WITH, "stiffness in the estimator 10 % too high", K_HIGH, True),
    Reading(WITH, "stiffness in the estimator 10 % too low", K_LOW, True),
    Reading(WITH, "inertia of wheelsets and rollers balanced", {"dJ": "0 kg*m^2"}, True),
    Reading(WITH, "phase limit 5°", {"phase": "5 deg"}),
    Reading(WITH, "phase limit 10°", {"phase": "10 deg"}),
    Reading(WITH, "half the unbalance", {"me_w": "0.8e-4 kg*m", "me_r": "0.8e-4 kg*m"}),
    Reading(WITH, "twice the unbalance", {"me_w": "3.2e-4 kg*m", "me_r": "3.2e-4 kg*m"}),
)  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """Largest errors and mean torque of the front rig in the steady state."""

    reading: Reading
    spatial: bool
    e_c: float = np.nan
    e_omega: float = np.nan
    torque: float = np.nan
    failure: str = ""

    @property
    def name(self) -> str:
        title = self.reading.scenario.replace("_", " ").replace("2 filtered", "2 with filter")
        return f"{title}{', 3-D' if self.spatial else ', plane'}: {self.reading.words}"

    @property
    def row(self) -> Row:
        if self.failure:
            return Row.not_compared(self.name, "does not run", "", self.failure, source="this run")
        text = f"e_c {self.e_c:.0f} N m, e_omega {self.e_omega:.2g} rad/s"
        text += f", torque {self.torque / 1e3:.1f} kN m"
        return Row.not_compared(
            self.name, text, "", f"of the front rig, from {STEADY_FROM_S:g} s on",
            source="this run",
        )  # fmt: skip


def sensitivity(
    values: Mapping[str, Any], spatial: bool, tell: Tell
) -> tuple[tuple[Row, ...], tuple[Figure, ...]]:
    """All readings in the plane; with `spatial`, also what exists in three dimensions only."""
    outcomes = [_outcome(one, False, values, tell) for one in READINGS if not one.spatial]
    if spatial:
        wanted = [one for one in READINGS if one.spatial or not one.values]
        outcomes += [_outcome(one, True, values, tell) for one in wanted]
    rows = tuple(outcome.row for outcome in outcomes)
    caption = "Largest torque error of the front rig for every reading of the paper."
    size = (8.4, 1.2 + 0.27 * len(outcomes))
    return rows, (Figure("readings", caption, lambda f: draw_outcomes(f, outcomes), size),)


def _outcome(reading: Reading, spatial: bool, values: Mapping[str, Any], tell: Tell) -> Outcome:
    tell(f"{reading.scenario}: {reading.words}")
    name = reading.scenario if spatial else f"{FAST}{reading.scenario}"
    try:
        return measured(reading, run(name, {**values, **reading.values}))
    except SimulationError as error:
        return Outcome(reading, spatial, failure=str(error))


def measured(reading: Reading, run: RigRun) -> Outcome:
    """Reads the outcome off a run."""
    return Outcome(
        reading,
        run.spatial,
        float(np.max(run.largest(run.e_c[:, :2]))),
        float(np.max(run.largest(run.e_omega[:, :2]))),
        float(np.mean(run.mean(run.C_S)[:2])),
    )


def draw_outcomes(figure: Any, outcomes: list[Outcome]) -> None:
    ax = figure.subplots()
    heights = named_rows(ax, [outcome.name for outcome in outcomes])
    sizes = np.nan_to_num([outcome.e_c for outcome in outcomes])
    colours = [GREY if not outcome.reading.values else BLUE for outcome in outcomes]
    ax.barh(heights, sizes, color=colours, height=0.65)
    for height, outcome, size in zip(heights, outcomes, sizes, strict=True):
        text = "does not run" if outcome.failure else f"{size:.0f}"
        ax.text(1.1 * max(size, MIN_BAR), height, text, va="center", fontsize=8)
    ax.set_xscale("log")
    ax.set_xlim(MIN_BAR, 3.0 * sizes.max())
    ax.set_xlabel("largest $e_c$ / N m")
