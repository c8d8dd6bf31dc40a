"""Designs of samples from which indices of sensitivity are computed, by SALib, an extra."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import DiagramError
from ..runs.extras import needed

DESIGNS = ("saltelli", "morris")
MORRIS_LEVELS = 4


def unit_cube(names: Sequence[str]) -> dict[str, Any]:
    """The unit cube, from which parameters are drawn."""
    return {
        "num_vars": len(names),
        "names": list(names),
        "bounds": [[0.0, 1.0]] * len(names),
    }


def design(method: str, samples: int, dimensions: int, seed: int) -> np.ndarray:
    """The points of a design in the unit cube; samples of Saltelli are a power of two."""
    needed("SALib", "sensitivity")
    problem = unit_cube([str(k) for k in range(dimensions)])
    if method == "saltelli":
        from SALib.sample import sobol

        if samples & (samples - 1):
            raise DiagramError(f"--method saltelli with {samples} samples; expected a power of two")
        cube = sobol.sample(problem, samples, calc_second_order=False, seed=seed)
    else:
        from SALib.sample import morris

        cube = morris.sample(problem, samples, num_levels=MORRIS_LEVELS, seed=seed)
    edge = 0.5 / max(samples, 2)
    return np.clip(cube, 0.0, 1.0) if method == "saltelli" else edge + (1 - 2 * edge) * cube
