"""Axle boxes along x: closed forms of what they store, and of the part that load cells add."""

import numpy as np
import pytest
from railblocks.blocks.rail.rig.axle_boxes import (
    DESIGN,
    Boxes,
    box_system,
    kappa_of,
    leaning,
    pitch_stiffness,
    stiffness_of,
)
from railblocks.engine import DiagramError, check, loads

H, R = 0.028, 0.092
BOXES = Boxes(14.504, 0.47232, H, 5e5, 240.0, 8.4, 872.7, 0.022, 1.0, R, R)


def test_defaults_are_those_of_the_manchester_wagon_over_its_scales():
    """Stiffness and mass over 125, lengths over 5, one bogie with half of the body."""
    load = (32000 / 2 + 2615 + 2 * 1813) * 9.81 / 2 / 125
    k_x, k_t = 2 * 31.391e6 / 125, 4 * 1.22e6 / 125 * (1.28 / 5) ** 2
    assert DESIGN["k_x"] == pytest.approx(k_x)
    assert DESIGN["N"] == pytest.approx(load, rel=1e-3)
    assert DESIGN["h"] == pytest.approx((0.6 - 0.46) / 5)
    assert DESIGN["kappa"] == pytest.approx(kappa_of(load / 0.184, k_x, k_t, H, 1.0, R), rel=1e-3)


def test_kappa_is_what_the_resting_system_adds_in_traction():
    """T = 10 N on both axles, C = r T: s at rest under F = T + q x."""
    A, B = box_system(BOXES)
    q, T = leaning(BOXES.N, R, R), 10.0
    leans = B[:, :2] @ (q * np.eye(6)[:2])
    s = np.linalg.solve(A + leans, -B @ [T, T, R * T, R * T])
    assert s[0] == pytest.approx(s[1])
    assert (T + q * s[0]) / T - 1.0 == pytest.approx(BOXES.kappa, rel=1e-12)


def test_pitch_stiffness_follows_from_kappa_and_kappa_from_it():
    for rho in (0.0, 0.5, 1.0):
        kappa = kappa_of(4743.0, 5e5, 2500.0, H, rho, R)
        assert pitch_stiffness(4743.0, 5e5, kappa, H, rho, R) == pytest.approx(2500.0)


def test_a_bogie_that_cannot_pitch_leaves_only_the_springs():
    """kappa = (q / k) / (1 - q / k)."""
    x = 4743.0 / 5e5
    assert kappa_of(4743.0, 5e5, np.inf, H, 1.0, R) == pytest.approx(x / (1.0 - x))


def test_axles_against_each_other_have_the_mode_of_one_axle():
    """sqrt(k_x / m_w), damped by c_x / (2 m_w)."""
    A, _ = box_system(BOXES)
    values = np.linalg.eigvals(A)
    decay = BOXES.c_x / (2.0 * BOXES.m_w)
    expected = -decay + 1j * np.sqrt(BOXES.k_x / BOXES.m_w - decay**2)
    assert np.min(np.abs(values - expected)) < 1e-6 * abs(expected)


def test_undamped_axles_keep_their_energy():
    """d/dt of m x'^2 / 2 + J theta'^2 / 2 + k d^2 / 2 + k_t theta^2 / 2 = F x' - rho C theta'."""
    b = BOXES._replace(c_x=0.0, c_t=0.0, reaction=0.7)
    A, B = box_system(b)
    s, given = np.random.default_rng(1).normal(size=6), np.array([3.0, -2.0, 0.5, 1.5])
    rate = A @ s + B @ given
    stretch = [s[i] + H * s[2] for i in (0, 1)]
    power = b.m_w * (s[3] * rate[3] + s[4] * rate[4]) + b.J_by * s[5] * rate[5]
    power += sum(b.k_x * d * (s[3 + i] + H * s[5]) for i, d in enumerate(stretch))
    power += stiffness_of(b) * s[2] * s[5]
    given_power = given[0] * s[3] + given[1] * s[4] - 0.7 * (given[2] + given[3]) * s[5]
    assert power == pytest.approx(given_power, rel=1e-9)


def test_front_and_rear_may_be_exchanged():
    A, B = box_system(BOXES)
    other, inputs = [1, 0, 2, 4, 3, 5], [1, 0, 3, 2]
    assert np.array_equal(A, A[np.ix_(other, other)])
    assert np.array_equal(B, B[np.ix_(other, inputs)])


def test_a_kappa_that_even_a_rigid_bogie_exceeds_is_refused():
    text = "diagram: 1\nblocks: {one: {type: rail.estimator, model: axle, kappa: 0.005}}\n"
    with pytest.raises(DiagramError, match=r"kappa = 0\.005 is too small .* has 0\.0095"):
        check(loads(text))
