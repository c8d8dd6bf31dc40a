"""A curve as columns of pixels: what the straight lines between its points cover of each.

A painter draws thousands of tall lines one pixel after another; a mask of the same pixels takes a
few comparisons of whole arrays, however wildly the curve moves.
"""

from __future__ import annotations

import numpy as np


def columns(x: np.ndarray, y: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and the highest y of a curve in each column, nan where there is none.

    Column c is c <= x < c + 1; x does not fall. The curve runs straight from point to point, so its
    extremes in a column lie at the points inside and where it crosses the sides.
    """
    lowest, highest = np.full(width, np.nan), np.full(width, np.nan)
    if len(x) == 0:
        return lowest, highest
    edges = np.arange(width + 1.0)
    begins_at = np.interp(edges[:-1], x, y, left=np.nan, right=np.nan)
    ends_at = np.interp(edges[1:], x, y, left=np.nan, right=np.nan)
    at = np.minimum(np.searchsorted(x, edges[1:]), len(x) - 1)
    jumps = x[at] == edges[1:]  # a column ends where the curve comes to, before it jumps
    ends_at[jumps] = y[at[jumps]]
    np.fmin(begins_at, ends_at, out=lowest)
    np.fmax(begins_at, ends_at, out=highest)
    first, last = np.searchsorted(x, (0.0, float(width)))
    if first < last:
        column = x[first:last].astype(np.intp)
        begins = np.flatnonzero(np.diff(column, prepend=-1))
        at = column[begins]
        lowest[at] = np.fmin(lowest[at], np.fmin.reduceat(y[first:last], begins))
        highest[at] = np.fmax(highest[at], np.fmax.reduceat(y[first:last], begins))
    return lowest, highest


def mask(lowest: np.ndarray, highest: np.ndarray, height: int) -> np.ndarray:
    """Which pixels (row, column) the columns cover, each at least one pixel high."""
    nothing = np.isnan(lowest)
    limit = (-1.0, float(height))
    first = np.where(nothing, height, np.clip(np.floor(lowest), *limit)).astype(np.int16)
    last = np.where(nothing, -1, np.clip(np.floor(highest), *limit)).astype(np.int16)
    rows = np.arange(height, dtype=np.int16)[:, None]
    return (rows >= first) & (rows <= last)
