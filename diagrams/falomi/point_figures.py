"""Pictures of contact points: how many a pose has, where they lie, where methods differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from railblocks.blocks.rail.contact.detectors.batch import diff_minima
from railblocks.blocks.rail.contact.detectors.classification import NEVER_M
from railblocks.blocks.rail.contact.detectors.minima import (
    LARGEST_ROLL,
    LARGEST_SHIFT,
    LARGEST_YAW,
    X_B,
    Y_B,
)
from railblocks.blocks.rail.contact.geometry.contour import frame, rail_contour
from railblocks.blocks.rail.contact.geometry.pair import Pair
from railblocks.diagrams.falomi.point_rows import TABLE_2
from railblocks.diagrams.falomi.points import EXAMPLE, Study
from railblocks.diagrams.figures import BLUE, GREY, RED
from railblocks.engine.reproduction.result import Figure

MM, MRAD = 1e3, 1e3
SHADES = ("#ffffff", "#cfe3f1", "#7fb3d8", "#1f6aa5")
BORN, DIES, POINT = RED, "#333333", RED
FINE = 241

LABELS_MM = (0.6, 1.05)
"""Heights of labels in turns, in the free room above the gap."""


def point_figures(studies: Sequence[Study]) -> tuple[Figure, ...]:
    wide = studies[-1].pair
    return (
        Figure(
            "regions",
            "Number of local minima by DIFF at yaw 0 and 1 degree, and the straight lines at which "
            "a minimum is born (dashed) or dies (solid); compare Figures 6 and 7.",
            lambda figure: draw_regions(figure, studies),
            (8.6, 7.2),
        ),
        Figure(
            "example",
            "A pose with three contact points: the wheel's contour over the rail at cant 1/20, "
            "and the difference D over every position of the rail.",
            lambda figure: draw_example(figure, wide, EXAMPLE),
            (8.0, 6.4),
        ),
        Figure(
            "errors",
            "Where methods differ from GRID: poses of all yaws with a point missed or false, "
            "cant 1/40 above and 1/20 below.",
            lambda figure: draw_errors(figure, studies),
            (10.0, 4.8),
        ),
    )


def draw_regions(figure: Any, studies: Sequence[Study]) -> None:
    """Draws regions: a row for each cant, columns without yaw and with the largest."""
    from matplotlib.artist import Artist
    from matplotlib.colors import BoundaryNorm, ListedColormap
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    roll = np.linspace(-LARGEST_ROLL, LARGEST_ROLL, FINE)
    shift = np.linspace(-LARGEST_SHIFT, LARGEST_SHIFT, FINE)
    colours, norm = ListedColormap(SHADES), BoundaryNorm([0.5, 1.5, 2.5, 3.5, 4.5], 4)
    axes = figure.subplots(len(studies), 2, squeeze=False, sharex=True, sharey=True)
    for row, study in zip(axes, studies, strict=True):
        lines = study.lines
        for ax, yaw in zip(row, (0.0, LARGEST_YAW), strict=True):
            mesh = np.meshgrid(yaw, roll, shift, indexing="ij")
            poses = np.stack(mesh, -1).reshape(-1, 3)
            counts = diff_minima(study.pair, poses).counts.reshape(FINE, FINE)
            ax.pcolormesh(
                MRAD * roll, MM * shift, counts.T, cmap=colours, norm=norm,
                shading="nearest", rasterized=True,
            )  # fmt: skip
            for ends, colour, style in ((lines.born, BORN, "--"), (lines.dies, DIES, "-")):
                for line in ends[np.abs(ends[:, 0]) < NEVER_M]:
                    ax.plot(MRAD * roll, MM * (line[0] + line[1] * roll), style, color=colour, lw=1)
            ax.set_title(f"cant {study.name}, α = {np.degrees(yaw):.0f}°")
            ax.set_xlim(-MRAD * LARGEST_ROLL, MRAD * LARGEST_ROLL)
            ax.set_ylim(-MM * LARGEST_SHIFT, MM * LARGEST_SHIFT)
            ax.grid(False)
        row[0].set_ylabel("shift $G_y$ / mm")
    for ax in axes[-1]:
        ax.set_xlabel("roll β / mrad")
    names = ("1 minimum", "2 minima", "3 minima", "4 minima")
    signs: list[Artist] = [
        Patch(facecolor=shade, edgecolor="#8a8a8a", label=name)
        for shade, name in zip(SHADES, names, strict=True)
    ]
    signs.append(Line2D([], [], color=BORN, ls="--", label="born"))
    signs.append(Line2D([], [], color=DIES, label="dies"))
    figure.legend(handles=signs, loc="outside lower center", ncols=6)


def draw_example(figure: Any, pair: Pair, pose: tuple[float, float, float]) -> None:
    """Draws the wheel's contour on the rail in one pose, and D along the contour below it."""
    alpha, beta, G_y = pose
    minima = diff_minima(pair, np.array([pose]))
    points = minima.points[0, : minima.counts[0]]
    G_z = -points[:, 2].min()
    low, high = pair.wheel.reach
    y_w = np.linspace(low, high, 4000)
    shapes = pair.wheel(y_w)
    curve = np.array(
        [
            rail_contour(y, w, slope, frame(0.0, G_y, G_z, alpha, beta))[2:4]
            for y, (w, slope, _) in zip(y_w, shapes, strict=True)
        ]
    )
    y_b = np.linspace(*pair.rail.reach, 2000)
    z_b = pair.rail.height(y_b)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(1.2, 1.0))
    above.fill_between(MM * y_b, MM * z_b, -40.0, color="#e4e4e4", lw=0)
    above.plot(MM * y_b, MM * z_b, color="#8a8a8a", label="rail")
    above.plot(MM * curve[:, 0], MM * curve[:, 1], color=BLUE, label="wheel")
    heights = pair.rail.height(points[:, Y_B])
    above.plot(MM * points[:, Y_B], MM * heights, "o", color=POINT, ms=5, label="points of DIFF")
    above.set_ylim(-22.0, 8.0)
    above.set_ylabel("z / mm")
    above.legend(loc="upper right", ncols=3)
    above.set_title(
        f"yaw {MRAD * alpha:.2f} mrad, roll {MRAD * beta:.2f} mrad, shift {MM * G_y:.2f} mm"
    )
    over = (curve[:, 0] > y_b[0]) & (curve[:, 0] < y_b[-1])
    gap = curve[over, 1] - pair.rail.height(curve[over, 0])
    below.plot(MM * curve[over, 0], MM * gap, color=BLUE)
    below.plot(MM * points[:, Y_B], MM * (points[:, 2] + G_z), "o", color=POINT, ms=5)
    for k, (x, y, D) in enumerate(points[:, [X_B, Y_B, 2]]):
        text = f"x = {MM * x:.1f} mm\nD = {MM * (D + G_z):.3f} mm"
        below.annotate(
            text, (MM * y, MM * (D + G_z)), (MM * y, LABELS_MM[k % 2]), fontsize=8,
            ha="center" if k else "left", arrowprops={"arrowstyle": "-", "color": GREY, "lw": 0.6},
        )  # fmt: skip
    below.set_ylim(-0.1, 1.6)
    below.set_ylabel("D / mm")
    below.set_xlabel("y / mm, across the track from its middle")
    below.set_xlim(MM * y_b[0] - 8.0, MM * y_b[-1] + 4.0)


def draw_errors(figure: Any, studies: Sequence[Study]) -> None:
    """Draws dots where a method differs: a row for each cant, a column for each method."""
    axes = figure.subplots(len(studies), len(TABLE_2), squeeze=False, sharex=True, sharey=True)
    for row, study in zip(axes, studies, strict=True):
        for ax, method in zip(row, TABLE_2, strict=True):
            those = study.errors[method]
            for wrong, colour, label in ((those.missed, BLUE, "missed"),
                                         (those.false, RED, "false")):  # fmt: skip
                drawn = study.poses[wrong > 0]
                ax.plot(
                    MRAD * drawn[:, 1], MM * drawn[:, 2], ".", color=colour, ms=2.5, label=label,
                    rasterized=True,
                )  # fmt: skip
            ax.set_title(f"{method}, {study.name}: {100.0 * those.fraction:.2g} %")
        row[0].set_ylabel("$G_y$ / mm")
    for ax in axes[-1]:
        ax.set_xlabel("β / mrad")
    axes[0, 0].set_xlim(-MRAD * LARGEST_ROLL, MRAD * LARGEST_ROLL)
    axes[0, 0].set_ylim(-MM * LARGEST_SHIFT, MM * LARGEST_SHIFT)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, markerscale=3)
