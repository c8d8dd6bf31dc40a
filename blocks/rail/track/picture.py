"""The drawing of a line: its plan, true to scale, and below it what holds along it.

Curvature and cant are always there; height and gradient, what changes of the rails,
irregularities and friction where there is something to see.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from railblocks.engine.plots.plotting import COLOURS, INK, plain

from . import centreline as c
from .files import Track
from .irregularities import DEVIATIONS, deviation_at
from .layout import length_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH_IN, PANEL_HEIGHT_IN = 9.0, 1.05
PLAN_HEIGHTS_IN = (1.3, 4.5)
"""Smallest and largest height of the plan, in inches."""
MAX_TURN_RAD = 0.02
"""Largest turn from one point of the plan to the next, in radians."""
STRAIGHT, CURVE, TRANSITION = INK, COLOURS[0], COLOURS[1]
KINDS = {STRAIGHT: "straight", TRANSITION: "transition", CURVE: "curve"}
MARK_PT = 8.0
"""Length of a mark across the plan, in points."""
POINTS_PER_ROW = 10
"""Points from row to row of irregularities."""
POINTS_PER_PIECE = 12
"""Points along a piece of a transition that is not a clothoid."""
TEXT_LEFT_PT, TEXT_RIGHT_PT = 14.0, -13.0
"""Where texts stand beside the plan, in points to the left."""


@dataclass(frozen=True)
class CurvePanel:
    """A panel of curves over s, in one unit."""

    label: str
    curves: tuple[tuple[str, np.ndarray, np.ndarray], ...]
    names: tuple[str, ...] = ()
    """What the values 0, 1, ... stand for."""


def draw_line(figure: Figure, track: Track) -> None:
    panels = list(_panels(track))
    x, y = np.vstack([_way(track.line, row) for row in range(len(track.line))]).T
    wide, high = np.ptp(x), np.ptp(y)
    plan = float(
        np.clip((WIDTH_IN - 1.0) * high / max(wide, 0.5 * high, 1e-9) + 0.7, *PLAN_HEIGHTS_IN)
    )
    figure.set_size_inches(WIDTH_IN, plan + PANEL_HEIGHT_IN * len(panels) + 0.9)
    axes = figure.subplots(
        1 + len(panels),
        1,
        squeeze=False,
        gridspec_kw={"height_ratios": [plan, *[PANEL_HEIGHT_IN] * len(panels)]},
    )[:, 0]
    _draw_plan(axes[0], track)
    for axis, panel in zip(axes[1:], panels, strict=True):
        _draw_panel(axis, panel, length_of(track.line))
        axis.sharex(axes[-1])
    for axis in axes[1:-1]:
        axis.tick_params(labelbottom=False)
    axes[-1].set_xlabel("position along the line / m")
    figure.align_ylabels(list(axes[1:]))
    figure.suptitle(plain(track.title), x=0.01, ha="left", color=INK, fontsize=11)


# --- plan ----------------------------------------------------------------------------------------
def _draw_plan(axis: Axes, track: Track) -> None:
    line, drawn = track.line, set()
    for row in range(len(line)):
        colour = _kind(line[row])
        label = None if colour in drawn else KINDS[colour]
        drawn.add(colour)
        axis.plot(*_way(line, row).T, color=colour, lw=2.0, label=label, solid_capstyle="butt")
    for s in _marks(length_of(line)):
        _mark(axis, line, s)
    for row in range(len(line)):
        if _kind(line[row]) == CURVE:
            middle = line[row, c.START] + 0.5 * line[row, c.LENGTH]
            _write(axis, line, middle, f"R {1.0 / abs(line[row, c.KAPPA]):.4g} m", TEXT_LEFT_PT)
    axis.set_aspect("equal", adjustable="datalim")
    axis.margins(0.06, 0.1)
    axis.set_xlabel("x / m")
    axis.set_ylabel("y / m")
    axis.legend(loc="lower right", ncols=3, bbox_to_anchor=(1.0, 1.0), borderaxespad=0.1)


def _kind(piece: np.ndarray) -> str:
    if piece[c.KAPPA_1] != 0.0:
        return TRANSITION
    return CURVE if piece[c.KAPPA] != 0.0 else STRAIGHT


def _way(line: np.ndarray, row: int) -> np.ndarray:
    """Points in plan of one piece."""
    start, length = line[row, c.START], line[row, c.LENGTH]
    bend = abs(line[row, c.KAPPA]) + abs(line[row, c.KAPPA_1]) * length
    positions = start + np.linspace(0.0, length, 2 + math.ceil(bend * length / MAX_TURN_RAD))
    return np.array([c.track_at(line[row : row + 1], s)[0][:2] for s in positions])


def _marks(length: float) -> np.ndarray:
    """Round positions along the line, some ten of them."""
    size = 10.0 ** math.floor(math.log10(length / 10.0))
    step = next(f * size for f in (1.0, 2.0, 5.0, 10.0) if length / (f * size) <= 12.0)
    return np.arange(0.0, length * (1.0 + 1e-9), step)


def _mark(axis: Axes, line: np.ndarray, s: float) -> None:
    """A stroke across the line, and its position beside it."""
    from matplotlib.markers import MarkerStyle
    from matplotlib.transforms import Affine2D

    x, y, _ = c.track_at(line, s)[0]
    stroke = MarkerStyle([(0.0, -1.0), (0.0, 1.0)], transform=Affine2D().rotate(_heading(line, s)))
    axis.plot(x, y, marker=stroke, markersize=MARK_PT, color=INK, mew=0.9)
    _write(axis, line, s, f"{s:g}", TEXT_RIGHT_PT)


def _write(axis: Axes, line: np.ndarray, s: float, text: str, side: float) -> None:
    """Text beside the line, so many points to its left."""
    (x, y, _), psi = c.track_at(line, s)[0], _heading(line, s)
    at = (-side * math.sin(psi), side * math.cos(psi))
    style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8, "color": INK}
    axis.annotate(text, (x, y), at, textcoords="offset points", **style)


def _heading(line: np.ndarray, s: float) -> float:
    return c.alignment_at(line, s)[3]


# --- along the line ------------------------------------------------------------------------------
def _panels(track: Track) -> Iterator[CurvePanel]:
    line = track.line
    at, kappa = _along(line, c.KAPPA, c.KAPPA_1)
    yield CurvePanel("curvature / km⁻¹", (("", at, 1e3 * kappa),))
    roll = _along(line, c.PHI, c.PHI_1)[1]
    yield CurvePanel("cant / mm", (("", at, -1e3 * track.base * np.sin(roll)),))
    _, gradient = _along(line, c.GRADE, c.GRADE_1)
    if gradient.any():
        s = np.linspace(0.0, length_of(line), 400)
        yield CurvePanel("height / m", (("", s, np.array([c.track_at(line, u)[0][2] for u in s])),))
        yield CurvePanel("gradient / ‰", (("", at, 1e3 * gradient),))
    yield from _rails(track)
    if track.deviations[:, 1:].any():
        yield CurvePanel("irregularity / mm", tuple(_irregularities(track)))
    if len(track.friction):
        yield CurvePanel("friction", (("", *_held(line, *track.friction.T)),))


def _irregularities(track: Track) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Name, positions and values in mm of each irregularity that there is."""
    rows = track.deviations[:, 0]
    parts = [np.linspace(a, b, POINTS_PER_ROW, endpoint=False) for a, b in pairwise(rows)]
    positions = np.concatenate([*parts, rows[-1:]])
    for kind, name in enumerate(DEVIATIONS):
        values = np.array([1e3 * deviation_at(track.deviations, kind, s)[0] for s in positions])
        if values.any():
            yield name.replace("_", " "), *_held(track.line, positions, values)


def _rails(track: Track) -> Iterator[CurvePanel]:
    """What changes from one pair of rails to the next."""
    table = track.rails_table
    starts = np.append(table[:, 0], max(length_of(track.line), table[-1, 0]))
    profiles = [os.path.basename(pair.rail) for pair in track.rails]
    names = tuple(dict.fromkeys(profiles))
    rows = (
        ("gauge / mm", 1e3 * table[:, 2], ()),
        ("laying angle / ‰", 1e3 * table[:, 1], ()),
        ("rail", np.array([names.index(profile) for profile in profiles], float), names),
    )
    for label, values, meanings in rows:
        if np.ptp(values) > 0.0:
            at, held = np.repeat(starts, 2)[1:], np.repeat([*values, values[-1]], 2)[:-1]
            yield CurvePanel(label, (("", at, held),), meanings)


def _along(line: np.ndarray, value: int, change: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions and values at both ends of each piece, where they may jump, and between them."""
    at, values = [], []
    for row, piece in enumerate(line):
        is_straight = not piece[c.SHAPE + 1 :].any()
        for u in np.linspace(0.0, piece[c.LENGTH], 2 if is_straight else POINTS_PER_PIECE):
            at.append(piece[c.START] + u)
            values.append(piece[value] + piece[change] * c.changed(line, row, u))
    return np.array(at), np.array(values)


def _held(line: np.ndarray, at: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A table with its ends held to those of the line."""
    first, last = min(0.0, at[0]), max(length_of(line), at[-1])
    return np.array([first, *at, last]), np.array([values[0], *values, values[-1]])


def _draw_panel(axis: Axes, panel: CurvePanel, length: float) -> None:
    for name, at, values in panel.curves:
        axis.plot(at, values, label=name or None)
    axis.set_ylabel(panel.label.replace(" / ", "\n/ "))
    if panel.names:
        axis.set_yticks(range(len(panel.names)), [plain(name) for name in panel.names])
    low, high = axis.get_ylim()
    if max(np.ptp(values) for _, _, values in panel.curves) == 0.0:
        low, high = low - 1.0, high + 1.0
    axis.set_ylim(low - 0.05 * (high - low), high + 0.05 * (high - low))
    axis.set_xlim(0.0, length)
    if panel.curves[0][0]:
        axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.05), fontsize=8, borderaxespad=0.3)
