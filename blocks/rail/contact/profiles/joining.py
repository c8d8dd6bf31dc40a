"""A spline with as few pieces as it needs.

A spline through a thousand points has a thousand pieces, where ten would do. Neighbours become one
polynomial of the fifth degree, with the heights, slopes and bends of the spline at its ends, as
long as all joints and middles between lie on it within a given distance and it bends one way.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from .fifth_degree import heights, slopes, through_ends
from .pieces import END, KIND, SLOPE_END, SLOPE_START, SPLINE, START, shape


def joined_pieces(table: np.ndarray, close: float) -> np.ndarray:
    """The table of a spline, met within `close` metres; any other table as it is."""
    if table[0, KIND] != SPLINE:
        return table
    ends = _ends(table)
    middles = 0.5 * (table[:, START] + table[:, END])
    heights_at = [shape(table, row, y)[0] for row, y in enumerate(middles.tolist())]
    seen = np.column_stack([ends[:-1, 0], ends[:-1, 1], middles, heights_at]).reshape(-1, 2)
    turns = np.sign(table[:, SLOPE_END] - table[:, SLOPE_START])
    rows, first = [], 0
    while first < len(table):
        same = np.flatnonzero(turns[first:] != turns[first])
        limit = first + int(same[0]) if len(same) else len(table)
        last, row = _longest(partial(_joined, table, ends, seen, close, first), first, limit)
        rows.append(row)
        first = last
    return np.array(rows)


def _ends(table: np.ndarray) -> np.ndarray:
    """Positions, heights, slopes and bends of all joints and of the last end."""
    places = [(row, y) for row, y in enumerate(table[:, START].tolist())]
    places.append((len(table) - 1, float(table[-1, END])))
    return np.array([(y, *shape(table, row, y)) for row, y in places])


def _longest(joined, first: int, limit: int) -> tuple[int, np.ndarray]:
    """How far pieces can be joined from the first on, and what they become."""
    last, row = first + 1, joined(first + 1)
    step = 1
    while step > 0:
        tried = min(last + step, limit)
        longer = joined(tried) if tried > last else None
        if longer is None:
            step //= 2
        else:
            last, row, step = tried, longer, 2 * step
    return last, row


def _joined(
    table: np.ndarray, ends: np.ndarray, seen: np.ndarray, close: float, first: int, last: int
) -> np.ndarray | None:
    """One piece in place of those from the first to before the last, if it comes near enough."""
    if last == first + 1:
        return table[first]
    start, end = (tuple(ends[k : k + 1].T) for k in (first, last))
    piece = through_ends(np.array([SPLINE]), start, end)
    y, z = seen[2 * first : 2 * last].T
    if np.max(np.abs(heights(piece, y[None, :]) - z)) > close:
        return None
    turns = np.diff(slopes(piece, y[None, :])[0])
    return piece[0] if np.all(turns >= 0.0) or np.all(turns <= 0.0) else None
