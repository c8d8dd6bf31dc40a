"""Points of the unit cube at which the parameters of a study are drawn, seeded.

`lhs` (Latin hypercube) and `sobol` (scrambled) fill the cube more evenly than `random`; `saltelli`
and `morris` are the designs from which indices of sensitivity are computed (`sensitivity`).
"""

from __future__ import annotations

import warnings

import numpy as np

from ..errors import DiagramError, Position
from .designs import DESIGNS, design

METHODS = ("lhs", "sobol", "random", *DESIGNS)


def points(method: str, samples: int, dimensions: int, seed: int) -> np.ndarray:
    """Points as rows; the designs have more rows than `samples`, see `rows_of`."""
    from scipy.stats import qmc

    generator = np.random.default_rng(seed)
    if method == "random":
        return generator.random((samples, dimensions))
    if method == "lhs":
        return qmc.LatinHypercube(dimensions, seed=generator).random(samples)
    if method == "sobol":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a number that is no power of two
            return qmc.Sobol(dimensions, seed=generator).random(samples)
    return design(method, samples, dimensions, seed)


def rows_of(method: str, samples: int, dimensions: int) -> int:
    """How many runs a method makes of a number of samples."""
    if method == "saltelli":
        return samples * (dimensions + 2)
    return samples * (dimensions + 1) if method == "morris" else samples


def refuse_method(method: str) -> None:
    if method not in METHODS:
        raise DiagramError(
            f"'{method}' is not a way of sampling; expected one of {', '.join(METHODS)}",
            Position("--method"),
        )
