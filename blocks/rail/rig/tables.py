"""The MDM rig as tables of bodies and force elements, and its state at the start.

Bodies are the front and rear wheelset, the bogie and half of the car body, in this order. x points
forward from the bogie's middle, y to the left, z up from the axis of the rollers.
"""

import math

import numpy as np
from railblocks.blocks.rail.contact.geometry.detection import roller_dist
from railblocks.blocks.rail.contact.static_contact import at_rest
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el

FRONT, REAR, BOGIE, BODY = range(4)
BODIES = 4
STATES = b.STATES * BODIES + 4
"""Twelve of each body, then the angles and the speeds of the two roller axles."""
ANGLE, SPEED = b.STATES * BODIES, b.STATES * BODIES + 2


def body_table(v):
    """Rows of all bodies; unbalance moves a wheelset's centre of mass and tilts its inertia."""
    table = np.zeros((BODIES, b.COLUMNS))
    for axle, phase in ((FRONT, v["phase_w"][0]), (REAR, v["phase_w"][1])):
        e = v["me_w"] / v["m_w"]
        x, z = math.cos(phase), -math.sin(phase)
        table[axle, : b.AXLE + 1] = [
            v["m_w"], v["J_wx"], v["J_wy"], v["J_wx"], v["dJ_w"] * x, v["dJ_w"] * z, 0.0,
            e * x, 0.0, e * z, 1.0,
        ]  # fmt: skip
    table[BOGIE, : b.I_ZZ + 1] = v["m_b"], v["J_bx"], v["J_by"], v["J_bz"]
    table[BODY, : b.I_ZZ + 1] = v["m_c"], 1.0, 1.0, 1.0
    table[BOGIE, b.HELD] = 1.0
    table[BODY, [b.HELD, b.HELD + 1, b.HELD + 3]] = 1.0
    return table


def element_table(v):
    """Primary suspension of four axle boxes, secondary suspension of two sides, anti-roll bar."""
    rows = []
    upper = v["m_c"] * v["g"]
    box = (upper + v["m_b"] * v["g"]) / 4.0
    height = v["r_0"] - v["h_b"]
    for axle, side in ((FRONT, 1), (FRONT, -1), (REAR, 1), (REAR, -1)):
        x = v["a"] if axle == FRONT else -v["a"]
        row = np.zeros(el.COLUMNS)
        row[[el.I_BODY, el.J_BODY]] = axle, BOGIE
        row[el.P_I : el.P_I + 3] = 0.0, side * v["b_p"], 0.0
        row[el.P_J : el.P_J + 3] = x, side * v["b_p"], height
        row[el.K : el.K + 3], row[el.C : el.C + 3] = v["k_p"], v["c_p"]
        row[el.F_0 + 2] = -box
        rows.append(row)
    for side in (1, -1):
        row = np.zeros(el.COLUMNS)
        row[[el.I_BODY, el.J_BODY]] = BODY, BOGIE
        row[el.P_I : el.P_I + 3] = 0.0, side * v["b_s"], v["h_s"] - v["h_c"]
        row[el.P_J : el.P_J + 3] = 0.0, side * v["b_s"], v["h_s"] - v["h_b"]
        row[el.K : el.K + 3], row[el.C : el.C + 3] = v["k_s"], v["c_s"]
        row[el.F_0 + 2] = upper / 2.0
        row[el.K_R] = v["k_bend"] + (v["k_roll"] if side > 0 else 0.0)
        row[[el.STOP, el.STOP_AXIS]] = 0.5, 1
        row[el.STOP_LAST] = v["stops"] - 1
        rows.append(row)
    return np.array(rows)


def start(v, left, right):
    """All states at the start: axles at rest where the bogie was put, rolling at omega_init."""
    q = np.zeros(STATES)
    load = (v["m_c"] + v["m_b"] + 2.0 * v["m_w"]) * v["g"] / 2.0
    top, spread = v["R_0"] + v["r_0"], v["h"] * v["scale"]
    z, phi = at_rest(
        roller_dist, True, load, v["dG_x"], v["dG_y"], top, spread, v["E_star"], (left, right)
    )
    heights = {FRONT: v["r_0"], REAR: v["r_0"], BOGIE: v["h_b"], BODY: v["h_c"]}
    for body, height in heights.items():
        q[b.STATES * body + b.Z] = z + height - v["r_0"]
    for axle, x in ((FRONT, v["a"]), (REAR, -v["a"])):
        q[b.STATES * axle + b.X] = x
        q[b.STATES * axle + b.W_Y] = v["omega_init"]
        q[b.STATES * axle + b.PHI] = phi
    for body in (FRONT, REAR, BOGIE):
        q[b.STATES * body + b.X] += v["dG_x"]
        q[b.STATES * body + b.Y] += v["dG_y"]
    q[SPEED : SPEED + 2] = -v["omega_init"] * v["r_0"] / v["R_0"]
    q[ANGLE : ANGLE + 2] = v["phase_r"]
    return q
