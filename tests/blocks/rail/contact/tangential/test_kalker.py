"""Kalker's coefficients: the table, between its points and beyond; linear forces."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from linear_theory import linear_kalker
from rail_references import data, rows
from railblocks.blocks.rail.contact.tangential.flexibility import THREE, flexibilities
from railblocks.blocks.rail.contact.tangential.kalker import (
    LEAST,
    kalker,
    kalker_table,
    limit_across,
    limit_along,
)
from railblocks.engine import compiled

REFERENCE = data("creep_forces.yaml")
ROWS = [
    {name: float(text) for name, text in row.items() if name != "case"}
    for row in rows("kalker.csv")
]
NAMES = ("C11", "C22", "C23", "C33")


def coefficients(ratio, nu):
    """For a / b = ratio."""
    return kalker(1e-3 * ratio, 1e-3, nu, kalker_table(nu))


@pytest.mark.parametrize("row", ROWS, ids=lambda r: f"{r['a_over_b']}-{r['nu']}")
def test_coefficients_are_those_of_the_table(row):
    computed_coefficients = coefficients(row["a_over_b"], row["nu"])
    assert computed_coefficients == pytest.approx([row[name] for name in NAMES], rel=1e-5)


@pytest.mark.parametrize("row", ROWS, ids=lambda r: f"{r['a_over_b']}-{r['nu']}")
def test_coefficients_are_near_those_of_boundary_elements(row):
    """Coarse elements lie above the table: up to 2.5 %, of C33 up to 12 % where it is small."""
    C11, C22, C23, C33 = coefficients(row["a_over_b"], row["nu"])
    assert row["C11_bem"] == pytest.approx(C11, rel=0.03)
    assert row["C22_bem"] == pytest.approx(C22, rel=0.03)
    assert 0.5 * (row["C23_bem"] + row["C32_bem_abs"]) == pytest.approx(C23, rel=0.03)
    assert row["C33_bem"] == pytest.approx(C33, rel=0.05 if C33 > 0.4 else 0.12)


def test_circle_is_that_of_fine_boundary_elements():
    fine = REFERENCE["kalker_bem_circle_nu025"]
    C11, C22, C23, C33 = coefficients(1.0, 0.25)
    assert fine["C11"] == pytest.approx(C11, rel=0.005)
    assert fine["C22"] == pytest.approx(C22, rel=0.005)
    assert 0.5 * (fine["C23"] + fine["C32"]) == pytest.approx(C23, rel=0.01)
    assert fine["C33"] == pytest.approx(C33, rel=0.005)


def test_coefficients_between_points_of_the_table():
    case = REFERENCE["kalker_interpolated"]
    C11, C22, C23, _ = coefficients(case["a_over_b"], case["nu"])
    assert pytest.approx((case["C11"], case["C22"], case["C23"]), rel=2e-5) == (C11, C22, C23)


def test_flexibilities_are_those_that_contact_prints():
    case = REFERENCE["flexibilities"]
    a, G = case["a_mm"] * 1e-3, case["G_MPa"] * 1e6
    b = a / case["a_over_b"]
    C = kalker(a, b, case["nu"], kalker_table(case["nu"]))
    (L_x, L_y), (_, _, q_s) = flexibilities(1.0, 1.0, 1.0, a, b, G, *C[:3], 1e3, THREE)
    result = [L * 1e3**3 for L in (L_x, L_y, 1.0 / q_s)]  # mm^3/N
    assert result == pytest.approx(case["L_mm3_per_N"], rel=5e-4)


@given(st.floats(0.0, 0.5), st.booleans())
def test_coefficients_are_continuous_where_the_limits_begin(nu, along):
    below, above = LEAST * (1 - 1e-9), LEAST * (1 + 1e-9)
    if along:
        below, above = 1.0 / below, 1.0 / above
    assert coefficients(below, nu) == pytest.approx(coefficients(above, nu), rel=1e-7)


@given(st.floats(0.0, 0.5))
def test_slender_patches_have_the_coefficients_of_a_line(nu):
    g = 1e-7
    assert coefficients(g, nu) == pytest.approx(limit_across(g, nu), rel=1e-6)
    assert coefficients(1.0 / g, nu) == pytest.approx(limit_along(g, nu), rel=1e-6)


@pytest.mark.parametrize("nu", [0.0, 0.25, 0.5])
def test_limits_meet_the_table_within_its_own_accuracy(nu):
    assert limit_across(0.1, nu) == pytest.approx(kalker_table(nu)[0], rel=0.071)
    assert limit_along(0.1, nu) == pytest.approx(kalker_table(nu)[18], rel=0.071)


@given(st.floats(-6, 6), st.floats(0.0, 0.5))
def test_coefficients_are_positive_for_any_shape(exponent, nu):
    assert all(0.0 < C < math.inf for C in coefficients(10.0**exponent, nu))


def test_without_poisson_effect_both_directions_are_alike():
    for ratio in (0.01, 0.1, 0.37, 1.0, 2.4, 30.0):
        C11, C22, _, _ = coefficients(ratio, 0.0)
        assert pytest.approx(C22) == C11


@pytest.mark.parametrize(("a", "b"), [(0.0, 0.0), (0.0, 1e-3), (-1.0, 1e-3), (1e-3, 0.0)])
def test_no_patch_counts_as_a_circle(a, b):
    table = kalker_table(0.3)
    assert tuple(table[9]) == kalker(a, b, 0.3, table)


@given(*[st.floats(-1e-3, 1e-3)] * 2, st.floats(-1, 1))
def test_linear_forces_are_minus_a_symmetric_matrix_times_the_creepages(xi, eta, phi):
    """With creepages xi, eta, c phi and forces F_x, F_y, M_z / c, but for the sign of C32."""
    a, b, G = 6e-3, 4e-3, 8e10
    c = math.sqrt(a * b)
    C11, C22, C23, C33 = kalker(a, b, 0.3, kalker_table(0.3))
    matrix = np.array([[C11, 0, 0], [0, C22, C23], [0, -C23, C33]])
    F_x, F_y, M_z = linear_kalker(xi, eta, phi, a, b, G, C11, C22, C23, C33)
    expected = -G * c * c * matrix @ (xi, eta, c * phi)
    assert (F_x, F_y, M_z / c) == pytest.approx(expected, abs=1e-6)
    assert F_x * xi + F_y * eta + M_z * phi <= 1e-9  # takes power


def test_compiled_equals_interpreted():
    rng = np.random.default_rng(0)
    for _ in range(100):
        a, b, nu = 10.0 ** rng.uniform(-5, -1), 10.0 ** rng.uniform(-5, -1), rng.uniform(0, 0.5)
        table = kalker_table(nu)
        assert compiled(kalker)(a, b, nu, table) == kalker(a, b, nu, table)
