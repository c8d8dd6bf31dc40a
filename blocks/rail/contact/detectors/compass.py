"""Local minima of D by compass search, from several starts.

From the best position so far, D is tried one step ahead, behind, left and right. The lowest of the
four is gone to if it is lower; if none is, the step is halved. The search ends when the step is
shorter than `LAST_STEP_M`, or after `MAX_MOVES`.

Source: Kolda, Lewis and Torczon, SIAM Review 45 (2003) 385, section 1.1; compared with in falomi
Tables 2-3.
"""

from __future__ import annotations

import numpy as np
from railblocks.blocks.rail.contact.geometry.pair import Pair

from .difference import difference
from .minima import Detection, Minima
from .starts import FIRST_STEP_M, LAST_STEP_M, detection_by

MAX_MOVES = 2000


def compass_minima(pair: Pair, poses: np.ndarray) -> Minima:
    """The local minima of D that compass search finds; their heights are D for G_z = 0."""
    return compass_detection(pair, poses).minima()


def compass_detection(pair: Pair, poses: np.ndarray) -> Detection:
    """The detection of all poses, without scratch."""
    return detection_by(compass, pair, poses, np.zeros((0, 0)))


def compass(x, y, wheel, rail, pose, scratch):
    """Kernel: position and value of the minimum below a start; `scratch` is not used."""
    D, step = difference(x, y, wheel, rail, pose), FIRST_STEP_M
    for _ in range(MAX_MOVES):
        best_x, best_y, best = x, y, D
        for k in range(4):
            way = step if k % 2 == 0 else -step
            to_x, to_y = (x + way, y) if k < 2 else (x, y + way)
            tried = difference(to_x, to_y, wheel, rail, pose)
            if tried < best:
                best_x, best_y, best = to_x, to_y, tried
        if best < D:
            x, y, D = best_x, best_y, best
        else:
            step *= 0.5
        if step < LAST_STEP_M:
            break
    return x, y, D
