"""Why the estimated torque of the rig is wrong, part by part.

With the balance of a wheelset, C_S = r T + J_w omega_w', the error of the filtered torque is

    C_S - C_hat = (C_S - r_s T - J_w omega_w')           the true rolling radius is not r_s
                + r_s (T - F_x)                          F_x holds the normal force's x-component
                + r_s (F_x - T_mis)                      rollers shake on their load cells
                + r_s (T_mis - T_hat)                    what the estimator's model takes out
                + J_w omega_w' - J omega_w_dot_hat       the roller tells the wheel's acceleration
                + C_tilde - C_hat                        the filter                         (1)
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from railblocks.diagrams.conti2012.runs import PHI_C, STEADY_FROM_S, RigRun

NORMAL, RADIUS, CELLS, MODEL, RATE, FILTER = (
    "normal force along x",
    "rolling radius",
    "rollers on their load cells",
    "the estimator's model",
    "estimated acceleration",
    "filter",
)


def error_parts(run: RigRun) -> dict[str, np.ndarray]:
    """The terms of (1) for the axles of the front rig, at full scale; they add up to e_c."""
    r, J = run.r_s, run.J_w
    C_S, C_hat, C_tilde = (torque[:, :2] for torque in (run.C_S, run.C_hat, run.C_tilde))
    omega_dot = np.gradient(run.omega_w, run.t, axis=0)
    return {
        NORMAL: PHI_C * r * (run.T_cont - run.F_x),
        RADIUS: C_S - PHI_C * (r * run.T_cont + J * omega_dot),
        CELLS: PHI_C * r * (run.F_x - run.T_mis),
        MODEL: PHI_C * r * (run.T_mis - run.T_hat[:, :2]),
        RATE: PHI_C * (J * omega_dot - run.estimator["J"] * run.omega_w_dot_hat[:, :2]),
        FILTER: C_tilde - C_hat,
    }


def envelope(run: RigRun, values: np.ndarray, start: float, every: float = 0.25) -> np.ndarray:
    """Largest size in each slice of time, from a time on; a last short slice is left out."""
    edges = np.arange(start, run.t[-1] + 1e-9, every)
    slices = [run.window(low, high) for low, high in pairwise(edges)]
    return np.array([np.max(np.abs(values[part])) for part in slices])


def disagreement(run: RigRun, axle: int, one: np.ndarray, other: np.ndarray) -> float:
    """Root mean square of the difference of two forces over the mean of the first, once steady."""
    part = run.window(STEADY_FROM_S)
    difference = one[part, axle] - other[part, axle]
    return float(np.sqrt(np.mean(difference**2)) / np.mean(one[part, axle]))
