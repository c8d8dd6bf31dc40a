"""Bands of the unfiltered torque error over what Conti et al. (2012) leave open.

The paper prints neither how long it ran nor where the unbalances of wheels and rollers stand to
each other. Both decide the errors: speed rises along a run towards that at which axles shake on
their springs, and two unbalances add up or take each other away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from railblocks.diagrams.conti2012.errors import envelope
from railblocks.diagrams.conti2012.runs import FAST, RigRun, run
from railblocks.diagrams.runs import Tell
from railblocks.engine.reproduction.result import Band

TURNED_DEG = (90.0, 180.0, 270.0)
"""Angles by which wheels are turned on their rollers, beside that of the scenario."""
ENDS_S = (4.0, 5.0, 6.0, 7.0, 8.0)
UNBALANCED_FROM_S = 1.0
"""When the unbalanced run is looked at: the disturbance is there from the start."""


def turned_runs(plain: RigRun, values: Mapping[str, Any], tell: Tell) -> list[RigRun]:
    """The scenario without filter with its wheels turned on their rollers."""
    name = "rig.phase_w" if plain.spatial else "front.theta_w0"
    start = np.asarray(plain.front[name.partition(".")[2]])
    title = "scenario_2" if plain.spatial else f"{FAST}scenario_2"
    return [
        run(title, {**values, name: (start + np.radians(angle)).tolist()}, tell)
        for angle in TURNED_DEG
    ]


def error_sizes(one: RigRun, axle: int, end: float) -> tuple[float, float]:
    """Smallest and largest of the torque error in quarters of a second, up to a time."""
    sizes = envelope(one, one.e_c[:, axle], UNBALANCED_FROM_S)
    kept = sizes[: max(1, round((end - UNBALANCED_FROM_S) / 0.25))]
    return float(kept.min()), float(kept.max())


def error_bands(runs: Sequence[RigRun], axle: int) -> tuple[Band, Band]:
    """Bands of the smallest and of the largest error over all runs and their lengths."""
    ends = [end for end in ENDS_S if end <= runs[0].t[-1]]
    sizes = np.array([error_sizes(one, axle, end) for one in runs for end in ends])
    low, high = sizes.min(axis=0), sizes.max(axis=0)
    return (float(low[0]), float(high[0])), (float(low[1]), float(high[1]))
