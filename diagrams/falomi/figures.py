"""Pictures of the S-curve of falomi: counterparts of its Figures 8 to 10."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from railblocks.diagrams.falomi.runs import CUTOFF_HZ, WagonRun
from railblocks.diagrams.figures import BLUE, GREEN, PURPLE, RED, label_axes
from railblocks.engine.reproduction.result import Figure

COLOURS = {"table": PURPLE, "network": GREEN, "dist": RED, "diff": BLUE}
SIZE = (8.4, 4.0)
ENTRY_M = (45.0, 85.0)
"""Positions of the first axle around the first curve, in m."""


def figures(runs: Mapping[str, WagonRun], variants: Mapping[str, WagonRun]) -> tuple[Figure, ...]:
    lines = f"first wheelset, left wheel; lines: below {CUTOFF_HZ:g} Hz, grey: as computed by DIFF."
    return (
        Figure(
            "figure_8",
            "Figure 8: lateral displacement of the car body's centre of mass.",
            lambda figure: draw_y(figure, runs), SIZE,
        ),
        Figure(
            "figure_9", f"Figure 9: vertical force Q, {lines}",
            lambda figure: draw_force(figure, runs, "Q"), SIZE,
        ),
        Figure(
            "figure_10", f"Figure 10: lateral force Y, {lines}",
            lambda figure: draw_force(figure, runs, "Y"), SIZE,
        ),
        Figure(
            "supports",
            "What the paper leaves open: Q of the first left wheel in the first curve, as computed "
            "on rails that give, on those that do not, and with other damping of contacts.",
            lambda figure: draw_variants(figure, {"zhai2004": runs["diff"], **variants}),
            (8.4, 7.2),
        ),
    )  # fmt: skip


def draw_y(figure: Any, runs: Mapping[str, WagonRun]) -> None:
    axes = figure.subplots()
    for method, colour in COLOURS.items():
        run = runs[method]
        axes.plot(run.s, 1e3 * run.y, color=colour, lw=1.2, label=method.upper())
    _finish(axes, "y (mm)")


def draw_force(figure: Any, runs: Mapping[str, WagonRun], signal: str) -> None:
    axes = figure.subplots()
    diff = runs["diff"]
    axes.plot(diff.s, diff[f"wagon.{signal}"][:, 0] / 1e3, color="#bbbbbb", lw=0.5)
    for method, colour in COLOURS.items():
        slow = runs[method].slow(signal)[:, 0] / 1e3
        axes.plot(runs[method].s, slow, color=colour, lw=1.2, label=method.upper())
    _finish(axes, f"{signal} (kN)")


def draw_variants(figure: Any, variants: Mapping[str, WagonRun]) -> None:
    """Draws Q in the first curve, a panel for each reading."""
    panels = figure.subplots(len(variants), 1, sharex=True)
    for axes, (name, run) in zip(panels, variants.items(), strict=True):
        inside = (run.s >= ENTRY_M[0]) & (run.s <= ENTRY_M[1])
        axes.plot(run.s[inside], run["wagon.Q"][inside, 0] / 1e3, color=BLUE, lw=0.6)
        axes.set_ylim(0.0, 200.0)
        axes.set_ylabel("Q (kN)")
        axes.set_title(name, loc="left", fontsize=9)
    panels[-1].set_xlabel("position of the first axle (m)")


def _finish(axes: Any, label: str) -> None:
    label_axes(axes, "position of the first axle (m)", label)
    axes.legend()
