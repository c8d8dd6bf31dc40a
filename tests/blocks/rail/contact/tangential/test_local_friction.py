"""Friction at one position of a patch: the paper's law and its limits, roots in fifty digits."""

import math
from decimal import Decimal, localcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from railblocks.blocks.rail.contact.tangential.local_friction import (
    friction,
    friction_law,
    sliding_friction,
)
from railblocks.engine import compiled

PAPER = {  # Table 4 of Meacci et al. (2020), and its tuned tau
    "mu_cd": 0.06, "mu_cr": 0.28, "A_d": 0.4, "A_r": 0.4, "gamma_d": 0.2, "gamma_r": 0.6,
    "tau": 8.1e-9,
}  # fmt: skip


@given(
    st.floats(1.0001, 50), st.floats(5, 10), st.floats(-12, -7), st.floats(0.5, 2),
    st.floats(-0.5, 2), st.floats(-11, -6), st.floats(0, 3), st.floats(0, 3),
)  # fmt: skip
@settings(max_examples=300)
def test_friction_of_a_sliding_cell_is_a_root_from_any_start(
    excess, pressure, k, ratio, start, tau, gamma_d, gamma_r
):
    law = friction_law(0.06, 0.28, 0.4, 0.4, gamma_d, gamma_r, 10.0**tau)
    p_n, k_s = 10.0**pressure, 10.0**k
    P = excess * 0.15 * p_n
    mu = compiled(sliding_friction)(P, p_n, k_s, ratio * k_s, start, law)

    def g(mu):
        s, W = k_s * (P - mu * p_n), ratio * k_s * mu * p_n * (P - mu * p_n)
        return mu - friction(s, W, law)

    assert g(mu * (1 - 1e-6)) * g(mu * (1 + 1e-6)) <= 0.0


def root_in_fifty_digits(P, p_n, k_s, k_w, tau):
    """Where mu = F(mu) (16) with the paper's numbers, by bisection; P is above static friction."""
    with localcontext(prec=50):
        P, p_n, k_s, k_w, tau = map(Decimal, (P, p_n, k_s, k_w, tau))
        cd, cr, A, gamma_d, gamma_r = map(Decimal, ("0.06", "0.28", "0.4", "0.2", "0.6"))

        def excess(mu):
            u = P - mu * p_n
            mu_d = cd + (cd / A - cd) * (-gamma_d * k_s * u).exp()
            mu_r = cr + (cr / A - cr) * (-gamma_r * k_s * u).exp()
            return mu - mu_r - (-tau * k_w * mu * p_n * u).exp() * (mu_d - mu_r)

        low, high = cd, min(cr / A, P / p_n)
        for _ in range(120):
            middle = (low + high) / 2
            low, high = (low, middle) if excess(middle) > 0 else (middle, high)
        return float(low)


@pytest.mark.parametrize("tau", [1e-10, 8.1e-9, 1e-7, 1e-6, 8e-6, 7e-5, 1e-3, 1e-2])
@pytest.mark.parametrize("start", [0.06, 0.15, 0.3, 0.46, 0.7])
@pytest.mark.parametrize(
    ("ratio", "p_n", "k"),
    [(0.1502, 1.9e7, 1.2e-8), (0.16, 9e8, 2e-9), (0.34, 1.16e9, 1.65e-9), (0.64, 1.14e9, 3.5e-10),
     (0.696, 6.9e8, 5.5e-10), (0.66, 1.76e7, 1.1e-8), (2.0, 5e8, 3e-10)],
)  # fmt: skip
def test_friction_keeps_nine_digits_however_fast_surfaces_recover(ratio, p_n, k, start, tau):
    law = friction_law(0.06, 0.28, 0.4, 0.4, 0.2, 0.6, tau)
    P = ratio * p_n
    mu = sliding_friction(P, p_n, k, k, start, law)
    assert mu == pytest.approx(root_in_fifty_digits(P, p_n, k, k, tau), rel=2e-9)


@given(st.floats(0, 100), st.floats(0, 1e12))
def test_friction_is_that_of_the_paper(s, W):
    law = friction_law(**PAPER)
    mu_d = (0.06 / 0.4 - 0.06) * math.exp(-0.2 * s) + 0.06
    mu_r = (0.28 / 0.4 - 0.28) * math.exp(-0.6 * s) + 0.28
    part = 1.0 - math.exp(-8.1e-9 * W)
    assert friction(s, W, law) == pytest.approx((1.0 - part) * mu_d + part * mu_r, rel=1e-12)


def test_friction_has_the_four_limits_of_the_paper():
    law = friction_law(**PAPER)
    assert friction(0.0, 0.0, law) == pytest.approx(0.06 / 0.4)
    assert friction(1e3, 0.0, law) == pytest.approx(0.06)
    assert friction(0.0, 1e12, law) == pytest.approx(0.28 / 0.4)
    assert friction(1e3, 1e12, law) == pytest.approx(0.28)
