"""States of the blocks and motions in space, each from the other; states to compare at.

`rail.vehicle` keeps s, y, z of each body along and beside the line, then, in space, yaw, roll and
pitch of R = R_z R_x R_y, the velocity, and the angular velocity in the axes R_z R_x; after all
bodies, the way of each damper that has a stiffness in series, first body over second. The rig has
x, y, z in space, and after its bodies angles and speeds of the rollers.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from .line import cross, times, turn_x, turn_y, turn_z

STATES = 12


def rows_of(q, bodies):
    """States of bodies, a row for each."""
    return q[: STATES * bodies].reshape(bodies, STATES)


def motion_of(line, q, bodies):
    """r, R, v, omega in space, and x of the dampers, from the vehicle's states."""
    rows = rows_of(q, bodies)
    s, y, z = rows[:, :3].T
    middle, axes, _, _ = line.axes(s)
    r = middle + times(axes, np.column_stack([np.zeros_like(y), y, z]))
    return r, *turning_of(rows), -q[STATES * bodies :]


def turning_of(rows):
    """R, v and omega in space."""
    psi, phi, theta = rows[:, 3:6].T
    R_f = turn_z(psi) @ turn_x(phi)
    return R_f @ turn_y(theta), rows[:, 6:9].copy(), times(R_f, rows[:, 9:])


def states_of(line, s, r, R, v, omega, x):
    """The vehicle's states, from motions in space; s is a guess."""
    s, beside, _ = line.beside(r, s)
    rows = np.column_stack([s, beside, turning_states(R, v, omega)])
    return np.concatenate([rows.ravel(), -x])


def turning_states(R, v, omega):
    """Columns of angles, velocities and angular velocities."""
    axle = R[:, :, 1]
    psi, phi = np.arctan2(-axle[:, 0], axle[:, 1]), np.arcsin(axle[:, 2])
    theta = np.arctan2(-R[:, 2, 0], R[:, 2, 2])
    own = times(np.swapaxes(turn_z(psi) @ turn_x(phi), 1, 2), omega)
    return np.column_stack([psi, phi, theta, v, own])


def accelerations_of(q, q_dot, bodies):
    """v' and omega' in space, and x', from the block's states and their rates."""
    rows, rates = rows_of(q, bodies), rows_of(q_dot, bodies)
    psi, phi, own = rows[:, 3], rows[:, 4], rows[:, 9:]
    R_f = turn_z(psi) @ turn_x(phi)
    turning = np.column_stack([own[:, 0], own[:, 2] * np.tan(phi), own[:, 2]])
    alpha = times(R_f, rates[:, 9:] + cross(turning, own))
    return rates[:, 6:9], alpha, -q_dot[STATES * bodies :]


def velocities_of(line, q, q_dot, bodies):
    """v and omega in space that the rates of places and angles mean."""
    s, y, z, psi, phi = rows_of(q, bodies)[:, :5].T
    s_1, y_1, z_1, psi_1, phi_1, theta_1 = rows_of(q_dot, bodies)[:, :6].T
    _, axes, ahead, w = line.axes(s)
    zero = np.zeros_like(s)
    out = times(axes, np.column_stack([zero, y, z]))
    v = (ahead + cross(w, out)) * s_1[:, None] + times(axes, np.column_stack([zero, y_1, z_1]))
    own = np.column_stack([phi_1, theta_1 + psi_1 * np.sin(phi), psi_1 * np.cos(phi)])
    return v, times(turn_z(psi) @ turn_x(phi), own)


def pose(vehicle, s):
    """Places and attitudes of all bodies of a vehicle that stands on its line with its middle at s.

    Bogies and wheelsets stand as the sleepers do, the body lies on its two bogies.
    """
    places = vehicle.places
    middle, R, _, _ = vehicle.line.axes(s + places[:, 0])
    up = np.column_stack([np.zeros((len(places), 2)), places[:, 2]])
    r = middle + times(R, up)
    first, second = vehicle.frames[0], vehicle.frames[-1]
    ends = [r[k] + R[k] @ [0.0, 0.0, places[0, 2] - places[k, 2]] for k in (first, second)]
    x = (ends[0] - ends[1]) / np.linalg.norm(ends[0] - ends[1])
    y = np.cross(R[first][:, 2] + R[second][:, 2], x)
    y /= np.linalg.norm(y)
    r[0], R[0] = 0.5 * (ends[0] + ends[1]), np.column_stack([x, y, np.cross(x, y)])
    return r, R


def running(vehicle, s, v, step=1e-4):
    """Motion of a vehicle that keeps to its line at the speed v; wheels roll."""
    (r_0, R_0), (r, R), (r_1, R_1) = (pose(vehicle, s + k * step) for k in (-1, 0, 1))
    turn = Rotation.from_matrix(R_1 @ np.swapaxes(R_0, 1, 2)).as_rotvec()
    omega = turn * v / (2.0 * step)
    omega[vehicle.axles] += v / vehicle.r_0 * R[vehicle.axles][:, :, 1]
    return r, R, (r_1 - r_0) * v / (2.0 * step), omega, np.zeros(vehicle.elements.states)


def riding(vehicle, motion):
    """The motion with its axle boxes on their axles, as upright as they are; see `boxes.py`."""
    r, R, v, omega, x = motion
    for axle, riders in vehicle.riders.items():
        a = R[axle][:, 1]
        for k in riders:
            out = (vehicle.places[k, 1] - vehicle.places[axle, 1]) * a
            z = np.cross(R[k][:, 0], a)
            z /= np.linalg.norm(z)
            r[k], R[k] = r[axle] + out, np.column_stack([np.cross(a, z), a, z])
            v[k] = v[axle] + np.cross(omega[axle], out)
            omega[k] = omega[axle] + a * (a @ (omega[k] - omega[axle]))
    return r, R, v, omega, x


def seated(vehicle, motion, approach):
    """The motion with its wheelsets raised and rolled until each wheel's approach is as given."""
    r, R, v, omega, x = (values.copy() for values in motion)
    k = vehicle.axles
    for _ in range(30):
        vehicle.s = None
        missing = (approach - vehicle.wheels(r, R, v, omega)[2]["delta"]).reshape(-1, 2)
        r[k, 2] -= missing.mean(axis=1)
        axle = R[k][:, :, 1]
        forward = np.column_stack([axle[:, 1], -axle[:, 0], np.zeros(len(k))])
        roll = -(missing[:, 0] - missing[:, 1]) / (2.0 * vehicle.y_0)
        R[k] = Rotation.from_rotvec(forward * roll[:, None]).as_matrix() @ R[k]
    vehicle.s = None
    return riding(vehicle, (r, R, v, omega, x))


def shaken(vehicle, motion, rng, size=1.0):
    """The motion, with random displacements and velocities of all bodies.

    Bodies are displaced by millimetres and milliradians and shaken by centimetres a second, wheels
    slide by a thousandth and bear three quarters to five quarters of a load of 55 kN.
    """
    r, R, v, omega, x = motion
    n = len(r)
    sizes = size * np.where(np.isin(np.arange(n), vehicle.axles), 0.4, 1.0)[:, None]
    turn = sizes * rng.normal(size=(n, 3)) * 4e-3
    turn[0, 1:] *= 0.1  # the ends of a long body are far away
    R = Rotation.from_rotvec(turn).as_matrix() @ R
    r = r + sizes * rng.normal(size=(n, 3)) * [1e-3, 6e-3, 4e-3]
    v = v + sizes * rng.normal(size=(n, 3)) * [0.02, 0.05, 0.02]
    omega = omega + sizes * rng.normal(size=(n, 3)) * 0.02
    k = vehicle.axles
    slide = size * rng.normal(size=(len(k), 1)) * 1e-3
    omega[k] += slide * np.einsum("nij,nj->ni", R[k], np.array([[0.0, 40.0, 0.0]] * len(k)))
    spun = Rotation.from_rotvec(R[k][:, :, 1] * rng.uniform(0.0, 6.0, (len(k), 1)))
    R = R.copy()
    R[k] = spun.as_matrix() @ R[k]
    x = x + size * rng.normal(size=len(x)) * 1e-4
    approach = 7.2e-5 * rng.uniform(0.75, 1.25, 2 * len(k)) ** (2.0 / 3.0)
    return seated(vehicle, (r, R, v, omega, x), approach)
