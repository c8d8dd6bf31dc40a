"""Saturated linear forces: limits, directions, and the cubic against other computations."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rail_references import data
from railblocks.blocks.rail.tangential.kalker import kalker, kalker_table
from railblocks.blocks.rail.tangential.linear import linear_kalker
from railblocks.blocks.rail.tangential.saturation import saturated_kalker, saturation
from railblocks.engine import compiled

CASE = data("creep_forces.yaml")["longitudinal"]
A, B, N, MU, G = 6e-3, 4.5e-3, 5.4e4, 0.3, 8e10
C = kalker(A, B, 0.3, kalker_table(0.3))
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
def test_large_creepages_give_friction_against_the_linear_force(angle):
    xi, eta = 0.2 * math.cos(angle), 0.2 * math.sin(angle)
    F_x, F_y, _ = force(xi, eta)
    assert math.hypot(F_x, F_y) == pytest.approx(MU * N, rel=1e-12)
    L_x, L_y, _ = linear_kalker(xi, eta, 0.0, A, B, G, *C)
    assert F_x * L_y == pytest.approx(F_y * L_x, abs=1e-3 * abs(L_x * L_y) + 1e-3)


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
