"""Chains and trees for tests, and their kernels, interpreted or compiled."""

import numpy as np
from railblocks.blocks.rail.multibody import chain as c
from railblocks.blocks.rail.multibody.chain_recursion import RECURSION
from railblocks.diagrams.vishnu.newton_euler import GRAVITY
from railblocks.engine import compiled


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
        self.f["forward_dynamics"](
            self.links, g, tau, np.arange(self.n, dtype=float), w, self.motion, table, theta_ddot
        )  # fmt: skip
        return theta_ddot

    def energy(self, theta, theta_dot, g=GRAVITY):
        self.f["place_links"](self.links, theta, self.motion)
        self.f["move_links"](self.links, theta_dot, self.motion)
        return self.f["kinetic_energy"](self.links, self.motion) + self.f["potential_energy"](
            self.links, g, self.motion
        )
