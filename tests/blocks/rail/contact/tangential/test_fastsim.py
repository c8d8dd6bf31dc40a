"""FASTSIM: closed forms, the reference outputs of CONTACT, another way of marching, limits."""

import math

import numpy as np
import pytest
from bench import Bench
from bench import compiled as by_program
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_theory import linear_kalker
from rail_references import data, rows
from railblocks.blocks.rail.contact.one_wheel import WheelOnRail
from railblocks.blocks.rail.contact.tangential.fastsim import fastsim as kernel_text
from railblocks.blocks.rail.contact.tangential.flexibility import BLENDED, THREE, WEIGHTED
from railblocks.blocks.rail.contact.tangential.kalker import kalker, kalker_table
from railblocks.blocks.rail.contact.tangential.records import (
    Cells,
    Creepages,
    Elasticity,
    LoadedPatch,
)
from railblocks.blocks.rail.contact.tangential.strips import centres
from railblocks.engine import compiled
from scipy import integrate

REFERENCE = data("creep_forces.yaml")
NONE = None  # no tractions of cells are kept
PATCH = (6e-3, 4.5e-3, 5.4e4, 0.3, 8e10)  # a, b, N, mu, G
fastsim = compiled(kernel_text)
KINDS = (BLENDED, WEIGHTED, THREE)
creepage, spin = st.floats(-0.01, 0.01), st.floats(-3, 3)


def forces(xi, eta=0.0, phi=0.0, patch=PATCH, nu=0.3, n=25, **options):
    """F_x, F_y over mu N, and M_z over mu N c."""
    a, b, N, mu, G = patch
    C11, C22, C23, _ = kalker(a, b, nu, kalker_table(nu))
    n_x, n_y = n if isinstance(n, tuple) else (n, n)
    parabolic, kind = options.get("parabolic", True), options.get("kind", BLENDED)
    fields = options.get("fields", NONE)
    F_x, F_y, M_z = options.get("kernel", fastsim)(
        Creepages(xi, eta, phi), LoadedPatch(a, b, N), mu, Elasticity(G, C11, C22, C23),
        Cells(n_x, n_y, parabolic, kind), fields,
    )  # fmt: skip
    return np.array([F_x, F_y, M_z / math.sqrt(a * b)]) / (mu * N)


def patch_of(setup):
    a, b, G = setup["a_mm"] * 1e-3, setup["b_mm"] * 1e-3, setup["G_MPa"] * 1e6
    return a, b, float(setup["F_N"]), setup["mu"], G


LONGITUDINAL = REFERENCE["longitudinal"]
OPPOSED = REFERENCE["lateral_and_spin"]


def longitudinal(xi, **options):
    setup = LONGITUDINAL["setup"]
    return -forces(xi, patch=patch_of(setup), nu=setup["nu"], **options)[0]


def closed_form(xi, patch, C11, parabolic):
    """F_x / (mu N) without spin: each strip adheres up to where the line meets the bound."""
    a, b, N, mu, G = patch
    slope = xi * 3.0 * G * C11 / (8.0 * a)
    top = mu * N / (math.pi * a * b) * (2.0 if parabolic else 1.5)

    def strip(y):
        half = a * math.sqrt(1.0 - y * y)
        if parabolic:
            x = min(slope * a * a / top - half, half)
            bound = integrate.quad(lambda x: top * (half * half - x * x) / (a * a), -half, x)[0]
        else:
            k = (slope * a / top) ** 2
            x = half * (k - 1.0) / (k + 1.0)
            bound = integrate.quad(lambda x: top / a * math.sqrt(half * half - x * x), -half, x)[0]
        return bound + 0.5 * slope * (half - x) ** 2

    return integrate.quad(strip, -1.0, 1.0, epsabs=1e-6)[0] * b / (mu * N)


@pytest.mark.parametrize("parabolic", [True, False])
@pytest.mark.parametrize("xi", [1e-4, 5e-4, 1e-3, 2e-3, 4e-3])
def test_force_without_spin_is_the_closed_form(xi, parabolic):
    a, b, *_ = PATCH
    C11 = kalker(a, b, 0.3, kalker_table(0.3))[0]
    exact = closed_form(xi, PATCH, C11, parabolic)
    assert -forces(xi, parabolic=parabolic)[0] == pytest.approx(exact, abs=2e-3)
    assert -forces(xi, parabolic=parabolic, n=200)[0] == pytest.approx(exact, abs=1e-4)


@pytest.mark.parametrize("row", LONGITUDINAL["rows"], ids=lambda r: str(r[0]))
def test_longitudinal_force_is_that_of_the_references(row):
    xi, exact, by_contact, by_nodes, polach, _ = row
    assert longitudinal(xi, n=50) == pytest.approx(by_nodes, abs=3e-4)
    assert longitudinal(xi) == pytest.approx(by_contact, abs=0.013)
    assert longitudinal(xi) == pytest.approx(exact, abs=0.05)
    # Polach's formula is the elliptic bound in closed form
    assert longitudinal(xi, n=50, parabolic=False) == pytest.approx(polach, abs=6e-4)


CURVES = [
    (float(r["cksi"]), float(r["minus_Fx_over_muN"]), float(r["minus_Fx_N"]), r["series"])
    for r in rows("creep_curves_contact.csv")
    if r["series"] in ("CONTACT_coulomb", "FASTSIM_parabolic")
]


@pytest.mark.parametrize("point", CURVES, ids=lambda p: f"{p[3]}-{p[0]}")
def test_creep_curve_of_contact(point):
    """CONTACT's FASTSIM works on 40 x 40 squares; exact theory slides later at large creepage."""
    xi, part, force, series = point
    setup = LONGITUDINAL["setup"]
    assert part == pytest.approx(force / (setup["mu"] * setup["F_N"]), abs=1e-3)
    assert longitudinal(xi) == pytest.approx(part, abs=0.013 if "FASTSIM" in series else 0.049)


def by_nodes(xi, eta, phi, patch, nu, n, kind):
    """Kalker's marching over nodes, x at the end of each step; all strips at once by NumPy."""
    a, b, N, mu, G = patch
    C11, C22, C23, _ = kalker(a, b, nu, kalker_table(nu))
    L = np.array([8 * a / (3 * C11), 8 * a / (3 * C22), math.pi * a * math.sqrt(a / b) / 4 / C23])
    L /= G
    if kind == WEIGHTED:
        w = np.abs([xi, eta, math.sqrt(a * b) * phi])
        L[:] = w @ L / math.sqrt(w @ w)
    y = ((2 * np.arange(n) + 1) / n - 1) * b
    half = a * np.sqrt(1 - (y / b) ** 2)
    dx, dy, p, total = 2 * half / n, 2 * b / n, np.zeros((2, n)), np.zeros(3)
    for i in range(1, n + 1):
        x = half - i * dx
        p = p - dx * np.array([xi / L[0] - y * phi / L[2], eta / L[1] + x * phi / L[2]])
        bound = mu * 2 * N / (math.pi * a * b) * np.maximum(1 - (x / a) ** 2 - (y / b) ** 2, 0)
        p = p * np.minimum(1.0, bound / np.maximum(np.hypot(*p), 1e-300))
        total += [(q * dx).sum() * dy for q in (p[0], p[1], x * p[1] - y * p[0])]
    return total / (mu * N * np.array([1, 1, math.sqrt(a * b)]))


def opposed(n, kind=THREE, nodes=False):
    """F_y / (mu N) and M_z in N mm where lateral creepage and spin oppose each other."""
    setup, patch = OPPOSED["setup"], patch_of(OPPOSED["setup"])
    creepages = 0.0, setup["eta"], setup["phi_per_mm"] * 1e3
    if nodes:
        F = by_nodes(*creepages, patch, setup["nu"], n, kind)
    else:
        F = forces(*creepages, patch=patch, nu=setup["nu"], n=n, kind=kind)
    return F[1], F[2] * patch[3] * patch[2] * math.sqrt(patch[0] * patch[1]) * 1e3


@pytest.mark.parametrize(("name", "n"), [("nodes_200", 200), ("weighted_nodes_100", 100)])
def test_marching_over_nodes_gives_the_reference_with_lateral_creepage_and_spin(name, n):
    kind = WEIGHTED if name.startswith("weighted") else THREE
    F_y, M_z = opposed(n, kind, nodes=True)
    assert F_y == pytest.approx(OPPOSED[name]["Fy_over_muN"], abs=3e-4)
    assert M_z == pytest.approx(OPPOSED[name]["Mz_Nmm"], rel=1e-3)


@pytest.mark.parametrize("kind", [THREE, WEIGHTED])
def test_lateral_creepage_and_spin_converge_to_the_limit_of_marching_over_nodes(kind):
    """Nodes are of first order: their limit is extrapolated. Cells are near it with 25 already."""
    coarse, fine = (np.array(opposed(n, kind, nodes=True)) for n in (400, 800))
    limit = 2 * fine - coarse
    assert opposed(400, kind) == pytest.approx(limit, rel=2e-3)
    assert opposed(25, kind) == pytest.approx(limit, rel=0.015)


def test_lateral_creepage_and_spin_are_near_those_of_contact():
    """Its grids of 40 and 200 approach the same limit, from a greater distance."""
    F_y, M_z = opposed(200)
    assert F_y == pytest.approx(OPPOSED["contact_200"]["Fy_over_muN"], rel=0.02)
    assert M_z == pytest.approx(OPPOSED["contact_200"]["Mz_Nmm"], rel=0.012)
    F_y, M_z = opposed(25)
    assert F_y == pytest.approx(OPPOSED["contact_40"]["Fy_over_muN"], rel=0.07)
    assert M_z == pytest.approx(OPPOSED["contact_40"]["Mz_Nmm"], rel=0.05)


@pytest.mark.parametrize("parabolic", [True, False])
def test_blended_flexibilities_are_nearer_to_exact_theory_than_three(parabolic):
    """Where lateral creepage and spin oppose each other, and where the patch slides as a whole."""
    setup, exact = OPPOSED["setup"], OPPOSED["contact_exact"]
    creepages = 0.0, setup["eta"], setup["phi_per_mm"] * 1e3
    options = {"patch": patch_of(setup), "nu": setup["nu"], "n": 60, "parabolic": parabolic}
    if parabolic:
        blended, three = (forces(*creepages, **options, kind=kind)[1] for kind in (BLENDED, THREE))
        assert abs(blended - exact["Fy_over_muN"]) < 0.7 * abs(three - exact["Fy_over_muN"])
    case = REFERENCE["full_sliding"]
    setup, exact = case["setup"], case["contact_exact"]
    creepages = setup["xi"], setup["eta"], setup["phi_per_m"]
    options |= {"patch": patch_of(setup), "nu": setup["nu"]}
    a, b, N, mu, _ = options["patch"]
    force = forces(*creepages, **options) * mu * N * np.array([1, 1, math.sqrt(a * b)])
    assert force[:2] == pytest.approx((exact["Fx_N"], exact["Fy_N"]), rel=0.01)
    assert force[2] == pytest.approx(exact["Mz_Nm"], abs=0.35)


@pytest.mark.parametrize("direction", [(1.0, 0.0), (0.0, 1.0)])
@pytest.mark.parametrize("ratio", [0.05, 0.4, 1.0, 3.0, 20.0])
def test_slope_at_zero_creepage_is_that_of_linear_theory(direction, ratio):
    patch = (6e-3, 6e-3 / ratio, 5.4e4, 0.3, 8e10)
    a, b, N, mu, G = patch
    xi, eta = 1e-9 * direction[0], 1e-9 * direction[1]
    F = linear_kalker(xi, eta, 0.0, a, b, G, *kalker(a, b, 0.3, kalker_table(0.3)))
    force = forces(xi, eta, patch=patch)[:2] * mu * N
    assert force == pytest.approx(F[:2], rel=2e-3, abs=1e-12)


def test_lateral_slope_with_spin_is_that_of_linear_theory():
    """L_3 is chosen so that F_y = -G c^3 C23 phi."""
    a, b, N, mu, G = PATCH
    phi = 1e-7
    F = linear_kalker(0.0, 0.0, phi, a, b, G, *kalker(a, b, 0.3, kalker_table(0.3)))
    assert forces(0.0, 0.0, phi, n=100)[1] * mu * N == pytest.approx(F[1], rel=2e-3)


@pytest.mark.parametrize("parabolic", [True, False])
@pytest.mark.parametrize("n", [1, 2, 7, 24, (30, 11)])
@pytest.mark.parametrize("kind", [BLENDED, WEIGHTED])
@given(angle=st.floats(0, 2 * math.pi))
def test_full_sliding_gives_mu_times_load_on_any_grid(parabolic, n, kind, angle):
    """One flexibility keeps the direction of the creepage; without spin it is exact."""
    xi, eta = math.cos(angle), math.sin(angle)
    F = forces(xi, eta, parabolic=parabolic, n=n, kind=kind)
    assert pytest.approx([-xi, -eta, 0.0], abs=1e-9) == F


@given(creepage, creepage, spin, st.booleans(), st.sampled_from(KINDS))
def test_symmetries(xi, eta, phi, parabolic, kind):
    options = {"parabolic": parabolic, "kind": kind}
    F = forces(xi, eta, phi, **options)
    assert forces(-xi, -eta, -phi, **options) == pytest.approx(-F, abs=1e-12)  # opposite
    assert forces(xi, -eta, -phi, **options) == pytest.approx(F * [1, -1, -1], abs=1e-12)  # mirror


@given(creepage, creepage, spin, st.booleans(), st.sampled_from(KINDS))
def test_friction_bounds_tractions_and_takes_power(xi, eta, phi, parabolic, kind):
    fields = np.zeros((9, 11, 6))
    F = forces(xi, eta, phi, n=(11, 9), fields=fields, parabolic=parabolic, kind=kind)
    assert math.hypot(F[0], F[1]) <= 1.0 + 1e-12
    p_x, p_y, s_x, s_y, mu, W = np.moveaxis(fields, 2, 0)
    assert np.all(W >= 0.0)
    assert pytest.approx(-(p_x * s_x + p_y * s_y), rel=1e-9, abs=1e-3) == W
    assert np.all(mu == PATCH[3])


def test_fields_add_up_to_the_forces():
    a, b, N, mu, _ = PATCH
    n_x, n_y = 12, 9
    fields = np.zeros((n_y, n_x, 6))
    F = forces(2e-3, -1e-3, 0.8, n=(n_x, n_y), fields=fields)
    x, y = centres(a, b, n_x, n_y)
    area = (x[:, :1] - x[:, 1:2]) * 2 * b / n_y
    p_x, p_y = fields[:, :, 0], fields[:, :, 1]
    sums = [(q * area).sum() for q in (p_x, p_y, x * p_y - y * p_x)]
    assert pytest.approx(np.array(sums) / (mu * N * np.array([1, 1, math.sqrt(a * b)]))) == F


def test_patch_adheres_at_its_leading_edge():
    fields = np.zeros((25, 25, 6))
    forces(1e-3, fields=fields)
    sliding = np.hypot(fields[:, :, 2], fields[:, :, 3]) > 0.0
    assert not sliding[12, :10].any()
    assert sliding[12, -3:].all()


@given(creepage, creepage, spin)
@settings(max_examples=30)
def test_grid_converges(xi, eta, phi):
    options = {"patch": PATCH, "kind": BLENDED}
    coarse, fine = forces(xi, eta, phi, n=25, **options), forces(xi, eta, phi, n=100, **options)
    assert coarse == pytest.approx(fine, abs=0.02)


@pytest.mark.parametrize("load", [0.0, -1e3])
def test_lifted_wheel_has_no_forces(load):
    C = kalker(6e-3, 4e-3, 0.3, kalker_table(0.3))[:3]
    for a, b in ((6e-3, 4e-3), (0.0, 0.0)):
        force = fastsim(
            Creepages(1e-3, 1e-3, 0.1), LoadedPatch(a, b, load), 0.3, Elasticity(8e10, *C),
            Cells(25, 25, True, BLENDED), NONE,
        )  # fmt: skip
        assert force == (0.0, 0.0, 0.0)


def test_compiled_equals_interpreted():
    rng = np.random.default_rng(0)
    for k, (xi, eta, phi) in enumerate(rng.normal(0, (3e-3, 3e-3, 0.5), (12, 3))):
        options = {"n": (6, 5), "parabolic": bool(k % 2), "kind": k % 3}
        slow = forces(xi, eta, phi, kernel=kernel_text, **options)
        assert np.array_equal(slow, forces(xi, eta, phi, **options))


@pytest.mark.parametrize("V", [0.0, 5.0, -30.0])
def test_friction_of_the_block_falls_with_the_speed_of_sliding(V):
    """mu_0 ((1 - A) exp(-B w) + A), w = |V| sqrt(xi^2 + eta^2), for the whole patch."""
    a, b, N, mu, _ = PATCH
    xi, eta, A, B = 0.03, -0.04, 0.4, 0.6
    fallen = mu * ((1.0 - A) * math.exp(-B * abs(V) * 0.05) + A)
    signals = {"xi": xi, "eta": eta, "phi": 0.4, "a": a, "b": b, "N": N}
    falls = Bench("rail.fastsim", mu=mu, A=A, B=B).run("out", by_program, V=V, **signals)
    constant = Bench("rail.fastsim", mu=fallen, A=1.0).run("out", by_program, V=V, **signals)
    for force in ("F_x", "F_y", "M_z"):
        assert falls[force] == pytest.approx(constant[force], rel=1e-12)
    assert math.hypot(falls["F_x"], falls["F_y"]) == pytest.approx(fallen * N, rel=0.05)


def test_a_wheel_with_falling_friction_has_the_force_of_the_law():
    """Locked wheels at 10 and 30 m/s: friction of Polach's curve, in all blocks with contacts."""
    wheel = WheelOnRail(law="fastsim", mu=0.4, falling=True, A=0.3, B=0.2)
    for v in (10.0, 30.0):
        touch = wheel.touch(load=5e4, v=v, omega=0.0)
        mu = 0.4 * (0.7 * math.exp(-0.2 * v) + 0.3)
        assert -touch.F[0] / sum(c.N for c in touch.contacts) == pytest.approx(mu, rel=0.01)
