"""The MDM rig as tables of bodies, force elements and axles, and its state at the start.

Bodies are the front and rear wheelset, the bogie and half of the car body, in this order. x points
forward from the bogie's middle, y to the left, z up from the axis of the rollers.
"""

import math

import numpy as np
from railblocks.blocks.rail.contact.geometry.detection import roller_dist
from railblocks.blocks.rail.contact.normal_contacts import spread_contacts
from railblocks.blocks.rail.contact.static_contact import at_rest
from railblocks.blocks.rail.multibody import bodies, elements

FRONT, REAR, BOGIE, BODY = range(4)
BODIES = 4
STATES = bodies.STATES * BODIES + 4
"""Twelve of each body, then the angles and the speeds of the two roller axles. Dampers of axle
boxes that have a stiffness in series follow, with one state for each axis."""
ANGLE, SPEED = bodies.STATES * BODIES, bodies.STATES * BODIES + 2


def body_table(masses):
    """Rows of all bodies; unbalance moves a wheelset's centre of mass and tilts its inertia."""
    table = np.zeros((BODIES, bodies.COLUMNS))
    e = masses.me_w / masses.m_w
    for axle, phase in ((FRONT, masses.phase_w[0]), (REAR, masses.phase_w[1])):
        x, z = math.cos(phase), -math.sin(phase)
        table[axle, : bodies.AXLE + 1] = [
            masses.m_w, masses.J_wx, masses.J_wy, masses.J_wx,
            masses.dJ_w * x, masses.dJ_w * z, 0.0, e * x, 0.0, e * z, 1.0,
        ]  # fmt: skip
    table[BOGIE, : bodies.I_ZZ + 1] = masses.m_b, masses.J_bx, masses.J_by, masses.J_bz
    table[BODY, : bodies.I_ZZ + 1] = masses.m_c, 1.0, 1.0, 1.0
    table[BOGIE, bodies.HELD] = 1.0
    table[BODY, [bodies.HELD, bodies.HELD + 1, bodies.HELD + 3]] = 1.0
    return table


def element_table(masses, dimensions, suspension, g, stop):
    """Primary suspension of four axle boxes, secondary suspension of two sides, anti-roll bar.

    Both sides share one stop: each has half of its force.
    """
    rows = []
    inner = np.count_nonzero(suspension.k_ps)
    upper = masses.m_c * g
    box = (upper + masses.m_b * g) / 4.0
    for axle, side in ((FRONT, 1), (FRONT, -1), (REAR, 1), (REAR, -1)):
        x = dimensions.a if axle == FRONT else -dimensions.a
        row = np.zeros(elements.COLUMNS)
        row[[elements.I_BODY, elements.J_BODY]] = axle, BOGIE
        _put(row, elements.P_I, (0.0, side * dimensions.b_p, 0.0))
        _put(row, elements.P_J, (x, side * dimensions.b_p, dimensions.r_0 - dimensions.h_b))
        _put(row, elements.K, suspension.k_p)
        _put(row, elements.C, suspension.c_p)
        _put(row, elements.SERIES, suspension.k_ps)
        row[elements.INNER] = STATES + inner * len(rows)
        row[elements.F_0 + 2] = -box
        rows.append(row)
    for side in (1, -1):
        row = np.zeros(elements.COLUMNS)
        row[[elements.I_BODY, elements.J_BODY]] = BODY, BOGIE
        _put(row, elements.P_I, (0.0, side * dimensions.b_s, dimensions.h_s - dimensions.h_c))
        _put(row, elements.P_J, (0.0, side * dimensions.b_s, dimensions.h_s - dimensions.h_b))
        _put(row, elements.K, suspension.k_s)
        _put(row, elements.C, suspension.c_s)
        row[elements.F_0 + 2] = upper / 2.0
        row[elements.K_R] = suspension.k_bend + (suspension.k_roll if side > 0 else 0.0)
        row[[elements.STOP, elements.STOP_AXIS, elements.STOP_LAST]] = 0.5, 1, len(stop) - 1
        rows.append(row)
    return np.array(rows)


def _put(row, column, three):
    row[column : column + 3] = three


def axle_table(reaction):
    """Rows of both axles: motors hang in the bogie, which takes a part of their torque."""
    return np.array([[FRONT, BOGIE, reaction], [REAR, BOGIE, reaction]], float)


def start_states(masses, dimensions, start, dampers, g, spread, E_star, sides):
    """All states at the start: axles at rest where the bogie was put, rolling at omega_init.

    `dampers` have states of their own. Curvatures are means over `spread`; `sides` are the profiles
    of left and right wheels.
    """
    q = np.zeros(STATES + dampers)
    load = (masses.m_c + masses.m_b + 2.0 * masses.m_w) * g / 2.0
    top = dimensions.R_0 + dimensions.r_0
    z, phi = at_rest(
        roller_dist, spread_contacts, True, load, start.dG_x, start.dG_y, top, spread, E_star, sides
    )  # fmt: skip
    radius = dimensions.r_0
    heights = {FRONT: radius, REAR: radius, BOGIE: dimensions.h_b, BODY: dimensions.h_c}
    for body, height in heights.items():
        q[bodies.STATES * body + bodies.Z] = z + height - radius
    for axle, x in ((FRONT, dimensions.a), (REAR, -dimensions.a)):
        q[bodies.STATES * axle + bodies.X] = x
        q[bodies.STATES * axle + bodies.W_Y] = start.omega_init
        q[bodies.STATES * axle + bodies.PHI] = phi
    for body in (FRONT, REAR, BOGIE):
        q[bodies.STATES * body + bodies.X] += start.dG_x
        q[bodies.STATES * body + bodies.Y] += start.dG_y
    q[SPEED : SPEED + 2] = -start.omega_init * dimensions.r_0 / dimensions.R_0
    q[ANGLE : ANGLE + 2] = start.phase_r
    return q
