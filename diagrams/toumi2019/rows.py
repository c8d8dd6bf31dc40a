"""Rows "paper / ours" of Toumi et al. (2019): distances, adhesion, settings."""

from __future__ import annotations

import numpy as np
from railblocks.diagrams.toumi2019.runs import (
    BRAKING,
    CALCULATED,
    MEAN_FROM_M,
    MEAN_UNTIL,
    MEASURED,
    REACHED_PART,
    TrainRun,
    run,
)
from railblocks.engine.reproduction.result import Row

AGREED = 0.02  # section 3: "less than 2 %"
AXLES_TO_MU_MAX = 4  # section 3, Figure 3
TABLE_1 = {"s1": 5.0, "s2": 10.0, "s3": 20.0, "s4": 25.0}
ROUNDING = 1e-9  # of a printed setting, for rounding
REAL_TIME, TIMED_RUNS = 100.0, 3


def rows(braking: TrainRun, locking: TrainRun, untouched: TrainRun) -> list[Row]:
    """All rows of the runs with protection, without it, and without recovery."""
    return [
        *_distances(braking),
        *_adhesion(braking),
        *_variants(braking, locking, untouched),
        *_settings(braking),
        *_times(braking),
    ]


def _distances(braking: TrainRun) -> list[Row]:
    ours, m = braking.distance, float(braking.blocks["train.motion"]["m"])
    torque = float(np.max(braking.blocks["train.brake"]["C_bs_lim"]))
    note = (
        f"met: within {100 * AGREED:g} %, what the paper calls very good; torques are not printed, "
        f"{torque / 1e3:.2f} kN m an axle is the public nominal deceleration of 1 m/s² at "
        f"{m / 1e3:.0f} t"
    )
    table = []
    for words, paper in (("calculated", CALCULATED), ("measured", MEASURED)):
        name = f"braking distance from 160 km/h, {words}"
        table.append(Row.near(name, paper, ours, AGREED * paper, "m", note))
        note = "as the row above"
    paper = (160 / 3.6) ** 2 / (2.0 * CALCULATED)
    note = "v² / (2 distance), the paper's of its calculated distance"
    mean = Row("mean deceleration", round(paper, 3), braking.deceleration, "m/s²", None, note)
    return [*table, mean]


def _adhesion(braking: TrainRun) -> list[Row]:
    table = []
    speed = f"{100 * MEAN_UNTIL:g} % of its speed"
    where = f"over the rail from {MEAN_FROM_M:g} m to where the train has {speed}"
    for measure, words in ((np.max, "largest"), (np.mean, "mean")):
        axle = braking.axles_to_mu_max(measure)
        note = (
            f"{words} {where}; reached: {100 * REACHED_PART:g} %, for which the paper has no number"
        )
        name = f"axles until µ_max is reached, by the {words} adhesion"
        met = axle == AXLES_TO_MU_MAX
        table.append(Row(name, float(AXLES_TO_MU_MAX), float(axle or np.inf), "", met, note))
    for n in (1, 2, 3, 4, len(braking.left)):
        mean, most = float(braking.left[n - 1].mean()), float(braking.left[n - 1].max())
        note = f"mean of the same rail; largest {most:.4f}"
        table.append(Row.not_compared(f"adhesion behind axle {n}", mean, "", note))
    slip = braking.slip
    sliding = int(np.sum(slip.max(axis=0) > float(braking.blocks["wsp"]["s2"])))
    note = "slip above s2 at some time; met: less than half of them, and the first slides the most"
    met = sliding < slip.shape[1] / 2 and int(np.argmax(slip.mean(axis=0))) == 0
    table.append(Row("axles that slide", "the first ones", float(sliding), "", met, note))
    return table


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
            untouched.distance > braking.distance, f"{more:.0f} % longer",
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
    return [Row.near(name, paper, ours, ROUNDING, unit) for name, paper, ours, unit in printed]


def _times(braking: TrainRun) -> list[Row]:
    """Rows of times: steps, and the fastest of some runs, since the machine has other work."""
    again = [braking, *(run(BRAKING) for _ in range(TIMED_RUNS - 1))]
    took = max((one.results.statistics for one in again), key=lambda s: s.real_time_factor)
    step = took.simulated / took.steps
    steps = "mean of variable steps that end at each exchange, event and sample of the rail"
    note = f"a goal of this project; {took.wall:.2g} s for {took.simulated:.1f} s on one core, the "
    note += f"fastest of {TIMED_RUNS} runs"
    return [
        Row("Table 2, time step", 3e-4, step, "s", None, steps),
        Row.goal("real-time factor", REAL_TIME, took.real_time_factor, "", note, least=True),
    ]
