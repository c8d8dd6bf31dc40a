"""Pictures of the braking train of Toumi et al. (2019): counterparts of its Figures 3 and 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from railblocks.blocks.rail.brakes.wsp import FILL, VENT
from railblocks.diagrams.figures import BLUE, GREEN, ORANGE, PURPLE, RED
from railblocks.diagrams.toumi2019.runs import TrainRun
from railblocks.engine.reproduction.result import Figure

AXLES = (BLUE, RED, GREEN, PURPLE, ORANGE)
"""Colours of the first axles."""
OTHERS, INK = "#b5b5b5", "#222222"
CLOSE_UP_S = (8.0, 14.0)
"""Seconds that are shown close up."""
SHADES = {FILL: "#e5f0f7", VENT: "#fbe7d9"}


def figures(
    braking: TrainRun, driven: TrainRun, locking: TrainRun, untouched: TrainRun
) -> tuple[Figure, ...]:
    speeds = [
        (braking, "with protection and recovery"),
        (locking, "without protection"),
        (untouched, "without recovery"),
    ]
    return (
        Figure(
            "figure_3_adhesion",
            "Figure 3: adhesion of the untouched rail and behind the first four axles, the eighth "
            "and the last, over the position on the rail.",
            lambda figure: draw_adhesion(figure, braking),
            (8.4, 4.6),
        ),
        Figure(
            "figure_4_speeds",
            "Figure 4: speeds of the train and of its axles, calculated.",
            lambda figure: draw_speeds(figure, speeds[:1]),
            (8.4, 4.2),
        ),
        Figure(
            "figure_3_driven_bogies",
            "Figure 3 with driven bogies at both ends that brake harder: on average µ_max is "
            "reached behind the fourth axle.",
            lambda figure: draw_adhesion(figure, driven),
            (8.4, 4.6),
        ),
        Figure(
            "figure_4_driven_bogies",
            "Figure 4 with driven bogies that brake harder.",
            lambda figure: draw_speeds(figure, [(driven, "with driven bogies")]),
            (8.4, 4.2),
        ),
        Figure(
            "protection",
            "The first axle close up: slip with the four thresholds, and torque; shaded while the "
            "cylinder is filled (blue) and vented (orange).",
            lambda figure: draw_protection(figure, braking),
            (8.4, 5.0),
        ),
        Figure(
            "without",
            "Speeds without wheel-slide protection, where the first axle locks, and without "
            "recovery, where all axles slide and the train needs longer.",
            lambda figure: draw_speeds(figure, speeds[1:]),
            (8.4, 6.4),
        ),
    )


def draw_adhesion(figure: Any, run: TrainRun) -> None:
    """Draws adhesion over the same rail, each axle at its own position."""
    ax = figure.subplots()
    last = len(run.places)
    mu_max = float(run.blocks["train.cleaned"]["mu_max"])
    shown = [*zip((1, 2, 3, 4), AXLES, strict=False), (8, AXLES[4]), (last, INK)]
    ax.plot(run.x, run.mu[:, 0], color="0.45", lw=1.6, label="untouched")
    for number, colour in shown:
        position = run.x - run.places[number - 1]
        ax.plot(position, run.mu_left[:, number - 1], color=colour, lw=1.0, label=f"axle {number}")
    ax.axhline(mu_max, color="0.5", lw=0.8, ls="--")
    ax.annotate("$µ_{max}$", (run.x[-1], mu_max), (2, 3), textcoords="offset points", color="0.35")
    ax.set_xlim(0.0, run.x[-1])
    ax.set_ylim(0.0, 1.12 * mu_max)
    ax.set_xlabel("position on the rail / m")
    ax.set_ylabel("adhesion coefficient µ")
    ax.legend(ncols=4, loc="lower left", title="behind", title_fontsize=9, alignment="left")


def draw_speeds(figure: Any, runs: Sequence[tuple[TrainRun, str]]) -> None:
    """Draws speeds one below the other, over the same time."""
    axes = figure.subplots(len(runs), 1, squeeze=False, sharex=True)[:, 0]
    for ax, (run, words) in zip(axes, runs, strict=True):
        for number in reversed(range(len(run.places))):
            first = number < len(AXLES)
            colour = AXLES[number] if first else OTHERS
            label = f"axle {number + 1}" if first else None
            if number == len(AXLES):
                label = "other axles"
            ax.plot(run.t, 3.6 * run.v_a[:, number], color=colour, lw=0.9, label=label)
        ax.plot(run.t, 3.6 * run.v, color=INK, lw=1.6, label="train")
        ax.set_ylim(bottom=0.0)
        ax.set_ylabel("speed / km/h")
        ax.set_title(f"{words}: {run.distance:.0f} m")
        handles, labels = ax.get_legend_handles_labels()
        ax.legend(handles[::-1], labels[::-1], ncols=2, loc="upper right")
    axes[-1].set_xlim(0.0, max(run.t[-1] for run, _ in runs))
    axes[-1].set_xlabel("time / s")


def draw_protection(figure: Any, run: TrainRun) -> None:
    """Draws slip and torque of the first axle, with the states of its valve."""
    top, bottom = figure.subplots(2, 1, sharex=True)
    valve = run["wsp.valve"][:, 0]
    for ax in (top, bottom):
        for state, shade in SHADES.items():
            ax.fill_between(
                run.t, 0.0, 1.0, where=valve == state, step="post", color=shade, lw=0.0,
                transform=ax.get_xaxis_transform(), zorder=0,
            )  # fmt: skip
    for name in ("s1", "s2", "s3", "s4"):
        level = 100.0 * float(run.blocks["wsp"][name])
        top.axhline(level, color="0.5", lw=0.8, ls="--")
        top.annotate(
            f"${name[0]}_{name[1]}$", (CLOSE_UP_S[1], level), (4, -3), textcoords="offset points",
            color="0.35", annotation_clip=False,
        )  # fmt: skip
    top.plot(run.t, 100.0 * run.slip[:, 0], color=AXLES[0])
    bottom.plot(run.t, run.C[:, 0] / 1e3, color=AXLES[1])
    part = (run.t >= CLOSE_UP_S[0]) & (run.t <= CLOSE_UP_S[1])
    top.set_ylim(0.0, 110.0 * max(run.slip[part, 0].max(), float(run.blocks["wsp"]["s4"])))
    bottom.set_ylim(0.0, 1.1e-3 * run.C[part, 0].max())
    bottom.set_xlim(*CLOSE_UP_S)
    top.set_ylabel("slip / %")
    bottom.set_ylabel("torque / kN m")
    bottom.set_xlabel("time / s")
