"""Serial chains: complements, inertia and accelerations against other ways to find them."""

import numpy as np
import pytest
from chain_cases import Kernels, pendulum, random_chain, random_tree
from railblocks.blocks.rail.multibody import chain as c
from railblocks.diagrams.vishnu.newton_euler import GRAVITY, frames, free_accelerations, skew
from scipy.integrate import solve_ivp

SEEDS = range(6)


def decoupled(links, theta):
    """N_l and N_d written out, from frames by another code."""
    n, places = len(links), frames(links, theta)
    N_l, N_d = np.zeros((6 * n, 6 * n)), np.zeros((6 * n, n))
    for i in range(n):
        for j in range(i + 1):
            B = np.eye(6)
            B[3:, :3] = -skew(places[i][2] - places[j][2])
            N_l[6 * i : 6 * i + 6, 6 * j : 6 * j + 6] = B
        _, o, cm, e = places[i]
        turns = links[i, c.KIND] == c.TURNS
        p = np.r_[e, np.cross(e, cm - o)] if turns else np.r_[np.zeros(3), e]
        N_d[6 * i : 6 * i + 6, i] = p
    return N_l, N_d


def masses(links, theta):
    """The block-diagonal M."""
    n, places = len(links), frames(links, theta)
    M = np.zeros((6 * n, 6 * n))
    for i in range(n):
        xx, yy, zz, xy, yz, xz = links[i, c.INERTIA : c.INERTIA + 6]
        J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        R = places[i][0]
        M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = R @ J @ R.T
        M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = links[i, c.MASS] * np.eye(3)
    return M


@pytest.mark.parametrize("seed", SEEDS)
def test_n_is_the_product_of_the_two_complements(seed):
    links, theta, _, _ = random_chain(5, seed)
    N_l, N_d = decoupled(links, theta)
    assert np.allclose(Kernels(links).N(theta), N_l @ N_d, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_n_is_the_jacobian_of_poses(seed):
    links, theta, _, _ = random_chain(5, seed)
    N, h = Kernels(links).N(theta), 1e-6
    for j in range(5):
        step = np.zeros(5)
        step[j] = h
        ahead, behind = frames(links, theta + step), frames(links, theta - step)
        for i in range(5):
            v = (ahead[i][2] - behind[i][2]) / (2 * h)
            turn = (ahead[i][0] - behind[i][0]) / (2 * h) @ frames(links, theta)[i][0].T
            omega = np.array([turn[2, 1], turn[0, 2], turn[1, 0]])
            assert np.allclose(N[6 * i : 6 * i + 6, j], np.r_[omega, v], atol=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_gathered_masses_give_the_inertia_of_the_definition(seed):
    links, theta, theta_dot, _ = random_chain(6, seed)
    GIM, _ = Kernels(links).terms(theta, theta_dot)
    N_l, N_d = decoupled(links, theta)
    expected = N_d.T @ N_l.T @ masses(links, theta) @ N_l @ N_d
    assert np.allclose(GIM, expected, rtol=1e-12, atol=1e-11)
    assert np.array_equal(GIM, GIM.T)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_accelerations_are_those_of_newton_and_euler_with_all_reactions(n, seed):
    links, theta, theta_dot, tau = random_chain(n, 100 * n + seed)
    expected = free_accelerations(links, theta, theta_dot, tau)
    accelerations = Kernels(links).accelerations(theta, theta_dot, tau)
    assert np.allclose(accelerations, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_compiled_equals_interpreted_to_the_last_bit():
    links, theta, theta_dot, tau = random_chain(5, 7)
    slow, fast = (Kernels(links, f).accelerations(theta, theta_dot, tau) for f in (False, True))
    assert slow.tobytes() == fast.tobytes()


def test_twist_rates_are_the_differences_of_twists():
    links, theta, theta_dot, theta_ddot = random_chain(5, 11)
    kernels, h = Kernels(links), 1e-5
    twists = []
    for t in (-h, h):
        kernels.f["place_links"](
            links, theta + t * theta_dot + 0.5 * t * t * theta_ddot, kernels.motion
        )
        kernels.f["move_links"](links, theta_dot + t * theta_ddot, kernels.motion)
        twists.append(kernels.motion[:, c.T : c.T + 6].copy())
    kernels.f["place_links"](links, theta, kernels.motion)
    kernels.f["move_links"](links, theta_dot, kernels.motion)
    kernels.f["accelerate_links"](links, theta_dot, theta_ddot, kernels.motion)
    expected = (twists[1] - twists[0]) / (2 * h)
    assert np.allclose(kernels.motion[:, c.T_DOT : c.T_DOT + 6], expected, atol=1e-7)


def test_inverse_dynamics_gives_the_torques_back():
    links, theta, theta_dot, tau = random_chain(6, 3)
    kernels = Kernels(links)
    accelerations = kernels.accelerations(theta, theta_dot, tau)
    back = np.zeros(6)
    kernels.f["inverse_dynamics"](links, GRAVITY, theta_dot, accelerations, kernels.motion, back)
    assert np.allclose(back, tau, atol=1e-10)


def swinging(n, theta, theta_dot, length=0.8, m=1.5, J=0.2, g=9.81):
    """Accelerations of n equal compound pendulums by Lagrange, in angles from the vertical.

    With phi_i = theta_1 + ... + theta_i, T = sum of a_ij phi_i' phi_j' cos(phi_i - phi_j) / 2,
    a_ij = m L^2 (n - max(i, j) + 1/2) and a_ii = m L^2 (n - i + 1/4) + J (i, j from 1).
    """
    phi, rate = np.cumsum(theta), np.cumsum(theta_dot)
    i, j = np.indices((n, n))
    last = np.maximum(i, j)
    a = m * length**2 * ((n - 1 - last) + 0.5)
    a[np.diag_indices(n)] = m * length**2 * ((n - 1 - np.arange(n)) + 0.25) + J
    d = phi[:, None] - phi[None, :]
    weight = m * g * length * ((n - 1 - np.arange(n)) + 0.5)
    right = -(a * np.sin(d)) @ rate**2 - weight * np.sin(phi)
    return np.diff(np.linalg.solve(a * np.cos(d), right), prepend=0.0)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_pendulums_swing_as_lagrange_says(n):
    rng = np.random.default_rng(n)
    kernels = Kernels(pendulum(n))
    for _ in range(10):
        theta, theta_dot = rng.uniform(-3, 3, n), rng.uniform(-4, 4, n)
        expected = swinging(n, theta, theta_dot)
        assert np.allclose(kernels.accelerations(theta, theta_dot), expected, rtol=1e-10, atol=1e-9)


@pytest.mark.parametrize("branches", [False, True])
def test_energy_is_kept_along_a_run(branches):
    links, theta, theta_dot, _ = (random_tree if branches else random_chain)(5, 21)
    kernels = Kernels(links, fast=True)
    run = solve_ivp(
        lambda _, x: np.r_[x[5:], kernels.recursive(x[:5], x[5:])],
        (0, 2), np.r_[theta, theta_dot], method="DOP853", rtol=1e-11, atol=1e-11,
    )  # fmt: skip
    energies = [kernels.energy(x[:5], x[5:]) for x in run.y.T]
    moved = np.ptp([kernels.energy(x[:5], 0 * x[5:]) for x in run.y.T])
    assert np.ptp(energies) < 1e-8 * moved


def test_a_link_without_mass_between_two_others_is_a_joint_with_two_axes():
    """A body on a universal joint, whose inertia is known in closed form."""
    links = np.zeros((2, c.COLUMNS))
    links[0, c.AXIS], links[1, c.AXIS + 1] = 1.0, 1.0
    links[1, c.MASS], links[1, c.INERTIA : c.INERTIA + 3] = 2.0, (0.3, 0.4, 0.5)
    theta, theta_dot = np.array([0.4, -0.7]), np.array([1.2, 0.8])
    GIM, _ = Kernels(links).terms(theta, theta_dot)
    cos, sin = np.cos(theta[1]), np.sin(theta[1])
    expected = [[0.3 * cos**2 + 0.5 * sin**2, 0.0], [0.0, 0.4]]
    assert np.allclose(GIM, expected, atol=1e-14)
