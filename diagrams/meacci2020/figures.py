"""Pictures of the braking coach of Meacci et al. (2020): counterparts of its Figures 7 to 11."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from railblocks.diagrams.figures import BLUE, GREEN, GREY, RED, label_axes
from railblocks.diagrams.meacci2020.patch_figures import power_of_ten
from railblocks.diagrams.meacci2020.runs import (
    BY_POWER,
    COMPLETE,
    PER_DISTANCE,
    TUNED,
    CoachRun,
    Reading,
    Study,
)
from railblocks.engine.reproduction.result import Figure


def recoveries(
    none: CoachRun, recovered: Mapping[tuple[Reading, float], CoachRun]
) -> dict[str, tuple[CoachRun, str]]:
    """Runs and colours by label: no recovery, both tau per distance, the tuned one by power."""
    chosen = {(PER_DISTANCE, TUNED): BLUE, (PER_DISTANCE, COMPLETE): GREEN, (BY_POWER, TUNED): RED}
    labelled = {
        f"τ = {power_of_ten(tau)} {reading.unit}, {reading.words}": (
            recovered[reading, tau], colour,
        )
        for (reading, tau), colour in chosen.items()
    }  # fmt: skip
    return {"no recovery": (none, GREY)} | labelled


def figures(study: Study) -> tuple[Figure, ...]:
    none, tuned = study.none, study.recovered[PER_DISTANCE, TUNED]
    return (
        Figure(
            "figure_7_speeds",
            "Speeds of the coach and of its first wheelset without recovery (Figure 7).",
            lambda figure: draw_speeds(figure, none), (8.4, 4.0),
        ),
        Figure(
            "figure_8_recovery",
            "Speeds of the first wheelset and of the coach (dashed) without recovery, for both tau "
            "by energy per distance, and for the tuned one by power (Figure 8).",
            lambda figure: draw_recoveries(figure, recoveries(none, study.recovered)), (8.4, 4.4),
        ),
        Figure(
            "figure_9_speeds",
            "Speeds of the coach and of its first wheelset with the tuned tau, by energy per "
            "distance (Figure 9).",
            lambda figure: draw_speeds(figure, tuned), (8.4, 4.0),
        ),
        Figure(
            "figure_10_adhesion",
            "Adhesion coefficient, contact force and sliding of the first wheelset with the tuned "
            "tau, by energy per distance (Figure 10).",
            lambda figure: draw_adhesion(figure, tuned), (8.4, 7.0),
        ),
        Figure(
            "figure_11_torque",
            "Brake torque of the first wheelset as the protection lets it be (Figure 11).",
            lambda figure: draw_torque(figure, tuned), (8.4, 3.4),
        ),
    )  # fmt: skip


def draw_speeds(figure: Any, run: CoachRun) -> None:
    axes = figure.subplots()
    axes.plot(run.t, run.v, color=GREY, label="coach")
    axes.plot(run.t, run.v_w[:, 0], color=BLUE, lw=1.0, label="first wheelset, $r\\omega$")
    label_axes(axes, "time (s)", "speed (m/s)")
    axes.legend()


def draw_recoveries(figure: Any, runs: Mapping[str, tuple[CoachRun, str]]) -> None:
    axes = figure.subplots()
    for label, (run, colour) in runs.items():
        axes.plot(run.t, run.v_w[:, 0], color=colour, lw=0.9, label=label)
        axes.plot(run.t, run.v, color=colour, lw=0.9, ls="--")
    label_axes(axes, "time (s)", "speed (m/s), coach dashed")
    axes.legend()


def draw_adhesion(figure: Any, run: CoachRun) -> None:
    parts = figure.subplots(3, 1, sharex=True)
    values = (
        (run.f[:, 0], "adhesion coefficient $f_1$"),
        (run.loads[:, 0, 0] / 1e3, "contact force $T_{c1}$ (kN)"),
        (run.s[:, 0], "sliding $s_1$ (m/s)"),
    )
    for axes, (signal, label) in zip(parts, values, strict=True):
        axes.plot(run.t, signal, color=BLUE, lw=0.9)
        label_axes(axes, "time (s)", label)
    for axes in parts[:-1]:
        axes.set_xlabel("")


def draw_torque(figure: Any, run: CoachRun) -> None:
    axes = figure.subplots()
    axes.plot(run.t, run.C_w[:, 0] / 1e3, color=BLUE)
    label_axes(axes, "time (s)", "brake torque $C_{w1}$ (kN m)")
