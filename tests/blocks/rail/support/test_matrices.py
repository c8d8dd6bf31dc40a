"""What bears the rails: receptance and static deflection in closed form, mirrored, passive."""

import math
from dataclasses import replace

import numpy as np
import pytest
from railblocks.blocks.rail.support.description import Layer, Support
from railblocks.blocks.rail.support.files import support_named
from railblocks.blocks.rail.support.matrices import matrices_of

RAIL = Layer(80.0, 0.0, (30e6, 180e6), (150e3, 160e3))
SLEEPERS = Layer(540.0, 300.0, (70e6, 280e6), (350e3, 90e3), 2e6, 3e3)
ONE, TWO = Support("one", RAIL, spread=1.6), Support("two", RAIL, SLEEPERS, spread=1.6)
ROLLING = replace(TWO, rails=replace(RAIL, inertia=0.5, turning=4e5, turning_damping=2e2))
Y, Z, ROLL = range(3)
TOGETHER, AGAINST = 1.0, -1.0
OMEGAS = [0.0, 30.0, 400.0, 2500.0]
B = 0.8


def of(layer, way, omega):
    """Dynamic stiffness of a layer's springs and dampers."""
    return layer.stiffness[way] + 1j * omega * layer.damping[way]


def receptance(support, motion, sense, omega):
    """Motion of the left rail under a unit load on it, and one with `sense` on the right one."""
    H = matrices_of(support).receptance(omega)
    return H[motion, motion] + sense * H[motion, 3 + motion]


@pytest.mark.parametrize("omega", OMEGAS)
@pytest.mark.parametrize("way", [Y, Z])
@pytest.mark.parametrize("sense", [TOGETHER, AGAINST])
def test_a_rail_on_the_ground_is_a_mass_on_a_spring(omega, way, sense):
    expected = 1.0 / (of(RAIL, way, omega) - omega**2 * RAIL.mass)
    assert receptance(ONE, way, sense, omega) == pytest.approx(expected, rel=1e-12)


def chain(upper, mass, lower, omega):
    """Receptance of a mass on a spring on a mass on a spring."""
    below = upper + lower
    return 1.0 / (upper - omega**2 * RAIL.mass - upper**2 / (below - omega**2 * mass))


@pytest.mark.parametrize("omega", OMEGAS)
def test_rails_on_sleepers_have_the_receptance_of_two_masses_in_a_row(omega):
    """Alike loads move half of the sleepers each; opposite ones move none to the side, and upright
    roll them: their roll is a mass I / 2 b^2 under each rail."""
    y, z = (of(RAIL, way, omega) for way in (Y, Z))
    low_y, low_z = (0.5 * of(SLEEPERS, way, omega) for way in (Y, Z))
    half = 0.5 * SLEEPERS.mass
    roll = low_z + (SLEEPERS.turning + 1j * omega * SLEEPERS.turning_damping) / (2.0 * B * B)
    expected = {
        (Y, TOGETHER): chain(y, half, low_y, omega),
        (Z, TOGETHER): chain(z, half, low_z, omega),
        (Y, AGAINST): 1.0 / (y - omega**2 * RAIL.mass),
        (Z, AGAINST): chain(z, SLEEPERS.inertia / (2.0 * B * B), roll, omega),
    }
    for (way, sense), value in expected.items():
        assert receptance(TWO, way, sense, omega) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("omega", OMEGAS)
def test_a_rail_rolls_on_its_own_spring_or_with_the_sleepers(omega):
    spring = 4e5 + 1j * omega * 2e2
    assert receptance(ROLLING, ROLL, AGAINST, omega) == pytest.approx(
        1.0 / (spring - omega**2 * 0.5), rel=1e-12
    )
    H = matrices_of(TWO).receptance(omega)
    assert H[ROLL] == pytest.approx(H[3 + ROLL], rel=1e-12)
    assert np.all(matrices_of(ONE).receptance(omega)[[ROLL, 3 + ROLL]] == 0.0)


@pytest.mark.parametrize("support", [ONE, TWO, ROLLING], ids=["one", "two", "rolling"])
def test_left_and_right_are_mirror_images_and_nothing_makes_energy(support):
    made = matrices_of(support)
    mirror = np.zeros((6, 6))
    for left, sign in ((Y, -1.0), (Z, 1.0), (ROLL, -1.0)):
        mirror[left, 3 + left] = mirror[3 + left, left] = sign
    for omega in OMEGAS:
        H = made.receptance(omega)
        assert mirror @ H @ mirror == pytest.approx(H, rel=1e-12, abs=1e-20)
        assert pytest.approx(H.T, rel=1e-12, abs=1e-20) == H
        assert np.linalg.eigvalsh((H - H.conj().T) / 2j).max() <= 1e-18
    for matrix in (made.stiffness, made.damping):
        assert np.array_equal(matrix, matrix.T)
        assert np.linalg.eigvalsh(matrix).min() >= -1e-6


def test_rails_that_do_not_give_have_no_masses():
    made = matrices_of(support_named("rigid"))
    assert (len(made.mass), made.stiffness.shape, made.rails.shape) == (0, (0, 0), (6, 0))


# --- shipped ---------------------------------------------------------------------------------
PAD, BALLAST, SUBGRADE = (65e6, 75e3), (137.75e6, 58.8e3), (77.5e6, 31.15e3)
SPACING, RAIL_MASS, HALF_SLEEPER, EI = 0.6, 60.64, 125.5, 2.059e11 * 3.217e-5
"""Zhai, Wang, Lin (2004): stiffness and damping under one rail, a sleeper's distance; rail."""


def lumped():
    """Length over which springs count, and that of masses and dampers, by the static shape."""
    k = 1.0 / sum(1.0 / layer[0] for layer in (PAD, BALLAST, SUBGRADE)) / SPACING
    beta = (k / (4.0 * EI)) ** 0.25
    x = np.linspace(0.0, 20.0, 200001)
    shape = np.exp(-beta * x) * (np.cos(beta * x) + np.sin(beta * x))
    return 2.0 * np.trapezoid(shape, x), 2.0 * np.trapezoid(shape**2, x), 8.0 * EI * beta**3


def test_the_ballasted_track_is_a_beam_on_an_elastic_foundation():
    springs, masses, stiffness = lumped()
    support = support_named("zhai2004")
    sunk = matrices_of(support).receptance(0.0)
    assert 1.0 / (sunk[Z, Z] + sunk[Z, 3 + Z]).real == pytest.approx(stiffness, rel=1e-3)
    rails, sleepers = support.rails, support.sleepers
    below = 1.0 / (1.0 / BALLAST[0] + 1.0 / SUBGRADE[0])
    damping = below**2 * (BALLAST[1] / BALLAST[0] ** 2 + SUBGRADE[1] / SUBGRADE[0] ** 2)
    ours = (rails.mass, rails.stiffness[1], rails.damping[1], sleepers.mass,
            sleepers.stiffness[1], sleepers.damping[1], sleepers.inertia)  # fmt: skip
    mass = 2.0 * HALF_SLEEPER / SPACING * masses
    expected = (
        RAIL_MASS * masses, PAD[0] / SPACING * springs, PAD[1] / SPACING * masses, mass,
        2.0 * below / SPACING * springs, 2.0 * damping / SPACING * masses, mass * 2.6**2 / 12.0,
    )  # fmt: skip
    assert ours == pytest.approx(expected, rel=1e-3)


def test_one_layer_is_two_reduced_to_what_they_do_at_rest():
    two, one = support_named("zhai2004"), support_named("zhai2004_one_layer").rails
    for way in (Y, Z):
        k_1, k_2 = two.rails.stiffness[way], 0.5 * two.sleepers.stiffness[way]
        c_1, c_2 = two.rails.damping[way], 0.5 * two.sleepers.damping[way]
        r = k_1 / (k_1 + k_2)
        assert one.stiffness[way] == pytest.approx(k_1 * k_2 / (k_1 + k_2), rel=1e-3)
        assert one.damping[way] == pytest.approx((1 - r) ** 2 * c_1 + r**2 * c_2, rel=1e-3)
    assert one.mass == pytest.approx(two.rails.mass + r**2 * 0.5 * two.sleepers.mass, rel=1e-3)


def test_the_slab_track_has_the_numbers_of_its_table():
    """Ye et al. (2022), Table 2, to the side and upright; upright mortar at each rail."""
    support = support_named("ye2022")
    assert support.rails.stiffness == (30e6, 150e6)
    assert support.rails.damping == (150e3, 100e3)
    assert support.sleepers.stiffness == (70e6, 2 * 140e6)
    assert support.sleepers.damping == (350e3, 2 * 1400e3)
    assert math.isclose(support.sleepers.mass, 2.55 * 0.2 * 2500 * 1.3005, rel_tol=1e-3)
