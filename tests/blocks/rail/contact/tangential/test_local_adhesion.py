"""Local degraded adhesion: another implementation, the law in every cell, limits, energy."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rail_references import rows
from railblocks.blocks.rail.contact.tangential.columns import MOST_STRIPS
from railblocks.blocks.rail.contact.tangential.fastsim import fastsim
from railblocks.blocks.rail.contact.tangential.flexibility import BLENDED, THREE, WEIGHTED
from railblocks.blocks.rail.contact.tangential.kalker import kalker, kalker_table
from railblocks.blocks.rail.contact.tangential.local_adhesion import local_adhesion as kernel_text
from railblocks.blocks.rail.contact.tangential.records import (
    Cells,
    Creepages,
    Elasticity,
    LoadedPatch,
    LocalFriction,
)
from railblocks.blocks.rail.contact.tangential.strips import centres
from railblocks.engine import compiled
from scipy.optimize import brentq

A, B, N, G, NU = 5.8e-3, 4.4e-3, 5.27e4, 8e10, 0.3
C = kalker(A, B, NU, kalker_table(NU))[:3]
PAPER = {  # Table 4 of Meacci et al. (2020), and its tuned tau
    "mu_cd": 0.06, "mu_cr": 0.28, "A_d": 0.4, "A_r": 0.4, "gamma_d": 0.2, "gamma_r": 0.6,
    "tau": 8.1e-9, "tau_x": 0.0,
}  # fmt: skip
NONE = None  # no tractions of cells are kept
local_adhesion = compiled(kernel_text)
creepage, spin, speed = st.floats(-0.1, 0.1), st.floats(-3, 3), st.floats(0, 80)
kinds = st.sampled_from((BLENDED, WEIGHTED, THREE))
TAUS = (0.0, 8.1e-9, 3e-8)


def forces(xi, eta=0.0, phi=0.0, V=32.5, load=N, n=25, kernel=local_adhesion, **options):
    """T_x, T_y, M_sp, mean friction and power."""
    parabolic, kind = options.pop("parabolic", False), options.pop("kind", WEIGHTED)
    fields = options.pop("fields", NONE)
    n_x, n_y = n if isinstance(n, tuple) else (n, n)
    mu_cd, *falling = (PAPER | options).values()
    return kernel(
        Creepages(xi, eta, phi), LoadedPatch(A, B, load), V, Elasticity(G, *C),
        mu_cd, LocalFriction(*falling), Cells(n_x, n_y, parabolic, kind), fields,
    )  # fmt: skip


def by_brentq(xi, eta, phi, V, n_x, n_y, kind, law):
    """The same cells, strip by strip, with the equation in each solved by SciPy."""
    L = np.array([8 * A / (3 * C[0]), 8 * A / (3 * C[1]), math.pi * A * (A / B) ** 0.5 / 4 / C[2]])
    L /= G
    if kind == WEIGHTED:
        w = np.abs([xi, eta, math.sqrt(A * B) * phi])
        L[:] = w @ L / math.sqrt(w @ w)
    x, y = centres(A, B, n_x, n_y)
    p_n = np.sqrt(1 - (x / A) ** 2 - (y / B) ** 2)
    area = (x[:, 0] - x[:, 1]) * 2 * B / n_y
    p_n *= N / (p_n * area[:, None]).sum()
    static, fields = law(0.0, 0.0), np.zeros((n_y, n_x, 6))
    for j, i in itertools.product(range(n_y), range(n_x)):
        dx = x[j, 0] - x[j, 1] if i else 0.5 * (x[j, 0] - x[j, 1])
        before = fields[j, i - 1, :2] if i else np.zeros(2)
        x_mid = x[j, i] + 0.5 * dx
        rate = [xi / L[0] - y[j, i] * phi / L[2], eta / L[1] + x_mid * phi / L[2]]
        p_A = before - dx * np.array(rate)
        P = math.hypot(*p_A)
        if static * p_n[j, i] >= P:
            fields[j, i] = *p_A, 0.0, 0.0, static, 0.0
            continue

        def cell(mu, p_A=p_A, P=P, dx=dx, p_n=p_n[j, i]):
            p = mu * p_n * p_A / P
            s = V * L[:2] * (p - p_A) / dx
            return *p, *s, mu, -(p @ s)

        def excess(mu, cell=cell):
            result = cell(mu)
            return mu - law(math.hypot(result[2], result[3]), result[5])

        fields[j, i] = cell(brentq(excess, 1e-3, min(2.0, P / p_n[j, i]), xtol=1e-15))
    p_x, p_y = fields[:, :, 0], fields[:, :, 1]
    sums = (p_x, p_y, x * p_y - y * p_x, fields[:, :, 4] * p_n / N, fields[:, :, 5])
    return [(q * area[:, None]).sum() for q in sums], fields


def paper_law(s, W, mu_cd=0.06, mu_cr=0.28, A_d=0.4, A_r=0.4, gamma_d=0.2, gamma_r=0.6, tau=8.1e-9):
    """Eqs 11 to 13, as printed."""
    mu_d = (mu_cd / A_d - mu_cd) * math.exp(-s * gamma_d) + mu_cd
    mu_r = (mu_cr / A_r - mu_cr) * math.exp(-s * gamma_r) + mu_cr
    part = 1 - math.exp(-tau * abs(W))
    return (1 - part) * mu_d + part * mu_r


@pytest.mark.parametrize("kind", [WEIGHTED, THREE])
@pytest.mark.parametrize("V", [5.0, 32.5])
@pytest.mark.parametrize(
    "creepages",
    [(1e-3, 0.0, 0.0), (3e-3, 1e-3, 0.2), (-0.01, 2e-3, -0.5), (0.1, 0.0, 0.0), (0.0, 0.0, 0.9)],
)
def test_forces_and_fields_are_those_of_another_implementation(creepages, V, kind):
    expected, cells = by_brentq(*creepages, V, 10, 7, kind, paper_law)
    fields = np.zeros((7, 10, 6))
    creep_forces = forces(*creepages, V=V, n=(10, 7), kind=kind, fields=fields)
    assert creep_forces == pytest.approx(expected, rel=1e-7, abs=1e-6)
    for k in range(6):
        assert fields[:, :, k] == pytest.approx(cells[:, :, k], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("kind", [WEIGHTED, THREE])
@pytest.mark.parametrize("V", [1.0, 32.5])
@pytest.mark.parametrize("creepages", [(3e-3, 1e-3, 0.2), (-0.01, 2e-3, -0.5), (0.2, 0.0, 0.0)])
def test_recovery_per_distance_is_that_of_another_implementation(creepages, V, kind):
    """Energy per distance is power over speed."""
    tau_x = 3e-8

    def law(s, W):
        return paper_law(s, W / V, tau=tau_x)

    expected, cells = by_brentq(*creepages, V, 10, 7, kind, law)
    fields = np.zeros((7, 10, 6))
    options = {"tau": 0.0, "tau_x": tau_x, "n": (10, 7), "kind": kind, "fields": fields}
    assert forces(*creepages, V=V, **options) == pytest.approx(expected, rel=1e-7, abs=1e-6)
    assert fields == pytest.approx(cells, rel=1e-6, abs=1e-6)


def test_strips_that_are_done_in_turns_are_those_of_another_implementation():
    n_y = 2 * MOST_STRIPS + 3
    expected, _ = by_brentq(3e-3, 1e-3, 0.2, 10.0, 3, n_y, WEIGHTED, paper_law)
    assert forces(3e-3, 1e-3, 0.2, V=10.0, n=(3, n_y)) == pytest.approx(expected, rel=1e-7)


@given(creepage, creepage, spin, st.floats(0.5, 80))
def test_both_readings_agree_at_one_speed(xi, eta, phi, V):
    by_power = forces(xi, eta, phi, V=V, tau=8.1e-9)
    per_distance = forces(xi, eta, phi, V=V, tau=0.0, tau_x=8.1e-9 * V)
    assert per_distance == pytest.approx(by_power, rel=1e-12, abs=1e-9)


@given(creepage, creepage, spin, st.floats(0.5, 80))
def test_without_falling_friction_recovery_per_distance_does_not_know_the_speed(xi, eta, phi, V):
    constant = {"gamma_d": 0.0, "gamma_r": 0.0, "tau": 0.0, "tau_x": 2e-8}
    slow, fast = (forces(xi, eta, phi, V=speed, **constant) for speed in (0.5, V))
    assert fast[:4] == pytest.approx(slow[:4], rel=1e-9, abs=1e-6)
    assert fast[4] == pytest.approx(slow[4] * V / 0.5, rel=1e-9, abs=1e-6)


def test_a_wheel_that_does_not_travel_recovers_per_distance_but_dissipates_no_power():
    standing = forces(0.05, V=0.0, tau=0.0, tau_x=1e-6)
    assert standing[3] > 1.5 * forces(0.05, V=0.0)[3]
    assert standing[4] == 0.0


@given(creepage, creepage, spin, speed, st.sampled_from(TAUS), st.booleans(), kinds)
def test_law_holds_in_every_cell_and_sliding_takes_power(xi, eta, phi, V, tau, parabolic, kind):
    fields = np.zeros((8, 9, 6))
    options = {"parabolic": parabolic, "kind": kind, "tau": tau, "n": (9, 8)}
    forces(xi, eta, phi, V=V, fields=fields, **options)
    for p_x, p_y, s_x, s_y, mu, W in fields.reshape(-1, 6):
        assert W >= 0.0
        assert pytest.approx(-(p_x * s_x + p_y * s_y), rel=1e-9, abs=1e-6) == W
        assert mu == pytest.approx(paper_law(math.hypot(s_x, s_y), W, tau=tau), rel=1e-5)


@given(creepage, creepage, spin, st.booleans(), kinds)
def test_constant_friction_is_fastsim(xi, eta, phi, parabolic, kind):
    creep_forces = forces(
        xi, eta, phi, parabolic=parabolic, kind=kind,
        mu_cd=0.2, A_d=1.0, gamma_d=0.0, tau=0.0,
    )  # fmt: skip
    expected = compiled(fastsim)(
        Creepages(xi, eta, phi), LoadedPatch(A, B, N), 0.2, Elasticity(G, *C),
        Cells(25, 25, parabolic, kind), NONE,
    )  # fmt: skip
    assert creep_forces[:3] == pytest.approx(expected, rel=1e-9, abs=1e-9)


FALLING = [
    (float(r["cksi"]), float(r["minus_Fx_N"]))
    for r in rows("creep_curves_contact.csv")
    if r["series"] == "FASTSIM_modified_falling" and float(r["cksi"]) >= 0.1
]


@pytest.mark.parametrize(("xi", "force"), FALLING)
def test_sliding_with_falling_friction_is_that_of_contact(xi, force):
    """Its modified FASTSIM at 10 m/s: mu = 0.36 (0.62 exp(-0.7 s) + 0.38); all slides there."""
    a, b, load = 6.304e-3, 12.608e-3, 106700.0
    C11, C22, C23, _ = kalker(a, b, 0.28, kalker_table(0.28))
    kinetic = 0.36 * 0.38
    falling = LocalFriction(kinetic, 0.38, 0.38, 0.7, 0.7, 0.0, 0.0)
    T_x = local_adhesion(
        Creepages(xi, 0.0, 0.0), LoadedPatch(a, b, load), 10.0, Elasticity(8.2e10, C11, C22, C23),
        kinetic, falling, Cells(25, 25, True, WEIGHTED), NONE,
    )[0]  # fmt: skip
    assert -T_x == pytest.approx(force, rel=1.5e-3)


def test_fast_sliding_gives_kinetic_friction_dirty_or_clean():
    assert -forces(1.0, V=80.0, tau=0.0)[0] / N == pytest.approx(0.06, rel=1e-3)
    assert -forces(1.0, V=80.0, tau=1e-6)[0] / N == pytest.approx(0.28, rel=1e-3)


@given(creepage, creepage, spin, speed)
def test_without_recovery_friction_lies_between_kinetic_and_static(xi, eta, phi, V):
    T_x, T_y, _, mu, _ = forces(xi, eta, phi, V=V, tau=0.0)
    assert 0.06 <= mu <= 0.15 * (1 + 1e-12)
    assert math.hypot(T_x, T_y) <= mu * N * (1 + 1e-12)


@given(creepage, creepage, spin, speed)
def test_with_recovery_friction_lies_between_dirty_kinetic_and_clean_static(xi, eta, phi, V):
    T_x, T_y, _, mu, P = forces(xi, eta, phi, V=V)
    assert 0.06 <= mu <= 0.7
    assert math.hypot(T_x, T_y) <= mu * N * (1 + 1e-9)
    assert P >= 0.0


@pytest.mark.parametrize("xi", [2e-3, 0.01, 0.03, 0.1, 0.3])
def test_recovery_raises_the_force(xi):
    T = [-forces(xi, tau=tau)[0] for tau in (0.0, 1e-9, 8.1e-9, 3e-8)]
    assert sorted(T) == T
    assert T[-1] > 1.2 * T[0]


def test_small_creepages_give_the_slope_of_linear_theory_without_dissipation():
    T_x, T_y, _, mu, P = forces(1e-7)
    assert T_x == pytest.approx(-G * A * B * C[0] * 1e-7, rel=2e-3)
    assert (T_y, P) == (0.0, 0.0)
    assert mu == pytest.approx(0.15)


@given(creepage, creepage, spin, speed, kinds)
def test_symmetries(xi, eta, phi, V, kind):
    T = np.array(forces(xi, eta, phi, V=V, kind=kind))
    opposite = forces(-xi, -eta, -phi, V=V, kind=kind)
    mirror = forces(xi, -eta, -phi, V=V, kind=kind)
    assert opposite == pytest.approx(T * [-1, -1, -1, 1, 1], rel=1e-6, abs=1e-6)
    assert mirror == pytest.approx(T * [1, -1, -1, 1, 1], rel=1e-6, abs=1e-6)


@given(st.floats(0, 0.05), st.floats(0, 2 * math.pi))
def test_on_a_circle_without_poisson_effect_the_force_turns_with_the_creepage(size, angle):
    def force(xi, eta):
        return np.array(
            local_adhesion(
                Creepages(xi, eta, 0.0), LoadedPatch(A, A, N), 32.5, Elasticity(G, 3.4, 3.4, 1.33),
                PAPER["mu_cd"], LocalFriction(*list(PAPER.values())[1:]),
                Cells(9, 9, False, BLENDED), NONE,
            )
        )  # fmt: skip

    straight, turned = force(size, 0.0), force(size * math.cos(angle), size * math.sin(angle))
    expected = straight[0] * math.cos(angle), straight[0] * math.sin(angle)
    assert turned[:2] == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert turned[4] == pytest.approx(straight[4], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("creepages", [(2e-3, 0.0, 0.0), (0.02, 5e-3, 0.5), (3e-3, -2e-3, 0.2)])
def test_dissipation_is_the_power_of_forces_over_creepages(creepages):
    """What is stored in a cell's material leaves through the trailing edge with no traction."""
    V = 20.0
    T_x, T_y, M, _, P = forces(*creepages, V=V, tau=0.0, n=200)
    xi, eta, phi = creepages
    assert -V * (T_x * xi + T_y * eta + M * phi) == pytest.approx(P, rel=0.01)


@pytest.mark.parametrize("creepages", [(1e-3, 0.0, 0.0), (4e-3, 1e-3, 0.3), (0.1, 0.0, 0.0)])
def test_grid_converges(creepages):
    coarse, fine = (np.array(forces(*creepages, V=20.0, n=n)[:2]) for n in (25, 75))
    assert coarse == pytest.approx(fine, rel=0.02, abs=1e-3 * N)


def test_partial_adherence_has_both_zones_and_pure_sliding_only_one():
    partial, pure = np.zeros((25, 25, 6)), np.zeros((25, 25, 6))
    forces(1e-3, fields=partial)
    forces(0.1, fields=pure)
    slides = [np.hypot(f[:, :, 2], f[:, :, 3]) > 0 for f in (partial, pure)]
    assert 0.1 < slides[0].mean() < 0.9
    assert slides[1].all()


@pytest.mark.parametrize("load", [0.0, -1e4])
def test_lifted_wheel_has_no_forces(load):
    assert forces(1e-3, 1e-3, 0.2, load=load) == (0.0,) * 5


number = st.floats(1e-3, 1e3)


@given(*[st.floats(-1e3, 1e3)] * 4, *[number] * 6, *[st.floats(0, 1e3)] * 4, kinds)
@settings(max_examples=300)
def test_any_input_gives_finite_results(
    xi, eta, phi, V, a, b, load, mu_cd, mu_cr, shear, gamma_d, gamma_r, tau, tau_x, kind
):
    creep_forces = local_adhesion(
        Creepages(xi, eta, phi), LoadedPatch(a, b, load), V, Elasticity(shear, *C), mu_cd,
        LocalFriction(mu_cr, 0.4, 0.7, gamma_d, gamma_r, tau, tau_x),
        Cells(6, 6, False, kind), NONE,
    )  # fmt: skip
    assert all(map(math.isfinite, creep_forces))
    assert math.hypot(*creep_forces[:2]) <= max(mu_cd / 0.4, mu_cr / 0.7) * load * (1 + 1e-6)


def test_compiled_equals_interpreted():
    rng = np.random.default_rng(0)
    for k, (xi, eta, phi) in enumerate(rng.normal(0, (5e-3, 5e-3, 0.5), (12, 3))):
        options = {"n": (6, 5), "kind": k % 3, "tau": TAUS[k % 3]}
        fields = np.zeros((5, 6, 6)), np.zeros((5, 6, 6))
        slow = forces(xi, eta, phi, kernel=kernel_text, fields=fields[0], **options)
        assert slow == forces(xi, eta, phi, fields=fields[1], **options)
        assert np.array_equal(*fields)
