"""Every number of a body alone, against Newton and Euler with matrices; boxes on an axle."""

import numpy as np
import pytest
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import riders
from railblocks.engine import compiled
from railblocks.engine.functions.functions import interpreted
from scipy.spatial.transform import Rotation

PLAIN = {b.MASS: 3.0, b.I_XX: 2.0, b.I_YY: 2.0, b.I_ZZ: 2.0}
TERMS = {
    "mass": {b.MASS: 7.0},
    "I_xx": {b.I_XX: 2.9},
    "I_yy": {b.I_YY: 1.3},
    "I_zz": {b.I_ZZ: 2.6},
    "I_xy": {b.I_XY: 0.3},
    "I_yz": {b.I_YZ: -0.4},
    "I_xz": {b.I_XZ: 0.5},
    "c_x": {b.C_X: 0.2},
    "c_y": {b.C_Y: -0.3},
    "c_z": {b.C_Z: 0.4},
}
OTHERS = {b.AXLE, *range(b.HELD, b.HELD + 6), b.CARRIER, b.SIDE, b.RIDING_XX, b.RIDING_ZZ}
"""What is mounted, held or riding has tests of its own."""


def test_every_column_is_a_term():
    known = OTHERS | {column for term in TERMS.values() for column in term}
    assert known == set(range(b.COLUMNS))


def row(**more):
    out = np.zeros(b.COLUMNS)
    for column, value in PLAIN.items():
        out[column] = value
    for name in more:
        for column, value in TERMS[name].items():
            out[column] = value
    return out[None]


def textbook(body, q, F, M):
    """Accelerations of the reference point and of the rotation, in space."""
    R = Rotation.from_euler("ZXY", q[[b.PSI, b.PHI, b.THETA]]).as_matrix()
    f = Rotation.from_euler("ZX", q[[b.PSI, b.PHI]]).as_matrix()
    xx, yy, zz, xy, yz, xz = body[b.I_XX : b.I_XZ + 1]
    J = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    c, w = R @ body[b.C_X : b.C_Z + 1], f @ q[b.W_X : b.W_Z + 1]
    alpha = np.linalg.solve(J, M - np.cross(c, F) - np.cross(w, J @ w))
    a = F / body[b.MASS] - np.cross(alpha, c) - np.cross(w, np.cross(w, c))
    return a, alpha


@pytest.mark.parametrize("name", TERMS)
@pytest.mark.parametrize("seed", range(3))
def test_each_number_of_a_body_is_in_the_equations_of_newton_and_euler(name, seed):
    random = np.random.default_rng(seed)
    q, out, body = random.uniform(-0.9, 0.9, b.STATES), np.zeros(b.STATES), row(**{name: 1})
    F, M = random.uniform(-5, 5, (2, 3))
    b.add_load(out, 0, F, (0.0, 0.0, 0.0), M)
    b.accelerate(body, q, out)
    a, alpha = textbook(body[0], q, F, M)
    f = Rotation.from_euler("ZX", q[[b.PSI, b.PHI]])
    w_f = np.array([q[b.W_X], q[b.W_Z] * np.tan(q[b.PHI]), q[b.W_Z]])
    expected = f.inv().apply(alpha) - np.cross(w_f, q[b.W_X : b.W_Z + 1])
    assert out[b.V_X : b.V_Z + 1] == pytest.approx(a, rel=1e-11, abs=1e-12)
    assert out[b.W_X : b.W_Z + 1] == pytest.approx(expected, rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("name", TERMS)
def test_gravity_and_energy_belong_together(name):
    """The loads of gravity are the slope of the energy along each motion."""
    q, body, h = np.zeros(b.STATES), row(**{name: 1}), 1e-6
    q[[b.PSI, b.PHI, b.THETA]] = 0.4, -0.2, 0.3
    out = np.zeros(b.STATES)
    b.clear_loads(body, 9.81, q, out)
    for k in range(3):
        ahead, behind = q.copy(), q.copy()
        ahead[k] += h
        behind[k] -= h
        slope = (b.energy(body, 9.81, ahead) - b.energy(body, 9.81, behind)) / (2 * h)
        assert out[b.F_X + k] == pytest.approx(-slope, abs=1e-6)
        R = Rotation.from_euler("ZXY", q[[b.PSI, b.PHI, b.THETA]])
        sides = []
        for d in (h, -h):
            there = q.copy()
            turn = Rotation.from_rotvec(d * np.eye(3)[k]) * R
            there[[b.PSI, b.PHI, b.THETA]] = turn.as_euler("ZXY")
            sides.append(b.energy(body, 9.81, there))
        assert out[b.M_X + k] == pytest.approx(-(sides[0] - sides[1]) / (2 * h), abs=1e-6)


# --- boxes on an axle ----------------------------------------------------------------------------
def axle(xx=0.0, zz=0.0):
    body = row()
    body[0, [b.AXLE, b.RIDING_XX, b.RIDING_ZZ]] = 1.0, xx, zz
    return body


def motion(theta=0.0):
    q = np.zeros(b.STATES)
    q[[b.PSI, b.PHI, b.THETA]] = 0.3, 0.1, theta
    q[[b.W_X, b.W_Y, b.W_Z]] = 0.5, 40.0, -0.7
    return q


def accelerated(body, q, M):
    out = np.zeros(b.STATES)
    b.add_load(out, 0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), M)
    b.accelerate(body, q, out)
    return out


@pytest.mark.parametrize("theta", [0.7, 1.6, 3.0])
def test_boxes_do_not_turn_with_the_wheels(theta):
    """Unlike moments of inertia about x and z: the same at each angle of the axle."""
    M = np.array([3.0, -1.0, 2.0])
    here, there = (accelerated(axle(0.4, 1.9), motion(angle), M) for angle in (0.0, theta))
    assert there == pytest.approx(here, rel=1e-12)


def test_boxes_obey_lagrange():
    """With T = (I_xx phi'^2 + I_zz psi'^2 cos^2 phi) / 2 added to a round axle without spin.

    phi: (A + I_xx) phi'' + ((A - C) + I_zz) psi'^2 sin cos = Q_phi;  psi: d/dt of the momentum,
    ((A + I_zz) cos^2 phi + C sin^2 phi) psi', is Q_psi. Without moments about the axle.
    """
    A = C = 2.0
    r_x, r_z, phi, phi_1, psi_1 = 0.4, 1.9, 0.1, 0.5, -0.7
    q = np.zeros(b.STATES)
    q[b.PHI], q[b.W_X], q[b.W_Z] = phi, phi_1, psi_1 * np.cos(phi)
    q[b.W_Y] = psi_1 * np.sin(phi)
    body = axle(r_x, r_z)
    out = accelerated(body, q, np.zeros(3))
    c, s = np.cos(phi), np.sin(phi)
    phi_2 = -((A - C) + r_z) * psi_1**2 * s * c / (A + r_x)
    assert out[b.W_X] == pytest.approx(phi_2, rel=1e-12)
    psi_2 = (out[b.W_Z] + psi_1 * s * phi_1) / c
    theta_1, theta_2 = 0.0, out[b.W_Y] - psi_2 * s - psi_1 * c * phi_1
    momentum = (
        2.0 * ((C - A) - r_z) * s * c * phi_1 * psi_1 + ((A + r_z) * c * c + C * s * s) * psi_2
    )
    momentum += C * (theta_2 * s + theta_1 * c * phi_1)
    assert momentum == pytest.approx(0.0, abs=1e-12)
    assert C * (theta_2 + psi_2 * s + psi_1 * c * phi_1) == pytest.approx(0.0, abs=1e-12)


def test_boxes_keep_the_energy_of_a_free_axle():
    from scipy.integrate import solve_ivp

    body = axle(0.4, 1.9)
    result = solve_ivp(
        lambda _, q: accelerated(body, q.copy(), np.zeros(3)), (0, 1), motion(),
        method="DOP853", rtol=1e-11, atol=1e-12,
    )  # fmt: skip
    first, last = (b.energy(body, 0.0, result.y[:, k].copy()) for k in (0, -1))
    assert last == pytest.approx(first, rel=1e-10)


def test_the_acceleration_of_a_box_is_the_change_of_its_velocity():
    """Of a rolling, yawing axle under any loads; by differences of what place_riders says."""
    bodies = np.vstack([axle(0.4, 1.9), np.zeros((1, b.COLUMNS))])
    bodies[1, [b.I_YY, b.CARRIER, b.SIDE]] = 0.3, 1.0, 0.9
    q, h = np.append(motion(), np.zeros(b.STATES)), 1e-6
    q[b.V_X : b.V_Z + 1] = 3.0, -0.2, 0.1

    def rates(q):
        out = np.zeros_like(q)
        b.add_load(out, 0, (5.0, 3.0, -2.0), (0.0, 0.0, 0.0), (1.0, 2.0, -4.0))
        b.accelerate(bodies, q, out)
        return out

    rate, velocities = rates(q), []
    for d in (h, -h):
        later = q + d * rate
        riders.place_riders(bodies, later)
        velocities.append(later[b.STATES + b.V_X : b.STATES + b.V_Z + 1].copy())
    expected = (velocities[0] - velocities[1]) / (2 * h)
    for how in (compiled, interpreted):
        accelerations = how(riders.acceleration_on_axle)(q, rate, 0, 0.9)
        assert accelerations == pytest.approx(expected, abs=1e-6)
    assert np.abs(expected - rate[b.V_X : b.V_Z + 1]).max() > 0.5
