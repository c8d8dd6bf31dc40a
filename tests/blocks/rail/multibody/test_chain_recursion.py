"""Trees of bodies, link by link: against Newton and Euler with all reactions, and closed forms."""

import numpy as np
import pytest
from chain_cases import Kernels, link, pendulum, random_chain, random_tree
from railblocks.blocks.rail.multibody import chain as c
from railblocks.blocks.rail.multibody.bodies import cross
from railblocks.diagrams.vishnu.newton_euler import GRAVITY, carriers_of, free_accelerations

SEEDS = range(6)


def close(ours, expected, rtol=1e-9):
    return np.allclose(ours, expected, rtol=rtol, atol=rtol * np.abs(expected).max())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n", [2, 5, 12])
def test_accelerations_of_trees_are_those_of_newton_and_euler_with_all_reactions(n, seed):
    links, theta, theta_dot, tau = random_tree(n, 100 * n + seed)
    expected = free_accelerations(links, theta, theta_dot, tau)
    kernels = Kernels(links)
    assert close(kernels.recursive(theta, theta_dot, tau), expected)
    assert close(kernels.accelerations(theta, theta_dot, tau), expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_wrenches_from_outside_act_by_the_complement(seed):
    """theta'' with w is theta'' with N^T w at the joints."""
    links, theta, theta_dot, tau = random_tree(8, seed)
    w, kernels = np.random.default_rng(seed).normal(size=(8, 6)), Kernels(links)
    by_torques = free_accelerations(links, theta, theta_dot, tau + kernels.N(theta).T @ w.ravel())
    ours = kernels.recursive(theta, theta_dot, tau, w=w)
    assert close(ours, free_accelerations(links, theta, theta_dot, tau, w=w))
    assert close(ours, by_torques)


@pytest.mark.parametrize("seed", SEEDS)
def test_inertia_couples_a_joint_only_with_those_on_its_way_to_the_ground(seed):
    links, theta, theta_dot, _ = random_tree(9, seed)
    GIM, _ = Kernels(links).terms(theta, theta_dot)
    carriers = carriers_of(links)
    for i in range(9):
        way, b = {i}, carriers[i]
        while b >= 0:
            way.add(b)
            b = carriers[b]
        assert np.all(GIM[i, [j for j in range(i) if j not in way]] == 0.0)
    assert np.all(np.linalg.eigvalsh(GIM) > 0.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_chain_is_a_tree_without_branches(seed):
    links, theta, theta_dot, tau = random_chain(7, seed)
    kernels = Kernels(links)
    ours, dense = (
        kernels.recursive(theta, theta_dot, tau),
        kernels.accelerations(theta, theta_dot, tau),
    )
    assert close(ours, dense, 1e-11)


def renumbered(links, order):
    """The same tree with its links listed in another order."""
    carriers = carriers_of(links)
    position = {old: new for new, old in enumerate(order)}
    moved = links[order].copy()
    for new, old in enumerate(order):
        carrier = position[carriers[old]] if carriers[old] >= 0 else -1
        moved[new, c.BACK] = new - 1 - carrier
    return moved


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_branches_changes_nothing(seed):
    links, theta, theta_dot, tau = random_tree(9, seed)
    rng, carriers, order = np.random.default_rng(seed), carriers_of(links), []
    while len(order) < 9:
        ready = [i for i in range(9) if i not in order and carriers[i] in (-1, *order)]
        order.append(int(rng.choice(ready)))
    expected = Kernels(links).recursive(theta, theta_dot, tau)
    ours = Kernels(renumbered(links, order)).recursive(theta[order], theta_dot[order], tau[order])
    assert close(ours, expected[order], 1e-10)


def test_compiled_equals_interpreted_to_the_last_bit():
    links, theta, theta_dot, tau = random_tree(8, 7)
    slow, fast = (Kernels(links, f).recursive(theta, theta_dot, tau) for f in (False, True))
    assert slow.tobytes() == fast.tobytes()


def test_two_trees_on_the_ground_do_not_know_of_each_other():
    one, two = pendulum(2), pendulum(3, length=0.5, m=2.0)
    both = np.vstack([one, two])
    both[2, c.BACK] = 2.0
    rng = np.random.default_rng(1)
    theta, theta_dot = rng.uniform(-2, 2, 5), rng.uniform(-2, 2, 5)
    ours = Kernels(both).recursive(theta, theta_dot)
    assert np.array_equal(ours[:2], Kernels(one).recursive(theta[:2], theta_dot[:2]))
    assert np.array_equal(ours[2:], Kernels(two).recursive(theta[2:], theta_dot[2:]))


def branched(theta, theta_dot, m=(2.0, 1.0, 3.0), L=(1.2, 0.7, 0.9), g=9.81):
    """Two point pendulums that hang from the end of a third, by Lagrange, in relative angles.

    With absolute angles f_0, f_k = f_0 + theta_k and d_k = f_k - f_0, (m_0 + m_1 + m_2) L_0^2 f_0''
    + sum of m_k L_0 L_k (f_k'' cos d_k - f_k'^2 sin d_k) = -(m_0 + m_1 + m_2) g L_0 sin f_0,
    L_k f_k'' + L_0 (f_0'' cos d_k + f_0'^2 sin d_k) = -g sin f_k.
    """
    f, w = np.array(theta, float), np.array(theta_dot, float)
    f[1:] += f[0]
    w[1:] += w[0]
    M, right = np.zeros((3, 3)), np.zeros(3)
    M[0, 0], right[0] = sum(m) * L[0] ** 2, -sum(m) * g * L[0] * np.sin(f[0])
    for k in (1, 2):
        d, a = f[k] - f[0], m[k] * L[0] * L[k]
        M[0, k] = M[k, 0] = a * np.cos(d)
        M[k, k] = m[k] * L[k] ** 2
        right[0] += a * w[k] ** 2 * np.sin(d)
        right[k] = -a * w[0] ** 2 * np.sin(d) - m[k] * g * L[k] * np.sin(f[k])
    f_ddot = np.linalg.solve(M, right)
    return np.r_[f_ddot[0], f_ddot[1:] - f_ddot[0]]


def branched_links(m=(2.0, 1.0, 3.0), L=(1.2, 0.7, 0.9)):
    links = [
        link(c.TURNS, (1, 0, 0), (0, 0, -L[0] if k else 0.0), (0, 0, -L[k]), m[k], (0.0,) * 6)
        for k in range(3)
    ]
    links = np.array(links)
    links[2, c.BACK] = 1.0
    return links


def test_a_branched_pendulum_swings_as_lagrange_says():
    rng, kernels = np.random.default_rng(5), Kernels(branched_links())
    for _ in range(10):
        theta, theta_dot = rng.uniform(-3, 3, 3), rng.uniform(-4, 4, 3)
        expected = branched(theta, theta_dot)
        assert np.allclose(kernels.recursive(theta, theta_dot), expected, rtol=1e-10, atol=1e-10)


def free_body(m, J, back=0.0):
    """Six links: three that slide, three that turn, the last with the mass of a body."""
    links = [link(c.SLIDES, e, (0, 0, 0), (0, 0, 0), 0.0, (0.0,) * 6) for e in np.eye(3)]
    links += [link(c.TURNS, e, (0, 0, 0), (0, 0, 0), 0.0, (0.0,) * 6) for e in np.eye(3)]
    links = np.array(links)
    links[5, c.MASS], links[5, c.INERTIA : c.INERTIA + 3] = m, J
    links[0, c.BACK] = back
    return links


def test_bodies_that_may_move_freely_against_each_other_are_newtons_and_eulers():
    """Car body, two bogies and four wheelsets in relative coordinates, under any wrenches.

    No joint holds anything, so that each body alone obeys m a = F and J alpha + omega x J omega =
    M: the motion that the tree finds, carried to all twists, must give these wrenches back.
    """
    data = [(32e3, (56.8e3, 1.97e6, 1.97e6))] + [(2615.0, (1722.0, 1476.0, 3067.0))] * 2
    data += [(1813.0, (1120.0, 112.0, 1120.0))] * 4
    parents = [-1, 0, 0, 1, 1, 2, 2]
    bodies = []
    for k, ((m, J), parent) in enumerate(zip(data, parents, strict=True)):
        bodies.append(free_body(m, J, 6 * (k - 1 - parent) if parent >= 0 else 6.0 * k))
    links, rng = np.vstack(bodies), np.random.default_rng(3)
    n = len(links)
    theta, theta_dot = 0.3 * rng.normal(size=n), rng.normal(size=n)
    w = np.zeros((n, 6))
    w[5::6] = 1e4 * rng.normal(size=(7, 6))
    kernels = Kernels(links)
    theta_ddot = kernels.recursive(theta, theta_dot, w=w)
    kernels.f["accelerate_links"](links, theta_dot, theta_ddot, kernels.motion)
    for k, (m, J) in enumerate(data):
        row = kernels.motion[6 * k + 5]
        R, omega, alpha = row[:9].reshape(3, 3), row[c.T : c.T + 3], row[c.T_DOT : c.T_DOT + 3]
        J_ground = R @ np.diag(J) @ R.T
        M = J_ground @ alpha + np.array(cross(omega, J_ground @ omega))
        F = m * (row[c.T_DOT + 3 : c.T_DOT + 6] - GRAVITY)
        assert np.allclose(np.r_[M, F], w[6 * k + 5], rtol=1e-9, atol=1e-9 * np.abs(w).max())
