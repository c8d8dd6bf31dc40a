"""A run of a vehicle as a moving picture: a GIF file, from the logged `world` and `s` of a block.

Above, the line in plan and where the vehicle is; below, the vehicle from above in the axes of the
rails under its first body, to scale. Bodies have the sizes of `sizes`.
"""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np
from railblocks.blocks.rail.multibody.bodies import PSI, STATES, X, Y
from railblocks.blocks.rail.track.centreline import alignment_at, track_at
from railblocks.blocks.rail.track.files import Track
from railblocks.blocks.rail.track.layout import length_of
from railblocks.engine.errors import DiagramError
from railblocks.engine.plots.plotting import COLOURS, INK, plain
from railblocks.engine.plots.style import canvas_of

from .description import Vehicle
from .picture import BODY, BOGIE, TREAD_WIDTH_M, WHEEL
from .sizes import boxes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from railblocks.engine.runs.results import Results

SIZE_IN, DPI = (9.0, 4.2), 80
AROUND_M = 2.0
"""Metres of line before and behind the vehicle."""
EDGE = "#5f7488"


def write_animation(
    path: str | os.PathLike[str], results: Results, block: str, vehicle: Vehicle, track: Track,
    pace: float = 1.0, rate: float = 20.0,
) -> int:  # fmt: skip
    """Writes the GIF file, with `rate` frames a second at `pace` times the speed of the run.

    The block's outputs `world` and `s` must have been logged. The result is the number of frames.
    """
    from matplotlib.animation import PillowWriter

    if not os.fspath(path).lower().endswith(".gif"):
        raise DiagramError(
            f"{os.fspath(path)} is not a GIF file; choose a name that ends with .gif"
        )
    world, positions, time = results[f"{block}.world"], results[f"{block}.s"], results.time
    instants = np.arange(time[0], time[-1] + 1e-9, pace / rate)
    rows = np.searchsorted(time, instants - 1e-9).clip(0, len(time) - 1)
    half = (
        0.5 * max(_longest(vehicle), np.ptp([body.place[0] for body in vehicle.bodies])) + AROUND_M
    )
    writer = PillowWriter(fps=rate)  # type: ignore[arg-type]  # takes fractions, too
    with canvas_of(SIZE_IN, DPI) as figure:
        plan, near = figure.subplots(2, 1, height_ratios=(1.0, 1.2))
        _draw_plan(plan, track, positions)
        (here,) = plan.plot([], [], "o", color=COLOURS[1], ms=6.0)
        with writer.saving(figure, os.fspath(path), DPI):
            for row in rows:
                s = 0.5 * float(positions[row].min() + positions[row].max())
                x, y, _ = track_at(track.line, s)[0]
                here.set_data([x], [y])
                draw_from_above(near, vehicle, track, world[row], s, half)
                near.set_title(f"t = {time[row]:.2f} s, s = {s:.1f} m")
                writer.grab_frame()
                figure.set_layout_engine("none")  # it stays as in the first frame
    return len(rows)


def _longest(vehicle: Vehicle) -> float:
    return max((high[0] - low[0] for low, high in boxes(vehicle).values()), default=2.0)


def _draw_plan(axis: Axes, track: Track, positions: np.ndarray) -> None:
    ends = min(0.0, positions.min()), max(length_of(track.line), positions.max())
    points = np.array([track_at(track.line, s)[0][:2] for s in np.linspace(*ends, 500)])
    axis.plot(*points.T, color=INK, lw=1.2)
    axis.set_aspect("equal", adjustable="datalim")
    axis.set_title(plain(track.title))


def draw_from_above(
    axis: Axes, vehicle: Vehicle, track: Track, world: np.ndarray, s: float, half: float
) -> None:
    """Draws rails and bodies around s, `half` metres to each side, in the axes of the line at s."""
    axis.clear()
    axis.grid(False)
    frame = (*track_at(track.line, s)[0][:2], alignment_at(track.line, s)[3])
    for side in (-0.5, 0.5):
        rail = [
            _beside(track, u, side * vehicle.spacing) for u in np.linspace(s - half, s + half, 80)
        ]
        axis.plot(*_seen(np.array(rail), frame).T, color="#b0a89c", lw=1.2, zorder=2.5)
    drawn = boxes(vehicle)
    for name, (low, high) in sorted(drawn.items(), key=lambda item: item[1][0][0] - item[1][1][0]):
        is_longest = high[0] - low[0] >= _longest(vehicle)
        corners = _rectangle(low[0], low[1], high[0], high[1])
        _fill(axis, vehicle, world, name, corners, frame, fc=BODY if is_longest else BOGIE, ec=EDGE)
    r = vehicle.radius
    for wheelset in vehicle.wheelsets:
        x = vehicle.bodies[vehicle.index(wheelset.body)].place[0]
        for y in (-0.5 * vehicle.spacing, 0.5 * vehicle.spacing):
            corners = _rectangle(x - r, y - 0.5 * TREAD_WIDTH_M, x + r, y + 0.5 * TREAD_WIDTH_M)
            _fill(axis, vehicle, world, wheelset.body, corners, frame, fc=WHEEL, ec="none")
    axis.set_xlim(-half, half)
    axis.set_ylim(-2.5, 2.5)
    axis.set_aspect("equal")
    axis.set_xlabel("m")


def _beside(track: Track, s: float, y: float) -> tuple[float, float]:
    origin, R, _, _ = track_at(track.line, s)
    return origin[0] + R[1] * y, origin[1] + R[4] * y


def _rectangle(x_0: float, y_0: float, x_1: float, y_1: float) -> np.ndarray:
    return np.array([(x_0, y_0), (x_1, y_0), (x_1, y_1), (x_0, y_1)])


def corners_in_space(
    vehicle: Vehicle, world: np.ndarray, name: str, corners: np.ndarray
) -> np.ndarray:
    """Points of a body, given as in the vehicle's file, where the body now is."""
    k = vehicle.index(name)
    o, position = STATES * k, vehicle.bodies[k].place
    return np.array(world[[o + X, o + Y]]) + _turned(corners - position[:2], world[o + PSI])


def _turned(points: np.ndarray, angle: float) -> np.ndarray:
    c, d = math.cos(angle), math.sin(angle)
    return points @ np.array([[c, d], [-d, c]])


def _seen(points: np.ndarray, frame: tuple[float, float, float]) -> np.ndarray:
    """Points in the axes of a frame: its position and heading."""
    return _turned(points - frame[:2], -frame[2])


def _fill(
    axis: Axes, vehicle: Vehicle, world: np.ndarray, name: str, corners: np.ndarray,
    frame: tuple[float, float, float], **style: Any,
) -> None:  # fmt: skip
    from matplotlib.patches import Polygon

    points = _seen(corners_in_space(vehicle, world, name, corners), frame)
    axis.add_patch(Polygon(points, lw=0.9, zorder=2.0, **style))
