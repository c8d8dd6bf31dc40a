"""Saturated linear forces: limits, directions, and the cubic against other computations."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from linear_theory import linear_kalker
from rail_references import data
from railblocks.blocks.rail.contact.tangential.fastsim import fastsim as fastsim_kernel
from railblocks.blocks.rail.contact.tangential.flexibility import BLENDED
from railblocks.blocks.rail.contact.tangential.full_sliding import mean_distance
from railblocks.blocks.rail.contact.tangential.kalker import kalker, kalker_table
from railblocks.blocks.rail.contact.tangential.records import (
    Cells,
    Creepages,
    Elasticity,
    LoadedPatch,
)
from railblocks.blocks.rail.contact.tangential.saturation import (
    saturated_creep,
    saturated_kalker,
    saturation,
)
from railblocks.engine import compiled

CASE = data("creep_forces.yaml")["longitudinal"]
A, B, N, MU, G = 6e-3, 4.5e-3, 5.4e4, 0.3, 8e10
C = kalker(A, B, 0.3, kalker_table(0.3))
fastsim = compiled(fastsim_kernel)
creepage = st.floats(-0.02, 0.02)
spin = st.floats(-3, 3)


def force(xi, eta=0.0, phi=0.0, load=N, mu=MU):
    return saturated_kalker(xi, eta, phi, A, B, load, mu, G, *C)


@pytest.mark.parametrize("row", CASE["rows"], ids=lambda r: str(r[0]))
def test_longitudinal_force_is_that_of_the_reference(row):
    setup = CASE["setup"]
    a, b, G = setup["a_mm"] * 1e-3, setup["b_mm"] * 1e-3, setup["G_MPa"] * 1e6
    C = kalker(a, b, setup["nu"], kalker_table(setup["nu"]))
    bound = setup["mu"] * setup["F_N"]
    F_x, F_y, M_z = saturated_kalker(row[0], 0.0, 0.0, a, b, setup["F_N"], setup["mu"], G, *C)
    assert -F_x / bound == pytest.approx(row[5], abs=6e-5)  # Johnson and Vermeulen
    assert -F_x / bound == pytest.approx(row[1], abs=0.05)  # CONTACT
    assert (F_y, M_z) == (0.0, 0.0)


@given(creepage, creepage, spin)
def test_small_creepages_give_linear_forces(xi, eta, phi):
    small = 1e-7
    linear = linear_kalker(small * xi, small * eta, small * phi, A, B, G, *C)
    assert force(small * xi, small * eta, small * phi) == pytest.approx(linear, rel=1e-5, abs=1e-12)


@given(st.floats(0, 2 * math.pi))
def test_large_creepages_give_friction_against_the_slip(angle):
    """It used to point against the linear force, off by C11 / C22."""
    x, y = math.cos(angle), math.sin(angle)
    expected = pytest.approx((-MU * N * x, -MU * N * y), abs=1e-9 * N)
    assert force(0.2 * x, 0.2 * y)[:2] == expected
    assert saturated_creep(0.2 * x, 0.2 * y, 9.6e6, 8.7e6, MU * N) == expected


def test_a_patch_that_slides_as_a_whole_is_near_contact():
    """Before, the force was (1542, -4368) N and the moment +10.8 N m."""
    case = data("creep_forces.yaml")["full_sliding"]
    setup, exact = case["setup"], case["contact_exact"]
    a, b, G = setup["a_mm"] * 1e-3, setup["b_mm"] * 1e-3, setup["G_MPa"] * 1e6
    coefficients = kalker(a, b, setup["nu"], kalker_table(setup["nu"]))
    creepages = setup["xi"], setup["eta"], setup["phi_per_m"]
    forces = saturated_kalker(*creepages, a, b, setup["F_N"], setup["mu"], G, *coefficients)
    assert forces[:2] == pytest.approx((exact["Fx_N"], exact["Fy_N"]), rel=0.025)
    assert forces[2] == pytest.approx(exact["Mz_Nm"], abs=0.35)
    assert forces[2] < 0.0


@pytest.mark.parametrize("rho", [6.0, 20.0, 60.0])
def test_spin_of_a_sliding_patch_leaves_the_lateral_force_of_lagging_tractions(rho):
    """F_y = -(mu^2 L phi / xi^2) integral of p_n^2 = -(32 / (9 pi)) mu N a phi / (rho xi).

    For tractions p that obey p = -mu p_n s / |s| and s = (xi, x phi) - L p', by an expansion in
    1 / xi; marching through the patch finds it too.
    """
    xi = rho * MU * N / (G * A * B * C[0])
    phi = 0.01 * xi / A
    expected = -32.0 / (9.0 * math.pi) * MU * N * A * phi / (rho * xi)
    assert force(xi, 0.0, phi)[1] == pytest.approx(expected, rel=1e-3)
    one = fastsim(
        Creepages(xi, 0.0, phi), LoadedPatch(A, B, N), MU, Elasticity(G, C[0], C[0], C[2]),
        Cells(2000, 25, True, BLENDED), None,
    )  # fmt: skip
    assert one[1] == pytest.approx(expected, rel=0.5 / rho + 0.02)


@pytest.mark.parametrize("bound", [MU * N, math.inf])
def test_creep_without_spin_is_that_of_the_patch(bound):
    c = A * B
    for xi, eta in ((1e-4, -2e-4), (2e-3, 1e-3), (0.0, 0.0)):
        forces = saturated_creep(xi, eta, G * c * C[0], G * c * C[1], bound)
        if bound == math.inf:
            assert forces == (-G * c * C[0] * xi, -G * c * C[1] * eta)
        else:
            assert forces == pytest.approx(force(xi, eta)[:2], rel=1e-12, abs=1e-12)
    assert saturated_creep(1e-3, 1e-3, 9.6e6, 8.7e6, 0.0) == (0.0, 0.0)


@given(creepage, creepage, spin)
def test_moment_never_exceeds_that_of_sliding_and_adhering_together(xi, eta, phi):
    """Where lateral creepage and spin cancel in the linear force, the moment is bounded too."""
    c = math.sqrt(A * B)
    _, _, M = force(xi, eta, phi)
    assert abs(M) <= MU * N * (2.0 * mean_distance(A, B) + C[2] / C[1] * c)


@given(creepage, creepage, spin)
def test_force_turns_round_with_the_creepages_and_never_exceeds_friction(xi, eta, phi):
    F = force(xi, eta, phi)
    assert force(-xi, -eta, -phi) == pytest.approx([-f for f in F])
    assert math.hypot(F[0], F[1]) <= MU * N * (1 + 1e-12)
    assert F[0] * xi + F[1] * eta + F[2] * phi <= 1e-9


def test_cubic_reaches_friction_smoothly():
    x = 1e-6
    below, above = 3.0 - x, 3.0 + x
    assert below * saturation(below, 1.0) == pytest.approx(1.0, abs=1e-12)
    assert above * saturation(above, 1.0) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("load", [0.0, -1e4])
def test_lifted_wheel_has_no_forces(load):
    assert force(1e-3, 1e-3, 0.1, load) == (0.0, 0.0, 0.0)
    assert force(1e-3, 1e-3, 0.1, N, 0.0) == (0.0, 0.0, 0.0)


def test_compiled_equals_interpreted():
    rng = np.random.default_rng(0)
    for xi, eta, phi in rng.normal(0, (3e-3, 3e-3, 0.5), (100, 3)):
        arguments = (xi, eta, phi, A, B, N, MU, G, *C)
        assert compiled(saturated_kalker)(*arguments) == saturated_kalker(*arguments)
