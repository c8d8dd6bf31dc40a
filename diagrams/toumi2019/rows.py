"""Rows "paper / ours" of Toumi et al. (2019): distances, adhesion, settings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from railblocks.diagrams.toumi2019.runs import (
    AXLES_TO_MU_MAX,
    BRAKING,
    CALCULATED,
    MEAN_FROM_M,
    MEAN_UNTIL,
    MEASURED,
    REACHED_PART,
    TrainRun,
    run,
)
from railblocks.diagrams.toumi2019.torques import Spread
from railblocks.engine.reproduction.result import Band, Row

Measure = Callable[[np.ndarray], float]

AGREED = 0.02  # section 3: "less than 2 %"
PRINTED_DISTANCES = {"calculated": CALCULATED, "measured": MEASURED}
TABLE_1 = {"s1": 5.0, "s2": 10.0, "s3": 20.0, "s4": 25.0}
ROUNDING = 1e-9  # of a printed setting, for rounding
REAL_TIME, TIMED_RUNS = 100.0, 3


def rows(
    spread: Spread, braking: TrainRun, driven: TrainRun, locking: TrainRun, untouched: TrainRun
) -> list[Row]:
    """All rows of the runs: as shipped, with driven bogies, without protection or recovery."""
    return [
        *_distances(braking, spread),
        *_adhesion(braking, spread),
        *_driven_bogies(driven),
        *_variants(braking, locking, untouched),
        *_settings(braking),
        *_times(braking),
    ]


def _distances(braking: TrainRun, spread: Spread) -> list[Row]:
    ours, m = braking.distance, float(braking.blocks["train.motion"]["m"])
    torque = float(np.max(braking.blocks["train.brake"]["C_bs_lim"]))
    note = (
        f"met: within {100 * AGREED:g} %, what the paper calls very good; torques are not printed, "
        f"{torque / 1e3:.2f} kN m an axle is the public nominal deceleration of 1 m/s² at "
        f"{m / 1e3:.0f} t; band over motors of driven axles and µ0"
    )
    table = []
    for words, paper in PRINTED_DISTANCES.items():
        name = f"braking distance from 160 km/h, {words}"
        more = {"band": spread.distance, "source": "section 3"}
        table.append(Row.near(name, paper, ours, AGREED * paper, "m", note, **more))
        note = "as the row above"
    paper = (160 / 3.6) ** 2 / (2.0 * CALCULATED)
    name, note = "mean deceleration", "v² / (2 distance), the paper's of its calculated distance"
    mean = Row(
        name, round(paper, 3), braking.deceleration, "m/s²", None, note, source="section 3"
    )  # fmt: skip
    return [*table, mean]


def _adhesion(braking: TrainRun, spread: Spread) -> list[Row]:
    table = []
    speed = f"{100 * MEAN_UNTIL:g} % of its speed"
    where = f"over the rail from {MEAN_FROM_M:g} m to where the train has {speed}"
    for measure, words in ((np.max, "largest"), (np.mean, "mean")):
        note = (
            f"{words} {where}; reached: {100 * REACHED_PART:g} %, for which the paper has no number"
        )
        name = f"axles until µ_max is reached, by the {words} adhesion"
        table.append(_axles_row(name, braking, measure, note, spread.axles(measure)))
    for n in (1, 2, 3, 4, len(braking.left)):
        mean, most = float(braking.left[n - 1].mean()), float(braking.left[n - 1].max())
        note = f"mean of the same rail; largest {most:.4f}"
        table.append(Row.not_compared(f"adhesion behind axle {n}", mean, "", note))
    sliding = int(np.sum(braking.slip.max(axis=0) > float(braking.blocks["wsp"]["s2"])))
    note = "slip above s2 at some time; met: less than half of them, and the first slides the most"
    first = int(np.argmax(braking.slip.mean(axis=0))) == 0
    met = first and sliding < len(braking.places) / 2
    name = "axles that slide"
    table.append(
        Row(name, "the first ones", float(sliding), "", met, note, source="section 2.4")
    )  # fmt: skip
    return table


def _axles_row(
    name: str, train: TrainRun, measure: Measure, note: str, band: Band | None = None
) -> Row:
    axle = train.axles_to_mu_max(measure)
    return Row(
        name, float(AXLES_TO_MU_MAX), float(axle or np.inf), "", axle == AXLES_TO_MU_MAX, note,
        band=band, source="section 3, Figure 3",
    )  # fmt: skip


def _driven_bogies(driven: TrainRun) -> list[Row]:
    """Rows of the shipped member of the family that meets distance and axles together."""
    brake, mu_0 = driven.blocks["train.brake"], float(driven.blocks["train.soaped"]["mu"])
    more = np.max(brake["C_ED_lim"] / brake["C_bs_lim"])
    note = (
        f"motors of the first and last four axles add {100 * more:.0f} % to their shoes, "
        f"µ0 = {mu_0:g}: chosen among those that meet both, nothing else is changed"
    )
    table = []
    for words, paper in PRINTED_DISTANCES.items():
        name = f"distance with driven bogies, {words}"
        within = AGREED * paper
        table.append(
            Row.near(name, paper, driven.distance, within, "m", note, source="section 3")
        )  # fmt: skip
        note = "as the row above"
    name = "axles until µ_max with driven bogies, by the mean adhesion"
    return [*table, _axles_row(name, driven, np.mean, note)]


def _variants(braking: TrainRun, locking: TrainRun, untouched: TrainRun) -> list[Row]:
    with_wsp, without = (", ".join(map(str, one.locked)) or "none" for one in (braking, locking))
    more = 100.0 * (untouched.distance / braking.distance - 1.0)
    friction = "friction does not fall with sliding here: a locked axle brakes as well as a sliding"
    return [
        Row.not_compared("axles that lock with protection", with_wsp, "", "above 1 m/s"),
        Row.not_compared("axles that lock without protection", without, "", "above 1 m/s"),
        Row.not_compared(
            "distance without protection", locking.distance, "m",
            f"{friction} one, and cleans more; the price is a flat wheel",
        ),
        Row(
            "distance without recovery", "longer", untouched.distance, "m",
            untouched.distance > braking.distance, f"{more:.0f} % longer", source="section 2.4",
        ),
    ]  # fmt: skip


def _settings(braking: TrainRun) -> list[Row]:
    wsp, rail = braking.blocks["wsp"], braking.blocks["train.cleaned"]
    printed = [(f"Table 1, {s}", paper, 100.0 * float(wsp[s]), "%") for s, paper in TABLE_1.items()]
    printed += [
        ("Table 2, initial speed", 160.0, 3.6 * float(braking.v[0]), "km/h"),
        ("Table 2, µ_max", 0.15, float(rail["mu_max"]), ""),
        ("Table 2, P_0", 20.0, float(rail["P_0"]) / 1e3, "kW"),
    ]
    return [
        Row.near(name, paper, ours, ROUNDING, unit, source=name.partition(",")[0])
        for name, paper, ours, unit in printed
    ]


def _times(braking: TrainRun) -> list[Row]:
    """Rows of times: steps, and the fastest of some runs, since the machine has other work."""
    again = [braking, *(run(BRAKING) for _ in range(TIMED_RUNS - 1))]
    took = max((one.results.statistics for one in again), key=lambda s: s.real_time_factor)
    step = took.simulated / took.steps
    steps = "mean of variable steps that end at each exchange, event and sample of the rail"
    note = f"{took.wall:.2g} s for {took.simulated:.1f} s on one core, the "
    note += f"fastest of {TIMED_RUNS} runs"
    return [
        Row("Table 2, time step", 3e-4, step, "s", None, steps, source="Table 2"),
        Row.goal("real-time factor", REAL_TIME, took.real_time_factor, "", note, least=True),
    ]
