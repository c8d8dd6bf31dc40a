"""A line laid out from its segments: straights, circles, transitions, cant and gradients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from . import centreline as c
from .transitions import CLOTHOID, shape_from

MAX_TURN_RAD = 0.05
"""Largest turn of a piece of a transition, in radians, for Gauss's rule to be exact."""
MIN_BENT_PIECES = 12
"""Pieces of a transition that is not a clothoid, for Gauss's rule to be exact."""


@dataclass(frozen=True)
class Segment:
    """A stretch of the line; curvature, roll and gradient go from start to end by its shape.

    Curvature is positive to the left. Cant is the height of the right rail above the left one: it
    has the sign of the curvature that it suits. Lengths are in plan.
    """

    length: float
    curvature: tuple[float, float] = (0.0, 0.0)
    cant: tuple[float, float] = (0.0, 0.0)
    gradient: tuple[float, float] = (0.0, 0.0)
    shape: str = CLOTHOID


def laid_out(segments: Sequence[Segment], base: float) -> np.ndarray:
    """The table of pieces; `base` is the distance of the rails' middles, over which cant lies."""
    rows: list[np.ndarray] = []
    s, x, y, z, psi = 0.0, 0.0, 0.0, 0.0, 0.0
    for segment in segments:
        L = segment.length
        kappa, kappa_1 = _linear(segment.curvature, L)
        grade, grade_1 = _linear(segment.gradient, L)
        roll = tuple(-math.asin(h / base) for h in segment.cant)
        phi, phi_1 = _linear(roll, L)
        number = 1
        if kappa_1 != 0.0:
            least = 1 if segment.shape == CLOTHOID else MIN_BENT_PIECES
            number = max(least, math.ceil(max(map(abs, segment.curvature)) * L / MAX_TURN_RAD))
        part = L / number
        for k in range(number):
            w, grown = shape_from(segment.shape, L, k * part)
            row = np.zeros((1, c.COLUMNS))
            row[0] = (
                s, part, x, y, z, psi, kappa + kappa_1 * w, kappa_1, grade + grade_1 * w, grade_1,
                phi + phi_1 * w, phi_1, *grown,
            )  # fmt: skip
            rows.append(row[0])
            (x, y, z), _, _, _ = c.track_at(row, s + part)
            psi += (row[0, c.KAPPA] + kappa_1 * c.mean_change(row, 0, part)) * part
            s += part
    return np.array(rows)


def _linear(ends: Sequence[float], length: float) -> tuple[float, float]:
    return ends[0], (ends[1] - ends[0]) / length


def length_of(line: np.ndarray) -> float:
    return float(line[-1, c.START] + line[-1, c.LENGTH])
