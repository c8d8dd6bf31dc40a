"""GRID: local minima of D among its values on a grid over the wheel. Slow, and independent of DIFF.

D is tabulated over the part of the wheel above the rail, every 0.25 mm along the axle and 0.5 mm
along the rail, up to 25 mm before and behind the axle. A value lower than its eight neighbours is
a candidate. On a valley that runs askew to the grid the lowest values jump from line to line, and
look like minima between the jumps. So a finer grid is laid around every candidate, one step of
the first grid wide to each side across the valley and six along it, and moved on while its lowest
value lies on its edge; then a third, ten times finer. Candidates that end within 0.1 mm of each
other are one minimum. The third grid has steps of 1.25 and 15 micrometres. A candidate at the edge
of the rail or of the wheel is dropped.

What cannot be seen is a minimum that is not lower than its surroundings on the first grid.

Source: the reference method of falomi, section 5.1, which leaves steps and windows open.
"""

from __future__ import annotations

import math

import numpy as np
from railblocks.blocks.rail.contact.geometry.contour import frame
from railblocks.blocks.rail.contact.geometry.pair import Pair
from railblocks.blocks.rail.contact.profiles.pieces import START

from .difference import point_below, tabulate
from .minima import ALPHA, BETA, G_Y, Detection, Minima, add_point

DX_M, DY_M = 0.5e-3, 0.25e-3
"""Steps of the first grid, along the rail and along the axle."""
REACH_M = 25e-3
"""How far the first grid goes along the rail, before and behind the axle."""
FINE_STEPS = 20
"""The finer grids have this many steps to each side."""
FINE_STEPS_M = ((0.15e-3, 12.5e-6), (15e-6, 1.25e-6))
"""Steps of the finer grids, along the rail and along the axle."""
MAX_MOVES = 40
SAME_POINT_M = 1e-4


def grid_minima(pair: Pair, poses: np.ndarray) -> Minima:
    """All local minima of D on the grid; their heights are D for G_z = 0."""
    return grid_detection(pair, poses).minima()


def grid_detection(pair: Pair, poses: np.ndarray) -> Detection:
    return Detection(grid_batch, poses, pair.wheel.table, pair.rail.table, *_tables(pair))


def _tables(pair: Pair) -> tuple[np.ndarray, np.ndarray]:
    low, high = pair.wheel.reach
    first = np.zeros((int((high - low) / DY_M) + 1, 2 * round(REACH_M / DX_M) + 1))
    return first, np.zeros((2 * FINE_STEPS + 1, 2 * FINE_STEPS + 1))


def grid_batch(poses, wheel, rail, table, fine, counts, points):
    """Kernel: GRID for each row of poses; `table` and `fine` are scratch."""
    for k in range(len(poses)):
        pose = frame(0.0, poses[k, G_Y], 0.0, poses[k, ALPHA], poses[k, BETA])
        counts[k] = grid_search(pose, wheel, rail, table, fine, points[k])


def grid_search(pose, wheel, rail, table, fine, points):
    """Kernel: the number of minima of one pose; `points` holds them."""
    y_0, count = wheel[0, START], 0
    tabulate(-REACH_M, DX_M, y_0, DY_M, wheel, rail, pose, table)
    for j in range(1, table.shape[0] - 1):
        for i in range(1, table.shape[1] - 1):
            if _lowest_of_nine(table, j, i):
                x, y, D = -REACH_M + i * DX_M, y_0 + j * DY_M, math.inf
                for dx, dy in FINE_STEPS_M:
                    x, y, D = _followed(x, y, dx, dy, wheel, rail, pose, fine)
                if math.inf > D:
                    x_b, y_b = point_below(x, y, wheel, pose)
                    count = add_point(points, count, x_b, y_b, D, SAME_POINT_M)
    return count


def _lowest_of_nine(table, j, i):
    """Whether a value is below its neighbours; of equal ones only the first counts."""
    D = table[j, i]
    if not (table[j, i + 1] > D and table[j, i - 1] >= D):
        return False
    lowest = True
    for k in range(-1, 2):
        lowest = lowest and table[j + 1, i + k] > D and table[j - 1, i + k] >= D
    return lowest


def _followed(x, y, dx, dy, wheel, rail, pose, fine):
    """The lowest position of a fine grid, moved on until it holds it; D is inf if it never does."""
    for _ in range(MAX_MOVES):
        tabulate(x - FINE_STEPS * dx, dx, y - FINE_STEPS * dy, dy, wheel, rail, pose, fine)
        least, at_j, at_i = math.inf, 0, 0
        for j in range(2 * FINE_STEPS + 1):
            for i in range(2 * FINE_STEPS + 1):
                if fine[j, i] < least:
                    least, at_j, at_i = fine[j, i], j, i
        x, y = x + (at_i - FINE_STEPS) * dx, y + (at_j - FINE_STEPS) * dy
        if 0 < at_j < 2 * FINE_STEPS and 0 < at_i < 2 * FINE_STEPS:
            return x, y, least
    return x, y, math.inf
