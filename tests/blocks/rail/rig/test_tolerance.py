"""Scenario 1 of Conti et al. (2012): its figures do not depend on the solver's tolerances."""

from pathlib import Path

import numpy as np
import pytest
from railblocks.engine import load, simulate

SCENARIO = Path(__file__).parents[4] / "diagrams" / "conti2012" / "scenario_1.yaml"


def figures(results):
    """What is reported of a run, and with how many digits behind the point."""
    t = results.time
    error = np.abs(results["simulator.error.y"])
    displaced = 1e3 * np.abs(results["rig.G_y"])
    return {
        "torque error, N m": (error[t >= 0.5].max(axis=0), 1),
        "torque error in steady state, N m": (error[t >= 3.0].max(axis=0), 1),
        "speed error, rad/s": (
            np.abs(results["simulator.control.speed_error.y"]).max(axis=0), 4,
        ),
        "mean torque, N m": (
            3125.0 * results["simulator.traction.device.C_S"][t >= 3.0].mean(axis=0), 1,
        ),
        "roller torque, N m": (np.abs(results["simulator.control.controller.u"]).max(axis=0), 3),
        "speed of wheels, rad/s": (results["rig.omega_w"][-1], 3),
        "speed of train, m/s": (results["simulator.train.vehicle.x_dot_c"][-1:], 3),
        "lateral displacement at 1 s, mm": (displaced[t >= 1.0].max(axis=0), 4),
        "lateral displacement at the end, mm": (displaced[-1], 4),
        "largest wheel load, N": (results["rig.N"].max(axis=0), 1),
    }  # fmt: skip


@pytest.mark.slow
def test_half_the_tolerances_change_no_figure_by_more_than_its_last_digit():
    diagram = load(SCENARIO)
    one = figures(simulate(diagram))
    other = figures(simulate(diagram, {"solver.rtol": 5e-11, "solver.atol": 5e-9}))
    for name, (values, digits) in one.items():
        change = np.abs(values - other[name][0]).max()
        assert change <= 10.0**-digits, (name, values, other[name][0])
