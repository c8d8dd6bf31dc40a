"""Chains and trees for tests, and their dynamics by other means: maximal coordinates, with NumPy."""

import numpy as np
from railblocks.blocks.rail.multibody import chain as c
from railblocks.blocks.rail.multibody.chain_recursion import RECURSION
from railblocks.engine import compiled

GRAVITY = np.array([0.0, 0.0, -9.81])


def link(kind, axis, at, centre, m, inertia):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return [kind, *axis, *at, *centre, m, *inertia, 0.0, 0.0, 0.0]


def pendulum(n, length=0.8, m=1.5, J=0.2):
    """n equal links that turn about x and hang down; centres of mass in their middles."""
    links = []
    for i in range(n):
        at = (0.0, 0.0, -length if i else 0.0)
        links.append(
            link(c.TURNS, (1, 0, 0), at, (0, 0, -0.5 * length), m, (J, 0.3 * J, J, 0, 0, 0))
        )
    return np.array(links)


def random_chain(n, seed):
    """Joints of both kinds with random axes, offsets, centres and full inertias."""
    rng = np.random.default_rng(seed)
    links = []
    for _ in range(n):
        A = rng.normal(size=(3, 3))
        J = A @ A.T + 3.0 * np.eye(3)
        J = J @ J.T * 0.02
        six = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[1, 2], J[0, 2])
        kind = c.TURNS if rng.random() < 0.6 else c.SLIDES
        links.append(
            link(
                kind, rng.normal(size=3), rng.normal(size=3), rng.normal(size=3),
                rng.uniform(0.5, 3), six,
            )
        )  # fmt: skip
    return np.array(links), rng.normal(size=n), rng.normal(size=n), rng.normal(size=n)


def random_tree(n, seed):
    """As a random chain, with carriers at random; some links stand on the ground."""
    links, theta, theta_dot, tau = random_chain(n, seed)
    carriers = np.random.default_rng(seed + 1000).integers(-1, np.arange(n), endpoint=False)
    links[:, c.BACK] = np.arange(n) - 1 - carriers
    return links, theta, theta_dot, tau


def carriers_of(links):
    """The link that carries each one; -1 for the ground."""
    return [i - 1 - int(row[c.BACK]) for i, row in enumerate(links)]


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


class Kernels:
    """A chain's tables filled by the kernels, interpreted or compiled."""

    def __init__(self, links, fast=False):
        from railblocks.blocks.rail.multibody import chain, chain_dynamics, chain_recursion

        self.links, self.n = links, len(links)
        get = compiled if fast else (lambda f: f)
        names = ("place_links", "move_links", "accelerate_links", "complement")
        self.f = {name: get(getattr(chain, name)) for name in names}
        names = ("chain_terms", "factor", "solve", "inverse_dynamics", "kinetic_energy")
        self.f |= {name: get(getattr(chain_dynamics, name)) for name in names}
        self.f["potential_energy"] = get(chain_dynamics.potential_energy)
        self.f["forward_dynamics"] = get(chain_recursion.forward_dynamics)
        self.motion = np.zeros((self.n, c.MOTION))

    def N(self, theta):
        self.f["place_links"](self.links, theta, self.motion)
        N = np.zeros((self.n, 6, self.n))
        self.f["complement"](self.links, self.motion, N)
        return N.reshape(6 * self.n, self.n)

    def terms(self, theta, theta_dot, g=GRAVITY):
        GIM, h = np.zeros((self.n, self.n)), np.zeros(self.n)
        none = np.zeros(self.n)
        self.f["chain_terms"](self.links, g, theta, theta_dot, none, self.motion, GIM, h)
        return GIM, h

    def accelerations(self, theta, theta_dot, tau=0.0, g=GRAVITY):
        GIM, h = self.terms(theta, theta_dot, g)
        x = tau - h
        U = np.zeros_like(GIM)
        self.f["factor"](GIM, U)
        self.f["solve"](U, x)
        return x

    def recursive(self, theta, theta_dot, tau=0.0, g=GRAVITY, w=0.0):
        """Accelerations link by link."""
        none, w = np.zeros(self.n), np.broadcast_to(w, (self.n, 6)).copy()
        self.f["place_links"](self.links, theta, self.motion)
        self.f["move_links"](self.links, theta_dot, self.motion)
        self.f["accelerate_links"](self.links, theta_dot, none, self.motion)
        table, theta_ddot = np.zeros((self.n, RECURSION)), np.zeros(self.n)
        tau = np.broadcast_to(tau, self.n).copy()
        self.f["forward_dynamics"](self.links, g, tau, w, self.motion, table, theta_ddot)
        return theta_ddot

    def energy(self, theta, theta_dot, g=GRAVITY):
        self.f["place_links"](self.links, theta, self.motion)
        self.f["move_links"](self.links, theta_dot, self.motion)
        return self.f["kinetic_energy"](self.links, self.motion) + self.f["potential_energy"](
            self.links, g, self.motion
        )


def frames(links, theta):
    """R, joint, centre of mass and axis of every link, by matrix exponentials."""
    from scipy.linalg import expm

    result = []
    for row, angle, b in zip(links, theta, carriers_of(links), strict=True):
        R, o = result[b][:2] if b >= 0 else (np.eye(3), np.zeros(3))
        axis = row[c.AXIS : c.AXIS + 3]
        e = R @ axis
        o = o + R @ row[c.AT : c.AT + 3]
        if row[c.KIND] == c.TURNS:
            R = R @ expm(skew(axis) * angle)
        else:
            o = o + e * angle
        result.append((R, o, o + R @ row[c.CENTRE : c.CENTRE + 3], e))
    return result


def free_accelerations(links, theta, theta_dot, tau, g=GRAVITY):
    """Accelerations of the joints with all twists and all reactions as unknowns.

    For every link M t' - (wrenches of its joint and the next one) = -W M t + (0, m g), and for
    every joint five equations that its relative acceleration lies along its own axis.
    """
    n, places, carriers = len(links), frames(links, theta), carriers_of(links)
    omega, e_dot = [], []
    for row, (_, _, _, e), rate, b in zip(links, places, theta_dot, carriers, strict=True):
        before = omega[b] if b >= 0 else np.zeros(3)
        e_dot.append(np.cross(before, e))
        omega.append(before + e * rate if row[c.KIND] == c.TURNS else before)
    size = 6 * n + 6 * n + n  # twist rates, wrenches of joints (at their centres), theta''
    A, b = np.zeros((size, size)), np.zeros(size)
    for i, (row, (R, o, cm, e)) in enumerate(zip(links, places, strict=True)):
        xx, yy, zz, xy, yz, xz = row[c.INERTIA : c.INERTIA + 6]
        J = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        m, t, w = row[c.MASS], 6 * i, 6 * n + 6 * i
        A[t : t + 3, t : t + 3], A[t + 3 : t + 6, t + 3 : t + 6] = J, m * np.eye(3)
        b[t : t + 3], b[t + 3 : t + 6] = -np.cross(omega[i], J @ omega[i]), m * g
        A[t : t + 3, w : w + 3] = -np.eye(3)
        A[t : t + 3, w + 3 : w + 6] = -skew(o - cm)
        A[t + 3 : t + 6, w + 3 : w + 6] = -np.eye(3)
        b_i = carriers[i]
        t_b = 6 * b_i
        if b_i >= 0:
            A[t_b : t_b + 3, w : w + 3] += np.eye(3)
            A[t_b : t_b + 3, w + 3 : w + 6] += skew(o - places[b_i][2])
            A[t_b + 3 : t_b + 6, w + 3 : w + 6] += np.eye(3)
        # acceleration of the joint's point on link i less that on its carrier
        rows, rate = slice(w, w + 6), theta_dot[i]
        A[rows, t : t + 6] = np.block([[np.eye(3), np.zeros((3, 3))], [-skew(o - cm), np.eye(3)]])
        b[w + 3 : w + 6] -= np.cross(omega[i], np.cross(omega[i], o - cm))
        if b_i >= 0:
            c_1 = places[b_i][2]
            A[rows, t_b : t_b + 6] = -np.block(
                [[np.eye(3), np.zeros((3, 3))], [-skew(o - c_1), np.eye(3)]]
            )
            b[w + 3 : w + 6] += np.cross(omega[b_i], np.cross(omega[b_i], o - c_1))
        j = 12 * n + i
        axis = np.zeros(6)
        if row[c.KIND] == c.TURNS:
            axis[:3] = e
            b[w : w + 3] += e_dot[i] * rate
        else:
            axis[3:] = e
            b[w + 3 : w + 6] += 2.0 * e_dot[i] * rate
        A[rows, j] = -axis
        A[j, w : w + 6] = axis
        b[j] = tau[i]
    return np.linalg.solve(A, b)[12 * n :]
