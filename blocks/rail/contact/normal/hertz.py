"""Point contact of two elastic bodies: force, patch and pressure from approach or from load.

Hertz: smooth bodies that are half-spaces as seen from the patch, without friction, touching where
their gap is

    h = A x^2 + B y^2,  x along the direction of rolling                   (1)

With the long semi-axis of the patch along the smaller of both coefficients, k = short / long axis,
m = 1 - k^2, K and E complete elliptic integrals of the parameter m, and sigma = (K - E) / (m K):

    larger / smaller coefficient = (1 - sigma) / (k^2 sigma)               (2)
    long^2 = delta sigma / smaller,  N = 2 pi / 3 E_star long / K delta    (3)
    p_0 = 3 N / (2 pi a b)                                                 (4)

Two equal bodies have E_star = E / (2 (1 - nu^2)) = G / (1 - nu). Circle: k = 1, sigma = 1/2,
N = 4/3 E_star sqrt(R) delta^1.5. Source: K. L. Johnson, Contact Mechanics (1985), chapter 4.
"""

import math

FLATTEST = 1e-12  # the smaller coefficient counts as at least this part of the larger one
DAMPED = 1e-5  # approach times A from which on damping is whole: 9 um under a wheel of 0.46 m
MEANS = 40  # arithmetic-geometric means at most: the least k takes 30
NEAR = 1e-8  # Newton is quadratic: a step this small leaves an error of its square


def elliptic_ratios(k):
    """K and sigma = (K - E) / (m K) for m = 1 - k^2, 0 < k <= 1, by arithmetic-geometric means.

    E / K = 1 - sum of 2^(n-1) c_n^2; with c_n^2 / m carried along nothing cancels near a circle.
    """
    mean, root = 0.5 * (1.0 + k), math.sqrt(k)
    c = 0.5 * (1.0 - k)
    part = 0.25 * (1.0 - k) / (1.0 + k)  # c_1^2 / m
    sigma, weight = 0.5 + part, 1.0
    for _ in range(MEANS):
        if not abs(c) > 1e-9:
            break
        following = 0.5 * (mean + root)
        root = math.sqrt(mean * root)
        c = 0.25 * c * c / following
        part = c * c / ((1.0 - k) * (1.0 + k))
        weight *= 2.0
        sigma += weight * part
        mean = following
    return 0.5 * math.pi / mean, sigma


def axis_ratio(ratio):
    """Short over long semi-axis, K and sigma for ratio = larger / smaller coefficient >= 1.

    Newton's method on (2) in logarithms, where it is almost straight: with x = -ln k, y = ln ratio,
    y' = 2 + (1 / ratio - k^2 ratio) / m; 3/2 at the circle, and y = 2 x - ln(x + ln 4 - 1) when
    slender.
    """
    y = math.log(ratio)
    x = 0.5 * (y + math.log((1.0 + y * (0.942 + 0.337 * y)) / (1.0 + 0.609 * y)))  # within 0.013
    for _ in range(8):
        k = math.exp(-x)
        K, sigma = elliptic_ratios(k)
        ratio_of_k = (1.0 - sigma) / (k * k * sigma)  # (2)
        m = (1.0 - k) * (1.0 + k)
        slope = 1.5 if m < 1e-5 else 2.0 + (1.0 / ratio_of_k - k * k * ratio_of_k) / m
        step = (y - math.log(ratio_of_k)) / slope
        x = max(x + step, 0.0)
        if abs(step) < NEAR:
            break
    k = math.exp(-x)
    K, sigma = elliptic_ratios(k)
    return k, K, sigma


def hertz_constants(A, B):
    """(k, c_x, c_y): N = E_star k delta^1.5, a = c_x sqrt(delta), b = c_y sqrt(delta).

    a is the semi-axis along x, b the one along y; A and B in 1/m, in any order. A coefficient that
    is not positive, or too small beside the other, counts as FLATTEST times the other; without a
    positive one the bodies do not touch in a point, and all constants are zero.
    """
    large, small = max(A, B), min(A, B)
    if not large > 0.0:
        return 0.0, 0.0, 0.0
    small = max(small, FLATTEST * large)
    ratio, K, sigma = axis_ratio(large / small)
    long = math.sqrt(sigma / small)  # (3)
    k = 2.0 * math.pi / 3.0 * long / K  # (3)
    return (k, long, ratio * long) if A <= B else (k, ratio * long, long)


def composite_modulus(E, nu):
    """E_star of two equal bodies with Young's modulus E and Poisson's ratio nu."""
    return E / (2.0 * (1.0 - nu * nu))


def damped_depth(A):
    """Approach from which on damping is whole: a part of the radius of rolling 1 / (2 A)."""
    return DAMPED / A if A > 0.0 else 0.0


def normal_force(delta, delta_dot, K_h, c, t_c, depth):
    """Force for approach delta, in m, and its rate, with `compression_damping`; never negative.

    K_h delta^1.5 + c delta_dot + t_c (3/2 K_h sqrt(delta)) delta_dot: damping by the time t_c goes
    with the stiffness, in both directions, but does not pull.
    """
    if not delta > 0.0:
        return 0.0
    root = math.sqrt(delta)
    force = K_h * delta * root + compression_damping(delta, delta_dot, c, depth)
    return max(force + t_c * 1.5 * K_h * root * delta_dot, 0.0)


def compression_damping(delta, delta_dot, c, depth):
    """Force c delta_dot under compression, growing with the approach up to `depth`.

    So it is continuous when bodies meet (delta = 0) and when they start to part (delta_dot = 0).
    """
    if not delta_dot > 0.0:
        return 0.0
    return c * delta_dot * (delta / depth if delta < depth else 1.0)


def patch(A, B, N, E_star):
    """Semi-axes a and b, approach delta and largest pressure p_0 under the load N; 0 if lifted."""
    k, c_x, c_y = hertz_constants(A, B)
    if not (N > 0.0 and k > 0.0):
        return 0.0, 0.0, 0.0, 0.0
    delta = math.pow(N / (E_star * k), 2.0 / 3.0)
    root = math.sqrt(delta)
    a, b = c_x * root, c_y * root
    return a, b, delta, 3.0 * N / (2.0 * math.pi * a * b)  # (4)


def relative_curvatures(k1_w, k2_w, k1_r, k2_r, psi):
    """Coefficients A and B of the gap between two bodies with given principal curvatures.

    Curvatures are positive where a body is convex. psi is the angle from the first principal
    direction of the one body to that of the other. A belongs to the relative principal direction
    that is nearer to the first one of the first body; for psi = 0, A = (k1_w + k1_r) / 2.
    """
    mean = 0.25 * (k1_w + k2_w + k1_r + k2_r)
    along = 0.25 * (k1_w - k2_w + (k1_r - k2_r) * math.cos(2.0 * psi))
    across = 0.25 * (k1_r - k2_r) * math.sin(2.0 * psi)
    radius = math.sqrt(along * along + across * across)
    return (mean + radius, mean - radius) if along >= 0.0 else (mean - radius, mean + radius)
