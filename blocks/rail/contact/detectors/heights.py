"""Heights of the wheelset at which the points of a pose touch.

DIST needs G_z, which DIFF and GRID do not. falomi takes one at which no overlap along the normal is
larger than p_l = 0.33 mm, which is 100 kN on one contact by Hertz's theory, and says no more. Here
the lowest minimum of D, or another one, overlaps by a given p along the vertical. With p <= p_l and
the lowest minimum every overlap along a normal is within the bound.
"""

from __future__ import annotations

import numpy as np

from .minima import HEIGHT, Minima

LARGEST_OVERLAP = 0.33e-3
"""p_l, in metres."""


def height_of_contact(minima: Minima, overlap: float = LARGEST_OVERLAP) -> np.ndarray:
    """G_z at which the lowest minimum of each pose overlaps; its heights are D for G_z = 0."""
    return -np.nanmin(minima.points[..., HEIGHT], axis=1) - overlap


def in_contact(minima: Minima, G_z: np.ndarray) -> Minima:
    """The minima that overlap at a given height in each pose."""
    return minima.where(minima.points[..., HEIGHT] + G_z[:, None] <= 0.0)
