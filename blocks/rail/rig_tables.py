"""The MDM rig as tables of bodies and force elements, and its state at the start.

Bodies are the front and rear wheelset, the bogie and half of the car body, in this order. x points
forward from the bogie's middle, y to the left, z up from the axis of the rollers.
"""

import math

import numpy as np
from railblocks.blocks.rail.geometry.detection import roller_dist
from railblocks.blocks.rail.geometry.spreading import spread_curvatures
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el
from railblocks.blocks.rail.tangential.laws import kalker_law
from railblocks.blocks.rail.wheel_contact import ROOM
from railblocks.blocks.rail.wheel_forces import COLUMNS, wheel_forces

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
        row[el.STOP] = 0.5
        rows.append(row)
    return np.array(rows)


def start(v, left, right):
    """All states at the start: static heights, offsets of the bogie, rolling at omega_init."""
    q = np.zeros(STATES)
    sunk = static_height(v, left, right)
    top = v["R_0"]
    heights = {FRONT: v["r_0"], REAR: v["r_0"], BOGIE: v["h_b"], BODY: v["h_c"]}
    for body, height in heights.items():
        q[b.STATES * body + b.Z] = top + height + sunk
    for axle, x in ((FRONT, v["a"]), (REAR, -v["a"])):
        q[b.STATES * axle + b.X] = x
        q[b.STATES * axle + b.W_Y] = v["omega_init"]
    for body in (FRONT, REAR, BOGIE):
        q[b.STATES * body + b.X] += v["dG_x"]
        q[b.STATES * body + b.Y] += v["dG_y"]
    q[SPEED : SPEED + 2] = -v["omega_init"] * v["r_0"] / v["R_0"]
    q[ANGLE : ANGLE + 2] = v["phase_r"]
    return q


def static_height(v, left, right):
    """How far the axles sink below touching nominal circles, under the weight of everything."""
    from scipy.optimize import brentq

    load = (v["m_c"] + v["m_b"] + 2.0 * v["m_w"]) * v["g"] / 2.0

    def excess(sunk):
        return sum(_lift(v, sunk, *side) for side in (left, right)) - load

    return brentq(excess, -5e-3 * v["scale"] - 2e-4, 2e-4, xtol=1e-13)


def _lift(v, sunk, tread, nodes, head):
    """Vertical contact force of one wheel at rest in the middle of the rollers."""
    found, rest = np.zeros((ROOM, COLUMNS)), np.zeros(3)
    F, M = np.zeros(3), np.zeros(3)
    z = v["r_0"] + v["R_0"] + sunk
    count = roller_dist(0.0, 0.0, z, 0.0, 0.0, tread, nodes, head, 0.0, found)
    spread_curvatures(found, count, tread, head, True, v["h"] * v["scale"])
    bodies = (v["E_star"], 0.0, v["V_min"], 0.0)
    wheel_forces(
        kalker_law, count, found, (0.0, 0.0, z), rest, rest, 0.0, bodies, v["constants"],
        v["table"], v["fields"], F, M,
    )  # fmt: skip
    return F[2]
