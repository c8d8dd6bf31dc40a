"""Kernels of the MDM rig: contacts of its four wheels, loads on its bodies, rates of its states."""

from railblocks.blocks.rail.contact.geometry.detection import roller_dist
from railblocks.blocks.rail.contact.geometry.spreading import spread_curvatures
from railblocks.blocks.rail.contact.tangential.laws import kalker_law
from railblocks.blocks.rail.contact.wheel_forces import LOAD, T_X, T_Y, wheel_forces
from railblocks.blocks.rail.multibody.bodies import (
    PHI,
    PSI,
    STATES,
    V_X,
    V_Y,
    V_Z,
    W_X,
    W_Y,
    W_Z,
    X,
    Y,
    Z,
    accelerate,
    add_load,
    axes,
    clear_loads,
    turned,
)
from railblocks.blocks.rail.multibody.elements import add_elements
from railblocks.blocks.rail.rig.tables import ANGLE, BOGIE, SPEED


def wheel_on_roller(q, axle, x, law, tread, nodes, head, constants, table, found, load):
    """Contacts of one wheel, in `found`; force and moment on its axle in `load`.

    The result is the torque on the roller; its axis lies at x.
    """
    E_star, c, V_min, mu, h = law
    o = STATES * axle
    G = (q[o + X] - x, q[o + Y], q[o + Z])
    v = (q[o + V_X], q[o + V_Y], q[o + V_Z])
    omega = turned(axes(q, axle), q[o + W_X], q[o + W_Y], q[o + W_Z])
    n = roller_dist(G[0], G[1], G[2], q[o + PSI], q[o + PHI], tread, nodes, head, 0.0, found)
    spread_curvatures(found, n, tread, head, True, h)
    bodies = (E_star, c, V_min, mu)
    return wheel_forces(
        kalker_law, n, found, G, v, omega, q[SPEED + axle], bodies, constants, table,
        load[0:3], load[3:6],
    )  # fmt: skip


def wheel_sums(contacts, N, T_x, T_y):
    """Forces of all contacts of each wheel."""
    for k in range(len(N)):
        N[k], T_x[k], T_y[k] = 0.0, 0.0, 0.0
        for i in range(contacts.shape[1]):
            N[k] += contacts[k, i, LOAD]
            T_x[k] += contacts[k, i, T_X]
            T_y[k] += contacts[k, i, T_Y]


def read_states(q, Omega, omega_w, G_y, alpha, positions):
    """Speeds, displacements and positions among the states."""
    for k in range(2):
        Omega[k] = q[SPEED + k]
        omega_w[k] = q[STATES * k + W_Y]
        G_y[k] = q[STATES * k + Y]
        alpha[k] = q[STATES * k + PSI]
    for body in range(len(positions)):
        for k in range(6):
            positions[body, k] = q[STATES * body + k]


def rig_rates(q, C_S, u, loads, M_r, J_r, g, reaction, bodies, elements, stop, rates):
    """Rates of all states, from gravity, suspension, contacts and torques."""
    clear_loads(bodies, g, q, rates)
    add_elements(q, bodies, elements, stop, rates)
    none = (0.0, 0.0, 0.0)
    for k in range(len(loads)):
        F = (loads[k, 0], loads[k, 1], loads[k, 2])
        add_load(rates, k // 2, F, none, (loads[k, 3], loads[k, 4], loads[k, 5]))
    for axle in range(2):
        drive = turned(axes(q, axle), 0.0, C_S[axle], 0.0)
        add_load(rates, axle, none, none, drive)
        back = (-reaction * drive[0], -reaction * drive[1], -reaction * drive[2])
        add_load(rates, BOGIE, none, none, back)
        rates[ANGLE + axle] = q[SPEED + axle]
        rates[SPEED + axle] = (M_r[axle] + u[axle]) / J_r
    accelerate(bodies, q, rates)
