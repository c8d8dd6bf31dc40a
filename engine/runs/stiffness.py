"""The notice that a run looks stiff: its steps were limited by stability."""

from __future__ import annotations

import shlex

import numpy as np

from ..analysis.checking import Checked
from ..memory import layout as sections
from ..solvers.stiffness import STEPS_PER_PROBE

MIN_STIFF_PROBES, MIN_STIFF_FRACTION = 100.0, 0.5
"""Probes beyond the edge of stability that make a notice: how many, and which part of all."""


def stiffness_notice(checked: Checked, w: np.ndarray) -> list[str]:
    """A remark with the command to try, if most steps were as long as stability allows."""
    stiff, steps = w[sections.STIFF_PROBES], w[sections.STEPS]
    most = max(w[sections.PROBES], steps / STEPS_PER_PROBE)
    if stiff < max(MIN_STIFF_PROBES, MIN_STIFF_FRACTION * most):
        return []
    part = min(100.0, 100.0 * STEPS_PER_PROBE * stiff / steps)
    file = checked.model.file
    command = f"`railblocks run {shlex.quote(file)} --solver radau5`"
    way = f"`solver: {{method: radau5}}`{'' if file.startswith('<') else f', or {command}'}"
    return [
        f"the diagram looks stiff: stability and not accuracy limited about {part:.0f} % of the "
        f"{steps:.0f} steps of {checked.settings.method}; try {way}"
    ]
