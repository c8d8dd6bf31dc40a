"""Kernels that read bodies and contacts: what outputs show of them."""

import math

from railblocks.blocks.rail.contact.wheel_forces import DELTA, LOAD, T_X, T_Y

from .bodies import PHI, STATES, V_X, V_Y, V_Z, W_X, W_Y, W_Z, axes, cross, turned

PATCH = 10
"""Numbers of a patch: approach, load, semi-axes, creepages, creep forces and spin moment."""


def read_positions(q, positions):
    """Position and angles of each body."""
    for body in range(len(positions)):
        for k in range(6):
            positions[body, k] = q[STATES * body + k]


def acceleration_at(q, rates, body, arm):
    """Acceleration in space of a point that moves with a body, at an arm from its reference.

    a + alpha x r + omega x (omega x r), with alpha from the rates in the axes before pitch.
    """
    o = STATES * body
    R, w_z = axes(q, body), q[o + W_Z]
    w = (q[o + W_X], q[o + W_Y], w_z)
    turn = cross((w[0], w_z * math.tan(q[o + PHI]), w_z), w)
    alpha = turned(R, rates[o + W_X] + turn[0], rates[o + W_Y] + turn[1], rates[o + W_Z] + turn[2])
    w = turned(R, w[0], w[1], w[2])
    swept, bent = cross(alpha, arm), cross(w, cross(w, arm))
    return (
        rates[o + V_X] + swept[0] + bent[0],
        rates[o + V_Y] + swept[1] + bent[1],
        rates[o + V_Z] + swept[2] + bent[2],
    )


def sum_contacts(contacts, N, T_x, T_y):
    """Forces of all contacts of each wheel."""
    for wheel in range(len(N)):
        N[wheel], T_x[wheel], T_y[wheel] = 0.0, 0.0, 0.0
        for k in range(contacts.shape[1]):
            N[wheel] += contacts[wheel, k, LOAD]
            T_x[wheel] += contacts[wheel, k, T_X]
            T_y[wheel] += contacts[wheel, k, T_Y]


def read_patches(contacts, patches):
    """The contact of each wheel that bears most; zeros for a wheel that has lifted."""
    for wheel in range(len(contacts)):
        most = 0
        for k in range(1, contacts.shape[1]):
            if contacts[wheel, k, LOAD] > contacts[wheel, most, LOAD]:
                most = k
        for k in range(PATCH):
            patches[wheel, k] = contacts[wheel, most, DELTA + k]
