"""A search from several positions of the wheel, as one that finds a single minimum needs.

`STARTS` points lie evenly over the rail's width, under the axle (x_w = 0); a search goes down from
each. Results nearer than 1 mm to each other are one minimum; a minimum that no start leads to is
missed, and a search that stops early leaves a point that is none. falomi and the works it names
leave the number of starts open.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from railblocks.blocks.rail.contact.geometry.contour import frame
from railblocks.blocks.rail.contact.geometry.pair import Pair
from railblocks.blocks.rail.contact.profiles.pieces import END, START, piece_at, shape

from .difference import point_below
from .minima import ALPHA, BETA, G_Y, Detection, add_point

STARTS = 10
FIRST_STEP_M = 1e-3
"""First step of a search, in metres."""
LAST_STEP_M = 1e-6
"""A search ends when its steps are shorter than this."""
SAME_POINT_M = 1e-3


def detection_by(
    search: Callable[..., Any], pair: Pair, poses: np.ndarray, scratch: np.ndarray
) -> Detection:
    """The detection of all poses by a search from all starts; `scratch` is its memory."""
    return Detection(batch_of(search), poses, pair.wheel.table, pair.rail.table, scratch)


@cache
def batch_of(search: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of a search for each row of poses."""

    def batch(poses, wheel, rail, scratch, counts, points):
        for k in range(len(poses)):
            pose = frame(0.0, poses[k, G_Y], 0.0, poses[k, ALPHA], poses[k, BETA])
            counts[k] = minima_from_starts(search, pose, wheel, rail, scratch, points[k])

    return batch


def minima_from_starts(search, pose, wheel, rail, scratch, points):
    """Kernel: the number of minima that a search finds from all starts; `points` holds them."""
    count = 0
    low, high = rail[0, START], rail[len(rail) - 1, END]
    for k in range(STARTS):
        y = start_over(low + (k + 0.5) / STARTS * (high - low), wheel, pose)
        x, y, D = search(0.0, y, wheel, rail, pose, scratch)
        if D < 1e300:
            x_b, y_b = point_below(x, y, wheel, pose)
            count = add_point(points, count, x_b, y_b, D, SAME_POINT_M)
    return count


def start_over(y_b, wheel, pose):
    """The y_w under the axle that lies over y_b, as near as the wheel has it."""
    _, G_y, _, _, _, _, _, r22, r23, _, _ = pose
    low, high = wheel[0, START], wheel[len(wheel) - 1, END]
    y = 0.5 * (low + high)
    for _ in range(3):
        w, _, _ = shape(wheel, piece_at(wheel, y), y)
        y = min(max((y_b - G_y + r23 * w) / r22, low), high)
    return y
