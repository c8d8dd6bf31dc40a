"""Axle boxes that ride on axles: conservation, and the same motion with joints as constraints."""

import numpy as np
import pytest
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el
from railblocks.blocks.rail.multibody import riders
from railblocks.blocks.rail.vehicle.description import Body, Vehicle, Wheelset
from railblocks.blocks.rail.vehicle.files import vehicle_named
from railblocks.blocks.rail.vehicle.static_loads import axle_loads, static_loads
from railblocks.blocks.rail.vehicle.tables import body_table, element_table
from railblocks.engine import compiled
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from vehicle_alone import rates

COACH = vehicle_named("uic_z1")
AXLE = Body("axle", 1300.0, (800.0, 160.0, 800.0), (0.0, 0.0, 0.0))
BOXES = [
    Body("left", 200.0, (12.0, 9.0, 12.0), (0.0, 1.0, 0.0), "axle"),
    Body("right", 150.0, (7.0, 5.0, 7.0), (0.0, -0.8, 0.0), "axle"),
]
"""Round about their axis, as the riders' equations take them."""
ALONE = Vehicle("axle", 0.4, 1.5, "s1002", (AXLE, *BOXES), (), (Wheelset("axle", "left"),))
SIDES = np.array([0.0, 1.0, -0.8])
NO_STOP = np.array([[0.0, 0.0], [1.0, 0.0]])


def link(i, j, p_i, p_j, k):
    row = np.zeros(el.COLUMNS)
    row[[el.I_BODY, el.J_BODY]] = i, j
    row[el.P_I : el.P_I + 3], row[el.P_J : el.P_J + 3], row[el.K : el.K + 3] = p_i, p_j, k
    return row


BETWEEN = link(1, 2, (0.4, -0.3, 0.1), (0.3, 0.2, 0.1), (3e4, 2e4, 5e4))
"""A spring from box to box: both swing against each other, and nothing comes from outside."""
TO_GROUND = link(1, -1, (0.5, 0.0, -0.2), (0.4, 1.1, 0.0), (4e5, 2e5, 3e5))


def free_axle(links, g):
    """Rates of the axle with its boxes, as the vehicle has them, in space."""
    table, links = body_table(ALONE), np.array(links)

    def rates(_, q):
        q, out = q.copy(), np.zeros_like(q)
        compiled(riders.place_riders)(table, q)
        compiled(b.clear_loads)(table, g, q, out)
        compiled(el.add_elements)(q, table, links, NO_STOP, out)
        compiled(riders.hand_over)(table, q, out)
        compiled(b.accelerate)(table, q, out)
        return out

    return table, rates


def tumbling():
    """Spin, yaw, roll and all velocities at once; the boxes turn against the axle."""
    q = np.zeros(3 * b.STATES)
    q[b.PSI], q[b.PHI] = 0.4, 0.15
    q[b.V_X : b.V_Z + 1] = 3.0, -1.0, 0.5
    q[[b.W_X, b.W_Y, b.W_Z]] = 0.5, 60.0, -0.7
    q[b.STATES + b.THETA], q[b.STATES + b.W_Y] = 0.2, 1.5
    q[2 * b.STATES + b.THETA], q[2 * b.STATES + b.W_Y] = -0.3, -2.0
    return q


def frame(q):
    return Rotation.from_euler("ZX", q[[b.PSI, b.PHI]]).as_matrix()


def momentum(q):
    """Angular momentum about the origin, body by body."""
    R, total = frame(q), np.zeros(3)
    for k, body in enumerate((AXLE, *BOXES)):
        omega = np.array([q[b.W_X], q[b.STATES * k + b.W_Y], q[b.W_Z]])
        arm = R @ [0.0, SIDES[k], 0.0]
        v = q[b.V_X : b.V_Z + 1] + np.cross(R @ omega, arm)
        total += body.mass * np.cross(q[: b.Z + 1] + arm, v) + R @ (np.array(body.inertia) * omega)
    return total


def test_a_free_axle_with_boxes_keeps_energy_and_momentum():
    table, rates = free_axle([BETWEEN], 0.0)
    motion = solve_ivp(rates, (0, 0.4), tumbling(), method="DOP853", rtol=1e-11, atol=1e-12)
    first, last = (motion.y[:, k].copy() for k in (0, -1))
    energies = []
    for q in (first, last):
        riders.place_riders(table, q)
        spring = el.elastic_energy(q, table, np.array([BETWEEN]), NO_STOP)
        energies.append(b.energy(table, 0.0, q) + spring)
    assert np.ptp(motion.y[b.STATES + b.THETA]) > 0.3
    assert energies[1] == pytest.approx(energies[0], rel=1e-10)
    assert momentum(last) == pytest.approx(momentum(first), rel=1e-9)


def test_accelerations_are_those_of_three_bodies_with_two_hinges():
    """Newton and Euler for each body in full, hinges by Lagrange's multipliers."""
    g, q = 9.81, tumbling()
    table, rates = free_axle([TO_GROUND, BETWEEN], g)
    riders.place_riders(table, q)
    loads = np.zeros_like(q)
    el.add_elements(q, table, np.array([TO_GROUND, BETWEEN]), NO_STOP, loads)
    R = frame(q)
    n_1, axis, n_2 = R.T
    turn = R @ [q[b.W_X], q[b.W_Z] * np.tan(q[b.PHI]), q[b.W_Z]]
    spin = [R @ [q[b.W_X], q[b.STATES * k + b.W_Y], q[b.W_Z]] for k in range(3)]
    M, f, G, h = np.zeros((18, 18)), np.zeros(18), np.zeros((10, 18)), np.zeros(10)
    for k, body in enumerate((AXLE, *BOXES)):
        J, here = R @ np.diag(body.inertia) @ R.T, slice(6 * k, 6 * k + 6)
        load = loads[b.STATES * k + 6 : b.STATES * k + 12]
        M[here, here] = np.block([[body.mass * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), J]])
        f[here] = load - [0, 0, body.mass * g, *np.cross(spin[k], J @ spin[k])]
    for k in (1, 2):
        arm, rows = SIDES[k] * axis, slice(5 * k - 5, 5 * k - 2)
        G[rows, 6 * k : 6 * k + 3], G[rows, 0:3] = np.eye(3), -np.eye(3)
        G[rows, 3:6] = [[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]]
        h[rows] = np.cross(spin[0], np.cross(spin[0], arm))
        for row, n in ((5 * k - 2, n_1), (5 * k - 1, n_2)):
            G[row, 6 * k + 3 : 6 * k + 6], G[row, 3:6] = n, -n
            h[row] = -(spin[k] - spin[0]) @ np.cross(turn, n)
    a = np.linalg.solve(np.block([[M, G.T], [G, np.zeros((10, 10))]]), np.append(f, h))
    expected = [a[0:3]]
    for k in range(3):
        expected.append(R.T @ (a[6 * k + 3 : 6 * k + 6] - np.cross(turn, spin[k])))
    rate = rates(0.0, q)
    assert rate[b.V_X : b.V_Z + 1] == pytest.approx(expected[0], rel=1e-9)
    assert rate[b.W_X : b.W_Z + 1] == pytest.approx(expected[1], rel=1e-9)
    for k in (1, 2):
        assert rate[b.STATES * k + b.W_Y] == pytest.approx(expected[1 + k][1], rel=1e-9)


def test_the_coach_has_fifty_degrees_of_freedom():
    table = body_table(COACH)
    riding = table[:, b.CARRIER] > 0
    assert np.where(riding, 1, 6).sum() == 50
    assert table[:, b.MASS].sum() == COACH.mass == 41800.0


def test_the_coach_stands_as_its_weight_says():
    g = 9.81
    assert axle_loads(COACH, g) == pytest.approx(np.array([[COACH.mass * g / 4, 0]] * 4), abs=1e-6)
    names = [e.name for e in COACH.elements]
    loads = dict(zip(names, static_loads(COACH, g).forces[:, 2], strict=True))
    assert loads["secondary_1_l"] == pytest.approx(-29000 * g / 4)
    assert loads["primary_3"] == pytest.approx(-(29000 / 2 + 3000) * g / 4)
    assert loads["bushing_ahead_1"] == 0.0
    assert len(element_table(COACH)[0]) == len(names)


@pytest.mark.slow
def test_at_rest_the_coach_does_not_move():
    standing = rates(vehicle="uic_z1", v_0="0 m/s")
    assert np.abs(standing(standing.start)).max() < 1e-9
