"""Speed of linear models: against other tools, and against one plain difference for each state."""

from __future__ import annotations

import numpy as np
from measure import DIAGRAMS, Row, against, at_most, least_seconds
from railblocks.engine import check, load
from railblocks.engine.linear.linearise import Ends, Linearisation
from railblocks.engine.operating_points.moment import Moment

JAXONOMY_S = 0.068
"""A linear model of a DC motor, warm."""


def motor_model() -> list[Row]:
    """The sampled loop of the DC motor, compiled before."""
    checked = check(load(DIAGRAMS / "dc_motor.yaml"))
    ready = Linearisation(checked, Ends(("reference.y",), ("motor.omega",)))
    (ours,) = least_seconds([ready.model])
    return [at_most("linear model of the DC motor, warm", ours, "s", JAXONOMY_S, "jaxonomy")]


def rig_model() -> list[Row]:
    """Extrapolated, coloured derivatives of the rig in the plane against one plain difference."""
    moment = Moment(check(load(DIAGRAMS / "conti2012" / "fast_scenario_1.yaml")))
    moment.start()
    values = moment.values

    def plain() -> np.ndarray:
        columns = []
        for i in range(len(values)):
            ahead, behind = values.copy(), values.copy()
            ahead[i] += 1e-6
            behind[i] -= 1e-6
            columns.append((moment(ahead) - moment(behind)) / 2e-6)
        return np.array(columns).T

    ours, theirs = least_seconds([moment.derivatives, plain])
    name = f"derivatives of the rig with its loop, {len(values)} states"
    return [against(name, ours, theirs, "one plain difference a state")]


ALL = (motor_model, rig_model)
