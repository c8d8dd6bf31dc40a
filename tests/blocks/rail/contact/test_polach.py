"""Polach's formula: references, slope, falling friction, limits."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from linear_theory import linear_kalker
from rail_references import data
from railblocks.blocks.rail.contact.tangential.kalker import kalker, kalker_table
from railblocks.blocks.rail.contact.tangential.polach import DRY, WET, polach
from railblocks.blocks.rail.contact.tangential.records import LoadedPatch, PolachFriction
from railblocks.engine import compiled

REFERENCE = data("creep_forces.yaml")
CASE = REFERENCE["longitudinal"]
A, B, N, G = 6e-3, 4.5e-3, 5.4e4, 8e10
C = kalker(A, B, 0.3, kalker_table(0.3))


def force(xi, eta=0.0, V=30.0, load=N, **surface):
    s = DRY | surface
    return polach(
        xi, eta, V, LoadedPatch(A, B, load), s["mu_0"],
        PolachFriction(s["A"], s["B"], s["k_A"], s["k_S"]), G, C[0], C[1],
    )  # fmt: skip


def test_constants_are_those_of_the_paper():
    assert REFERENCE["polach"]["dry"] == DRY
    assert REFERENCE["polach"]["wet"] == WET


@pytest.mark.parametrize("row", CASE["rows"], ids=lambda r: str(r[0]))
def test_longitudinal_force_is_that_of_the_reference(row):
    setup = CASE["setup"]
    a, b, G = setup["a_mm"] * 1e-3, setup["b_mm"] * 1e-3, setup["G_MPa"] * 1e6
    C11, C22, _, _ = kalker(a, b, setup["nu"], kalker_table(setup["nu"]))
    mu, load = setup["mu"], setup["F_N"]
    plain = PolachFriction(A=1.0, B=0.0, k_A=1.0, k_S=1.0)
    F_x, F_y = polach(row[0], 0.0, 0.0, LoadedPatch(a, b, load), mu, plain, G, C11, C22)
    assert -F_x / (mu * load) == pytest.approx(row[4], abs=6e-5)
    assert F_y == 0.0


@pytest.mark.parametrize("surface", [DRY, WET, DRY | {"k_S": 1.0}])
@pytest.mark.parametrize("direction", [(1.0, 0.0), (0.0, 1.0)])
def test_slope_at_zero_creepage_is_a_part_of_linear_theory(surface, direction):
    xi, eta = 1e-9 * direction[0], 1e-9 * direction[1]
    F_x, F_y, _ = linear_kalker(xi, eta, 0.0, A, B, G, *C)
    part = 0.5 * (surface["k_A"] + surface["k_S"])
    forces = force(xi, eta, V=0.0, **surface)
    assert forces == pytest.approx((part * F_x, part * F_y), rel=1e-5, abs=1e-12)


@given(st.floats(0, 2 * math.pi), st.floats(0, 100))
def test_large_creepages_give_friction_at_their_speed_of_sliding(angle, V):
    nu = 50.0
    F_x, F_y = force(nu * math.cos(angle), nu * math.sin(angle), V)
    mu = 0.55 * (0.6 * math.exp(-0.6 * V * nu) + 0.4)
    assert math.hypot(F_x, F_y) == pytest.approx(mu * N, rel=2e-3)
    assert (F_x, F_y) == pytest.approx(
        (-mu * N * math.cos(angle), -mu * N * math.sin(angle)), abs=2e-3 * N
    )


def test_force_has_a_top_that_lies_lower_and_further_on_when_wet():
    xi = np.geomspace(1e-4, 0.5, 400)
    dry, wet = (np.array([-force(x, **s)[0] / N for x in xi]) for s in (DRY, WET))
    assert 0 < dry.argmax() < wet.argmax() < 399
    assert wet.max() < dry.max()
    assert dry[-1] == pytest.approx(0.4 * 0.55, rel=0.01)  # A mu_0


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(-100, 100))
def test_force_is_odd_bounded_and_takes_power(xi, eta, V):
    F = force(xi, eta, V)
    assert force(-xi, -eta, V) == pytest.approx((-F[0], -F[1]))
    assert math.hypot(*F) <= 0.55 * N * (1 + 1e-12)
    assert F[0] * xi + F[1] * eta <= 0.0


@pytest.mark.parametrize("load", [0.0, -1e4])
def test_lifted_wheel_has_no_forces(load):
    assert force(1e-3, 1e-3, load=load) == (0.0, 0.0)
    assert force(0.0, 0.0) == (0.0, 0.0)


def test_compiled_equals_interpreted():
    rng = np.random.default_rng(0)
    for xi, eta, V in rng.normal(0, (3e-3, 3e-3, 30), (100, 3)):
        friction = PolachFriction(0.4, 0.6, 1.0, 0.4)
        arguments = (xi, eta, V, LoadedPatch(A, B, N), 0.3, friction, G, C[0], C[1])
        assert compiled(polach)(*arguments) == polach(*arguments)


def test_friction_that_has_fallen_to_almost_nothing_leaves_no_force():
    """exp(-B w) is 1e-313 at w = 720 m/s, A = 0: e would be infinite."""
    patch, falling = LoadedPatch(1e-3, 1e-3, 1e4), PolachFriction(0.0, 1.0, 1.0, 0.4)
    force = polach(1.0, 0.5, 644.0, patch, 0.3, falling, 8e10, 4.0, 3.5)
    assert force == pytest.approx((0.0, 0.0), abs=1e-200)
    assert np.all(np.isfinite(force))
