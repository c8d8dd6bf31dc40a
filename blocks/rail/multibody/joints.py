"""Joints of force elements: how two bodies stand and move against each other.

An element joins a point of body i with a point of body j, p apart in space. It measures in axes m
of its own, which stand half-way between those of the two bodies: R_m = R_j sqrt(R), R = R_j^T R_i.
With sigma = n tan(angle / 4), for a relative turn R by an angle about n, these axes turn with

    omega_m = (omega_i + omega_j) / 2 - sigma x (omega_i - omega_j) / 2    (1)
    d = R_m^T p,   d' = R_m^T (p_i' - p_j' - omega_m x p)                  (2)

and a force F on i, -F on j, at their points, goes with the moments

    M_i = (T - T x sigma) / 2,   M_j = (T + T x sigma) / 2,   T = F x p    (3)

so that its power is F . d' exactly, and action and reaction balance: for small angles it acts in
the middle between the two points. Nothing changes when the ends are swapped.

An axle turns under its boxes, and its pitch says nothing of them. Where one end is an axle, the
axes m are those of the other body, and the force acts at the axle's point, which lies on its axis.
"""

import math

from .bodies import AXLE, STATES, V_X, V_Y, V_Z, X, Y, Z, back, cross, mounting, turned

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
NONE = (0.0, 0.0, 0.0)


def attachment(q, bodies, body, x, y, z):
    """Point of a body, its arm, its velocity, R and angular velocity; the ground for body -1."""
    if body < 0:
        return (x, y, z), NONE, NONE, IDENTITY, NONE
    o = STATES * body
    R, w = mounting(q, body, bodies[body, AXLE] > 0.0)
    arm = turned(R, x, y, z)
    wr = cross(w, arm)
    point = (q[o + X] + arm[0], q[o + Y] + arm[1], q[o + Z] + arm[2])
    velocity = (q[o + V_X] + wr[0], q[o + V_Y] + wr[1], q[o + V_Z] + wr[2])
    return point, arm, velocity, R, w


def is_axle(bodies, body):
    return body >= 0 and bodies[body, AXLE] > 0.0


def relative(R_j, R_i):
    """R_j^T R_i, row by row."""
    a = back(R_j, R_i[0], R_i[3], R_i[6])
    b = back(R_j, R_i[1], R_i[4], R_i[7])
    c = back(R_j, R_i[2], R_i[5], R_i[8])
    return a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]


def half_way(R_j, R):
    """R_j sqrt(R), and sigma in its axes."""
    q_0 = 0.5 * math.sqrt(1.0 + R[0] + R[4] + R[8])
    s = 1.0 / (4.0 * q_0 * (1.0 + q_0))
    sigma = (s * (R[7] - R[5]), s * (R[2] - R[6]), s * (R[3] - R[1]))
    x, y, z = sigma
    n = 2.0 / (1.0 + x * x + y * y + z * z)
    a = turned(R_j, 1.0 - n * (y * y + z * z), n * (x * y + z), n * (x * z - y))
    b = turned(R_j, n * (x * y - z), 1.0 - n * (x * x + z * z), n * (y * z + x))
    c = turned(R_j, n * (x * z + y), n * (y * z - x), 1.0 - n * (x * x + y * y))
    return (a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]), sigma


def element_axes(R_i, R_j, R, i_is_axle, j_is_axle):
    """R_m and sigma; then the parts of body i and of the half-way turn in (1) and (3)."""
    if i_is_axle:
        return R_j, NONE, 0.0, 0.0
    if j_is_axle:
        return R_i, NONE, 1.0, 0.0
    R_m, sigma = half_way(R_j, R)
    return R_m, sigma, 0.5, 0.5


def turning_of_axes(w_i, w_j, R_m, sigma, part, half):
    """omega_m of (1) in space, and omega_i - omega_j in the element's axes."""
    w = back(R_m, w_i[0] - w_j[0], w_i[1] - w_j[1], w_i[2] - w_j[2])
    bent = turned(R_m, *cross(sigma, w))
    rest = 1.0 - part
    return (
        part * w_i[0] + rest * w_j[0] - half * bent[0],
        part * w_i[1] + rest * w_j[1] - half * bent[1],
        part * w_i[2] + rest * w_j[2] - half * bent[2],
    ), w


def moments(f, d, sigma, part, half):
    """M_i and M_j of (3), in the element's axes, of the force f on body i."""
    T = cross(f, d)
    bent = cross(T, sigma)
    rest = 1.0 - part
    return (
        (part * T[0] - half * bent[0], part * T[1] - half * bent[1], part * T[2] - half * bent[2]),
        (rest * T[0] + half * bent[0], rest * T[1] + half * bent[1], rest * T[2] + half * bent[2]),
    )
