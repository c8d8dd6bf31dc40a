"""Adhesion coefficient as a function of relative sliding, for traction and braking.

    delta = (r omega - v) / v_max,  v_max = max(|r omega|, |v|)            (24)
    mu = mu_0 delta / delta_0 for |delta| <= delta_0, else
    |mu| = mu_asy + (mu_0 - mu_asy) exp(-lambda (|delta| - delta_0) v_max),  sign of delta  (25)

v_max is r omega in traction and v in braking, as the two branches of (25) need. mu is positive when
the wheel pulls forwards. The slope of the middle branch makes the curve continuous. Near standstill
v_max counts as at least V_min, so that delta is continuous there too. Source: Conti et al. (2012),
Eqs 24 and 25.
"""

import math


def adhesion_curve(v_w, v, mu_0, mu_asy, delta_0, lam, V_min):
    """Adhesion mu and sliding delta for speeds v_w = r omega of the wheel and v of the train."""
    v_max = max(abs(v_w), abs(v), V_min)
    delta = (v_w - v) / v_max  # (24)
    size = abs(delta)
    if size <= delta_0:
        return mu_0 * delta / delta_0, delta  # (25)
    mu = mu_asy + (mu_0 - mu_asy) * math.exp(-lam * (size - delta_0) * v_max)  # (25)
    return (mu if delta > 0.0 else -mu), delta
