"""A patch that slides as a whole: against the integral over the patch, and limits."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from railblocks.blocks.rail.contact.tangential.full_sliding import full_sliding, mean_distance
from railblocks.engine import compiled
from scipy.special import ellipe

PATCHES = [(6e-3, 4.5e-3), (8e-3, 0.4e-3), (1e-3, 9e-3), (5e-3, 5e-3)]
BOUND = 1.6e4


def integral(xi, eta, phi, a, b):
    """Tractions mu p_n against the slip in each place, summed on a fine grid."""
    z = (np.arange(600) + 0.5) / 300.0 - 1.0
    x, y = np.meshgrid(z, z)
    p = np.sqrt(np.maximum(1.0 - x * x - y * y, 0.0))
    p *= BOUND / p.sum()
    x, y = a * x, b * y
    s_x, s_y = xi - y * phi, eta + x * phi
    size = np.maximum(np.hypot(s_x, s_y), 1e-300)
    p_x, p_y = -p * s_x / size, -p * s_y / size
    return np.array([p_x.sum(), p_y.sum(), (x * p_y - y * p_x).sum()])


@pytest.mark.parametrize("patch", PATCHES)
@pytest.mark.parametrize("angle", [0.0, 0.4, 1.2, 1.5, 2.5])
def test_small_spin_is_the_integral_over_the_patch(patch, angle):
    xi, eta, phi = 0.02 * math.cos(angle), 0.02 * math.sin(angle), 0.1
    exact = integral(xi, eta, phi, *patch)
    forces = full_sliding(xi, eta, phi, *patch, BOUND)
    assert forces == pytest.approx(exact, rel=6e-3, abs=1e-4 * BOUND * max(patch))


@pytest.mark.parametrize("patch", PATCHES)
def test_spin_alone_turns_every_place_about_the_centre(patch):
    a, b = patch
    exact = integral(0.0, 0.0, 1.0, a, b)
    forces = full_sliding(0.0, 0.0, 1.0, a, b, BOUND)
    assert forces[:2] == (0.0, 0.0)
    assert forces[2] == pytest.approx(exact[2], rel=6e-3)
    long, short = max(a, b), min(a, b)
    closed = 0.375 * long * ellipe(1.0 - (short / long) ** 2)
    assert mean_distance(a, b) == pytest.approx(closed, rel=5e-3)


@pytest.mark.parametrize("patch", PATCHES)
@pytest.mark.parametrize("angle", [0.0, 0.3, 1.1, 1.5708])
def test_any_spin_has_the_right_sign_and_about_the_size(patch, angle):
    """Least right where the pole of the slip lies in the patch."""
    r = mean_distance(*patch)
    for spin in (-0.3, 1.0, -2.0, 5.0):
        xi, eta, phi = 0.01 * math.cos(angle), 0.01 * math.sin(angle), 0.01 * spin / r
        exact = integral(xi, eta, phi, *patch)
        forces = np.array(full_sliding(xi, eta, phi, *patch, BOUND))
        assert forces[2] * exact[2] > 0.0
        assert abs(forces - exact)[:2].max() < 0.3 * BOUND
        assert abs(forces - exact)[2] < 0.3 * BOUND * r


@given(st.floats(0, 2 * math.pi))
def test_without_spin_the_force_is_friction_against_the_slip(angle):
    xi, eta = 0.01 * math.cos(angle), 0.01 * math.sin(angle)
    forces = full_sliding(xi, eta, 0.0, 6e-3, 2e-3, BOUND)
    assert forces == pytest.approx((-BOUND * math.cos(angle), -BOUND * math.sin(angle), 0.0))


def test_compiled_equals_interpreted():
    rng = np.random.default_rng(0)
    for xi, eta, phi in rng.normal(0, (3e-3, 3e-3, 0.5), (50, 3)):
        for case in ((xi, eta, phi), (0.0, 0.0, phi), (0.0, 0.0, 0.0)):
            arguments = (*case, 6e-3, 4e-3, BOUND)
            assert compiled(full_sliding)(*arguments) == full_sliding(*arguments)
