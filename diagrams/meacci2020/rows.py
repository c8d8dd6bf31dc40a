"""Rows "paper / ours" of the braking runs of Meacci et al. (2020), in both readings of tau.

A band is over brake torque, contaminated friction and thresholds of the protection, one at a time
(`runs.OPEN`): the paper prints none of them for its tests.
"""

from __future__ import annotations

from railblocks.diagrams.meacci2020.runs import (
    COMPLETE,
    READINGS,
    SLIDING_SPEED,
    TUNED,
    CoachRun,
    Reading,
    Study,
)
from railblocks.engine.reproduction.result import Row

TABLE_6 = {"local": 4.2, "fastsim": 2.5}  # seconds for a simulated second
GOAL_S_PER_S = 0.2
"""What we want of the local model with 25 x 25 cells, in the same unit."""
ADHESION = (0.06, 0.15)  # Table 4: mu_cd to mu_cd / A_d


def rows(study: Study) -> list[Row]:
    """What the paper says of its braking runs."""
    readings = [row for reading in READINGS for row in _reading(study, reading)]
    return [*_without_recovery(study.none), *readings, *_times(study)]


def _without_recovery(none: CoachRun) -> list[Row]:
    low, high = ADHESION
    return [
        Row(
            "largest sliding, no recovery", "some m/s", float(none.s.max()), "m/s",
            bool(none.s.max() > SLIDING_SPEED and none.vented), "protection has to vent",
            source="Fig. 7",
        ),
        Row(
            "adhesion while sliding, no recovery", f"{low:g} to {high:g}", none.sliding_adhesion,
            "", low <= none.sliding_adhesion <= high, "mu_cd to mu_cd / A_d", source="Table 4",
        ),
        Row.not_compared(
            "mean sliding while braking, no recovery", none.creep, "m/s",
            f"mean deceleration {none.deceleration:.3g} m/s²",
        ),
        Row.not_compared(
            "second half of braking over the first, no recovery", none.steepening, "",
            "ratio of mean decelerations",
        ),
    ]  # fmt: skip


def _reading(study: Study, reading: Reading) -> list[Row]:
    """What the paper says of runs with recovery, in one reading of tau."""
    tuned, complete = (study.recovered[reading, tau] for tau in (TUNED, COMPLETE))

    def name(text: str, tau: float) -> str:
        return f"{text}, {reading.parameter} = {tau:g} {reading.unit}"

    def band(tau: float, number: str) -> tuple[float, float]:
        return study.band((reading, tau), lambda run: float(getattr(run, number)))

    share = tuned.C_w.max() / (tuned.loads[..., 1].mean() * tuned.r)
    return [
        Row(
            name("largest sliding of the first wheelset", TUNED), "some m/s", tuned.most, "m/s",
            tuned.most > SLIDING_SPEED and tuned.vented,
            f"by {reading.words}; adhesion reaches {tuned.f.max():.2f}, the torque asks for "
            f"{share:.2f}",
            band=band(TUNED, "most"), source="Figs 9 and 10",
        ),
        Row(
            name("second half of braking over the first", TUNED), "steeper", tuned.steepening, "",
            tuned.steepening > study.none.steepening and tuned.most > SLIDING_SPEED,
            "ratio of mean decelerations: more than without recovery, with wheels that slide",
            band=band(TUNED, "steepening"), source="section 6, Fig. 9",
        ),
        Row(
            name("largest sliding of the first wheelset", COMPLETE), "completely recovered",
            complete.most, "m/s", complete.most < SLIDING_SPEED and not complete.vented,
            f"mean deceleration {complete.deceleration:.3g} m/s²; the protection never vents",
            band=band(COMPLETE, "most"), source="section 5.1, Fig. 8",
        ),
        *(
            Row(
                name("mean sliding while braking", tau), "less with more tau", run.creep, "m/s",
                run.creep < before.creep,
                f"mean deceleration {run.deceleration:.3g} m/s²",
                band=band(tau, "creep"), source="Fig. 8",
            )
            for tau, run, before in (
                (TUNED, tuned, study.none), (COMPLETE, complete, tuned),
            )
        ),
    ]  # fmt: skip


def _times(study: Study) -> list[Row]:
    name = "time for a simulated second, "
    note = "the paper: Xeon, 2.6 GHz; ours: one core of this machine"
    goal = "25 x 25 cells in all eight contacts"
    return [
        *(
            Row.at_most(name + law, most, study.seconds[law], "s", note, source="Table 6")
            for law, most in TABLE_6.items()
        ),
        Row.goal(f"{name}local", GOAL_S_PER_S, study.seconds["local"], "s", goal),
    ]
