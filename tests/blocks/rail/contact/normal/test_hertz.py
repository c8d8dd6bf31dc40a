"""Hertz: elliptic integrals, point and line contact, against SciPy, closed forms and CONTACT."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rail_references import data
from railblocks.blocks.rail.contact.normal import hertz, line
from railblocks.engine import compiled
from scipy import integrate, optimize, special

REFERENCE = data("creep_forces.yaml")
E_STEEL = hertz.composite_modulus(2.1e11, 0.3)


@given(st.floats(0.0, 1.0 - 1e-10))
def test_elliptic_integrals_are_those_of_scipy(m):
    K, sigma = hertz.elliptic_ratios(math.sqrt(1.0 - m))
    assert pytest.approx(special.ellipk(m), rel=1e-13) == K
    assert pytest.approx(special.ellipe(m), rel=1e-13) == K * (1.0 - m * sigma)


def axes_by_scipy(A, B):
    """Long axis, axis ratio and force constant of Hertz by SciPy, for A <= B."""

    def excess(x):
        q = math.exp(-2.0 * x)
        K, E = special.ellipkm1(q), special.ellipe(1.0 - q)
        return math.log((E / q - K) / (K - E)) - math.log(B / A)

    x = optimize.brentq(excess, 1e-4, 25.0, xtol=1e-14)
    q = math.exp(-2.0 * x)
    K, E = special.ellipkm1(q), special.ellipe(1.0 - q)
    long = math.sqrt((K - E) / (A * (1.0 - q) * K))
    return long, math.exp(-x), 2.0 * math.pi / 3.0 * math.sqrt((K - E) / (A * (1.0 - q) * K**3))


@pytest.mark.parametrize("ratio", [1.001, 1.1, 1.5, 3.0, 10.0, 1e2, 1e4, 1e6, 1e9, 1e12])
def test_constants_solve_hertz_equations_for_any_ratio_of_curvatures(ratio):
    A = 0.7
    long, k, force = axes_by_scipy(A, A * ratio)
    constants = hertz.hertz_constants(A, A * ratio)
    # SciPy's own route loses digits where K - E cancels, near a circle
    assert constants == pytest.approx((force, long, k * long), rel=1e-9 if ratio > 1.01 else 1e-7)


@given(st.floats(1e-3, 1e3), st.floats(0.0, 12.0))
def test_axes_swap_with_the_curvatures_and_are_similar_under_scaling(A, exponent):
    B = A * 10.0**exponent
    k, c_x, c_y = hertz.hertz_constants(A, B)
    assert hertz.hertz_constants(B, A) == (k, c_y, c_x) or A == B
    assert c_x >= c_y
    scaled = hertz.hertz_constants(4.0 * A, 4.0 * B)
    assert scaled == pytest.approx((k / 2.0, c_x / 2.0, c_y / 2.0), rel=1e-12)


def test_equal_curvatures_give_the_circle():
    R = 0.37
    k, c_x, c_y = hertz.hertz_constants(0.5 / R, 0.5 / R)
    assert k == pytest.approx(4.0 / 3.0 * math.sqrt(R), rel=1e-15)
    assert (c_x, c_y) == pytest.approx((math.sqrt(R), math.sqrt(R)), rel=1e-15)


@pytest.mark.parametrize("epsilon", [1e-12, 1e-8, 1e-4, 1e-2])
def test_nearly_equal_curvatures_give_the_first_order_ellipse(epsilon):
    """b/a = (A/B)^(2/3) to first order: equation (2) near k = 1 reads ratio = 1 + 3/2 (1 - k)."""
    _, c_x, c_y = hertz.hertz_constants(1.0, 1.0 + epsilon)
    assert c_y / c_x == pytest.approx((1.0 + epsilon) ** (-2.0 / 3.0), abs=epsilon**2 + 1e-15)


@pytest.mark.parametrize("case", REFERENCE["hertz"], ids=lambda c: c["origin"])
def test_patch_is_that_of_contact(case):
    E_star = case["G_MPa"] * 1e6 / (1.0 - case["nu"])
    a, b, delta, p_0 = hertz.patch(
        case["A_per_mm"] * 1e3, case["B_per_mm"] * 1e3, float(case["F_N"]), E_star
    )
    assert a * 1e3 == pytest.approx(case["a_mm"], rel=2e-4)
    assert b * 1e3 == pytest.approx(case["b_mm"], rel=2e-4)
    assert delta * 1e3 == pytest.approx(case["approach_mm"], rel=2e-4)
    assert p_0 * 1e-6 == pytest.approx(case["p0_MPa"], rel=5e-4)


@pytest.mark.parametrize("case", REFERENCE["hertz_of_radii"])
def test_patch_of_given_radii(case):
    roller = 1.0 / case["R_roller"] if case["R_roller"] else 0.0
    A, B = hertz.relative_curvatures(1.0 / case["R_wheel"], 0.0, roller, 1.0 / case["R_rail"], 0.0)
    a, b, delta, p_0 = hertz.patch(A, B, float(case["F_N"]), E_STEEL)
    assert a * 1e3 == pytest.approx(case["a_mm"], abs=0.006)
    assert b * 1e3 == pytest.approx(case["b_mm"], abs=0.006)
    assert delta * 1e3 == pytest.approx(case["approach_mm"], abs=6e-4)
    if "p0_MPa" in case:
        assert p_0 * 1e-6 == pytest.approx(case["p0_MPa"], rel=1e-3)
        K_h = E_STEEL * hertz.hertz_constants(A, B)[0]
        assert pytest.approx(case["Kh_N_per_m15"], rel=1e-3) == K_h


def test_patch_and_constants_agree_and_carry_the_load():
    A, B, N = 1.1, 1.7, 6e4
    a, b, delta, p_0 = hertz.patch(A, B, N, E_STEEL)
    k, c_x, c_y = hertz.hertz_constants(A, B)
    assert E_STEEL * k * delta**1.5 == pytest.approx(N)
    assert (a, b) == pytest.approx((c_x * delta**0.5, c_y * delta**0.5))
    assert 2.0 / 3.0 * math.pi * a * b * p_0 == pytest.approx(N)


def test_displacement_under_the_pressure_is_the_gap_closed():
    """Boussinesq's integral over the ellipsoid of pressure, in the centre of the patch."""
    A, B, N = 1.1, 1.9, 6e4
    a, b, delta, p_0 = hertz.patch(A, B, N, E_STEEL)

    def ray(angle):
        reach = 1.0 / math.hypot(math.cos(angle) / a, math.sin(angle) / b)
        return p_0 * reach * math.pi / 4.0  # of sqrt(1 - (r / reach)^2) dr

    centre = integrate.quad(ray, 0.0, 2.0 * math.pi)[0] / (math.pi * E_STEEL)
    assert centre == pytest.approx(delta, rel=1e-9)


@pytest.mark.parametrize("N", [0.0, -1e4])
def test_lifted_bodies_have_no_patch(N):
    assert hertz.patch(1.0, 2.0, N, E_STEEL) == (0.0, 0.0, 0.0, 0.0)
    assert line.line_patch(1.0, 0.01, N, E_STEEL) == (0.0, 0.0, 0.0)


@given(st.floats(-10, 10), st.floats(-10, 10), st.floats(-1e6, 1e6))
def test_any_curvatures_and_load_give_finite_results(A, B, N):
    assert all(map(math.isfinite, hertz.hertz_constants(A, B)))
    assert all(value >= 0.0 for value in hertz.patch(A, B, N, E_STEEL))


def test_moduli():
    G, nu = 8e10, 0.3
    E = 2.0 * G * (1.0 + nu)
    assert hertz.composite_modulus(E, nu) == pytest.approx(G / (1.0 - nu))


@given(st.floats(-1e-3, 1e-3), st.floats(-1, 1))
def test_normal_force_pushes_only_and_damps_compression_only(delta, rate):
    K_h, c, depth = 9.4e10, 1e5, 9.2e-6
    N = hertz.normal_force(delta, rate, K_h, c, 0.0, depth)
    elastic = K_h * max(delta, 0.0) ** 1.5
    assert elastic - 1e-9 <= N <= elastic * (1 + 1e-12) + max(c * rate, 0.0) + 1e-300
    assert delta > 0.0 or N == 0.0
    assert rate > 0.0 or pytest.approx(elastic) == N
    if delta > depth and rate > 0.0:
        assert pytest.approx(elastic + c * rate) == N


@given(st.floats(1e-7, 1e-3), st.floats(-1, 1))
def test_damping_by_a_time_goes_with_the_stiffness_both_ways_and_never_pulls(delta, rate):
    """t_c d N / d delta, with d N / d delta = 3/2 K_h sqrt(delta)."""
    K_h, t_c = 9.4e10, 1e-5
    N = hertz.normal_force(delta, rate, K_h, 0.0, t_c, 9.2e-6)
    expected = K_h * delta**1.5 + t_c * 1.5 * K_h * math.sqrt(delta) * rate
    assert pytest.approx(max(expected, 0.0), rel=1e-12, abs=1e-9) == N


def test_damping_by_a_time_takes_what_a_linear_damper_takes():
    """Over a small swing about delta: pi c omega size^2, c = t_c d N / d delta."""
    K_h, t_c, delta, size, omega = 9.4e10, 1e-5, 7e-5, 1e-8, 300.0
    phase = np.linspace(0.0, 2.0 * math.pi, 2001)
    x, v = delta + size * np.sin(phase), size * omega * np.cos(phase)
    N = [hertz.normal_force(*motion, K_h, 0.0, t_c, 9.2e-6) for motion in zip(x, v, strict=True)]
    taken = np.trapezoid(np.array(N) * v, phase / omega)
    c = t_c * 1.5 * K_h * math.sqrt(delta)
    assert taken == pytest.approx(math.pi * c * omega * size**2, rel=1e-4)


def test_normal_force_is_continuous_at_touch_down():
    assert hertz.normal_force(1e-15, 1.0, 9.4e10, 1e5, 0.0, 9.2e-6) < 1e-4
    assert hertz.normal_force(1e-20, 1.0, 9.4e10, 1e5, 1e-4, 9.2e-6) < 2e-3  # as the root of delta


@pytest.mark.parametrize("scale", [0.2, 3.0])
@pytest.mark.parametrize("delta", [2e-6, 8e-6, 4e-5])
def test_a_scaled_world_has_the_scaled_force_with_its_damping(scale, delta):
    """Lengths and speeds by s, curvatures by 1/s, c by s: forces by s^2 for the same material."""

    def force(s):
        A, B = 1.09 / s, 1.67 / s
        K_h = E_STEEL * hertz.hertz_constants(A, B)[0]
        depth = hertz.damped_depth(A)
        return hertz.normal_force(delta * s, 0.03 * s, K_h, 1e5 * s, 1e-4, depth)

    assert force(scale) == pytest.approx(scale**2 * force(1.0), rel=1e-12)


def test_curvatures_add_along_common_directions():
    assert hertz.relative_curvatures(2.0, 0.5, 1.0, 3.0, 0.0) == pytest.approx((1.5, 1.75))
    assert hertz.relative_curvatures(2.0, 0.5, 1.0, 3.0, math.pi / 2) == pytest.approx((2.5, 0.75))


@given(*[st.floats(-3, 3)] * 4, st.floats(-1.5, 1.5))
def test_curvatures_are_eigenvalues_of_the_gap(k1_w, k2_w, k1_r, k2_r, psi):
    c, s = math.cos(psi), math.sin(psi)
    turn = np.array([[c, -s], [s, c]])
    gap = 0.5 * (np.diag([k1_w, k2_w]) + turn @ np.diag([k1_r, k2_r]) @ turn.T)
    curvatures = hertz.relative_curvatures(k1_w, k2_w, k1_r, k2_r, psi)
    assert sorted(curvatures) == pytest.approx(np.linalg.eigvalsh(gap), abs=1e-12)
    if abs(gap[0, 0] - gap[1, 1]) > 1e-9:
        assert (curvatures[0] > curvatures[1]) == (gap[0, 0] > gap[1, 1])


def test_line_has_the_width_and_pressure_of_the_plane_solution():
    """Cylinder of radius R on a plane: b^2 = 4 N' R / (pi E_star), p_0 = 2 N' / (pi b)."""
    R, L, N = 0.46, 0.02, 1e5
    b, _, p_0 = line.line_patch(0.5 / R, L, N, E_STEEL)
    per_length = N / (2.0 * L)
    assert b == pytest.approx(math.sqrt(4.0 * per_length * R / (math.pi * E_STEEL)))
    assert p_0 == pytest.approx(2.0 * per_length / (math.pi * b))


@pytest.mark.parametrize(("slenderness", "accuracy"), [(3, 2.5e-3), (10, 1.6e-4), (100, 2e-6)])
def test_line_approach_is_the_displacement_under_the_loaded_rectangle(slenderness, accuracy):
    B, L = 1.1, 0.02
    b = L / slenderness
    N = math.pi * E_STEEL * B * L * b * b
    result, delta, p_0 = line.line_patch(B, L, N, E_STEEL)
    assert result == pytest.approx(b)

    def across(t):  # along the line: integral of dx / sqrt(x^2 + y^2)
        return p_0 * math.sqrt(1.0 - t * t) * 2.0 * math.asinh(L / (b * t)) * b

    centre = 2.0 * integrate.quad(across, 0.0, 1.0)[0] / (math.pi * E_STEEL)
    assert delta == pytest.approx(centre, rel=accuracy)


@given(st.floats(1.0, 1e6), st.floats(0.1, 10), st.floats(1e-3, 0.1))
def test_line_force_and_approach_are_inverse_where_the_patch_is_narrow(N, B, L):
    b, delta, _ = line.line_patch(B, L, N, E_STEEL)
    if b < L:
        assert line.line_force(delta, B, L, E_STEEL) == pytest.approx(N, rel=1e-10)


@given(st.floats(-1, 1))
def test_line_force_is_finite_and_pushes_for_any_approach(delta):
    N = line.line_force(delta, 1.0, 0.01, E_STEEL)
    assert math.isfinite(N)
    assert N >= 0.0
    assert delta > 0.0 or N == 0.0


def test_compiled_equals_interpreted():
    rng = np.random.default_rng(0)
    for _ in range(200):
        A, B, N = 10.0 ** rng.uniform(-3, 3), 10.0 ** rng.uniform(-3, 3), 10.0 ** rng.uniform(0, 6)
        delta, rate = rng.uniform(-1e-4, 1e-3), rng.uniform(-1, 1)
        for kernel, arguments in (
            (hertz.hertz_constants, (A, B)),
            (hertz.patch, (A, B, N, E_STEEL)),
            (hertz.normal_force, (delta, rate, 9e10, 1e5, 1e-4, 9.2e-6)),
            (hertz.relative_curvatures, (A, 0.1, B, -0.2, rate)),
            (line.line_patch, (A, 0.01, N, E_STEEL)),
            (line.line_force, (delta, A, 0.01, E_STEEL)),
        ):
            assert compiled(kernel)(*arguments) == kernel(*arguments)


@pytest.mark.parametrize("delta", [1e-6, 5e-5])
def test_stiffness_of_a_line_is_the_slope_of_its_force(delta):
    B, L, d = 1.1, 0.02, 1e-4 * delta
    ahead, behind = (line.line_force(delta + x, B, L, E_STEEL) for x in (d, -d))
    b = line.line_half_width(delta, B, L)
    assert line.line_stiffness(L, b, E_STEEL) == pytest.approx((ahead - behind) / (2 * d), rel=1e-6)
    assert line.line_stiffness(L, 0.0, E_STEEL) == 0.0
