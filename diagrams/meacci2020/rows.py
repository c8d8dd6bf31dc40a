"""Rows "paper / ours" of the braking runs of Meacci et al. (2020)."""

from __future__ import annotations

from collections.abc import Sequence

from railblocks.diagrams.meacci2020.runs import SLIDING_SPEED, CoachRun
from railblocks.engine.reproduction.result import Row

TABLE_6 = {"local": 4.2, "fastsim": 2.5}  # wall-clock seconds per simulated second
GOAL_S_PER_S = 0.2
"""What we want of the local model with 25 x 25 cells, in the same unit."""
ADHESION = (0.06, 0.15)  # Table 4: mu_cd to mu_cd / A_d


def rows(runs: Sequence[CoachRun], plain: CoachRun) -> list[Row]:
    """What the paper says of its braking runs; `plain` is FASTSIM's, for its time."""
    none, tuned, _ = runs
    return [*_mean_sliding(runs), *_sliding(none, tuned), *_times(tuned, plain)]


def _mean_sliding(runs: Sequence[CoachRun]) -> list[Row]:
    table = []
    for run, before in zip(runs, [None, *runs], strict=False):
        less = None if before is None else run.creep < before.creep
        paper = None if before is None else "less with more tau"
        name = f"mean sliding while braking, tau = {run.tau:g} m²/W"
        note = f"Fig. 8; mean deceleration {run.deceleration:.3g} m/s²"
        table.append(Row(name, paper, run.creep, "m/s", less, note))
    return table


def _sliding(none: CoachRun, tuned: CoachRun) -> list[Row]:
    share = none.C_w.max() / (none.loads[..., 1].mean() * none.r)
    low, high = ADHESION
    return [
        Row(
            "largest sliding, no recovery", "some m/s", float(none.s.max()), "m/s",
            bool(none.s.max() > SLIDING_SPEED and none.vented), "Fig. 7: protection has to vent",
        ),
        Row(
            "largest sliding, tuned tau", "some m/s", float(tuned.s.max()), "m/s",
            bool(tuned.s.max() > SLIDING_SPEED),
            f"adhesion of the model reaches {tuned.f.max():.2f}, more than the {share:.2f} that "
            "the assumed torque asks for: see the page",
        ),
        Row(
            "adhesion while sliding, no recovery", f"{low:g} to {high:g}", none.sliding_adhesion,
            "", low <= none.sliding_adhesion <= high, "Table 4: mu_cd to mu_cd / A_d",
        ),
    ]  # fmt: skip


def _times(tuned: CoachRun, plain: CoachRun) -> list[Row]:
    name = "time for a simulated second, "
    note = "Table 6; the paper: Xeon, 2.6 GHz; ours: one core of this machine"
    return [
        Row.at_most(f"{name}local", TABLE_6["local"], tuned.seconds, "s", note),
        Row.at_most(f"{name}fastsim", TABLE_6["fastsim"], plain.seconds, "s", note),
        Row.goal(
            f"{name}local",
            GOAL_S_PER_S,
            tuned.seconds,
            "s",
            "a goal of this project, 25 x 25 cells",
        ),
    ]
