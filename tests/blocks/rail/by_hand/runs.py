"""Runs of the vehicle written by hand, and the files that keep them for quick comparisons.

    python -m by_hand.runs                    # in tests/blocks/rail: writes tests/references

By the classical Runge-Kutta method with fixed steps.
"""

import tempfile
from pathlib import Path

import numpy as np
import pytest

from .line import Line, times, turn_x
from .lines import CONE, RHO, ROLLER_RHO, WAGON, line_file
from .rig import Rig
from .states import running, seated
from .vehicle import Vehicle

REFERENCES = Path(__file__).parents[3] / "references"
RIG_REFERENCE = REFERENCES / "rig_by_hand.csv"
RUNS = {"irregular run": (25.0, 3.0), "curved run": (20.0, 6.0)}
"""Speed in m/s and duration in s."""
START = 16.0
"""Where the vehicle's middle starts, on level and straight track."""
STEP, EVERY = 4e-4, 25
"""Steps of 0.4 ms, rows of 10 ms."""
MU = 1000.0
"""Friction at which creep forces are those of linear theory."""
COLUMNS = (
    ["t", "v", "body_y", "body_roll", "body_yaw"]
    + [f"y_{k}" for k in range(1, 5)]
    + [f"alpha_{k}" for k in range(1, 5)]
    + [f"Q_{k}{side}" for k in range(1, 5) for side in "lr"]
    + [f"Y_{k}{side}" for k in range(1, 5) for side in "lr"]
)

RIG = {"C_S": (2.0, 1.0), "u": (1.0, 2.0)}
RIG_STOP, RIG_STEP, RIG_EVERY = 0.3, 1e-4, 20
"""Torques in N m; duration and steps in s, rows of 2 ms."""
RIG_COLUMNS = (
    "t", "G_y_1", "G_y_2", "alpha_1", "alpha_2", "omega_1", "omega_2", "N_1l", "N_1r", "N_2l",
    "N_2r", "Omega_1", "Omega_2",
)  # fmt: skip


def rig_at_start():
    """The rig of the comparison, 0.6 mm beside the middle, and its motion."""
    rig = Rig(ROLLER_RHO, CONE, CONE, mu=MU, c=0.0, V_min=1e-6)
    return rig, rig.at_rest(150.0, offset=6e-4), np.array([-150.0, -150.0])


def at_start(vehicle, v):
    """The vehicle as it rolls on level track, at rest in itself."""
    r, R, velocity, omega, x = running(vehicle, START, v)
    N = vehicle.m.sum() * -vehicle.g[2] / len(vehicle.wheel) * np.sqrt(1.0 + CONE**2)
    delta = vehicle.contact.approach(N)
    r, R, velocity, omega, x = seated(vehicle, (r, R, velocity, omega, x), delta)
    lower = vehicle.places[vehicle.axles[0], 2] - r[vehicle.axles[0], 2]
    others = np.setdiff1d(np.arange(len(r)), vehicle.axles)
    r[others, 2] -= lower
    return r, R, velocity, omega, x


def readings(vehicle, state, s):
    """A row of COLUMNS without the time, and where the bodies are, from guesses s."""
    line = vehicle.line
    r, R, v, omega, _ = vehicle.split(state)
    s, beside, axes = line.beside(r, s)
    F, _, _ = vehicle.wheels(r, R, v, omega)
    level = line.deviation("cross_level", s)[0][vehicle.wheel]
    sleepers = axes[vehicle.wheel] @ turn_x(-np.arcsin(level / line.base))
    on_rail = -times(np.swapaxes(sleepers, 1, 2), F)
    y_axis = times(np.swapaxes(axes, 1, 2), R[:, :, 1])
    yaw = np.arctan2(-y_axis[:, 0], y_axis[:, 1])
    row = [v[0] @ axes[0][:, 0], beside[0, 0], np.arcsin(y_axis[0, 2]), yaw[0]]
    k = vehicle.axles
    return np.concatenate([row, beside[k, 0], yaw[k], -on_rail[:, 2], on_rail[:, 1]]), s


def stepped(rates, state, step):
    """The state one step later."""
    k_1 = rates(state)
    k_2 = rates(state + 0.5 * step * k_1)
    k_3 = rates(state + 0.5 * step * k_2)
    k_4 = rates(state + step * k_3)
    return state + step / 6.0 * (k_1 + 2.0 * k_2 + 2.0 * k_3 + k_4)


def simulate(vehicle, motion, stop, step=STEP, every=EVERY):
    """Rows of COLUMNS."""
    state, s = vehicle.joined(*motion), START + vehicle.places[:, 0]
    row, s = readings(vehicle, state, s)
    rows = [np.concatenate([[0.0], row])]
    for n in range(1, round(stop / step) + 1):
        state = stepped(vehicle.rates, state, step)
        if n % every == 0:
            row, s = readings(vehicle, state, s + vehicle.split(state)[2][0, 0] * step * every)
            rows.append(np.concatenate([[n * step], row]))
    return np.array(rows)


def simulate_rig(rig, motion, Omega, stop, step=RIG_STEP, every=RIG_EVERY, **torques):
    """Rows of RIG_COLUMNS."""
    state, rows = rig.joined(*motion, Omega), []
    for n in range(round(stop / step) + 1):
        if n % every == 0:
            r, R, v, omega, Omega = rig.split(state)
            N = rig.wheels(r, R, v, omega)[2]["N"]
            axle = R[:2, :, 1]
            yaw, spin = np.arctan2(-axle[:, 0], axle[:, 1]), np.einsum("ni,ni->n", omega[:2], axle)
            rows.append(np.concatenate([[n * step], r[:2, 1], yaw, spin, N, Omega]))
        state = stepped(lambda state: rig.rates(state, **torques), state, step)
    return np.array(rows)


def vehicle_of(folder, name):
    """The vehicle on the line of a run, and how it starts."""
    vehicle = Vehicle(WAGON, Line(line_file(folder, name)), RHO, CONE, mu=MU, V_min=1e-6)
    return vehicle, at_start(vehicle, RUNS[name][0])


def reference(name):
    """Path of a run's file."""
    return REFERENCES / f"vehicle_by_hand_{name.replace(' ', '_')}.csv"


def same(columns, kept, result, part=0.01):
    """Asserts that no column differs by more than a part of its range; a message has those."""
    assert result[:, 0] == pytest.approx(kept[:, 0])
    apart = np.abs(result - kept).max(axis=0)
    size = np.ptp(kept, axis=0)
    worse = []
    for k, name in enumerate(columns):
        if apart[k] > part * size[k]:
            r = np.corrcoef(kept[:, k], result[:, k])[0, 1]
            worse.append(f"{name} by {apart[k]:.3g} of {size[k]:.3g}, r = {r:.4f}")
    assert not worse, "the block differs: " + "; ".join(worse)


def write(path, columns, rows):
    np.savetxt(path, rows, "%.7g", ",", header=",".join(columns), comments="")


def write_all():
    write(RIG_REFERENCE, RIG_COLUMNS, simulate_rig(*rig_at_start(), RIG_STOP, **RIG))
    with tempfile.TemporaryDirectory() as folder:
        for name, (_, stop) in RUNS.items():
            write(reference(name), COLUMNS, simulate(*vehicle_of(folder, name), stop))


if __name__ == "__main__":
    write_all()
