"""Friction that falls with sliding and recovers with dissipation, at one position of a patch.

    mu_d = mu_cd + (mu_cd / A_d - mu_cd) exp(-gamma_d s)                   (12)
    mu_r = mu_cr + (mu_cr / A_r - mu_cr) exp(-gamma_r s)                   (12)
    mu = (1 - lambda) mu_d + lambda mu_r,  lambda = 1 - exp(-tau w)        (13)

s is the speed of sliding, w >= 0 the energy that friction takes from an area over a distance of
rolling. Where a patch slides, the traction that would adhere, P = |p_A| > mu p_n, is cut to mu p_n,
hence

    s = k_s (P - mu p_n),  w = k_w mu p_n (P - mu p_n)                     (9), (14)

and (13) becomes one equation mu = F(mu) (16). Numbers are those of Meacci et al. (2020),
see `local_adhesion`.
"""

import math

from railblocks.blocks.rail.contact.tangential.decay import decay
from railblocks.engine.functions.functions import inlined

CLOSE = 1e-3  # Halley's method is cubic: a relative step this small leaves about its cube


def friction_law(mu_cd, mu_cr, A_d, A_r, gamma_d, gamma_r, tau):
    """The constants of (12) and (13) as the functions below take them."""
    return mu_cd, mu_cd / A_d - mu_cd, gamma_d, mu_cr, mu_cr / A_r - mu_cr, gamma_r, tau


def friction(s, w, law):
    """mu (13) at sliding s and dissipation w."""
    mu_cd, fall_d, gamma_d, mu_cr, fall_r, gamma_r, tau = law
    mu_d = mu_cd + fall_d * math.exp(-gamma_d * s)  # (12)
    mu_r = mu_cr + fall_r * math.exp(-gamma_r * s)  # (12)
    return mu_r + math.exp(-tau * w) * (mu_d - mu_r)  # (13)


@inlined
def halley(mu, P, p_n, k_s, k_w, law):
    """Halley's step from mu towards the root of g = mu - F(mu).

    Returns the step, the change of mu over which exp(-tau w) falls to 1/e as its inverse, whether g
    is so straight that a short step means a close root, g, and what Newton's step on tau w needs.
    """
    mu_cd, fall_d, gamma_d, mu_cr, fall_r, gamma_r, tau = law
    u = P - mu * p_n
    w, s = tau * k_w * p_n, k_s * u
    d, r = fall_d * decay(gamma_d * s), fall_r * decay(gamma_r * s)
    e = decay(w * mu * u)
    n_d, n_r = gamma_d * k_s * p_n, gamma_r * k_s * p_n
    d_1, r_1, w_1 = n_d * d, n_r * r, w * (u - mu * p_n)
    gap, gap_1, gap_2 = (mu_cr - mu_cd) + (r - d), r_1 - d_1, n_r * r_1 - n_d * d_1
    g = (mu - mu_cr) - r + e * gap
    g_1 = 1.0 - r_1 + e * (gap_1 - w_1 * gap)
    g_2 = e * (gap_2 - 2.0 * w_1 * gap_1 + (w_1 * w_1 + 2.0 * w * p_n) * gap) - n_r * r_1
    bend = g * g_2
    step = -2.0 * g * g_1 / (2.0 * g_1 * g_1 - bend)
    return step, abs(w_1), abs(bend) < g_1 * g_1, g, (w * mu * u, w_1, gap, gap_1, r_1, e)


def refined(mu, low, high, P, p_n, k_s, k_w, law):
    """One step towards the root of g = mu - F(mu) inside [low, high].

    Halley's method; where it leaves the bracket, Newton's on tau w = ln((mu_r - mu_d) / (mu_r -
    mu)), which is straighter where dissipation hardly recovers friction; else bisection. Returns
    friction, the smaller bracket, and the size of the step, measured by mu or by the change of mu
    in which exp(-tau w) falls to 1/e, if that is shorter. Where the step is not Halley's, or g is
    so bent that a short step does not mean a close root, the bracket itself has to be CLOSE^3.
    """
    step, change, straight, g, (exponent, w_1, gap, gap_1, r_1, e) = halley(
        mu, P, p_n, k_s, k_w, law
    )
    low, high = (low, mu) if g > 0.0 else (mu, high)
    following, size = mu + step, abs(step) * max(1.0, mu * change)
    if not straight:
        size = (high - low) / (CLOSE * CLOSE)
    if not low <= following <= high:
        rest = e * gap - g  # mu_r - mu
        if rest > 0.0 and gap > 0.0:
            h = exponent - math.log(gap / rest)
            following = mu - h / (w_1 - gap_1 / gap + (r_1 - 1.0) / rest)
        if not low <= following <= high:
            following = 0.5 * (low + high)
        size = (high - low) / (CLOSE * CLOSE)
    return following, low, high, size


def limits(law):
    """The least kinetic and the largest static friction, between which F lies."""
    return min(law[0], law[3]), max(law[0] + law[1], law[3] + law[4])


def sliding_friction(P, p_n, k_s, k_w, start, law):
    """The root of mu = F(mu) (16) from a given start, whatever the numbers are.

    At mu = P / p_n, without sliding, F is the static friction of the contaminated surface, which P
    has exceeded: so there is a root between that and the least friction. It is the only one where
    friction falls slowly enough with sliding, gamma k_s p_n (static - kinetic friction) < 1.
    """
    low, most = limits(law)
    high = min(most, P / p_n)
    mu = min(max(start, low), high)
    for _ in range(60):
        mu, low, high, size = refined(mu, low, high, P, p_n, k_s, k_w, law)
        if size <= CLOSE * mu:
            break
    return mu
