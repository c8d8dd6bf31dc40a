"""Bodies with all that is welded to them: mass, centre of mass and inertia of the whole.

With parts m_i, J_i at r_i from the reference point, which is the centre of mass of the body alone,

    m = sum of m_i,   c = sum of m_i r_i / m                               (1)
    J = sum of J_i + m_i (d_i . d_i 1 - d_i d_i^T),   d_i = r_i - c        (2)

after Steiner (parallel axes). Axes are those of the vehicle at rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .description import Body, Vehicle


class Rigid(NamedTuple):
    """Mass, centre of mass from the reference point, and the tensor of inertia about it."""

    mass: float
    centre: np.ndarray
    inertia: np.ndarray


def rigid(vehicle: Vehicle, body: Body) -> Rigid:
    """A body of a vehicle as one rigid whole."""
    parts = (body, *vehicle.welded_to(body))
    masses = np.array([part.mass for part in parts])
    arms = np.array([part.place for part in parts]) - body.place
    centre = masses @ arms / masses.sum()  # (1)
    inertia = np.zeros((3, 3))
    for part, m, d in zip(parts, masses, arms - centre, strict=True):
        inertia += np.diag(part.inertia) + m * (d @ d * np.eye(3) - np.outer(d, d))  # (2)
    return Rigid(float(masses.sum()), centre, inertia)
