"""Local minima of D by the downhill simplex of Nelder and Mead, from several starts.

A triangle of positions of the wheel moves its worst corner through the middle c of the others,

    p = c + t (c - worst),  t = 1 reflected, 2 expanded, 1/2 or -1/2 contracted    (1)

and shrinks towards its best corner when nothing helps. It ends when no corner is farther than
`LAST_STEP_M` from the best one, or after `MAX_MOVES`. A triangle can collapse on its way, at the
edge of the rail above all; so a second one starts where the first has ended.

Source: Nelder and Mead, The Computer Journal 7 (1965) 308, with their coefficients; compared with
in falomi Tables 2-3.
"""

from __future__ import annotations

import numpy as np
from railblocks.blocks.rail.contact.geometry.pair import Pair

from .difference import difference
from .minima import Detection, Minima
from .starts import FIRST_STEP_M, LAST_STEP_M, detection_by

MAX_MOVES = 500
X, Y, VALUE = range(3)


def simplex_minima(pair: Pair, poses: np.ndarray) -> Minima:
    """The local minima of D that the simplex finds; their heights are D for G_z = 0."""
    return simplex_detection(pair, poses).minima()


def simplex_detection(pair: Pair, poses: np.ndarray) -> Detection:
    """The detection of all poses; the corners of the triangle are its scratch."""
    return detection_by(twice, pair, poses, np.zeros((3, 3)))


def twice(x, y, wheel, rail, pose, corners):
    """Kernel: the minimum below a start, with a second triangle."""
    x, y, _ = nelder_mead(x, y, wheel, rail, pose, corners)
    return nelder_mead(x, y, wheel, rail, pose, corners)


def nelder_mead(x, y, wheel, rail, pose, corners):
    """Kernel: position and value of the minimum below a start; `corners` is scratch, (3, 3)."""
    for k in range(3):
        corners[k, X] = x + (FIRST_STEP_M if k == 1 else 0.0)
        corners[k, Y] = y + (FIRST_STEP_M if k == 2 else 0.0)
        corners[k, VALUE] = difference(corners[k, X], corners[k, Y], wheel, rail, pose)
    for _ in range(MAX_MOVES):
        _sort(corners)
        if _size(corners) < LAST_STEP_M:
            break
        x, y, D = _tried(1.0, corners, wheel, rail, pose)
        if corners[0, VALUE] > D:
            x_e, y_e, D_e = _tried(2.0, corners, wheel, rail, pose)
            if D_e < D:
                x, y, D = x_e, y_e, D_e
        elif corners[1, VALUE] <= D:
            limit = min(D, corners[2, VALUE])
            x, y, D = _tried(0.5 if corners[2, VALUE] > D else -0.5, corners, wheel, rail, pose)
            if limit <= D:
                _shrink(corners, wheel, rail, pose)
                continue
        corners[2, X], corners[2, Y], corners[2, VALUE] = x, y, D
    return corners[0, X], corners[0, Y], corners[0, VALUE]


def _tried(t, corners, wheel, rail, pose):
    """The corner (1) and its value."""
    c_x, c_y = 0.5 * (corners[0, X] + corners[1, X]), 0.5 * (corners[0, Y] + corners[1, Y])
    x, y = c_x + t * (c_x - corners[2, X]), c_y + t * (c_y - corners[2, Y])
    return x, y, difference(x, y, wheel, rail, pose)


def _shrink(corners, wheel, rail, pose):
    for k in range(1, 3):
        corners[k, X] = 0.5 * (corners[0, X] + corners[k, X])
        corners[k, Y] = 0.5 * (corners[0, Y] + corners[k, Y])
        corners[k, VALUE] = difference(corners[k, X], corners[k, Y], wheel, rail, pose)


def _sort(corners):
    """Sorts the corners, the best first."""
    for last in (2, 1, 2):
        first = last - 1
        if corners[last, VALUE] < corners[first, VALUE]:
            for k in range(3):
                corners[first, k], corners[last, k] = corners[last, k], corners[first, k]


def _size(corners):
    size = 0.0
    for k in range(1, 3):
        size = max(size, abs(corners[k, X] - corners[0, X]), abs(corners[k, Y] - corners[0, Y]))
    return size
