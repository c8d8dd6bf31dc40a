"""A wheelset at constant speed as a serial chain, by decoupled natural orthogonal complements."""

import math

import numpy as np
from railblocks.blocks.rail.multibody.bodies import cross, turned
from railblocks.blocks.rail.multibody.chain import (
    AT,
    AXIS,
    COLUMNS,
    INERTIA,
    KIND,
    MASS,
    MOTION,
    SLIDES,
    T,
    attitude,
    complement,
    plus,
    vector,
)
from railblocks.blocks.rail.multibody.chain_dynamics import chain_terms
from railblocks.blocks.rail.wheelset.on_track import LEFT, RIGHT, WheelsetOnTrack, creep_force
from railblocks.blocks.rail.wheelset.shape import (
    HEIGHT,
    ROLL,
    contact_on_axle,
    hang,
    spin,
    value_and_slopes,
)
from railblocks.engine.declaration import Block, Derived, Out, Record, derive, out

ALONG, YAW, ASIDE, LENGTH, TILT, SPIN = range(6)
JOINTS = 6
"""Link 1 of the paper moves along the track and yaws (z), its end is the roll centre: to the side
(y) and up (z); link 2 rolls there (x), link 3 is the wheelset on its axle (y)."""
WHEELSET = SPIN
ANGLE, RATE, SHARE, GUIDED = range(4)


def guide(V, y, psi, y_dot, psi_dot, arm, profile, y_max, joints):
    """Joints that profiles guide: theta, theta', d theta/d y, and theta'' without y'' and psi''."""
    u, k = y / y_max, 1.0 / y_max
    phi, dphi, ddphi = value_and_slopes(profile, ROLL, u)
    z, dz, ddz = value_and_slopes(profile, HEIGHT, u)
    dphi, ddphi, dz, ddz = k * dphi, k * k * ddphi, k * dz, k * k * ddz
    c, s = arm * math.cos(phi), arm * math.sin(phi)
    for row in range(4):
        for joint in range(JOINTS):
            joints[row, joint] = 0.0
    joints[ANGLE, YAW], joints[ANGLE, TILT] = psi, phi
    joints[ANGLE, ASIDE], joints[ANGLE, LENGTH] = y - s, z + c
    joints[SHARE, ASIDE], joints[SHARE, LENGTH] = 1.0 - c * dphi, dz - s * dphi
    joints[SHARE, TILT] = dphi
    joints[GUIDED, ASIDE] = (s * dphi * dphi - c * ddphi) * y_dot * y_dot
    joints[GUIDED, LENGTH] = (ddz - c * dphi * dphi - s * ddphi) * y_dot * y_dot
    joints[GUIDED, TILT] = ddphi * y_dot * y_dot
    for joint in range(JOINTS):
        joints[RATE, joint] = joints[SHARE, joint] * y_dot
    omega, by_u = spin(profile, u, V)
    joints[RATE, ALONG], joints[RATE, YAW], joints[RATE, SPIN] = V, psi_dot, omega
    joints[GUIDED, SPIN] = k * by_u * y_dot


def slide_and_push(V, grip, W, psi, u, profile, links, wrench, T_x, T_y):
    """Creep forces from the wheelset's twist, and the wrench of them and of the weight."""
    A = attitude(links, WHEELSET)
    omega, v = vector(links, WHEELSET, T), vector(links, WHEELSET, T + 3)
    c, s = math.cos(psi), math.sin(psi)
    for k in range(6):
        wrench[k] = 0.0
    wrench[5] = -W
    for k in range(2):
        position, r = contact_on_axle(profile, u, LEFT if k == 0 else RIGHT)
        reach = turned(A, 0.0, position, -r)
        at = plus(v, cross(omega, reach))
        v_x, v_y = c * at[0] + s * at[1], c * at[1] - s * at[0]
        T_x[k], T_y[k] = creep_force(v_x, v_y, V, grip)
        F = (c * T_x[k] - s * T_y[k], s * T_x[k] + c * T_y[k], 0.0)
        M = cross(reach, F)
        wrench[0] += M[0]
        wrench[1] += M[1]
        wrench[2] += M[2]
        wrench[3] += F[0]
        wrench[4] += F[1]


def reduced(joints, GIM, h, N, wrench, Q_y, Q_psi):
    """y'' and psi'' of the chain whose other joints are guided."""
    m_yy, m_yp = 0.0, 0.0
    for i in range(JOINTS):
        push = -h[i]
        for k in range(6):
            push += N[WHEELSET, k, i] * wrench[k]
        row = 0.0
        for j in range(JOINTS):
            row += GIM[i, j] * joints[SHARE, j]
        m_yy += joints[SHARE, i] * row
        m_yp += row if i == YAW else 0.0
        Q_y += joints[SHARE, i] * push
        Q_psi += push if i == YAW else 0.0
    m_pp = GIM[YAW, YAW]
    det = m_yy * m_pp - m_yp * m_yp
    return (m_pp * Q_y - m_yp * Q_psi) / det, (m_yy * Q_psi - m_yp * Q_y) / det


class DenocWheelset(WheelsetOnTrack, Block):
    """Wheelset at constant speed, sway and yaw, as a serial chain by DeNOC.

    t = N theta',  N = N_l N_d,  GIM = N^T M N                             (1)
    theta' = S (y', psi') + theta_V',  S by the profiles, theta_V' by V    (2)
    S^T GIM S (y'', psi'') = S^T (N^T w - h)
      + (F_y - k_y y - c_y y',  M_z - k_psi psi - c_psi psi')              (3)

    theta are six joints: along the track, yaw, roll centre to the side and up, roll, spin. The
    position of the roll centre, and so the length of link 1, follows y by the profiles. w holds
    creep forces and weight at the wheelset, h Coriolis and guided terms. Ports, parameters and
    results are those of rail.free_wheelset, where creep forces are described. Source: vishnu, Eqs 1
    to 5, with (H N)^T as projection, since N spans the null space of the constraints.
    """

    symbol = "DeNOC"
    joints = Out("1", "joints: position, rate, share of y, guided part; SI", shape=(4, JOINTS))
    motion = Out("1", "poses, twists, wrenches and masses of all links, SI", shape=(JOINTS, MOTION))
    N = Out("1", "twists of links by rates of joints, SI", shape=(JOINTS, 6, JOINTS))
    GIM = Out("1", "generalised inertia of the joints, SI", shape=(JOINTS, JOINTS))
    h = Out("1", "forces at the joints without y'' and psi'', SI", shape=(JOINTS,))
    wrench = Out("1", "moment and force on the wheelset, SI", shape=(6,))
    arm = Derived("m", "height of the roll centre above the axle; 0 if there is none")
    links = Derived("1", "table of links", shape=(JOINTS, COLUMNS))
    chain = Record("what the chain computes", "joints", "motion", "GIM", "h", "N")

    @derive("arm", "links")
    def four_links(m, I_z, I_y, profile, y_max):
        arm, links = hang(profile, y_max), np.zeros((JOINTS, COLUMNS))
        for joint, axis in ((ALONG, 0), (YAW, 2), (ASIDE, 1), (LENGTH, 2), (TILT, 0), (SPIN, 1)):
            links[joint, AXIS + axis] = 1.0
        links[[ALONG, ASIDE, LENGTH], KIND] = SLIDES
        links[WHEELSET, AT + 2] = -arm
        links[WHEELSET, MASS] = m
        links[WHEELSET, INERTIA : INERTIA + 3] = I_z, I_y, I_z
        return arm, links

    @out("joints", "motion", "GIM", "h", "N")
    def compose(V, sway, arm, profile, y_max, links, chain):
        joints = chain.joints
        guide(V, sway.q_y, sway.q_psi, sway.u_y, sway.u_psi, arm, profile, y_max, joints)  # (2)
        chain_terms(
            links, (0.0, 0.0, 0.0), joints[ANGLE], joints[RATE], joints[GUIDED],
            chain.motion, chain.GIM, chain.h,
        )  # fmt: skip
        complement(links, chain.motion, chain.N)  # (1)

    @out("T_x", "T_y", "wrench")
    def creep(V, q_y, q_psi, motion, profile, y_max, grip, W, wrench, T_x, T_y):
        slide_and_push(V, grip, W, q_psi, q_y / y_max, profile, motion, wrench, T_x, T_y)

    @out("y_ddot", "psi_ddot")
    def accelerate(sway, joints, GIM, h, N, wrench, holding):
        q_y, q_psi, u_y, u_psi = sway
        k_y, k_psi, c_y, c_psi, F_y, M_z = holding
        Q_y = F_y - k_y * q_y - c_y * u_y
        return reduced(joints, GIM, h, N, wrench, Q_y, M_z - k_psi * q_psi - c_psi * u_psi)  # (3)
