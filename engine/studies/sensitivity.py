"""Indices of sensitivity by SALib, an extra: Sobol's from a design of Saltelli, and Morris'.

Of Sobol, S1 is the part of the variance of a summary that a parameter explains alone, ST with all
its interactions. Of Morris, mu_star is the mean size of an elementary effect, and sigma how
much it differs from place to place; effects are for the whole range of a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import DiagramError
from ..runs.extras import needed
from .designs import DESIGNS, MORRIS_LEVELS, unit_cube
from .samples import points
from .table import StudyTable

HEADS = {
    "saltelli": ("S1", "S1_conf", "ST", "ST_conf"),
    "morris": ("mu", "mu_star", "mu_star_conf", "sigma"),
}
"""What SALib calls the numbers of each method; `conf` is half of the 95 % interval."""


@dataclass(frozen=True)
class Index:
    """The indices of one parameter, in the order of `heads`."""

    parameter: str
    numbers: tuple[float, ...]

    @staticmethod
    def heads(method: str) -> tuple[str, ...]:
        return HEADS[method]


def indices(study: StudyTable, name: str, seed: int = 0) -> tuple[Index, ...]:
    """The indices of a summary, for the method by which the study was sampled."""
    needed("SALib", "sensitivity")
    method = str(study.meta["sampling"].get("method"))
    if study.meta.get("way") != "samples" or method not in DESIGNS:
        raise DiagramError(
            "indices of sensitivity need a study that was sampled for them: "
            "--samples N --method saltelli, or morris"
        )
    values = study[name]
    if not np.isfinite(values).all():
        lacking = int(np.sum(~np.isfinite(values)))
        raise DiagramError(
            f"{lacking} runs have no value of '{name}'; the design needs every one: choose ranges "
            "in which all runs succeed"
        )
    if np.ptp(values) == 0.0:
        return tuple(Index(path, (0.0,) * len(HEADS[method])) for path in study.parameters)
    problem = unit_cube(study.parameters)
    if method == "saltelli":
        from SALib.analyze import sobol

        found = sobol.analyze(problem, values, calc_second_order=False, seed=seed)
    else:
        from SALib.analyze import morris

        sampling = study.meta["sampling"]
        cube = points(method, sampling["count"], len(study.parameters), sampling["seed"])
        found = morris.analyze(problem, cube, values, num_levels=MORRIS_LEVELS, seed=seed)
    columns = [np.asarray(found[head], dtype=float) for head in HEADS[method]]
    return tuple(
        Index(path, tuple(float(column[k]) for column in columns))
        for k, path in enumerate(study.parameters)
    )


def effects(study: StudyTable, name: str) -> list[tuple[str, float, float]]:
    """For a tornado: each parameter with the mean of a summary at its low and at its high values.

    These are the lowest and the highest fifth of the runs by that parameter, so that it works
    for a grid as for samples; parameters of most effect come first.
    """
    values, ended = study[name], np.isfinite(study[name])
    bars = []
    for k, path in enumerate(study.parameters):
        column = study.table[:, k]
        used = column[ended]
        if not used.size:
            continue
        low, high = np.quantile(used, (0.2, 0.8), method="nearest")
        below = values[ended & (column <= low)].mean()
        above = values[ended & (column >= high)].mean()
        bars.append((path, float(below), float(above)))
    return sorted(bars, key=lambda bar: -abs(bar[2] - bar[1]))
