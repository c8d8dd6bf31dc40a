"""The picture of a vehicle from its file: from the side and from above, to scale.

Wheels have the size that the file says; how large bodies are follows from their inertia (`sizes`).
Symbols of force elements have the size of a sign; those that would lie upon each other stand apart,
with lines to their positions. A running gear much shorter than the vehicle is shown again, larger.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from railblocks.engine.plots.plotting import COLOURS, INK, plain

from .description import Element, Vehicle
from .files import vehicle_named
from .sizes import Box, boxes
from .symbols import END_ON, family, sign, spread, strokes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

AXES = "xyz"
ALONG = "seen along its axis"
SIDE, ABOVE = (0, 2), (0, 1)
WIDTH_IN, EDGE_IN = 11.0, 0.9
SYMBOL_PT, LARGE_SYMBOL_PT = 9.0, 17.0
"""Sizes of symbols in points, in the views of the whole vehicle and of its running gear."""
SYMBOL_SPACING = 2.2
"""Distance of symbols, over their size."""
TREAD_WIDTH_M = 0.135
"""Width of a wheel in metres."""
VIEW_MARGIN_IN = 0.6
"""Height of what stands above and below a view, in inches."""
BODY, BOGIE, WHEEL = "#dfe8f0", "#c3d3e2", "#6f7b86"


@dataclass(frozen=True)
class View:
    """What is seen of a vehicle along one axis, between limits in metres."""

    title: str
    axes: tuple[int, int]
    across: tuple[float, float]
    upright: tuple[float, float]
    symbol: float
    names: bool = False

    @property
    def width(self) -> float:
        return self.across[1] - self.across[0]

    @property
    def height(self) -> float:
        return self.upright[1] - self.upright[0]


def draw_vehicle(figure: Figure, vehicle: Vehicle) -> None:
    drawn = boxes(vehicle)
    whole = _whole(vehicle, drawn)
    near = _near(vehicle, whole)
    if not near:
        whole = [replace(view, symbol=LARGE_SYMBOL_PT) for view in whole]
    scale = (WIDTH_IN - EDGE_IN) / whole[0].width
    heights = [view.height * scale + VIEW_MARGIN_IN for view in whole]
    near_scale = 0.5 * (WIDTH_IN - 2 * EDGE_IN) / near[0].width if near else 0.0
    if near:
        heights.append(max(view.height for view in near) * near_scale + VIEW_MARGIN_IN)
    figure.set_size_inches(WIDTH_IN, sum(heights) + VIEW_MARGIN_IN)
    grid = figure.add_gridspec(len(heights), 2, height_ratios=heights)
    for row, view in enumerate(whole):
        _draw(figure.add_subplot(grid[row, :]), vehicle, drawn, view, scale)
    for column, view in enumerate(near):
        _draw(figure.add_subplot(grid[-1, column]), vehicle, drawn, view, near_scale)
    handles = _handles(vehicle)
    if near:
        figure.axes[-2].legend(
            handles=handles, loc="upper left", bbox_to_anchor=(0.0, -0.3), ncols=2, labelspacing=1.4
        )
    elif handles:
        figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 5))
    figure.suptitle(plain(vehicle.title), x=0.01, ha="left", color=INK, fontsize=11)


def draw_named(figure: Figure, vehicle: str) -> None:
    """The picture of a vehicle by its name or file, as a block declares it."""
    draw_vehicle(figure, vehicle_named(vehicle))


# --- views ---------------------------------------------------------------------------------------
def _whole(vehicle: Vehicle, drawn: dict[str, Box]) -> list[View]:
    """The whole vehicle from the side and from above."""
    positions = [vehicle.bodies[vehicle.index(w.body)].place for w in vehicle.wheelsets]
    lows = [low for low, _ in drawn.values()] + [[p[0] - vehicle.radius, 0, 0] for p in positions]
    highs = [high for _, high in drawn.values()] + [
        [p[0] + vehicle.radius, 0, 0] for p in positions
    ]
    x = min(low[0] for low in lows) - 0.5, max(high[0] for high in highs) + 0.5
    half = max([0.5 * vehicle.spacing + TREAD_WIDTH_M, *(high[1] for high in highs)]) + 0.3
    top = max([2.0 * vehicle.radius, *(high[2] for high in highs)]) + 0.3
    bottom = -0.8 if len(drawn) > 1 else -0.3
    return [
        View("from the side", SIDE, x, (bottom, top), SYMBOL_PT, names=True),
        View("from above", ABOVE, x, (-half, half), SYMBOL_PT),
    ]


def _near(vehicle: Vehicle, whole: list[View]) -> list[View]:
    """The first running gear, where it is much shorter than the vehicle."""
    if not vehicle.wheelsets:
        return []
    frame = vehicle.wheelsets[0].frame
    axles = [w.body for w in vehicle.wheelsets if w.frame == frame]
    positions = [vehicle.bodies[vehicle.index(name)].place[0] for name in axles]
    reach = vehicle.radius + 0.25
    x = min(positions) - reach, max(positions) + reach
    if x[1] - x[0] > 0.4 * whole[0].width:
        return []
    heights = [e.place[2] for e in vehicle.elements if x[0] <= e.place[0] <= x[1]]
    top = max([2.0 * vehicle.radius, *heights]) + 0.35
    name = _spoken(frame)
    return [
        View(f"{name} from the side", SIDE, x, (-0.1, top), LARGE_SYMBOL_PT),
        View(f"{name} from above", ABOVE, x, whole[1].upright, LARGE_SYMBOL_PT),
    ]


def _spoken(name: str) -> str:
    return plain(name.replace("_", " "))


def _draw(axis: Axes, vehicle: Vehicle, drawn: dict[str, Box], view: View, scale: float) -> None:
    axis.grid(False)
    _draw_rails(axis, vehicle, view)
    _draw_boxes(axis, drawn, view)
    _draw_wheels(axis, vehicle, view)
    _draw_elements(axis, vehicle, view, SYMBOL_SPACING * view.symbol / (72.0 * scale))
    axis.set_xlim(view.across)
    axis.set_ylim(view.upright)
    axis.set_aspect("equal", anchor="N")
    axis.set_title(view.title)
    axis.set_xlabel(f"{AXES[view.axes[0]]} / m")
    axis.set_ylabel(f"{AXES[view.axes[1]]} / m")


def _draw_rails(axis: Axes, vehicle: Vehicle, view: View) -> None:
    half = 0.5 * vehicle.spacing
    for y in (0.0,) if view.axes == SIDE else (-half, half):
        axis.axhline(y, color="#b0a89c", lw=1.2, zorder=0.5)


def _draw_boxes(axis: Axes, drawn: dict[str, Box], view: View) -> None:
    """Draws boxes, the largest first; names too long for theirs stand below the rails."""
    from matplotlib.patches import Rectangle

    across, upright = view.axes
    order = sorted(drawn.items(), key=lambda item: item[1][0][across] - item[1][1][across])
    named = set()
    for name, (low, high) in order:
        size = high[across] - low[across], high[upright] - low[upright]
        is_long = size[0] > 0.4 * view.width and name == order[0][0]
        colour = BODY if is_long else BOGIE
        style: dict[str, Any] = {"facecolor": colour, "edgecolor": "#5f7488", "lw": 0.9}
        axis.add_patch(Rectangle((low[across], low[upright]), *size, zorder=1.0, **style))
        if view.names and (is_long, low[0]) not in named:
            named.add((is_long, low[0]))
            z = low[2] + 0.5 * size[1] if is_long else 0.5 * view.upright[0]
            position = low[0] + 0.5 * size[0], z
            axis.annotate(_spoken(name), position, ha="center", va="center", fontsize=8)


def _draw_wheels(axis: Axes, vehicle: Vehicle, view: View) -> None:
    from matplotlib.patches import Circle, Rectangle

    half, r = 0.5 * vehicle.spacing, vehicle.radius
    for wheelset in vehicle.wheelsets:
        x, _, z = vehicle.bodies[vehicle.index(wheelset.body)].place
        if view.axes == SIDE:
            axis.add_patch(Circle((x, z), r, fc="none", ec=WHEEL, lw=1.6, zorder=2.0))
            axis.add_patch(Circle((x, z), 0.08 * r, fc=WHEEL, ec="none", zorder=2.0))
            continue
        axis.plot([x, x], [-half - 0.2, half + 0.2], color=WHEEL, lw=1.6, zorder=2.0)
        for y in (-half, half):
            corner = (x - r, y - 0.5 * TREAD_WIDTH_M)
            axis.add_patch(
                Rectangle(corner, 2.0 * r, TREAD_WIDTH_M, fc=WHEEL, ec="none", zorder=2.0)
            )


# --- force elements ------------------------------------------------------------------------------
def _colours(vehicle: Vehicle) -> dict[str, str]:
    names = dict.fromkeys(map(family, vehicle.elements))
    return {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}


def _draw_elements(axis: Axes, vehicle: Vehicle, view: View, gap: float) -> None:
    """One symbol for all elements of a family that cover each other in this view."""
    across, upright = view.axes
    colours = _colours(vehicle)
    seen: dict[tuple[str, float, float], Element] = {}
    for element in vehicle.elements:
        position = element.place[across], element.place[upright]
        if view.across[0] <= position[0] <= view.across[1]:
            seen.setdefault((family(element), *position), element)
    positions = [(x, y) for _, x, y in seen]
    lowest = 0.5 * gap if view.axes == SIDE else view.upright[0]
    apart = spread(positions, gap, lowest)
    for (name, *position), element, at in zip(seen, seen.values(), apart, strict=True):
        colour = colours[name]
        axis.plot(*zip(position, at, strict=True), color=colour, lw=0.7, zorder=3.0)
        axis.plot(*position, "o", color=colour, ms=2.2, zorder=3.5)
        axis.plot(*at, **sign(strokes(element, view.axes), colour, view.symbol), zorder=4.0)


def _handles(vehicle: Vehicle) -> list[Any]:
    """The legend: each family with its symbol in the view that shows most of it."""
    from matplotlib.lines import Line2D

    signs: dict[str, Any] = {}
    for element in vehicle.elements:
        name = family(element)
        drawn = max((strokes(element, view) for view in (SIDE, ABOVE)), key=len)
        signs.setdefault(name, drawn)
    colours = {**_colours(vehicle), ALONG: INK}
    signs = {**signs, ALONG: END_ON} if signs else {}
    return [
        Line2D([], [], label=plain(n), **sign(s, colours[n], LARGE_SYMBOL_PT))
        for n, s in signs.items()
    ]
