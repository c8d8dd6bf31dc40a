"""Rows of the wheelset as a chain against closed forms and other code; the paper has no numbers."""

import numpy as np
import pytest
from paper_tables import reproduced
from rail_references import data

FREE = data("free_wheelset.yaml")
LAM, K_Y, K_PSI = 0.18, 5e5, 2e6
SHAPES = ("linear", "conical", "curved")
(CRITICAL_SPEED,) = [
    V for lam, k_y, k_psi, V in FREE["critical_speeds"] if (lam, k_y) == (LAM, K_Y)
]


@pytest.fixture(scope="module")
def table():
    return reproduced("vishnu")


@pytest.mark.parametrize("shape", SHAPES)
def test_both_methods_are_equal_to_1e_9(table, shape):
    assert 0.0 <= table.ours(f"DeNOC less conventional equations, {shape}") <= 1e-9


@pytest.mark.parametrize("shape", SHAPES)
def test_a_free_wheelset_without_weight_is_unstable_at_all_speeds(table, shape):
    (row,) = table.rows(f"free wheelset, {shape}")
    least = float(row.note.rpartition(" ")[2])
    assert row.ours == "unstable"
    assert least > 0.0


def test_weight_centres_a_conical_wheelset_at_low_speeds(table):
    ours = table.ours("the same with its load, conical: stable below")
    assert ours == pytest.approx(5.6, abs=0.05)  # docs/vishnu.md


@pytest.mark.parametrize("V", [5, 10, 20, 40])
def test_eigenvalues_are_those_of_other_code(table, V):
    """With six decimals there."""
    pairs = [pair for lam, speed, *pair in FREE["eigenvalues"] if (lam, speed) == (LAM, V)]
    ((sigma, omega),) = pairs
    assert table.ours(f"growth at {V} m/s, linear") == pytest.approx(sigma, abs=1.5e-6)
    assert table.ours(f"frequency at {V} m/s, linear") == pytest.approx(omega, abs=1.5e-6)


def test_the_formula_for_low_speeds_gives_nearly_the_eigenvalue(table):
    """V omega_0^2 / 4 (m / f22 + I_z / (f11 b^2)) with omega_0 = V sqrt(lambda / (r_0 b))."""
    m, I_z, f11, f22, b, r_0 = (FREE[name] for name in ("m", "I_z", "f11", "f22", "b", "r_0"))
    V = 10.0
    omega_0 = V * np.sqrt(LAM / (r_0 * b))
    formula = V * omega_0**2 / 4.0 * (m / f22 + I_z / (f11 * b**2))
    assert table.ours("growth formula at 10 m/s") == pytest.approx(formula, rel=1e-4)
    assert formula == pytest.approx(0.054214, rel=1e-3)  # the eigenvalue of other code


def test_motions_grow_along_runs_as_eigenvalues_say(table):
    ours = table.ours("growth along the run at 20 m/s, linear")
    assert ours == pytest.approx(0.431889, rel=1e-4)  # other code
    for shape in ("conical", "curved"):
        (row,) = table.rows(f"growth along the run at 20 m/s, {shape}")
        assert row.ours == pytest.approx(row.reference, rel=1e-3)  # its own eigenvalue


def test_wavelengths_are_klingels(table):
    """2 pi sqrt(r_0 b / lambda)."""
    runs = {shape: table.rows(f"the same by a run at 2 m/s, {shape}") for shape in SHAPES[:2]}
    for k, lam in enumerate((0.05, 0.18)):
        klingel = 2.0 * np.pi * np.sqrt(FREE["r_0"] * FREE["b"] / lam)
        assert table.ours(f"wavelength by formula, conicity {lam}") == pytest.approx(klingel)
        assert klingel == pytest.approx(FREE["wavelengths"][lam], abs=5e-5)
        for rows in runs.values():
            assert rows[k].ours == pytest.approx(klingel, rel=2e-6)


def test_critical_speeds_on_springs_are_those_of_other_code(table):
    routh, block, runs = table.starting_with("critical speed ")
    assert routh.ours == pytest.approx(CRITICAL_SPEED, abs=1e-4)
    assert block.ours == pytest.approx(CRITICAL_SPEED, abs=1e-4)
    assert runs.ours == pytest.approx(CRITICAL_SPEED, abs=5e-3)
    (large,) = table.starting_with("the same, sway")
    assert 44.5 < large.ours < runs.ours  # friction softens creep forces


def test_creep_coefficients_are_those_of_the_references(table):
    for name in ("f11", "f22"):
        assert 1e6 * table.ours(f"creep coefficient {name}") == pytest.approx(FREE[name], abs=50.0)


def test_rows_hold_the_references(table):
    assert [row.reference for row in table.starting_with("critical speed ")] == [CRITICAL_SPEED] * 3
    for lam, other in FREE["wavelengths"].items():
        assert table.references(f"wavelength by formula, conicity {lam}") == other


def test_bogies_and_car_body_are_equal_by_all_methods(table):
    for name in (
        "accelerations of bogies and car body, tree less Newton-Euler",
        "eigenvalues of bogies and car body, tree less Lagrange",
    ):
        assert 0.0 <= table.ours(name) <= 1e-9
    name = "car on two bogies: critical speed of the tree"
    assert table.ours(name) == pytest.approx(table.references(name), abs=5e-3)
    assert table.ours(name) == pytest.approx(74.13, abs=0.01)  # docs/vishnu.md


def test_what_is_not_the_papers_stands_under_reference(table):
    """The paper prints no numbers: only words stand in its column, and every value has a source."""
    assert all(row.paper is None or isinstance(row.paper, str) for row in table.result.rows)
    for row in table.result.rows:
        if row.paper is not None or row.reference is not None:
            assert row.source, row.quantity


def test_figure_2_has_both_of_its_parts(table):
    assert [f.name for f in table.result.figures][:2] == ["figure_2a", "figure_2b"]
