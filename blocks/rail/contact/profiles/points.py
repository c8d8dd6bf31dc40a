"""A profile through points: a cubic spline, whose intervals become the pieces of a table.

With smoothing, the points are first drawn onto the curve (y, z)(t), t the length along the points,
that minimises

    sum of |p_i - p(t_i)|^2 + lambda * integral of |p''(t)|^2 dt           (1)

with lambda such that the root mean square distance |p_i - p(t_i)| is `smoothing`. The length along
the points is used since a steep flank bends z(y) much more than the body itself bends. Then a cubic
spline z(y) with continuous curvature goes through the points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .drawn import polynomial, table_of
from .pieces import SPLINE
from .profile import Profile

MIN_POINTS, MAX_POINTS = 10, 10_000
MIN_WIDTH_M, MAX_WIDTH_M, MAX_HEIGHT_M = 1e-3, 1.0, 10.0
MAX_SMOOTHING_M = 1e-3
MAX_SPACING_M = 2e-3
"""Largest distance of neighbouring y, in metres, if none is given."""
MAX_TURN_RAD = math.radians(20.0)
"""Largest turn from one chord to the next; an arc of 13 mm needs a point each 4.5 mm at most."""


def from_points(
    y: Sequence[float] | np.ndarray,
    z: Sequence[float] | np.ndarray,
    name: str = "points",
    smoothing: float = 0.0,
    coarsest: float = MAX_SPACING_M,
    positions: Sequence[str] | None = None,
) -> Profile:
    """A profile through points in metres, z pointing out of the body, y rising or falling.

    `smoothing` is how far the points may lie from the profile, as the root mean square in metres:
    about the noise of the measurement; 0 goes through all points. ValueError if the points overhang
    or are too coarse; `places` names the points in its message.
    """
    y, z = np.array(y, float), np.array(z, float)
    positions = positions or [f"{name}, point {number}" for number in range(1, len(y) + 1)]
    _check_count(y, z, name)
    if y[0] > y[-1]:
        y, z, positions = y[::-1], z[::-1], positions[::-1]
    _check_order(y, z, positions)
    _check_size(y, z, name)
    _check_gaps(y, positions, coarsest)
    if not 0.0 <= smoothing <= MAX_SMOOTHING_M:
        raise ValueError(
            f"{name}: smoothing = {smoothing:g} m; expected 0 to {MAX_SMOOTHING_M:g} m, "
            "about the noise of the points"
        )
    if smoothing > 0.0:
        y, z = _smoothed(y, z, smoothing, name)
    _check_turns(y, z, positions, smoothing)
    return Profile(name, table_of(_pieces(y, z)))


def _pieces(y: np.ndarray, z: np.ndarray) -> list[np.ndarray]:
    from scipy.interpolate import CubicSpline

    coefficients = CubicSpline(y, z).c[::-1].T.tolist()
    ends = zip(y[:-1].tolist(), y[1:].tolist(), coefficients, strict=True)
    return [row for low, high, c in ends for row in polynomial(low, high, c, low, SPLINE)]


def _smoothed(
    y: np.ndarray, z: np.ndarray, smoothing: float, name: str
) -> tuple[np.ndarray, np.ndarray]:
    """The points drawn onto the curve of (1)."""
    from scipy.interpolate import make_smoothing_spline
    from scipy.optimize import brentq

    t = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(y), np.diff(z)))))
    unit = t[-1] / (len(t) - 1)

    def drawn(log_lambda: float) -> tuple[np.ndarray, np.ndarray]:
        weight = math.exp(log_lambda)
        return tuple(make_smoothing_spline(t / unit, v, lam=weight)(t / unit) for v in (y, z))

    def excess(log_lambda: float) -> float:
        new_y, new_z = drawn(log_lambda)
        return math.sqrt(np.mean((new_y - y) ** 2 + (new_z - z) ** 2)) - smoothing

    low, high = -20.0, 20.0
    if excess(low) > 0.0:
        return y, z
    # points that are on a line within this smoothing become one
    log_lambda = high if excess(high) < 0.0 else brentq(excess, low, high, xtol=1e-3)
    new_y, new_z = drawn(log_lambda)
    if not (np.diff(new_y) > 0.0).all():
        raise ValueError(
            f"{name}: smoothing = {smoothing:g} m makes the profile overhang; "
            "expected a smaller one, or leave steep ends out"
        )
    return new_y, new_z


def _check_count(y: np.ndarray, z: np.ndarray, name: str) -> None:
    if y.ndim != 1 or y.shape != z.shape:
        raise ValueError(
            f"{name}: y and z have shapes {y.shape} and {z.shape}; give as many of both"
        )
    if len(y) < MIN_POINTS:
        raise ValueError(f"{name}: {len(y)} points; expected at least {MIN_POINTS}")
    if len(y) > MAX_POINTS:
        raise ValueError(f"{name}: {len(y)} points; expected at most {MAX_POINTS}, leave some out")


def _check_order(y: np.ndarray, z: np.ndarray, positions: Sequence[str]) -> None:
    bad = np.flatnonzero(~(np.isfinite(y) & np.isfinite(z)))
    if len(bad):
        at = bad[0]
        point = f"({y[at]:g}, {z[at]:g}) m"
        raise ValueError(f"{positions[at]}: {point} is not a point; expected numbers")
    steps = np.diff(y)
    if np.mean(steps < 0.0) > 0.2:
        raise ValueError(
            f"{positions[int(np.argmax(steps < 0.0)) + 1]}: the points are not in order; "
            "expected them along the profile, y rising or falling"
        )
    for i in map(int, np.flatnonzero(steps <= 0.0)):
        mm = 1e3 * y[i + 1]
        if steps[i] < 0.0:
            raise ValueError(
                f"{positions[i + 1]}: y goes back from {1e3 * y[i]:g} to {mm:g} mm; the profile "
                "overhangs there, or the points are not sorted; leave that part out"
            )
        if z[i] == z[i + 1]:
            point = f"the point at y = {mm:g} mm"
            raise ValueError(f"{positions[i + 1]}: {point} is repeated; remove one")
        raise ValueError(
            f"{positions[i + 1]}: there are two heights at y = {mm:g} mm; expected one, "
            "leave vertical parts out"
        )


def _check_size(y: np.ndarray, z: np.ndarray, name: str) -> None:
    width, height = y[-1] - y[0], np.abs(z).max()
    if not MIN_WIDTH_M <= width <= MAX_WIDTH_M or height > MAX_HEIGHT_M:
        raise ValueError(
            f"{name}: the points are {width:.3g} m wide and up to {height:.3g} m high; "
            f"expected {MIN_WIDTH_M:g} to {MAX_WIDTH_M:g} m and at most {MAX_HEIGHT_M:g} m, "
            "check the unit"
        )


def _check_gaps(y: np.ndarray, positions: Sequence[str], coarsest: float) -> None:
    widest = int(np.argmax(np.diff(y)))
    gap = y[widest + 1] - y[widest]
    if gap > coarsest * (1.0 + 1e-9):
        raise ValueError(
            f"{positions[widest + 1]}: {1e3 * gap:.3g} mm from the point before; expected at most "
            f"{1e3 * coarsest:g} mm, give more points or a larger `coarsest`"
        )


def _check_turns(y: np.ndarray, z: np.ndarray, positions: Sequence[str], smoothing: float) -> None:
    turns = np.abs(np.diff(np.arctan2(np.diff(z), np.diff(y))))
    sharpest = int(np.argmax(turns))
    if turns[sharpest] > MAX_TURN_RAD:
        more = "more smoothing" if smoothing else "smoothing, if it is noise"
        raise ValueError(
            f"{positions[sharpest + 1]}: the profile turns by {math.degrees(turns[sharpest]):.0f} "
            f"degrees; expected at most {math.degrees(MAX_TURN_RAD):.0f} from point to point, "
            f"give more points there, or {more}"
        )
