"""The picture of modes: how bodies stand in each, far enough to be seen, over where they rest.

Each mode is seen from the side, from above or from behind, whichever shows most of it: filled when
its largest part is largest, and as a dashed outline a quarter of a period later.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from railblocks.blocks.rail.multibody.modes import ABOUT, DIRECTIONS
from railblocks.engine.declaration import Modes
from railblocks.engine.plots.plotting import COLOURS, FAINT, INK, plain

from .description import Vehicle
from .picture import TREAD_WIDTH_M
from .sizes import Box, boxes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIDE = (0, 2)
VIEWS = {"from the side": SIDE, "from above": (0, 1), "from behind": (1, 2)}
SWING = 0.14
"""How far the largest part goes, over the smaller size of the view."""
COLUMNS, MOST_MODES = 3, 24
PANEL_IN, PANEL_RATIO = (3.6, 1.75), 2.8
"""Size of a panel with its title in inches, and the width of what it shows over the height."""
QUARTER = 1j
"""A quarter of a period later: the real part of shape times this."""
AXLE_RADIUS_M = 0.08


class Solid(NamedTuple):
    """What is drawn of a body: a box, or a wheel in it."""

    body: int
    box: Box
    is_wheel: bool = False


class Motion(NamedTuple):
    """How a body moves in a mode: complex displacement, and turn about its place."""

    place: np.ndarray
    way: np.ndarray
    turn: np.ndarray


def draw_modes(vehicle: Vehicle, radii: np.ndarray, figure: Figure, modes: Modes) -> None:
    """Draws up to `MOST_MODES` modes, in panels."""
    count = min(len(modes), MOST_MODES)
    rows = math.ceil(count / COLUMNS)
    figure.set_size_inches(COLUMNS * PANEL_IN[0], rows * PANEL_IN[1] + 0.5)
    axes = figure.subplots(rows, COLUMNS, squeeze=False).ravel()
    solids = _solids(vehicle)
    for mode, axis in enumerate(axes):
        axis.set_axis_off()
        if mode < count:
            view = _draw_mode(axis, solids, _motions(vehicle, radii, modes, mode))
            f, zeta = modes.frequencies[mode], modes.damping[mode]
            (body, way), *_ = modes.participants(mode)
            title = f"{f:.3g} Hz, {100.0 * zeta:.3g} %: {body.replace('_', ' ')} {way}"
            axis.set_title(f"{plain(title)}\n{view}", fontsize=8.0)
    left = f", the first {count} of {len(modes)} modes" if len(modes) > count else ""
    figure.suptitle(plain(modes.title + left), x=0.01, ha="left", color=INK, fontsize=11)


def _solids(vehicle: Vehicle) -> list[Solid]:
    """Boxes of all bodies, wheels and axles, the longest first."""
    solids = [Solid(vehicle.index(name), box) for name, box in boxes(vehicle).items()]
    half, r = 0.5 * vehicle.spacing, vehicle.radius
    wheel = np.array([r, 0.5 * TREAD_WIDTH_M, r])
    axle = np.array([AXLE_RADIUS_M, half + 0.2, AXLE_RADIUS_M])
    for wheelset in vehicle.wheelsets:
        k = vehicle.index(wheelset.body)
        middle = np.array(vehicle.bodies[k].place)
        for side in (-half, half):
            at = np.add(middle, [0.0, side, 0.0])
            solids.append(Solid(k, (list(at - wheel), list(at + wheel)), is_wheel=True))
        solids.append(Solid(k, (list(middle - axle), list(middle + axle))))
    return sorted(solids, key=lambda solid: solid.box[0][0] - solid.box[1][0])


def _motions(vehicle: Vehicle, radii: np.ndarray, modes: Modes, mode: int) -> list[Motion]:
    """Motions of all bodies in a mode; riders pitch, and do all else with their axles."""
    motions = []
    for k, body in enumerate(vehicle.bodies):
        carrier = vehicle.carrier(body)
        way, turn = np.zeros(3, complex), np.zeros(3, complex)
        for state, direction in DIRECTIONS.items():
            at = k if carrier is None or direction == "pitch" else carrier
            part = modes.part(mode, vehicle.bodies[at].name, direction)
            if state in ABOUT:
                turn[ABOUT[state]] = part / radii[at, ABOUT[state]]
            else:
                way[state] = part
        if carrier is not None:
            way += np.cross(turn, np.subtract(body.place, vehicle.bodies[carrier].place))
        motions.append(Motion(np.array(body.place), way, turn))
    return motions


def _draw_mode(axis: Axes, solids: list[Solid], motions: list[Motion]) -> str:
    """Draws a mode in the view that shows most of it, and returns the name of that."""
    from matplotlib.patches import Polygon

    name, view = max(VIEWS.items(), key=lambda named: _seen(solids, motions, named[1]))
    outlines = [(solid.body, _outline(solid, view)) for solid in solids]
    points = np.concatenate([points for _, points in outlines])[:, list(view)]
    low, high = points.min(axis=0), points.max(axis=0)
    size = SWING * max(float(np.min(high - low)), 0.1 * float(np.max(high - low)))
    styles: tuple[tuple[complex, dict[str, Any]], ...] = (
        (0.0, {"fc": FAINT, "ec": "#b8b8b8", "lw": 0.6, "zorder": 1.0}),
        (QUARTER, {"fc": "none", "ec": COLOURS[1], "lw": 0.7, "ls": "--", "zorder": 3.0}),
        (1.0, {"fc": COLOURS[0], "alpha": 0.35, "ec": COLOURS[0], "lw": 0.9, "zorder": 2.0}),
    )
    for phase, style in styles:
        for body, outline in outlines:
            seen = _moved(outline, motions[body], size * phase)[:, list(view)]
            axis.add_patch(Polygon(seen, **style))
    half = 0.5 * (high - low) + 1.5 * size
    half = np.maximum(half, half[::-1] * [PANEL_RATIO, 1.0 / PANEL_RATIO])
    middle = 0.5 * (low + high)
    axis.set_xlim(middle[0] - half[0], middle[0] + half[0])
    axis.set_ylim(middle[1] - half[1], middle[1] + half[1])
    axis.set_aspect("equal")
    return name


def _outline(solid: Solid, view: tuple[int, int]) -> np.ndarray:
    """Points around a solid as it is seen, through its middle."""
    low, high = np.array(solid.box[0]), np.array(solid.box[1])
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    angles = np.linspace(0.0, 2.0 * math.pi, 24, endpoint=False)
    around = np.column_stack([np.cos(angles), np.sin(angles)])
    if not (solid.is_wheel and view == SIDE):
        around = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    points = np.tile(middle, (len(around), 1))
    points[:, list(view)] += around * half[list(view)]
    return points


def _moved(points: np.ndarray, motion: Motion, factor: complex) -> np.ndarray:
    """Points of a body where its motion has them, taken as small."""
    swept = np.cross(motion.turn, points - motion.place)
    return points + (factor * (motion.way + swept)).real


def _seen(solids: list[Solid], motions: list[Motion], view: tuple[int, int]) -> float:
    """How far the outlines of all bodies move in a view: a sum of squares."""
    total = 0.0
    for solid in solids:
        points = _outline(solid, view)
        ways = _moved(points, motions[solid.body], 1.0) - points
        total += float((ways[:, list(view)] ** 2).mean())
    return total
