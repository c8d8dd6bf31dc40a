"""Positions on a wheel where roots are looked for, in stretches that can be passed over.

Over a stretch from node a to node b the contour of the wheel lies above its chord, less a bulge e
across the chord, and a rail that is convex lies below its tangents at Y_a and Y_b. With d the
difference of heights, m the slope of the chord and t that of the rail,

    d(Y) >= max(d_a + (m - t_a) (Y - Y_a), d_b - (m - t_b) (Y_b - Y)) - e sqrt(1 + m^2)   (1)

Where the least value of the right side is positive the bodies do not touch, and no root there is a
contact. A yaw alpha bends the contour by less than alpha^2 w w'^2, and over a roller, whose axis
it crosses, by less than alpha^2 (Y_b - Y_a)^2 / (8 w) more; a rail that is hollow somewhere, with
b'' <= k, rises above its tangents by at most k (Y_b - Y_a)^2 / 2. All are taken off. So what is
passed over never holds a contact; only saddles with a gap are not told any more.
"""

from __future__ import annotations

import math

import numpy as np
from railblocks.blocks.rail.contact.profiles.pieces import (
    END,
    SLOPE_END,
    SLOPE_START,
    START,
    piece_at,
    shape,
)
from railblocks.blocks.rail.contact.profiles.profile import Profile
from railblocks.engine.functions.functions import inlined

NODE_Y, NODE_W, NODE_SLOPE, NODE_ROW, NODE_END, NODE_BULGE, NODE_BEND, NODE_HOLLOW = range(8)
COLUMNS = 8
"""Columns of a table of nodes: position, radius, slope and row of the wheel's profile; at the first
node of a stretch the number of its last one, its bulge, w w'^2 at most, and k of the rail."""

MAX_STEP_M = 1e-3
"""Largest distance of nodes on the wheel, in metres, for profiles at full scale."""
MAX_TURN_RAD = 0.03
"""Largest turn of the profile from node to node, in radians: roots are close where it bends."""
STRETCH_STEPS = 8.0
"""Length of a stretch, in steps."""
BULGE_SAMPLES = 8
"""Points between two nodes at which a bulge is measured."""


def nodes_of(
    wheel: Profile, rail: Profile, step: float = MAX_STEP_M, turn: float = MAX_TURN_RAD
) -> np.ndarray:
    """Nodes at the joints of a wheel and between them, and their stretches, for use over a rail.

    From node to node the profile goes on by at most `step` and turns by at most `turn`.
    """
    positions: list[float] = []
    rows: list[int] = []
    for row, piece in enumerate(wheel.table):
        angle = abs(math.atan(piece[SLOPE_END]) - math.atan(piece[SLOPE_START]))
        number = max(math.ceil((piece[END] - piece[START]) / step), math.ceil(angle / turn), 1)
        positions.extend(np.linspace(piece[START], piece[END], number + 1)[:-1])
        rows.extend([row] * number)
    positions.append(wheel.reach[1])
    rows.append(piece_at(wheel.table, positions[-1]))
    nodes = np.zeros((len(positions), COLUMNS))
    nodes[:, NODE_Y], nodes[:, NODE_ROW] = positions, rows
    nodes[:, NODE_W : NODE_SLOPE + 1] = [
        shape(wheel.table, row, y)[:2] for row, y in zip(rows, positions, strict=True)
    ]
    hollow = _hollow(rail)
    length = np.hypot(np.diff(nodes[:, NODE_Y]), np.diff(nodes[:, NODE_W]))
    along = np.concatenate([[0.0], np.cumsum(length)])
    first = 0
    while first < len(nodes) - 1:
        last = int(np.searchsorted(along, along[first] + STRETCH_STEPS * step))
        last = min(max(last, first + 1), len(nodes) - 1)
        w, slope = nodes[first : last + 1, NODE_W], nodes[first : last + 1, NODE_SLOPE]
        bend = np.max(w) * np.max(slope * slope)
        nodes[first, NODE_END:] = last, _bulge(wheel, positions[first : last + 1]), bend, hollow
        first = last
    return nodes


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


def _hollow(rail: Profile) -> float:
    """The largest second derivative of a rail; infinite where it has an inner corner."""
    table = rail.table
    if np.any(table[1:, SLOPE_START] > table[:-1, SLOPE_END] + 1e-6):
        return math.inf
    seconds = [
        shape(table, row, y)[2]
        for row in range(len(table))
        for y in np.linspace(table[row, START], table[row, END], 33)
    ]
    return 1.1 * max(float(np.max(seconds)), 0.0)


@inlined
def least_height(Y_a, Z_a, b_a, t_a, Y_b, Z_b, b_b, t_b, bulge, hollow):
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
    return least - bulge * math.sqrt(1.0 + m * m) - 0.5 * hollow * length * length
