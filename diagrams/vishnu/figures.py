"""Pictures of a wheelset at constant speed: counterparts of Figure 2, and what is behind them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from railblocks.blocks.rail.wheelset.shape import (
    HEIGHT,
    RADIUS,
    ROLL,
    SHAPES,
    shape_table,
    value,
    value_and_slopes,
)
from railblocks.blocks.rail.wheelset.stability import LinearWheelset, RollingWheelset
from railblocks.diagrams.figures import BLUE, GREY, ORANGE, RED, legend_above
from railblocks.diagrams.runs import Run
from railblocks.diagrams.vishnu.bogies import CALM, HUNTING, CarStudy, links_of
from railblocks.diagrams.vishnu.runs import LAM, SIGNALS, SPRINGS, Study, differences
from railblocks.engine.reproduction.result import Figure

COLOURS = dict(zip(SHAPES, (GREY, BLUE, RED), strict=True))
SHOWN = "conical"
NAMES = ("sway $y$", r"yaw $\psi$", r"sway rate $\dot y$", r"yaw rate $\dot\psi$")
UNITS = ("mm", "mrad", "mm/s", "mrad/s")
Y_MAX, R_0, B, GAMMA, R_W, R_R = 0.01, 0.46, 0.75, 0.05, 0.42, 0.3
CLEARANCE = 6.0  # of the flanges in hunting.yaml, mm
SPEEDS = np.geomspace(1.0, 120.0, 40)


def figures(study: Study) -> tuple[Figure, ...]:
    run = study.runs[SHOWN]
    return (
        Figure(
            "figure_2a",
            "Figure 2(a): sway and yaw of a free wheelset with conical wheels (0.18) at 20 m/s, by "
            "DeNOC and by the conventional equations. The motion grows.",
            lambda figure: draw_motion(figure, run, (0, 1)),
            (8.4, 4.6),
        ),
        Figure(
            "figure_2b",
            "Figure 2(b): rates of sway and yaw, of the same run.",
            lambda figure: draw_motion(figure, run, (2, 3)),
            (8.4, 4.6),
        ),
        Figure(
            "difference",
            "How far both methods are apart along the run, over the largest value of each signal.",
            lambda figure: draw_differences(figure, study.runs),
            (8.4, 3.4),
        ),
        Figure(
            "growth",
            "Growth rate of a free wheelset over its speed, by eigenvalues of the blocks, and the "
            "formula for low speeds (linear profiles): above zero everywhere.",
            lambda figure: draw_growth(figure, study.wheelsets),
            (8.8, 3.8),
        ),
        Figure(
            "critical_speed",
            "Suspended wheelset: growth rate over speed (left), and the speed at which a sway "
            "neither dies out nor grows, by runs with friction 0.3 (right).",
            lambda figure: draw_critical(figure, study),
            (8.8, 3.6),
        ),
        Figure(
            "profiles",
            "Instantaneous roll centre and rolling radii over the sway: link 1 of the chain hardly "
            "changes its length for cones, and much for curved profiles.",
            lambda figure: draw_profiles(figure),
            (8.8, 3.6),
        ),
        Figure(
            "hunting",
            "Curved profiles at 30 m/s with flanges (6 mm of clearance) and friction 0.3: the sway "
            "grows into a limit cycle from flange to flange.",
            lambda figure: draw_hunting(figure, study.hunting),
            (8.8, 3.6),
        ),
        Figure(
            "bogies",
            "Car body on two bogies as a tree of chains, after its first axle box was 1 mm aside: "
            f"below and above its critical speed of {study.car.linear_critical:.1f} m/s.",
            lambda figure: draw_car(figure, study.car),
            (8.8, 4.4),
        ),
    )


def draw_motion(figure: Any, run: Run, shown: tuple[int, ...]) -> None:
    """Draws both methods over each other, a panel for each signal."""
    panels = figure.subplots(len(shown), 1, sharex=True)
    for ax, k in zip(panels, shown, strict=True):
        for method, style in (
            ("denoc", {"color": BLUE, "lw": 4.0, "alpha": 0.4, "label": "DeNOC"}),
            ("conventional", {"color": "black", "lw": 1.0, "ls": "--", "label": "conventional"}),
        ):
            ax.plot(run.t, 1e3 * run[f"{method}.{SIGNALS[k]}"], **style)
        ax.set_ylabel(f"{NAMES[k]} / {UNITS[k]}")
    panels[-1].set_xlabel("time / s")
    panels[-1].set_xlim(run.t[0], run.t[-1])
    legend_above(panels[0], 3)


def draw_differences(figure: Any, runs: Mapping[str, Run]) -> None:
    ax = figure.subplots()
    for shape, run in runs.items():
        worst = np.maximum.accumulate(differences(run).max(axis=1))
        ax.semilogy(run.t[1:], np.maximum(worst[1:], 1e-17), color=COLOURS[shape], label=shape)
    ax.axhline(1e-9, color=GREY, lw=0.9, ls=":")
    ax.annotate("goal", (0.99, 1e-9), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    ax.set_ylim(1e-17, 1e-8)
    ax.set_xlim(0.0, next(iter(runs.values())).t[-1])
    ax.set_xlabel("time / s")
    ax.set_ylabel("largest difference so far")
    legend_above(ax, 3)


def draw_growth(figure: Any, wheelsets: Mapping[str, RollingWheelset]) -> None:
    """Draws growth rates, and the same over the formula."""
    left, right = figure.subplots(1, 2)
    formula = np.array([LinearWheelset(LAM).growth(V) for V in SPEEDS])
    for shape, wheelset in wheelsets.items():
        rates = np.array([wheelset.eigenvalues(V)[0].real for V in SPEEDS])
        left.loglog(SPEEDS, rates, color=COLOURS[shape], label=shape)
        right.semilogx(SPEEDS, rates / formula, color=COLOURS[shape], label=shape)
    left.loglog(SPEEDS, formula, color=GREY, ls=":", label="formula, linear")
    right.axhline(1.0, color=GREY, ls=":")
    right.set_ylim(bottom=0.0)
    left.set_ylabel("growth rate / (1/s)")
    right.set_ylabel("growth rate / that of the formula")
    for ax in (left, right):
        ax.set_xlabel("speed / (m/s)")
    legend_above(left, 2)


def draw_critical(figure: Any, study: Study) -> None:
    left, right = figure.subplots(1, 2)
    speeds = np.linspace(5.0, 60.0, 56)
    left.plot(speeds, [study.suspended.eigenvalues(V)[0].real for V in speeds], color=BLUE)
    critical = LinearWheelset(LAM, **SPRINGS).critical_speed()
    left.axhline(0.0, color=GREY, lw=0.9)
    left.plot([critical], [0.0], "o", color=RED)
    left.annotate(f"{critical:.2f} m/s (Routh)", (critical, 0.0), (-8, 8),
                  textcoords="offset points", ha="right")  # fmt: skip
    left.set_xlabel("speed / (m/s)")
    left.set_ylabel("growth rate / (1/s)")
    critical_speeds, sways = np.array(study.critical).T
    right.plot(1e3 * sways, critical_speeds, "o-", color=BLUE, label="runs")
    right.axhline(critical, color=RED, lw=0.9, ls="--", label="linear")
    right.set_xlabel("amplitude of the sway / mm")
    right.set_ylabel("critical speed / (m/s)")
    right.set_xlim(left=0.0)
    right.legend()


def draw_profiles(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    u = np.linspace(-0.8, 0.8, 161)
    for shape in SHAPES:
        table = shape_table(shape, Y_MAX, R_0, B, LAM, GAMMA, R_W, R_R)
        if shape != "linear":
            heights = np.array([_roll_centre(table, x) for x in u])
            centred = _roll_centre(table, 0.0)
            label = f"{shape}, {centred:.2f} m"
            left.plot(1e3 * Y_MAX * u, heights / centred, color=COLOURS[shape], label=label)
        radii = np.array([[value(table, RADIUS, s * x) for s in (1, -1)] for x in u])
        right.plot(1e3 * Y_MAX * u, 1e3 * (radii[:, 0] - R_0), color=COLOURS[shape], label=shape)
        right.plot(1e3 * Y_MAX * u, 1e3 * (radii[:, 1] - R_0), color=COLOURS[shape], ls="--")
    left.set_ylabel("height of the roll centre / centred one")
    right.set_ylabel("left (solid), right radius less $r_0$ / mm")
    for ax in (left, right):
        ax.set_xlabel("sway / mm")
    legend_above(left, 3)
    legend_above(right, 3)


def _roll_centre(table: np.ndarray, u: float) -> float:
    """Height above the contacts: z + 1 / phi'."""
    z, _, _ = value_and_slopes(table, HEIGHT, u)
    _, slope, _ = value_and_slopes(table, ROLL, u)
    return z + Y_MAX / slope


def draw_car(figure: Any, car: CarStudy) -> None:
    """Draws the sway of the bodies, a panel for each speed."""
    panels = figure.subplots(2, 1, sharex=True)
    names = list(links_of(car.calm.blocks["car"]))
    shown = {"wheelset_1": BLUE, "wheelset_4": ORANGE, "bogie_1": RED, "body": "black"}
    for ax, run, V in zip(panels, (car.calm, car.hunting), (CALM, HUNTING), strict=True):
        sway = 1e3 * run["car.c"][:, :, 1]
        for name, colour in shown.items():
            label = name.replace("_", " ")
            ax.plot(run.t, sway[:, names.index(name)], color=colour, lw=1.0, label=label)
        ax.set_ylabel(f"sway at {V:g} m/s / mm")
    panels[-1].set_xlim(0.0, car.calm.t[-1])
    panels[-1].set_xlabel("time / s")
    legend_above(panels[0], 4)


def draw_hunting(figure: Any, run: Run) -> None:
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    y, psi = 1e3 * run["wheelset.y"], 1e3 * run["wheelset.psi"]
    left.plot(run.t, y, color=BLUE)
    for side in (-CLEARANCE, CLEARANCE):
        left.axhline(side, color=RED, lw=0.9, ls="--")
    left.set_xlim(0.0, run.t[-1])
    left.set_xlabel("time / s")
    left.set_ylabel("sway / mm")
    right.plot(y, psi, color=BLUE, lw=0.8)
    right.set_xlabel("sway / mm")
    right.set_ylabel("yaw / mrad")
