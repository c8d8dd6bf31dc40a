"""Positions on a wheel where roots are looked for, in stretches that can be passed over.

Over a stretch from node a to node b the contour of the wheel lies above its chord, less a bulge e
across the chord, and a rail that is convex lies below its tangents at Y_a and Y_b. With d the
difference of heights, m the slope of the chord and t that of the rail,

    d(Y) >= max(d_a + (m - t_a) (Y - Y_a), d_b - (m - t_b) (Y_b - Y)) - e sqrt(1 + m^2)   (1)

Where the least value of the right side is positive the bodies do not touch, and no root there is a
contact. Either of its two terms alone is such a bound, too. A yaw alpha bends the contour by less
than alpha^2 w w'^2, and over a roller, whose axis it crosses, by less than alpha^2 (Y_b - Y_a)^2 /
(8 w) more; a rail that is hollow somewhere, or wavy as a measured one, rises above its tangents.
All are taken off. So what is passed over never holds a contact; only saddles with a gap are not
told any more. How far a rail rises is known for the parts of its width, within `LONGER` than a
stretch; a stretch that is longer over such a rail is not passed over.
"""

from __future__ import annotations

import math

import numpy as np
from railblocks.blocks.rail.contact.profiles.pieces import (
    END,
    KIND,
    SLOPE_END,
    SLOPE_START,
    SPLINE,
    START,
    piece_at,
    shape,
)
from railblocks.blocks.rail.contact.profiles.profile import Profile
from railblocks.engine.functions.functions import inlined

NODE_Y, NODE_W, NODE_SLOPE, NODE_ROW, NODE_END, NODE_BULGE, NODE_BEND, PART_RISE = range(8)
COLUMNS = 8
"""Columns of a table of nodes: position, radius, slope and row of the wheel's profile; at the first
node of a stretch the number of its last one, its bulge, and w w'^2 at most. The width of the rail
has as many parts, with how far it rises above its tangents there."""

MAX_STEP_M = 1e-3
"""Largest distance of nodes on the wheel, in metres, for profiles at full scale."""
MAX_TURN_RAD = 0.03
"""Largest turn of the profile from node to node, in radians: roots are close where it bends."""
STRETCH_STEPS = 8.0
"""Length of a stretch, in steps."""
LONGER = 1.25
"""How much longer than on the wheel a stretch may be over a rail that is not convex."""
RISE_SAMPLES, RISE_OFFSETS = 2000, 81
"""Points of a rail at which it is looked how far it rises, and to how many places beside them."""
CONVEX_M = 1e-7
"""Rails that rise less over all their width, in metres, are convex; their joints have that much."""
BULGE_SAMPLES = 8
"""Points between two nodes at which a bulge is measured."""


def nodes_of(
    wheel: Profile, rail: Profile, step: float = MAX_STEP_M, turn: float = MAX_TURN_RAD
) -> np.ndarray:
    """Nodes at the joints of a wheel and between them, and their stretches, for use over a rail.

    From node to node the profile goes on by at most `step` and turns by at most `turn`. A spline
    through points has more joints than a contact could see: its nodes are evenly spread.
    """
    positions, rows = _places(wheel, step, turn)
    nodes = np.zeros((len(positions), COLUMNS))
    nodes[:, NODE_Y], nodes[:, NODE_ROW] = positions, rows
    nodes[:, NODE_W : NODE_SLOPE + 1] = [
        shape(wheel.table, row, y)[:2] for row, y in zip(rows, positions, strict=True)
    ]
    nodes[:, PART_RISE] = _rises(rail, len(nodes), LONGER * STRETCH_STEPS * step)
    length = np.hypot(np.diff(nodes[:, NODE_Y]), np.diff(nodes[:, NODE_W]))
    along = np.concatenate([[0.0], np.cumsum(length)])
    first = 0
    while first < len(nodes) - 1:
        last = int(np.searchsorted(along, along[first] + STRETCH_STEPS * step))
        last = min(max(last, first + 1), len(nodes) - 1)
        w, slope = nodes[first : last + 1, NODE_W], nodes[first : last + 1, NODE_SLOPE]
        bend = np.max(w) * np.max(slope * slope)
        bulge = _bulge(wheel, positions[first : last + 1])
        nodes[first, NODE_END : NODE_BEND + 1] = last, bulge, bend
        first = last
    return nodes


def _places(wheel: Profile, step: float, turn: float) -> tuple[list[float], list[int]]:
    """Positions of nodes and their rows: at joints and between, or along a spline as it turns."""
    positions: list[float] = []
    rows: list[int] = []
    table = wheel.table
    if table[0, KIND] == SPLINE:
        ends = np.append(table[:, START], table[-1, END])
        slopes = np.append(table[:, SLOPE_START], table[-1, SLOPE_END])
        turned = np.abs(np.diff(np.arctan(slopes)))
        parts = np.maximum(np.diff(ends) / (step), turned / turn)
        along = np.concatenate([[0.0], np.cumsum(parts)])
        number = max(math.ceil(along[-1]), 1)
        positions = list(np.interp(np.linspace(0.0, along[-1], number + 1), along, ends))
        return positions, [piece_at(table, y) for y in positions]
    for row, piece in enumerate(table):
        angle = abs(math.atan(piece[SLOPE_END]) - math.atan(piece[SLOPE_START]))
        number = max(math.ceil((piece[END] - piece[START]) / step), math.ceil(angle / turn), 1)
        positions.extend(np.linspace(piece[START], piece[END], number + 1)[:-1])
        rows.extend([row] * number)
    positions.append(wheel.reach[1])
    rows.append(piece_at(table, positions[-1]))
    return positions, rows


def _bulge(wheel: Profile, positions: list[float]) -> float:
    """How far a stretch of the wheel's profile stands out of its chord."""
    y = np.interp(
        np.linspace(0, len(positions) - 1, BULGE_SAMPLES * (len(positions) - 1) + 1),
        np.arange(len(positions)), positions,
    )  # fmt: skip
    w = np.array([shape(wheel.table, piece_at(wheel.table, at), at)[0] for at in y])
    slope = (w[-1] - w[0]) / (y[-1] - y[0])
    out = w - w[0] - slope * (y - y[0])
    return 1.02 * float(np.max(out)) / math.sqrt(1.0 + slope * slope) + 1e-12


def _rises(rail: Profile, parts: int, length: float) -> np.ndarray:
    """How far a rail rises above its tangents within a length, in parts of its width.

    Zero throughout for a convex rail, never zero for another one.
    """
    table, (low, high) = rail.table, rail.reach
    inside = np.linspace(0.0, 1.0, max(RISE_SAMPLES // len(table), 3))
    places = table[:, START, None] + inside * (table[:, END] - table[:, START])[:, None]
    shapes = [shape(table, row, y) for row in range(len(table)) for y in places[row].tolist()]
    points = np.column_stack([places.ravel(), np.array(shapes)[:, :2]])
    if np.max(_risen(points, high - low)) < CONVEX_M:
        return np.zeros(parts)
    rises = np.full(parts, 1e-12)
    part = np.minimum((points[:, 0] - low) / (high - low) * parts, parts - 1).astype(int)
    np.maximum.at(rises, part, 1.1 * _risen(points, length))
    beside = np.concatenate([rises[:1], rises, rises[-1:]])
    return np.maximum(rises, np.maximum(beside[2:], beside[:-2]))


def _risen(points: np.ndarray, length: float) -> np.ndarray:
    """How far the curve of points (y, z, slope) rises above the tangent of each within a length."""
    y, z, slope = points.T
    rises = np.zeros(len(y))
    for offset in np.linspace(-length, length, RISE_OFFSETS):
        at = np.clip(y + offset, y[0], y[-1])
        rises = np.maximum(rises, np.interp(at, y, z) - z - slope * (at - y))
    return rises


@inlined
def rise_at(nodes, rail, y):
    """How far the rail rises above its tangent at y, a position on it."""
    if nodes[0, PART_RISE] == 0.0:
        return 0.0
    low, high = rail[0, START], rail[len(rail) - 1, END]
    part = int((y - low) / (high - low) * len(nodes))
    return nodes[min(part, len(nodes) - 1), PART_RISE]


@inlined
def least_height(Y_a, Z_a, b_a, t_a, Y_b, Z_b, b_b, t_b, bulge, rise):
    """The bound of (1): heights of the contour and the rail, and the rail's slopes, at both ends.

    `bulge` holds what a yaw adds. A contour that turns back has no bound.
    """
    length = Y_b - Y_a
    if length <= 0.0:
        return -math.inf
    m = (Z_b - Z_a) / length
    d_a, d_b, F_a, F_b = Z_a - b_a, Z_b - b_b, m - t_a, m - t_b
    least = min(d_a, d_b)
    if F_a < 0.0 < F_b:
        least = d_a + F_a * (d_b - d_a - F_b * length) / (F_a - F_b)
    return least - bulge * math.sqrt(1.0 + m * m) - rise


@inlined
def least_by_one(Y_a, Z_a, b_a, t_a, rise_a, Y_b, Z_b, b_b, t_b, rise_b, bulge):
    """The bound by the tangent at one end alone, the better of both, each with its own rise.

    Where a rail is steep, as at its sides, measured slopes are uncertain, and it rises high above
    the tangent there, but not above that at the other end.
    """
    length = Y_b - Y_a
    if length <= 0.0:
        return -math.inf
    m = (Z_b - Z_a) / length
    d_a, d_b = Z_a - b_a, Z_b - b_b
    by_a = min(d_a, d_a + (m - t_a) * length) - rise_a
    by_b = min(d_b, d_b - (m - t_b) * length) - rise_b
    return max(by_a, by_b) - bulge * math.sqrt(1.0 + m * m)
