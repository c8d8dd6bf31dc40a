"""Modes of bodies: shapes of small motions by the names of bodies and directions.

Angles count by the way of a point at the body's radius of gyration i about their axis,

    i^2 = I / m                                                            (1)

so that all parts of a shape are lengths, and equal parts of one body have equal kinetic energies.
The angle of an axle is not a state, since nothing depends on it: its spin is that of its angular
velocity against steady rolling, over the eigenvalue. Shapes are those of reference points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .bodies import PHI, PSI, STATES, THETA, W_Y, X, Y, Z

DIRECTIONS = {
    X: "longitudinal", Y: "lateral", Z: "vertical", PHI: "roll", THETA: "pitch", PSI: "yaw",
}  # fmt: skip
SPIN = "spin"
ABOUT = {PHI: 0, THETA: 1, PSI: 2}
"""Axes of angles: x, y, z."""


def coordinates_of(
    names: Sequence[str], radii: np.ndarray, moving: Sequence[int]
) -> dict[tuple[str, str], Callable]:
    """Coordinates of all bodies as functions of eigenvalues and eigenvectors of their states.

    `radii` has the three radii of gyration of each body, `moving` the states that move.
    """
    column = {state: k for k, state in enumerate(moving)}
    coordinates: dict[tuple[str, str], Callable] = {}
    for body, name in enumerate(names):
        for state, direction in DIRECTIONS.items():
            at = STATES * body + state
            scale = radii[body, ABOUT[state]] if state in ABOUT else 1.0
            if at in column:
                coordinates[name, direction] = _state(column[at], scale)
            elif state == THETA and STATES * body + W_Y in column:
                coordinates[name, SPIN] = _rate(column[STATES * body + W_Y], scale)
    return coordinates


def _state(column: int, scale: float) -> Callable:
    return lambda values, vectors: scale * vectors[column]


def _rate(column: int, scale: float) -> Callable:
    def over_eigenvalue(values: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        rates = scale * vectors[column]
        return np.divide(rates, values, out=np.zeros_like(vectors[column]), where=values != 0.0)

    return over_eigenvalue
