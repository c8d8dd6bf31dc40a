"""Dynamics of chains and trees by the decoupled natural orthogonal complements.

Newton's and Euler's equations of all links, M t' + W M t = w, projected by N = N_l N_d become

    GIM theta'' + h = tau + N^T w,   GIM = N_d^T N_l^T M N_l N_d               (1)

and no joint's reaction is left. N_l^T M N_l need not be formed: with the masses of all that follows
gathered from the last link to the first, a sum over the links k that link i carries,

    M~_i = M_i + sum B_k^T M~_k B_k,   GIM_ij = p_i^T M~_i B_i ... B_k p_j                  (2)

where j lies on the way from link i to the ground, and carries link k of it; GIM_ij is 0 where
neither of both carries the other. Wrenches go the same way, so that tau for given theta'' (inverse
dynamics), and from that h, are

    w_i = M_i t_i' + W_i M_i t_i - (0, m_i g) + sum B_k^T w_k,   tau_i = p_i^T w_i        (3)

GIM = U D U^T, eliminated from the last joint to the first, gives theta''; `chain_recursion` finds
it without GIM. Sources as `chain`.
"""

from .bodies import cross
from .chain import (
    MASS,
    T_DOT,
    C,
    M,
    P,
    T,
    W,
    accelerate_links,
    carrier,
    dot,
    in_ground_axes,
    minus,
    move_links,
    place_links,
    plus,
    store,
    vector,
)


def at(row, column):
    """Where an element of a link's mass matrix lies in its motion."""
    return M + 6 * row + column


def gather_masses(links, motion):
    """M~ of every link (2), after `place_links`."""
    for i in range(len(links)):
        own_mass(links, motion, i)
    for i in range(len(links) - 1, -1, -1):
        b = carrier(links, i)
        if b >= 0:
            add_carried(motion, b, i)


def own_mass(links, motion, i):
    """Mass matrix M_i of a link, in the ground's axes."""
    for k in range(36):
        motion[i, M + k] = 0.0
    for k in range(3):
        column = in_ground_axes(links, motion, i, unit(k))
        set_column(motion, i, 0, k, column)
        motion[i, at(3 + k, 3 + k)] = links[i, MASS]


def unit(k):
    return 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0


def set_column(motion, i, first, column, v):
    """Three rows of a column of M~."""
    motion[i, at(first, column)] = v[0]
    motion[i, at(first + 1, column)] = v[1]
    motion[i, at(first + 2, column)] = v[2]


def moved(motion, i, first, turn, slide):
    """Three rows of M~ (turn, slide)."""
    return (
        row_dot(motion, i, first, turn, slide),
        row_dot(motion, i, first + 1, turn, slide),
        row_dot(motion, i, first + 2, turn, slide),
    )


def row_dot(motion, i, row, turn, slide):
    k = at(row, 0)
    return dot(vector(motion, i, k), turn) + dot(vector(motion, i, k + 3), slide)


def add_carried(motion, b, i):
    """Adds B^T M~ B of link i to its carrier b, a column at a time: B^T (M~ (B e_k))."""
    r = minus(vector(motion, i, C), vector(motion, b, C))
    for k in range(6):
        e = unit(k % 3)
        turn = e if k < 3 else (0.0, 0.0, 0.0)
        slide = cross(e, r) if k < 3 else e
        f = moved(motion, i, 3, turn, slide)
        n = plus(moved(motion, i, 0, turn, slide), cross(r, f))
        set_column(motion, b, 0, k, plus(n, column_of(motion, b, 0, k)))
        set_column(motion, b, 3, k, plus(f, column_of(motion, b, 3, k)))


def column_of(motion, i, first, column):
    """Three rows of a column of M~."""
    return (
        motion[i, at(first, column)],
        motion[i, at(first + 1, column)],
        motion[i, at(first + 2, column)],
    )


def inertia(links, motion, GIM):
    """The generalised inertia matrix (2), after `gather_masses`."""
    for i in range(len(links)):
        p, p_v = vector(motion, i, P), vector(motion, i, P + 3)
        n, f = moved(motion, i, 0, p, p_v), moved(motion, i, 3, p, p_v)
        on_the_way = i
        for j in range(i, -1, -1):
            GIM[i, j] = 0.0
            if j == on_the_way:
                GIM[i, j] = dot(n, vector(motion, j, P)) + dot(f, vector(motion, j, P + 3))
                on_the_way = carrier(links, j)
                if on_the_way >= 0:
                    r = minus(vector(motion, j, C), vector(motion, on_the_way, C))
                    n = plus(n, cross(r, f))
            GIM[j, i] = GIM[i, j]


def own_wrench(links, g, motion, i):
    """Moment and force that a link needs for its motion, M t' + W M t - (0, m g), of (3)."""
    omega = vector(motion, i, T)
    spin = cross(omega, in_ground_axes(links, motion, i, omega))
    n = plus(in_ground_axes(links, motion, i, vector(motion, i, T_DOT)), spin)
    m, a = links[i, MASS], vector(motion, i, T_DOT + 3)
    return n, (m * (a[0] - g[0]), m * (a[1] - g[1]), m * (a[2] - g[2]))


def add_wrench(motion, b, i, n, f):
    """Adds B^T (n, f) of link i to the wrench of its carrier b."""
    r = minus(vector(motion, i, C), vector(motion, b, C))
    store(motion, b, W, plus(vector(motion, b, W), plus(n, cross(r, f))))
    store(motion, b, W + 3, plus(vector(motion, b, W + 3), f))


def inverse_dynamics(links, g, theta_dot, theta_ddot, motion, tau):
    """tau for given accelerations (3), after `move_links`; g is a vector."""
    accelerate_links(links, theta_dot, theta_ddot, motion)
    for i in range(len(links)):
        n, f = own_wrench(links, g, motion, i)
        store(motion, i, W, n)
        store(motion, i, W + 3, f)
    for i in range(len(links) - 1, -1, -1):
        n, f = vector(motion, i, W), vector(motion, i, W + 3)
        tau[i] = dot(vector(motion, i, P), n) + dot(vector(motion, i, P + 3), f)
        b = carrier(links, i)
        if b >= 0:
            add_wrench(motion, b, i, n, f)


def chain_terms(links, g, theta, theta_dot, theta_ddot, motion, GIM, h):
    """GIM, and h for accelerations that are known already: those of guided joints, else 0."""
    place_links(links, theta, motion)
    move_links(links, theta_dot, motion)
    gather_masses(links, motion)
    inertia(links, motion, GIM)
    inverse_dynamics(links, g, theta_dot, theta_ddot, motion, h)


def factor(GIM, U):
    """The factors of GIM = U D U^T, with D on the diagonal of U."""
    n = len(GIM)
    for i in range(n):
        for j in range(n):
            U[i, j] = GIM[i, j]
    for k in range(n - 1, -1, -1):
        for i in range(k):
            part = U[i, k] / U[k, k]
            for j in range(i + 1):
                U[j, i] -= part * U[j, k]
        for i in range(k):
            U[i, k] = U[i, k] / U[k, k]


def solve(U, x):
    """Solves GIM x = x by its factors."""
    n = len(x)
    for k in range(n - 1, -1, -1):
        for i in range(k):
            x[i] -= U[i, k] * x[k]
    for k in range(n):
        x[k] = x[k] / U[k, k]
        for j in range(k):
            x[k] -= U[j, k] * x[j]


def kinetic_energy(links, motion):
    """Kinetic energy of all links, after `move_links`."""
    total = 0.0
    for i in range(len(links)):
        omega, v = vector(motion, i, T), vector(motion, i, T + 3)
        L = in_ground_axes(links, motion, i, omega)
        total += 0.5 * (dot(omega, L) + links[i, MASS] * dot(v, v))
    return total


def potential_energy(links, g, motion):
    """Potential energy of all links in a gravity g, 0 with all centres of mass at the origin."""
    total = 0.0
    for i in range(len(links)):
        c = vector(motion, i, C)
        total -= links[i, MASS] * (g[0] * c[0] + g[1] * c[1] + g[2] * c[2])
    return total
