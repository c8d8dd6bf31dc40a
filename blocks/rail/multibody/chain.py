"""Chains and trees of rigid bodies: poses, twists, decoupled natural orthogonal complements.

Link i turns about, or slides along, an axis e_i that is fixed in its carrier b: the link before it,
or another one that is listed before it, or the ground. theta_i is how far. Twists
t_i = (omega_i, c_i') are those of centres of mass. From link to link

    t_i = B_i t_b + p_i theta_i',   B_i = [1, 0; -(c_i - c_b) x, 1]                       (1)
    p_i = (e_i, e_i x (c_i - o_i)) for a joint that turns, (0, e_i) for one that slides   (2)

with the joint at o_i. Applied again and again this is t = N theta', N = N_l N_d, where N_l is lower
block-triangular: B_i ... B_k in block (i, j), multiplied along the way from link j to link i that
it carries, 0 where j does not carry i. N_d has the p_i on its diagonal: the two decoupled natural
orthogonal complements. Their rate follows from

    t_i' = B_i t_b' + B_i' t_b + p_i theta_i'' + p_i' theta_i'             (3)

Axes of all links are parallel to those of the ground where all theta are 0. Sources: S. K. Saha,
Dynamics of serial multibody systems using the decoupled natural orthogonal complement matrices
(1999); Agarwal et al. (2014); vishnu, Eqs 1 to 4.
"""

import math

from .bodies import back, cross, turned

TURNS, SLIDES = 0.0, 1.0
KIND, AXIS, AT, CENTRE, MASS, INERTIA, BACK, STIFFNESS, DAMPING = 0, 1, 4, 7, 10, 11, 17, 18, 19
COLUMNS = 20
"""Columns of the table of links: kind of its joint, axis of unit length, joint in the axes of its
carrier (from that one's joint), centre of mass in its own axes (from its joint), mass, inertia
about it (xx, yy, zz, xy, yz, xz), how many links lie between it and its carrier (0 in a serial
chain), stiffness and damping of its joint."""

R, JOINT, C, P, T, T_DOT, W, M = 0, 9, 12, 15, 21, 27, 33, 39
MOTION = M + 36
"""Columns of the table of motions, in the ground's axes: attitude, joint, centre of mass, p, twist,
its rate, wrench, mass matrix of the link with all that follow."""


def vector(table, row, column):
    """Three numbers of a row."""
    return table[row, column], table[row, column + 1], table[row, column + 2]


def store(table, row, column, v):
    """Writes three numbers to a row."""
    table[row, column] = v[0]
    table[row, column + 1] = v[1]
    table[row, column + 2] = v[2]


def carrier(links, i):
    """The link that carries link i; -1 for the ground."""
    return i - 1 - int(links[i, BACK])


def attitude(motion, link):
    """R of a link; that of the ground is 1."""
    if link < 0:
        return 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    return (
        motion[link, 0], motion[link, 1], motion[link, 2],
        motion[link, 3], motion[link, 4], motion[link, 5],
        motion[link, 6], motion[link, 7], motion[link, 8],
    )  # fmt: skip


def origin(motion, link, column):
    """Joint or centre of mass of a link; the ground has both at 0."""
    if link < 0:
        return 0.0, 0.0, 0.0
    return vector(motion, link, column)


def composed(A, B):
    """The product A B of 3 x 3 matrices."""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


def rotation(e, angle):
    """The turn by an angle about a unit vector (Rodrigues)."""
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = e
    d = 1.0 - c
    return (
        c + d * x * x, d * x * y - s * z, d * x * z + s * y,
        d * x * y + s * z, c + d * y * y, d * y * z - s * x,
        d * x * z - s * y, d * y * z + s * x, c + d * z * z,
    )  # fmt: skip


def plus(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def times(a, k):
    return a[0] * k, a[1] * k, a[2] * k


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def place_links(links, theta, motion):
    """Attitude, joint, centre of mass and p (2) of every link."""
    for i in range(len(links)):
        b = carrier(links, i)
        before = attitude(motion, b)
        axis, at, centre = vector(links, i, AXIS), vector(links, i, AT), vector(links, i, CENTRE)
        e = turned(before, axis[0], axis[1], axis[2])
        o = plus(origin(motion, b, JOINT), turned(before, at[0], at[1], at[2]))
        here = before
        if links[i, KIND] == TURNS:
            here = composed(before, rotation(axis, theta[i]))
        else:
            o = plus(o, times(e, theta[i]))
        d = turned(here, centre[0], centre[1], centre[2])
        store(motion, i, R, (here[0], here[1], here[2]))
        store(motion, i, R + 3, (here[3], here[4], here[5]))
        store(motion, i, R + 6, (here[6], here[7], here[8]))
        store(motion, i, JOINT, o)
        store(motion, i, C, plus(o, d))
        if links[i, KIND] == TURNS:
            store(motion, i, P, e)
            store(motion, i, P + 3, cross(e, d))
        else:
            store(motion, i, P, (0.0, 0.0, 0.0))
            store(motion, i, P + 3, e)


def reach(motion, b, i):
    """c_i - c_b, the arm of B_i."""
    return minus(vector(motion, i, C), origin(motion, b, C))


def move_links(links, theta_dot, motion):
    """Twists of all links (1), after `place_links`."""
    for i in range(len(links)):
        b = carrier(links, i)
        omega, v = origin(motion, b, T), origin(motion, b, T + 3)
        carried = plus(v, cross(omega, reach(motion, b, i)))
        store(motion, i, T, plus(omega, times(vector(motion, i, P), theta_dot[i])))
        store(motion, i, T + 3, plus(carried, times(vector(motion, i, P + 3), theta_dot[i])))


def accelerate_links(links, theta_dot, theta_ddot, motion):
    """Rates of all twists (3), after `move_links`."""
    for i in range(len(links)):
        b = carrier(links, i)
        before, omega = origin(motion, b, T), vector(motion, i, T)
        alpha, a = origin(motion, b, T_DOT), origin(motion, b, T_DOT + 3)
        r_dot = minus(vector(motion, i, T + 3), origin(motion, b, T + 3))
        p, p_v = vector(motion, i, P), vector(motion, i, P + 3)
        p_dot, p_v_dot = cross(before, p), cross(before, p_v)
        if links[i, KIND] == TURNS:
            e, d = p, minus(vector(motion, i, C), vector(motion, i, JOINT))
            p_v_dot = plus(cross(p_dot, d), cross(e, cross(omega, d)))
        rate, rate_2 = theta_dot[i], theta_ddot[i]
        turn = plus(alpha, plus(times(p, rate_2), times(p_dot, rate)))
        carried = plus(a, plus(cross(alpha, reach(motion, b, i)), cross(before, r_dot)))
        slide = plus(carried, plus(times(p_v, rate_2), times(p_v_dot, rate)))
        store(motion, i, T_DOT, turn)
        store(motion, i, T_DOT + 3, slide)


def complement(links, motion, N):
    """N = N_l N_d as N[link, component, joint], by (1) from link to link."""
    for i in range(len(links)):
        b = carrier(links, i)
        arm = reach(motion, b, i)
        for j in range(len(links)):
            for k in range(6):
                N[i, k, j] = motion[i, P + k] if i == j else 0.0
            if j <= b:
                turn = N[b, 0, j], N[b, 1, j], N[b, 2, j]
                slide = plus((N[b, 3, j], N[b, 4, j], N[b, 5, j]), cross(turn, arm))
                N[i, 0, j], N[i, 1, j], N[i, 2, j] = turn
                N[i, 3, j], N[i, 4, j], N[i, 5, j] = slide


def in_ground_axes(links, motion, link, v):
    """J v with the inertia of a link, for a vector in the ground's axes."""
    A = attitude(motion, link)
    x, y, z = back(A, v[0], v[1], v[2])
    k = INERTIA
    xx, yy, zz = links[link, k], links[link, k + 1], links[link, k + 2]
    xy, yz, xz = links[link, k + 3], links[link, k + 4], links[link, k + 5]
    return turned(A, xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z)
