"""Kernels that read bodies and contacts: what outputs show of them."""

from railblocks.blocks.rail.contact.wheel_forces import DELTA, LOAD, T_X, T_Y

from .bodies import STATES

PATCH = 10
"""Numbers of a patch: approach, load, semi-axes, creepages, creep forces and spin moment."""


def read_positions(q, positions):
    """Position and angles of each body."""
    for body in range(len(positions)):
        for k in range(6):
            positions[body, k] = q[STATES * body + k]


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
